"""Long sums, told by their largest terms: what the others come to is one number, so that the parts still add up."""

from collections.abc import Sequence
from math import fsum, prod
from typing import NamedTuple

from attention_core.step import Term


class Shortened(NamedTuple):
    """The terms of a sum, the largest apart from the others; both in the order of the sum."""

    largest: tuple[Term, ...]
    others: tuple[Term, ...]
    others_sum: float


def shortened(terms: Sequence[Term], n: int) -> Shortened:
    """Take the n terms that count most, whatever their sign, out of a sum.

    >>> from attention_core.step import Part
    >>> one, two, three = (Term((Part("x", x),)) for x in (0.5, -2.0, 1.0))
    >>> [term.parts[0].value for term in shortened((one, two, three), 2).largest]
    [-2.0, 1.0]
    """
    sizes = [abs(value_of(term)) for term in terms]
    largest = set(sorted(range(len(terms)), key=lambda place: -sizes[place])[:n])
    kept = tuple(term for place, term in enumerate(terms) if place in largest)
    others = tuple(term for place, term in enumerate(terms) if place not in largest)
    return Shortened(kept, others, fsum(map(value_of, others)))


def value_of(term: Term) -> float:
    """What a term comes to: its parts, multiplied; less than 0 by as much if it is taken away."""
    return prod((one.value for one in term.parts), start=-1.0 if term.minus else 1.0)
