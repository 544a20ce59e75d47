"""The few strongest weights of every row, and what all others hold together: how a long row is read."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_core.given_weights import require_whole
from attention_core.models.blocks import mask_of, weights_from_0_to_1


@dataclass(frozen=True, eq=False, kw_only=True)
class Strongest:
    """Of every query the keys with the largest weights, the largest first; equal ones in the order of the text.

    keys: [query, n], −1 where a query may look at fewer keys    weights: [query, n], 0 there
    rest: [query], the sum of all other weights that the mask lets be seen    others: [query], how many these are
    first: [query], the weight of the first key if it was left out of the others, else 0
    sums: [query], the sum of all weights: keys, rest and first    empty: [query], True = may look at nothing
    """

    keys: Array
    weights: Array
    rest: Array
    others: Array
    first: Array
    sums: Array
    empty: Array

    @property
    def share_of_first(self) -> float:
        """Which share of all weights, of all queries together, the key that was left out has; 0 without any weight."""
        total = float(self.sums.sum())
        return float(self.first.sum(dtype=float)) / total if total else 0.0


def strongest(weights: ArrayLike, n: int, *, mask: ArrayLike | None = None, without_first: bool = False) -> Strongest:
    """The n strongest keys of every query, and the sum of the rest. Masked weights are left out.

    weights: [query, key]    mask: [query, key], True = may look at
    without_first: leave the first key out, on which many heads park most of their weight, and say what it has

    Raises ValueError if a weight is no number from 0 to 1, the mask does not fit, or n is below 1.

    >>> row = strongest([[0.1, 0.6, 0.2, 0.1]], 2)
    >>> row.keys.tolist(), row.weights.tolist(), row.others.tolist(), round(float(row.rest[0]), 6)
    ([[1, 2]], [[0.6, 0.2]], [2], 0.2)
    """
    require_whole("n", n)
    if n < 1:
        raise ValueError(f"there must be at least 1 strongest key, but got {n}")
    weights, mask = weights_from_0_to_1(weights), mask_of(weights, mask)
    if weights.ndim != 2:
        raise ValueError(f"weights must be [query, key] of one head, but their shape is {weights.shape}")
    seen = np.where(mask, weights, 0)
    listed = mask & (np.arange(mask.shape[1]) > 0) if without_first else mask
    order = _largest(np.where(listed, weights, -1), n)
    is_key = np.take_along_axis(listed, order, axis=-1)
    first = np.where(mask[:, :1], weights[:, :1], 0).sum(axis=1) if without_first else np.zeros(len(mask))
    rest = np.where(listed, weights, 0)
    np.put_along_axis(rest, order, 0, axis=-1)
    return Strongest(
        keys=np.where(is_key, order, -1), weights=np.where(is_key, np.take_along_axis(seen, order, axis=-1), 0),
        rest=rest.sum(axis=-1, dtype=float), others=listed.sum(axis=-1) - is_key.sum(axis=-1), first=first,
        sums=seen.sum(axis=-1, dtype=float), empty=np.logical_not(mask.any(axis=-1)),
    )  # fmt: skip


def _largest(weights: Array, n: int) -> Array:
    """The places of the n largest weights of every row, equal ones in the order of the text: [query, n].

    weights: [query, key], from 0, or −1; taken one after the other, a tenth of the time of sorting whole rows
    """
    rows, left = np.arange(len(weights)), weights.copy()
    order = np.empty((len(weights), min(n, weights.shape[1])), np.int64)
    for place in range(order.shape[1]):
        order[:, place] = left.argmax(axis=-1)
        left[rows, order[:, place]] = -2
    return order
