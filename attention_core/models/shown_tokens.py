"""Tokens as they are read on screen.

In a text most words follow a blank, and most vocabularies keep that blank with the word. So the common case is quiet,
the other one gets a sign, and two different tokens in the same place never look alike:

  " cat" after a word → "cat"            "ting" after "sit" → "‿ting": no blank before it
  " The" at the very start → " The"      "The" at the very start or after a newline → "The"
  a piece of a character → the whole character and which piece it is: "🙂(1/2)", "🙂(2/2)"

Other blanks, newlines and tabs stay: the views have signs for them.
"""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from attention_core.models.characters import characters, written

TIED = "‿"  # no blank stands before this word
EMPTY = "[empty]"


def shown_word_pieces(pieces: Sequence[str], is_added: Sequence[bool]) -> tuple[str, ...]:
    """The tokens of a vocabulary that begins words bare and goes on in them with "##"."""
    return tuple(
        TIED + piece[2:] if piece.startswith("##") and len(piece) > 2 and not added else piece or EMPTY
        for piece, added in zip(pieces, is_added, strict=True)
    )


def shown_pieces(
    data: Sequence[bytes], is_added: Sequence[bool], *, blank_put_at: int | None = None
) -> tuple[str, ...]:
    """The tokens of a vocabulary that keeps blanks.

    data: what each token stands for    is_added: whether it is a mark that stands apart, shown as it is
    blank_put_at: the place of the token before which the tokenizer itself puts a blank, if it does
    """
    shown: list[str] = []
    before = ""  # the last sign before the token; none where a text begins
    for start, stop in stretches(is_added):
        before = "." if start == blank_put_at else before  # there the blank is usual
        if is_added[start]:
            shown.append(data[start].decode() or EMPTY)
            before = ""
            continue
        for new, text in in_characters(data[start:stop]):
            shown.append((with_blank_quiet(text, before) if new else text) or EMPTY)
            before = text[-1:] or before
    return tuple(shown)


def stretches(is_added: Sequence[bool]) -> list[tuple[int, int]]:
    """From where to where: each mark for itself, and all tokens between two marks together."""
    edges = [i for i in range(len(is_added)) if i == 0 or is_added[i] or is_added[i - 1]]
    return list(pairwise([*edges, len(is_added)]))


def in_characters(data: Sequence[bytes]) -> list[tuple[bool, str]]:
    """Each token as the characters that it covers, a cut one with its part; and whether it begins with a new one."""
    owners: list[list[int]] = []  # of each character, the tokens that hold a part of it
    names: list[str] = []
    token_of_byte = [token for token, some in enumerate(data) for _ in some]
    place = 0
    for one in characters(b"".join(data).decode("utf-8", "surrogateescape")):
        size = len(one.encode("utf-8", "surrogateescape"))
        owners.append(sorted(set(token_of_byte[place : place + size])))
        names.append("".join(map(written, one)))
        place += size
    shown: list[list[str]] = [[] for _ in data]
    begins = [True] * len(data)
    for tokens, name in zip(owners, names, strict=True):
        for part, token in enumerate(tokens, start=1):
            begins[token] &= bool(shown[token]) or part == 1
            shown[token].append(name if len(tokens) == 1 else f"{name}({part}/{len(tokens)})")
    return [(new, "".join(parts)) for new, parts in zip(begins, shown, strict=True)]


def with_blank_quiet(text: str, before: str) -> str:
    """The text of a token: one blank that is usual in its place is left away, and one that is missing is signed."""
    follows = bool(before) and not before.isspace()
    if follows and text[:1] == " " and begins_word(text[1:2]):
        return text[1:]
    return TIED + text if follows and begins_word(text[:1]) else text


def after_blanks(shown: Sequence[str]) -> tuple[int, ...]:
    """The places of tokens before which the text has a blank that the shown token leaves away.

    >>> after_blanks(["The", "cat", "sit", "‿ting", ".", "猫"])
    (1, 2)
    """
    return tuple(
        place
        for place, (before, token) in enumerate(pairwise(shown), start=1)
        if begins_word(token[:1]) and not before[-1:].isspace()
    )


def begins_word(sign: str) -> bool:
    """Whether a sign belongs to a word that a blank would part from the one before it: not so 猫 or か."""
    return sign.isalnum() and not (unicodedata.category(sign) == "Lo" and unicodedata.bidirectional(sign) == "L")
