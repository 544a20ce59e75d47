"""The form that every step of the arithmetic has, so that anybody can redo it.

    value = sum of the terms / sum of the terms below the line,    a term is a product of parts, added or taken away

Some are of another kind: e^(first term - the other terms), and the square root, cosine or sine of the sum of the terms.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from attention_core.addresses import Address, value_at
from attention_core.in_words import name_of
from attention_core.record import AttentionRecord

Kind = Literal["given", "sum", "quotient", "power", "root", "cosine", "sine"]


class Part(NamedTuple):
    """One number in the arithmetic of another, and the address that opens it; None if there is nothing to open."""

    name: str
    value: float
    address: Address | None = None


class Term(NamedTuple):
    """Parts that are multiplied; many terms have only one. The label tells the terms of a sum apart."""

    parts: tuple[Part, ...]
    label: str = ""
    minus: bool = False  # whether it is taken away


class Step(NamedTuple):
    """A number, and what it is made of; nothing if it was given."""

    kind: Kind
    value: float
    terms: tuple[Term, ...] = ()
    over: tuple[Term, ...] = ()  # below the line of a quotient
    why: str = ""  # what a reader must know besides
    decided_by: tuple[Part, ...] = ()  # numbers that decide which step it is, without a place in it


def part(record: AttentionRecord, array: str, *place: int) -> Part:
    """The number at a place of the record, as a part."""
    address = Address(array, place)
    return Part(name_of(record, address), value_at(record, address), address)


def terms(parts: Iterable[Part], *, label: str = "") -> tuple[Term, ...]:
    """A term for each part."""
    return tuple(Term((one,), label) for one in parts)
