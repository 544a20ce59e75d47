"""A long row of a softmax, told by its largest shares: what the others come to is one line, and all still adds up."""

from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class LongRow(NamedTuple):
    """The keys with the largest weights, in the order of the text, and all others that may be seen, together."""

    places: tuple[int, ...]
    n_others: int
    others_exponential: float
    others_weight: float


def long_row(exponentials: ArrayLike, weights: ArrayLike, *, mask_row: ArrayLike, n: int) -> LongRow:
    """Take the n keys with the largest weights out of a row; equal ones in the order of the text.

    exponentials, weights, mask_row: [key]; mask True = may look at

    >>> long_row([1.0, 6.0, 3.0, 0.0], [0.1, 0.6, 0.3, 0.0], mask_row=[True, True, True, False], n=1)
    LongRow(places=(1,), n_others=2, others_exponential=4.0, others_weight=0.4)

    Raises ValueError if the arrays are not equally long rows or n is below 1.
    """
    powers, shares, seen = (np.asarray(row) for row in (exponentials, weights, mask_row))
    if powers.ndim != 1 or not powers.shape == shares.shape == seen.shape or n < 1:
        raise ValueError(
            f"there must be three equally long rows and n must be at least 1, but got {powers.shape}, {shares.shape}, "
            f"{seen.shape} and n = {n}"
        )
    by_size = sorted(np.flatnonzero(seen).tolist(), key=lambda place: -float(shares[place]))
    others = by_size[n:]
    return LongRow(
        tuple(sorted(by_size[:n])), len(others), fsum(powers[others].tolist()), fsum(shares[others].tolist())
    )
