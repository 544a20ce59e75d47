"""SentencePiece's byte-pair encoding, as .gguf files of Llama 1 and 2, TinyLlama and Mistral 7B hold it.

A blank is "▁", and one more is put before the text. A character that the vocabulary lacks is written by its bytes, as
<0xE7>. There are no merges: of all neighbours whose joined token is known, those are joined whose token has the best
score, the leftmost first. The tokenizers package has no scores: here they become its list of merges. Where two tokens
have the same score, the earlier one is joined first, not the leftmost.

Sources: bpe_model.cc of https://github.com/google/sentencepiece; the session for LLAMA_VOCAB_TYPE_SPM in
src/llama-vocab.cpp of https://github.com/ggml-org/llama.cpp, which has the choices for a file that is silent
"""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attention_core.checks import quoted
from attention_core.models.gguf_vocabulary import (
    KEY,
    NORMAL,
    add_marks,
    ids_around,
    is_on,
    set_around,
    stated,
)

if TYPE_CHECKING:
    import tokenizers
    from tokenizers.pre_tokenizers import PreTokenizer

BYTE_TOKENS = {f"<0x{byte:02X}>": byte for byte in range(256)}
LONGEST = 256  # characters of a token that is joined from others; each place where it can be cut is tried


def sentencepiece(fields: Mapping[str, Any], tokens: list[str]) -> "tokenizers.Tokenizer":
    """The tokenizer of a vocabulary with scores.

    Raises ValueError if the file asks for what is not followed here, or contradicts itself.
    """
    from tokenizers import Tokenizer, decoders, models, normalizers

    _require_plain_texts(fields)
    _require_whole(tokens)
    kinds = _for_each_token(fields, "token_type", tokens)
    scores = _for_each_token(fields, "scores", tokens)
    joined = [i for i, kind in enumerate(kinds) if kind == NORMAL and tokens[i] not in BYTE_TOKENS]
    merges = merges_by_score([tokens[i] for i in joined], [scores[i] for i in joined])
    inner = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges, byte_fallback=True))
    inner.normalizer = normalizers.Replace(" ", "▁")
    if is_on(fields, "add_space_prefix", default=True):
        inner.pre_tokenizer = blank_before_the_text()
    inner.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    add_marks(inner, tokens, kinds)
    set_around(inner, *ids_around(fields, begins=True))
    return inner


def merges_by_score(tokens: Sequence[str], scores: Sequence[float]) -> list[tuple[str, str]]:
    """All pairs of tokens that make a third, those first that make the one with the best score.

    Raises ValueError if a token is longer than LONGEST, or no score tells which pair comes first.

    >>> merges_by_score(["a", "b", "aa", "ab", "aab"], [-9, -9, -2, -1, -3])
    [('a', 'b'), ('a', 'a'), ('a', 'ab'), ('aa', 'b')]
    """
    known = set(tokens)
    ranked = sorted((i for i, token in enumerate(tokens) if len(token) > 1), key=lambda i: -scores[i])
    longest = max(map(len, tokens), default=0)
    if longest > LONGEST:
        raise ValueError(f"a token must have at most {LONGEST} characters, but one has {longest}")
    if len(ranked) > 1 and scores[ranked[0]] == scores[ranked[-1]]:
        raise ValueError(f"{KEY}scores must tell which tokens are joined first, but all are {scores[ranked[0]]:g}")
    cuts = ((tokens[i][:cut], tokens[i][cut:]) for i in ranked for cut in range(1, len(tokens[i])))
    return [(left, right) for left, right in cuts if left in known and right in known]


def blank_before_the_text() -> "PreTokenizer":
    """One "▁" before the text, also where a blank or a "▁" stands there already, and none after a mark within it.

    Metaspace alone adds none before a "▁". So the first of two adds a plain blank, of which none is left in the text,
    and the second writes it "▁".
    """
    from tokenizers.pre_tokenizers import Metaspace, Sequence

    return Sequence([Metaspace(" ", "first", split=False), Metaspace("▁", "never", split=False)])


def _for_each_token(fields: Mapping[str, Any], name: str, tokens: Sequence[str]) -> list[Any]:
    """A list with one number for each token."""
    numbers = stated(fields, name)
    if not isinstance(numbers, list) or len(numbers) != len(tokens):
        given = f"has {len(numbers)}" if isinstance(numbers, list) else "is no list"
        raise ValueError(f"{KEY}{name} must have one number for each of the {len(tokens)} tokens, but {given}")
    broken = next((i for i, n in enumerate(numbers) if not isinstance(n, int | float) or not math.isfinite(n)), None)
    if broken is not None:
        raise ValueError(f"{KEY}{name} must be finite numbers, but that of token {broken} is {quoted(numbers[broken])}")
    return numbers


def _require_whole(tokens: Sequence[str]) -> None:
    """Refuse tokens that stand twice, and a vocabulary that lacks a byte: it could not write every text."""
    known = set(tokens)
    if len(known) < len(tokens):
        first = {token: i for i, token in reversed(list(enumerate(tokens)))}
        again = next(i for i, token in enumerate(tokens) if first[token] != i)
        raise ValueError(f"no two tokens may be the same, but token {first[tokens[again]]} and token {again} are")
    missing = [token for token in BYTE_TOKENS if token not in known]
    if missing:
        raise ValueError(f"a token must stand for each of the 256 bytes, but {missing[0]} is missing")


def _require_plain_texts(fields: Mapping[str, Any]) -> None:
    """Refuse a file by which a text is changed before it is cut."""
    if is_on(fields, "remove_extra_whitespaces", default=False):
        raise ValueError(f"{KEY}remove_extra_whitespaces must be false: every blank of a text is read here")
    if fields.get(f"{KEY}precompiled_charsmap"):
        raise ValueError(f"{KEY}precompiled_charsmap must be empty: no character of a text is replaced here")
