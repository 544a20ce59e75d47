"""Which token of a text asks first: the last one that says something."""

from collections.abc import Sequence

from attention_core.models.tokenizer import Tokenizer


def asks_first(tokenizer: Tokenizer, ids: Sequence[int]) -> int:
    """The place of the last token that is neither a mark, as [SEP] is, nor blank; the last of all if there is none."""
    data = tokenizer.bytes_of(ids)
    telling = (i for i in reversed(range(len(ids))) if int(ids[i]) not in tokenizer.special and data[i].strip())
    return next(telling, len(ids) - 1)
