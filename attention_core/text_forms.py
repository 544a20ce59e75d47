"""The text forms of an experiment's fields: short enough for an address, readable, and read back with care."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from attention_core.edits import Edit

Meanings = tuple[tuple[str, tuple[str, ...]], ...]  # of each new word, the names of its dimensions


def _write_heads(heads: tuple[str, ...]) -> str:
    return ",".join(heads) or "none"


def _read_heads(text: str) -> tuple[str, ...]:
    return () if text == "none" else tuple(text.split(","))


def edit_text(edit: Edit) -> str:
    """One edit as it stands in an address: scores[0,9,1]=2.5 (array, place, value)."""
    return f"{edit.array}[{','.join(map(str, edit.place))}]={edit.value!r}"


def _write_edits(edits: tuple[Edit, ...]) -> str:
    return ";".join(map(edit_text, edits))


def _read_edits(text: str) -> tuple[Edit, ...]:
    return tuple(_read_edit(part) for part in text.split(";"))


def _read_edit(text: str) -> Edit:
    """Read one edit, as in scores[0,9,1]=2.5 (array, place, value)."""
    match = re.fullmatch(r"(\w+)\[((?:\d{1,4}(?:,\d{1,4})*)?)\]=(\S{1,24})", text, re.ASCII)
    if not match:
        raise ValueError(f"an edit must read like scores[0,9,1]=2.5, but it reads {text!r}")
    array, place, value = match.groups()
    return Edit(array, tuple(map(int, filter(None, place.split(",")))), float(value))


def _write_words(words: tuple[str, ...]) -> str:
    """Words with blanks between; signs are written by their number, as in an address, so that no word ends early."""
    return " ".join(quote(word, safe="") for word in words)


def _read_words(text: str) -> tuple[str, ...]:
    return tuple(unquote(word, errors="strict") for word in text.split(" "))


def _write_meanings(meanings: Meanings) -> str:
    return ";".join(f"{quote(word, safe='')}={','.join(names)}" for word, names in meanings)


def _read_meanings(text: str) -> Meanings:
    pairs = (part.partition("=") for part in text.split(";"))
    return tuple((unquote(word, errors="strict"), tuple(filter(None, names.split(",")))) for word, _, names in pairs)


TEXT_FORMS: dict[str, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    "ending": (str, str),
    "words": (_write_words, _read_words),
    "meanings": (_write_meanings, _read_meanings),
    "mask": (str, str),
    "head": (str, str),
    "ask": (lambda place: str(place + 1), lambda text: int(text) - 1),
    "heads": (_write_heads, _read_heads),
    "edits": (_write_edits, _read_edits),
    "variant": (str, str),
}
