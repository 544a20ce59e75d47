"""A long row of a softmax, told by its largest shares: what the others come to is one line, and all still adds up."""

from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array


class Together(NamedTuple):
    """Some keys as one: how many they are, and what their exponentials and their weights come to."""

    n: int
    exponential: float
    weight: float


class LongRow(NamedTuple):
    """Some keys, in the order of the text, and all others that may be seen: those with larger weights, and the rest."""

    places: tuple[int, ...]
    larger: Together
    others: Together


def long_row(
    exponentials: ArrayLike,
    weights: ArrayLike,
    *,
    mask_row: ArrayLike,
    n: int,
    after: int = 0,
    asked: int | None = None,
) -> LongRow:
    """Take the n keys with the largest weights out of a row; equal ones in the order of the text.

    exponentials, weights, mask_row: [key]; mask True = may look at
    after: how many of the largest are passed over before    asked: the place of a key that is taken out as well

    >>> long_row([1.0, 6.0, 3.0, 0.0], [0.1, 0.6, 0.3, 0.0], mask_row=[True, True, True, False], n=1).others
    Together(n=2, exponential=4.0, weight=0.4)
    >>> long_row([1.0, 6.0, 3.0], [0.1, 0.6, 0.3], mask_row=[True] * 3, n=1, after=1).larger
    Together(n=1, exponential=6.0, weight=0.6)

    Raises ValueError if the arrays are not equally long rows, n is below 1 or after is below 0.
    """
    powers, shares, seen = (np.asarray(row) for row in (exponentials, weights, mask_row))
    if powers.ndim != 1 or not powers.shape == shares.shape == seen.shape or n < 1 or after < 0:
        raise ValueError(
            "there must be three equally long rows, n must be at least 1 and after at least 0, but got "
            f"{powers.shape}, {shares.shape}, {seen.shape}, n = {n} and after = {after}"
        )
    by_size = sorted(np.flatnonzero(seen).tolist(), key=lambda place: -float(shares[place]))
    listed = [place for rank, place in enumerate(by_size) if after <= rank < after + n or place == asked]
    larger, others = ([place for place in part if place not in listed] for part in (by_size[:after], by_size[after:]))
    return LongRow(tuple(sorted(listed)), _together(powers, shares, larger), _together(powers, shares, others))


def _together(powers: Array, shares: Array, places: list[int]) -> Together:
    return Together(len(places), fsum(powers[places].tolist()), fsum(shares[places].tolist()))
