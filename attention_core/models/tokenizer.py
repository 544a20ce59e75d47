"""Texts into the tokens of a model and back, by the vocabulary that comes with it."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attention_core.models.characters import as_text
from attention_core.models.shown_tokens import shown_pieces, shown_word_pieces

if TYPE_CHECKING:
    import tokenizers

SURROGATE = re.compile("[\ud800-\udfff]")


def byte_signs() -> dict[str, int]:
    """The visible sign of each byte in byte-level vocabularies: a blank is "Ġ", a newline "Ċ".

    Bytes with a shape of their own are themselves; the others follow from U+0100 on, in their order (GPT-2's
    encoder.py, bytes_to_unicode).
    """
    shaped = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (byte for byte in range(256) if byte not in shaped)
    return {chr(byte): byte for byte in shaped} | {chr(0x100 + place): byte for place, byte in enumerate(others)}


BYTES = byte_signs()


class Tokenizer:
    """Cuts a text as a model was trained on it.

    `special` are the ids of marks that are no text, as [CLS] and <|im_end|>; `end` is the one that ends an answer.
    """

    def __init__(self, inner: "tokenizers.Tokenizer", *, end: int | None = None) -> None:
        self._inner = inner
        self._notation = _notation(inner)
        self._added = frozenset(inner.get_added_tokens_decoder())
        self.special = frozenset(i for i, token in inner.get_added_tokens_decoder().items() if token.special)
        self.end = end
        plain = inner.encode("a", add_special_tokens=False).tokens
        self._starts_with_blank = self._notation == "▁" and bool(plain) and plain[0].startswith("▁")

    @property
    def n_vocabulary(self) -> int:
        return self._inner.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        """The ids of a text; marks such as [CLS] … [SEP] are added where the model was trained with them.

        Raises ValueError if the text holds half of a surrogate pair: no bytes stand for it.
        """
        lone = SURROGATE.search(text)
        if lone:
            code = ord(lone.group())
            raise ValueError(f"a text must hold whole characters, but character {lone.start()} is the lone U+{code:X}")
        ids: list[int] = self._inner.encode(text).ids
        return ids

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Each token as the vocabulary writes it, with its signs for blanks and bytes: "Ġcat", "##ing".

        Raises ValueError if the vocabulary has no such id.
        """
        found = [self._inner.id_to_token(int(i)) if int(i) >= 0 else None for i in ids]
        if None in found:
            foreign = ids[found.index(None)]
            raise ValueError(f"an id must be from 0 to {self.n_vocabulary - 1}, but there is {foreign}")
        return tuple(piece for piece in found if piece is not None)

    def shown(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Each token as it is read: see shown_tokens."""
        pieces = self.pieces(ids)
        is_added = [int(i) in self._added for i in ids]
        if self._notation == "##":
            return shown_word_pieces(pieces, is_added)
        return shown_pieces(self.bytes_of(ids), is_added, starts_with_blank=self._starts_with_blank)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of some tokens, marks written out; bytes that make no character are written <0xF0>.

        The text that was encoded comes back, with the added marks; from a vocabulary with "##" the words come back
        with one blank between them.
        """
        self.pieces(ids)
        if self._notation == "##":
            return str(self._inner.decode([int(i) for i in ids], skip_special_tokens=False))
        text = as_text(b"".join(self.bytes_of(ids)))
        return text.removeprefix(" ") if self._starts_with_blank else text

    def bytes_of(self, ids: Sequence[int]) -> list[bytes]:
        """What each token stands for in a text, in UTF-8; of a mark, its name."""
        return [
            piece.encode() if int(i) in self._added else piece_bytes(piece, self._notation)
            for i, piece in zip(ids, self.pieces(ids), strict=True)
        ]


def piece_bytes(piece: str, notation: str) -> bytes:
    """What a piece stands for in a text: "Ġcat" → b" cat" by bytes, "▁cat" → b" cat", "<0x0A>" → a newline by "▁"."""
    if notation == "bytes" and set(piece) <= BYTES.keys():
        return bytes(BYTES[sign] for sign in piece)
    if notation == "▁":
        one_byte = re.fullmatch("<0x([0-9A-F]{2})>", piece)
        return bytes.fromhex(one_byte[1]) if one_byte else piece.replace("▁", " ").encode()
    return piece.encode()


def _notation(inner: "tokenizers.Tokenizer") -> str:
    """How the vocabulary writes blanks and bytes, as its decoder tells: "bytes", "##", "▁" or "" for as they are."""
    decoder = json.dumps(json.loads(inner.to_str())["decoder"]) if inner.decoder else ""
    if '"ByteLevel"' in decoder:
        return "bytes"
    if '"WordPiece"' in decoder:
        return "##"
    return "▁" if any(f'"{kind}"' in decoder for kind in ("Metaspace", "ByteFallback")) else ""
