"""A small map of every head, for a picture of all heads at once: where each looks, and at what most.

A text of more than MOST tokens is shown by blocks, each as strong as its strongest pair: no pair is averaged away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import causal_mask
from attention_core.checks import Array
from attention_core.given_weights import require_whole
from attention_core.models.blocks import blocks
from attention_core.models.progress import Progress
from attention_core.models.run import Run

MOST = 24  # rows and columns of a small map
SAME = 1e-5  # weights closer than this part of the larger one count as equal, as float32 rounds
ABOVE_ONE = 1e-5  # a weight may exceed 1 by so much, as float32 rounds


@dataclass(frozen=True, eq=False, kw_only=True)
class SmallMaps:
    """What a gallery shows of every head. Queries and keys are counted in the whole text, from 0."""

    cells: Array  # [layer, head, row, column] weights, or the largest weight of each block
    seen: Array  # [row, column] boolean: whether the mask lets any pair of the cell look
    strongest: Array  # [layer, head, 2] the query and the key of the largest weight; -1 where no pair has a choice
    largest: Array  # [layer, head] that weight; NaN where there is none
    even: Array  # [layer, head] boolean: whether each query that has a choice gives all keys the same
    n_tokens: int
    block: int  # tokens along the side of a block; 1 where each cell is one pair
    causal: bool
    hides_first: bool  # whether the first key is left out
    ask: int | None  # the query whose row is searched for the largest weight; None for all


def small_maps(maps: ArrayLike, *, causal: bool, hide_first: bool = False, ask: int | None = None) -> SmallMaps:
    """The small maps of given weights.

    maps: [layer, head, query, key], each from 0 to 1, and 0 where the causal mask hides the key
    hide_first: leave the first key out, on which most of the weight often rests
    ask: the query whose largest weight is told; the whole map's if left out

    Only queries that may look at two keys at least are searched: the others have no choice.

    Raises ValueError if shapes or values do not fit, saying where.
    """
    weights = _checked(np.asarray(maps), causal=causal)
    n = weights.shape[-1]
    _check_places(n, hide_first=hide_first, ask=ask)
    mask = causal_mask(n) if causal else np.ones((n, n), dtype=bool)
    first = int(hide_first)
    small = blocks(weights[..., first:], MOST, "max", mask=mask[:, first:])
    strongest, largest = _strongest(weights, mask, first=first, ask=ask)
    return SmallMaps(
        cells=small.values, seen=small.visible, strongest=strongest, largest=largest,
        even=_even(weights, mask, first=first, ask=ask), n_tokens=n, block=small.tokens, causal=causal,
        hides_first=hide_first, ask=ask,
    )  # fmt: skip


def small_maps_of_run(
    run: Run, *, hide_first: bool = False, ask: int | None = None, progress: Progress | None = None
) -> SmallMaps:
    """The small maps of all heads of a run, a layer at a time: a long text's whole maps would fill the memory.

    Raises ValueError as `small_maps` does; what `progress` raises stops the work.
    """
    parts = []
    for layer in range(run.settings.n_layers):
        weights = np.stack([run.weights(layer, head) for head in range(run.settings.n_heads)])
        parts.append(small_maps(weights[None], causal=run.causal, hide_first=hide_first, ask=ask))
        if progress:
            progress((layer + 1) / run.settings.n_layers)
    return _joined(parts)


def _joined(parts: Sequence[SmallMaps]) -> SmallMaps:
    """The small maps of some layers as one."""
    return replace(
        parts[0],
        cells=np.concatenate([part.cells for part in parts]),
        strongest=np.concatenate([part.strongest for part in parts]),
        largest=np.concatenate([part.largest for part in parts]),
        even=np.concatenate([part.even for part in parts]),
    )


def _strongest(weights: Array, mask: Array, *, first: int, ask: int | None) -> tuple[Array, Array]:
    """Where the largest weight of each head stands, among queries with a choice, and how large it is."""
    n = len(mask)
    rows = np.arange(n) if ask is None else np.array([ask])
    rows = rows[mask[rows].sum(axis=1) > 1]
    if not rows.size:
        return np.full((*weights.shape[:2], 2), -1), np.full(weights.shape[:2], np.nan)
    searched = np.where(mask[rows, first:], weights[:, :, rows, first:], -1.0).reshape(*weights.shape[:2], -1)
    place = searched.argmax(axis=-1)
    row, key = np.divmod(place, n - first)
    largest = np.take_along_axis(searched, place[..., None], axis=-1)[..., 0]
    return np.stack([rows[row], key + first], axis=-1), largest


def _even(weights: Array, mask: Array, *, first: int, ask: int | None) -> Array:
    """Of each head, whether every query that sees two keys at least gives them all the same, more than 0."""
    seen = mask[:, first:] if ask is None else mask[[ask], first:]
    many = seen.sum(axis=1) > 1
    if not many.any():
        return np.zeros(weights.shape[:2], dtype=bool)
    rows = (weights if ask is None else weights[:, :, [ask]])[:, :, many, first:]
    high, low = np.where(seen[many], rows, -1.0).max(axis=-1), np.where(seen[many], rows, 2.0).min(axis=-1)
    even: Array = ((high > 0) & (high - low <= SAME * high)).all(axis=-1)
    return even


def _checked(weights: Array, *, causal: bool) -> Array:
    """The weights, or a refusal that names the first wrong place."""
    if weights.ndim != 4 or weights.shape[2] != weights.shape[3] or 0 in weights.shape:
        raise ValueError(f"maps must be [layer, head, query, key] of one text, but their shape is {weights.shape}")
    if weights.dtype.kind != "f":
        raise ValueError(f"maps must hold weights, numbers from 0 to 1, but their entries are {weights.dtype}")
    _refuse(weights, ~((weights >= 0) & (weights <= 1 + ABOVE_ONE)), "weights must lie from 0 to 1")
    if causal:
        hidden = ~causal_mask(weights.shape[-1])
        _refuse(weights, (weights != 0) & hidden, "weights must be 0 where the causal mask hides the key")
    return weights


def _refuse(weights: Array, wrong: Array, rule: str) -> None:
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        named = ", ".join(f"{axis} {i}" for axis, i in zip(("layer", "head", "query", "key"), place, strict=True))
        raise ValueError(f"{rule}, but {named} has {weights[place]:g}")


def _check_places(n: int, *, hide_first: bool, ask: int | None) -> None:
    if hide_first and n < 2:
        raise ValueError("hide_first needs a text of two tokens at least, but it has 1")
    if ask is not None:
        require_whole("ask", ask)
    if ask is not None and not 0 <= ask < n:
        raise ValueError(f"ask must be the place of a token, 0 to {n - 1}, but it is {ask}")
