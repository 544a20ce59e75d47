"""The text forms of an experiment's fields: short enough for an address, readable, and read back with care."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from attention_core.checks import LONGEST_ECHO, quoted
from attention_core.edits import Edit

Meanings = tuple[tuple[str, tuple[str, ...]], ...]  # of each new word, the names of its dimensions


PLAIN_NUMBER = re.compile(r"-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", re.ASCII)


def _read_name(text: str) -> str:
    """A name as it stands, unless it is too long to be one."""
    if len(text) > LONGEST_ECHO:
        raise ValueError(f"it must be a name, but it reads {quoted(text)}")
    return text


def _read_ask(text: str) -> int:
    """The place of the token that asks, from 0; the text counts from 1."""
    if not re.fullmatch(r"[1-9]\d{0,3}", text, re.ASCII):
        raise ValueError(f"ask must be a whole number from 1, but it reads {quoted(text)}")
    return int(text) - 1


def _write_heads(heads: tuple[str, ...]) -> str:
    return ",".join(heads) or "none"


def _read_heads(text: str) -> tuple[str, ...]:
    return () if text == "none" else tuple(map(_read_name, text.split(",")))


def edit_text(edit: Edit) -> str:
    """One edit as it stands in an address: scores[0,9,1]=2.5 (array, place, value)."""
    return f"{edit.array}[{','.join(map(str, edit.place))}]={edit.value!r}"


def _write_edits(edits: tuple[Edit, ...]) -> str:
    return ";".join(map(edit_text, edits))


def _read_edits(text: str) -> tuple[Edit, ...]:
    """The edits; of several at one place the last one."""
    edits = {(edit.array, edit.place): edit for edit in map(_read_edit, text.split(";"))}
    return tuple(edits.values())


def _read_edit(text: str) -> Edit:
    """Read one edit, as in scores[0,9,1]=2.5 (array, place, value)."""
    match = re.fullmatch(r"(\w{1,24})\[((?:\d{1,4}(?:,\d{1,4})*)?)\]=(\S{1,24})", text, re.ASCII)
    if not match or not PLAIN_NUMBER.fullmatch(match[3]):
        raise ValueError(f"an edit must read like scores[0,9,1]=2.5, but it reads {quoted(text)}")
    array, place, value = match.groups()
    return Edit(array, tuple(map(int, filter(None, place.split(",")))), float(value))


def _write_words(words: tuple[str, ...]) -> str:
    """Words with blanks between; signs are written by their number, as in an address, so that no word ends early."""
    return " ".join(quote(word, safe="") for word in words)


def _read_words(text: str) -> tuple[str, ...]:
    return tuple(_unquoted("words", word) for word in text.split(" "))


def _write_meanings(meanings: Meanings) -> str:
    return ";".join(f"{quote(word, safe='')}={','.join(names)}" for word, names in meanings)


def _read_meanings(text: str) -> Meanings:
    pairs = (part.partition("=") for part in text.split(";"))
    meanings = [(_unquoted("meanings", word), tuple(filter(None, names.split(",")))) for word, _, names in pairs]
    words = [word for word, _ in meanings]
    for word in words:
        if words.count(word) > 1:
            raise ValueError(f"a word must have one meaning, but {quoted(word)} has {words.count(word)}")
    return tuple(meanings)


def _unquoted(what: str, word: str) -> str:
    try:
        return unquote(word, errors="strict")
    except UnicodeDecodeError:
        raise ValueError(f"{what} must be written in UTF-8, as %C3%A9 for é, but a word reads {quoted(word)}") from None


TEXT_FORMS: dict[str, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    "ending": (str, _read_name),
    "words": (_write_words, _read_words),
    "meanings": (_write_meanings, _read_meanings),
    "mask": (str, _read_name),
    "head": (str, _read_name),
    "ask": (lambda place: str(place + 1), _read_ask),
    "heads": (_write_heads, _read_heads),
    "edits": (_write_edits, _read_edits),
    "variant": (str, _read_name),
}
