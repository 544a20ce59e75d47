"""What a .gguf file states of its vocabulary, and the marks in it and around a text."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attention_core.checks import quoted

if TYPE_CHECKING:
    import tokenizers

KEY = "tokenizer.ggml."
NORMAL, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4  # token types of the format (gguf.TokenType)


def stated(fields: Mapping[str, Any], name: str) -> Any:
    """What the file states under a name. Raises ValueError if it does not."""
    if f"{KEY}{name}" not in fields:
        raise ValueError(f"the file must hold its vocabulary, but {KEY}{name} is missing")
    return fields[f"{KEY}{name}"]


def listed_tokens(fields: Mapping[str, Any]) -> list[str]:
    """The tokens, by their ids. Raises ValueError if they are no texts."""
    tokens = stated(fields, "tokens")
    if not isinstance(tokens, Sequence) or not all(isinstance(token, str) for token in tokens):
        raise ValueError(f"{KEY}tokens must be a list of texts")
    return list(tokens)


def token_id(fields: Mapping[str, Any], which: str) -> int:
    """The id of the token that begins ("bos") or ends ("eos") a text. Raises ValueError if it is none."""
    said, n = stated(fields, f"{which}_token_id"), len(stated(fields, "tokens"))
    if not isinstance(said, int) or not 0 <= said < n:
        raise ValueError(f"{KEY}{which}_token_id must be an id from 0 to {n - 1}, but it is {quoted(said)}")
    return said


def is_on(fields: Mapping[str, Any], name: str, *, default: bool) -> bool:
    """Whether the file switches something on; `default` where it is silent. Raises ValueError if it says neither."""
    said = fields.get(f"{KEY}{name}", default)
    if not isinstance(said, bool):
        raise ValueError(f"{KEY}{name} must be true or false, but it is {quoted(said)}")
    return said


def add_marks(inner: "tokenizers.Tokenizer", tokens: Sequence[str], kinds: Sequence[int]) -> None:
    """Have the marks found whole in a text, before it is cut: <|im_start|> is one token, not six.

    A user's own mark may hold blanks, so it is found after they have become what the vocabulary writes for them.
    """
    from tokenizers import AddedToken

    for token, kind in zip(tokens, kinds, strict=False):
        if kind in (UNKNOWN, CONTROL):
            inner.add_special_tokens([AddedToken(token, normalized=False, special=True)])
        elif kind == USER_DEFINED:
            inner.add_tokens([AddedToken(token, normalized=True, special=False)])


def ids_around(fields: Mapping[str, Any], *, begins: bool) -> tuple[int | None, int | None]:
    """The marks that the file has put before and after each text; `begins` is for one that is silent on the first."""
    first = token_id(fields, "bos") if is_on(fields, "add_bos_token", default=begins) else None
    return first, token_id(fields, "eos") if is_on(fields, "add_eos_token", default=False) else None


def set_around(inner: "tokenizers.Tokenizer", first: int | None, last: int | None) -> None:
    """Have a mark put before and after each text, where there is one."""
    from tokenizers.processors import TemplateProcessing

    names = {i: str(inner.id_to_token(i)) for i in (first, last) if i is not None}
    template = [*([] if first is None else [names[first]]), "$A", *([] if last is None else [names[last]])]
    if names:
        inner.post_processor = TemplateProcessing(
            single=template, special_tokens=[(name, i) for i, name in names.items()]
        )
