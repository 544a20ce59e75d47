"""The tokenizer of a .gguf file, from the vocabulary, the merges and the names in its metadata."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attention_core.models.package_answer import answer
from attention_core.models.tokenizer import Tokenizer

if TYPE_CHECKING:
    import tokenizers
    from tokenizers.pre_tokenizers import PreTokenizer

KEY = "tokenizer.ggml."
CONTROL, USER_DEFINED = 3, 4  # token types of the format (gguf.TokenType)

# From the tokenizer.json of Llama 3; llama.cpp's name for it is "llama-bpe" (src/llama-vocab.cpp).
LLAMA_3_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PRE_TOKENIZERS = ("gpt-2", "llama-bpe", "smollm")


def tokenizer_of_gguf(fields: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer that a .gguf file describes.

    fields: the file's metadata, as plain texts, numbers and lists, by name ("tokenizer.ggml.model", …)

    Raises ValueError if the file has none, one of a kind or a pre-tokenizer that is not known here, or a broken one.
    """
    kind = _stated(fields, "model")
    makers = {"gpt2": byte_level, "bert": word_pieces}
    if kind not in makers:
        raise ValueError(f'the vocabulary must be of the kind {" or ".join(makers)}, but the file says "{kind}"')
    tokens = _stated(fields, "tokens")
    if not isinstance(tokens, Sequence) or not all(isinstance(token, str) for token in tokens):
        raise ValueError(f"{KEY}tokens must be a list of texts")
    inner = answer("the vocabulary and its merges do not fit together", makers[kind], fields, list(tokens))
    return Tokenizer(inner, end=_id(fields, "eos") if f"{KEY}eos_token_id" in fields else None)


def byte_level(fields: Mapping[str, Any], tokens: list[str]) -> "tokenizers.Tokenizer":
    """Byte-level byte-pair encoding (GPT-2, Llama 3, SmolLM)."""
    from tokenizers import Tokenizer as Inner
    from tokenizers import decoders, models

    pre = fields.get(f"{KEY}pre", "(none)")
    merges = [tuple(merge.split(" ", 1)) for merge in _stated(fields, "merges")]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    inner = Inner(models.BPE(vocabulary, merges, ignore_merges=pre == "llama-bpe"))  # a known word is never cut
    inner.pre_tokenizer = pre_tokenizer(pre)
    inner.decoder = decoders.ByteLevel()
    _add_marks(inner, fields, tokens)
    begins = fields.get(f"{KEY}add_bos_token", pre == "llama-bpe")  # llama.cpp's choice where the file is silent
    ends = fields.get(f"{KEY}add_eos_token", False)
    _set_around(inner, _id(fields, "bos") if begins else None, _id(fields, "eos") if ends else None)
    return inner


def pre_tokenizer(name: str) -> "PreTokenizer":
    """How a text is cut before the merges begin; no merge reaches over a cut.

    Raises ValueError unless it is one of PRE_TOKENIZERS.
    """
    from tokenizers import Regex
    from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence, Split

    if name == "gpt-2":  # the pattern of GPT-2's encoder.py, which the package holds
        return ByteLevel(add_prefix_space=False)
    if name == "smollm":  # SmolLM's tokenizer.json: digits one by one, then GPT-2's pattern on what lies between
        return Sequence([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])
    if name == "llama-bpe":
        return Sequence([Split(Regex(LLAMA_3_PATTERN), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)])
    raise ValueError(f'the pre-tokenizer must be one of {", ".join(PRE_TOKENIZERS)}, but the file says "{name}"')


def word_pieces(fields: Mapping[str, Any], tokens: list[str]) -> "tokenizers.Tokenizer":
    """BERT's word pieces. The format writes "▁" before what begins a word, where BERT writes "##" before the rest."""
    from tokenizers import Tokenizer as Inner
    from tokenizers import decoders, models, normalizers, pre_tokenizers

    marked = [token.startswith("[") and token.endswith("]") for token in tokens]
    pieces = [
        token if mark else token[1:] if token.startswith("▁") else f"##{token}"
        for token, mark in zip(tokens, marked, strict=True)
    ]
    if any(piece != piece.lower() for piece, mark in zip(pieces, marked, strict=True) if not mark):
        raise ValueError("BERT's vocabulary must be in lower case: the format does not say how a cased one is read")
    inner = Inner(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    inner.normalizer = normalizers.BertNormalizer(lowercase=True)
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.decoder = decoders.WordPiece()
    if not {"[UNK]", "[CLS]", "[SEP]"} <= set(pieces):
        raise ValueError("BERT's vocabulary must hold [UNK], [CLS] and [SEP]")
    inner.add_special_tokens([name for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]") if name in pieces])
    _set_around(inner, pieces.index("[CLS]"), pieces.index("[SEP]"))
    return inner


def _add_marks(inner: "tokenizers.Tokenizer", fields: Mapping[str, Any], tokens: list[str]) -> None:
    """Have the marks found whole in a text, before it is cut: <|im_start|> is one token, not six."""
    from tokenizers import AddedToken

    for token, kind in zip(tokens, fields.get(f"{KEY}token_type", ()), strict=False):
        if kind == CONTROL:
            inner.add_special_tokens([AddedToken(token, normalized=False, special=True)])
        elif kind == USER_DEFINED:
            inner.add_tokens([AddedToken(token, normalized=False, special=False)])


def _set_around(inner: "tokenizers.Tokenizer", first: int | None, last: int | None) -> None:
    """Have a mark put before and after each text, where there is one."""
    from tokenizers.processors import TemplateProcessing

    names = {i: str(inner.id_to_token(i)) for i in (first, last) if i is not None}
    template = [*([] if first is None else [names[first]]), "$A", *([] if last is None else [names[last]])]
    if names:
        inner.post_processor = TemplateProcessing(
            single=template, special_tokens=[(name, i) for i, name in names.items()]
        )


def _stated(fields: Mapping[str, Any], name: str) -> Any:
    if f"{KEY}{name}" not in fields:
        raise ValueError(f"the file must hold its vocabulary, but {KEY}{name} is missing")
    return fields[f"{KEY}{name}"]


def _id(fields: Mapping[str, Any], which: str) -> int:
    """The id of the token that begins ("bos") or ends ("eos") a text."""
    stated, n = _stated(fields, f"{which}_token_id"), len(_stated(fields, "tokens"))
    if not isinstance(stated, int) or not 0 <= stated < n:
        raise ValueError(f'{KEY}{which}_token_id must be an id from 0 to {n - 1}, but it is "{stated}"')
    return stated
