"""The tokenizer of a .gguf file, from the vocabulary, the merges and the names in its metadata."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attention_core.checks import quoted
from attention_core.models.gguf_sentencepiece import sentencepiece
from attention_core.models.gguf_vocabulary import (
    KEY,
    add_marks,
    ids_around,
    listed_tokens,
    set_around,
    stated,
    token_id,
)
from attention_core.models.package_answer import answer
from attention_core.models.tokenizer import Tokenizer

if TYPE_CHECKING:
    import tokenizers
    from tokenizers.pre_tokenizers import PreTokenizer

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
    kind = stated(fields, "model")
    makers = {"gpt2": byte_level, "bert": word_pieces, "llama": sentencepiece}
    if not isinstance(kind, str) or kind not in makers:
        raise ValueError(f"the vocabulary must be of the kind gpt2, bert or llama, but the file says {quoted(kind)}")
    inner = answer("the vocabulary and its merges do not fit together", makers[kind], fields, listed_tokens(fields))
    return Tokenizer(inner, end=token_id(fields, "eos") if f"{KEY}eos_token_id" in fields else None)


def byte_level(fields: Mapping[str, Any], tokens: list[str]) -> "tokenizers.Tokenizer":
    """Byte-level byte-pair encoding (GPT-2, Llama 3, SmolLM)."""
    from tokenizers import Tokenizer as Inner
    from tokenizers import decoders, models

    pre = fields.get(f"{KEY}pre", "(none)")
    merges = [tuple(merge.split(" ", 1)) for merge in stated(fields, "merges")]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    inner = Inner(models.BPE(vocabulary, merges, ignore_merges=pre == "llama-bpe"))  # a known word is never cut
    inner.pre_tokenizer = pre_tokenizer(pre)
    inner.decoder = decoders.ByteLevel()
    add_marks(inner, tokens, fields.get(f"{KEY}token_type", ()))
    set_around(inner, *ids_around(fields, begins=pre == "llama-bpe"))  # llama.cpp's choice where the file is silent
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
    raise ValueError(f"the pre-tokenizer must be one of {', '.join(PRE_TOKENIZERS)}, but the file says {quoted(name)}")


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
    set_around(inner, pieces.index("[CLS]"), pieces.index("[SEP]"))
    return inner
