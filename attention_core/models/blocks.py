"""The map of a long text in blocks of tokens: more weights than a screen has dots, and none of them averaged away."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array, numbers
from attention_core.given_weights import require_whole

By = Literal["max", "sum"]
SLACK = 1e-5  # by which a weight in single precision may exceed 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Blocks:
    """A map in square blocks: block r, c holds the queries and keys between two neighbouring edges.

    values: [..., block row, block column], by "max" the largest weight of the block, by "sum" the sum of all its
        weights; 0 where it holds no weight that the mask lets be seen
    visible: [block row, block column], True = holds at least one weight that the mask lets be seen
    query_edges: [block row + 1], the first query of each block, and the number of queries; key_edges alike
    tokens: how many queries, and how many keys, a block has; the last ones may have fewer
    """

    by: By
    values: Array
    visible: Array
    query_edges: Array
    key_edges: Array
    tokens: int

    @property
    def most(self) -> int:
        """What no block exceeds, if every row sums to 1: by max 1; by sum the number of queries in a block."""
        return 1 if self.by == "max" else self.tokens


def blocks(weights: ArrayLike, most: int, by: By, *, mask: ArrayLike | None = None) -> Blocks:
    """A map in at most `most` blocks along each side, by the largest weight of each block or by the sum of its weights.

    The blocks are squares of ceil(max(queries, keys) / most) tokens. Masked weights are left out.

    weights: [query, key], with any axes in front, from 0 to 1    mask: [query, key], True = may look at

    Raises ValueError if a weight is no number from 0 to 1, if the mask does not fit, or `most` or `by` is impossible.

    >>> blocks([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]], 2, "max").values.tolist()
    [[1.0, 0.0], [0.2, 0.6]]
    >>> blocks([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]], 2, "sum").values.tolist()
    [[2.0, 0.0], [0.4, 0.6]]
    """
    require_whole("most", most)
    if most < 1 or by not in get_args(By):
        raise ValueError(f"there must be at least 1 block, by {' or '.join(get_args(By))}, but got {most} by {by!r}")
    weights, mask = weights_from_0_to_1(weights), mask_of(weights, mask)
    n_queries, n_keys = mask.shape
    tokens = max(-(-max(n_queries, n_keys) // most), 1)
    edges = [np.append(np.arange(0, n, tokens), n) for n in mask.shape]
    seen = weights if mask.all() else np.where(mask, weights, 0)
    reduce = np.maximum if by == "max" else np.add
    return Blocks(
        by=by, values=_reduced(reduce, seen, tokens), visible=_reduced(np.logical_or, mask, tokens),
        query_edges=edges[0], key_edges=edges[1], tokens=tokens,
    )  # fmt: skip


def weights_from_0_to_1(weights: ArrayLike) -> Array:
    """Weights [..., query, key] as they are given, if each is a number from 0 to 1.

    Raises ValueError with the first place where that does not hold.
    """
    array = numbers("weights", weights, "query key")
    if array.size and (array.min() < 0 or array.max() > 1 + SLACK):
        wrong = (array < 0) | (array > 1 + SLACK)
        *_, query, key = place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"weights must lie from 0 to 1, but query {query}, key {key} has {array[place]:g}")
    return array


def mask_of(weights: ArrayLike, mask: ArrayLike | None) -> Array:
    """The mask of weights [..., query, key]: [query, key], all True if none is given.

    Raises ValueError if it is not boolean or has another shape.
    """
    shape = np.shape(weights)[-2:]
    array = np.ones(shape, dtype=bool) if mask is None else np.asarray(mask)
    if array.shape != shape or array.dtype != bool:
        raise ValueError(
            f"mask must be boolean (True = may look at) and [query, key] = {shape}, but it is {array.dtype} and "
            f"{array.shape}"
        )
    return array


def _reduced(reduce: np.ufunc, array: Array, tokens: int) -> Array:
    """What `reduce` makes of each block of the last two axes; sums are added up in double precision.

    The first tokens of all blocks together, then the second ones, and so on: a tenth of the time of `reduceat`.
    """
    for axis in (-2, -1):
        rows = np.moveaxis(array, axis, 0)
        reduced = rows[::tokens].astype(np.float64 if reduce is np.add else array.dtype)
        for place in range(1, tokens):
            more = rows[place::tokens]
            reduce(reduced[: len(more)], more, out=reduced[: len(more)])
        array = np.moveaxis(reduced, 0, axis)
    return array
