"""Texts into the tokens of a model and back, by the vocabulary that comes with it."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from attention_core.models.characters import as_text
from attention_core.models.package_answer import answer
from attention_core.models.places import whole_numbers
from attention_core.models.shown_tokens import shown_pieces, shown_word_pieces

if TYPE_CHECKING:
    import tokenizers

LARGEST_ID = 2**32 - 1  # that the package takes
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

    Raises ValueError if the vocabulary or what is done before and after it is broken.

    `special` are the ids of marks that are no text, as [CLS] and <|im_end|>; `end` is the one that ends an answer.
    """

    def __init__(self, inner: "tokenizers.Tokenizer", *, end: int | None = None) -> None:
        self._inner = inner
        self._notation = _notation(inner)
        self._added = frozenset(inner.get_added_tokens_decoder())
        self.special = frozenset(i for i, token in inner.get_added_tokens_decoder().items() if token.special)
        self.end = end
        answer("it cannot cut a text", inner.encode, "")
        self._before, self._adds_blank = self._put_before() if self._notation == "▁" else ([], False)

    @property
    def largest_id(self) -> int:
        """The largest id of a token, −1 without any; ids below it may be missing."""
        return max(self._inner.get_vocab().values(), default=-1)

    def encode(self, text: str) -> list[int]:
        """The ids of a text; marks such as [CLS] … [SEP] are added where the model was trained with them.

        Raises ValueError if the text holds half of a surrogate pair: no bytes stand for it; or if the vocabulary has
        nothing for a part of the text, not even a token for what it does not hold.
        """
        lone = SURROGATE.search(text)
        if lone:
            code = ord(lone.group())
            raise ValueError(f"a text must hold whole characters, but character {lone.start()} is the lone U+{code:X}")
        ids: list[int] = answer("the vocabulary cannot cut this text into tokens", self._inner.encode, text).ids
        return ids

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Each token as the vocabulary writes it, with its signs for blanks and bytes: "Ġcat", "##ing".

        Raises ValueError if the vocabulary has no such id, or one is no whole number.
        """
        ids = whole_numbers("an id", ids)
        found = [self._inner.id_to_token(i) if 0 <= i <= LARGEST_ID else None for i in ids]
        if None in found:
            foreign = ids[found.index(None)]
            raise ValueError(f"an id must be from 0 to {self.largest_id}, but there is {foreign}")
        return tuple(piece for piece in found if piece is not None)

    def shown(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Each token as it is read: see shown_tokens."""
        pieces = self.pieces(ids)
        is_added = [int(i) in self._added for i in ids]
        if self._notation == "##":
            return shown_word_pieces(pieces, is_added)
        return shown_pieces(self.bytes_of(ids), is_added, blank_put_at=self._blank_put_at(ids))

    def decode(self, ids: Sequence[int]) -> str:
        """The text of some tokens, marks written out; bytes that make no character are written <0xF0>.

        The text that was encoded comes back, with the added marks; from a vocabulary with "##" the words come back
        with one blank between them.
        """
        self.pieces(ids)
        if self._notation == "##":
            whole = [int(i) for i in ids]
            return str(answer("these tokens give no text", self._inner.decode, whole, skip_special_tokens=False))
        data, place = self.bytes_of(ids), self._blank_put_at(ids)
        if place is not None and place < len(data):
            data[place] = data[place].removeprefix(b" ")
        return as_text(b"".join(data))

    def _put_before(self) -> tuple[list[int], bool]:
        """The marks that are put before each text, and whether a blank of the tokenizer's own follows them."""
        found = answer("it cannot cut a text", self._inner.encode, "a")
        n = next((n for n, i in enumerate(found.ids) if i not in self._added), len(found.ids))
        return found.ids[:n], "".join(found.tokens[n : n + 1]).startswith("▁")

    def _blank_put_at(self, ids: Sequence[int]) -> int | None:
        """The place of the token that begins the text, if the tokenizer puts a blank of its own there."""
        n = len(self._before)
        return (n if list(ids[:n]) == self._before else 0) if self._adds_blank else None

    def bytes_of(self, ids: Sequence[int]) -> list[bytes]:
        """What each token stands for in a text, in UTF-8; of a mark, its name."""
        names = self.special if self._notation == "▁" else self._added  # one's own marks may hold blanks as "▁"
        return [
            piece.encode() if int(i) in names else piece_bytes(piece, self._notation)
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
