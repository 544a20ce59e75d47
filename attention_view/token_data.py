"""What the token view sends to the browser: the record's arrays, checked, with names and sentences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention_view.layout import Layout, words
from attention_view.sentences import column_sentences, row_sentences
from attention_view.tokens import distinct_names, showable

PARTS = ("tokens", "lines", "numbers", "grid")
NEAR_ONE = 1e-6  # a row of weights whose sum is farther from 1 gets a badge


def token_view_data(
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    weights: ArrayLike,
    mask: ArrayLike | None = None,
    scores: ArrayLike | None = None,
    empty_rows: ArrayLike | None = None,
    may_leak: bool = False,
    column_sums: bool = False,
    parts: Sequence[str] = ("lines", "numbers", "grid"),
    caption: str = "",
    layout: Layout = "rows",
) -> dict[str, Any]:
    """Return all that the picture shows, ready for JSON; a masked pair is None and never a number, unless it leaks.

    weights, scores: [query, key]; weights lie from 0 to 1 and are 0 where masked. mask: [query, key] boolean,
    True = may look at; all True if left out. empty_rows: [query] boolean, True = may look at nothing.
    may_leak: let masked keys have weights, as a layer with a mistake gives them; `leaks` then says which.
    column_sums: whether the grid has a row with the sums of its columns.
    layout: whether the grid has queries in rows or in columns; the arrays stay as they are.

    Raises ValueError if shapes or values do not fit, saying what must hold and what was given.
    """
    _check_parts(parts)
    shape = (len(query_tokens), len(key_tokens))
    visible = _mask(mask, shape)
    shares = _weights(weights, visible, shape, may_leak=may_leak)
    leaks = ~visible & (shares != 0)
    empty = _empty_rows(empty_rows, visible) & ~leaks.any(axis=1)
    odd = ~empty & (np.abs(shares.sum(axis=1) - 1) > NEAR_ONE)
    names = {"query_tokens": query_tokens, "key_tokens": key_tokens}
    return {
        "parts": list(parts),
        "caption": caption,
        "layout": layout,
        "query_tokens": [showable(token) for token in query_tokens],
        "key_tokens": [showable(token) for token in key_tokens],
        "query_names": distinct_names(query_tokens),
        "key_names": distinct_names(key_tokens),
        "weights": _shown(shares, visible | leaks),
        "scores": None if scores is None else _shown(_scores(scores, visible | leaks, shape), visible | leaks),
        "leaks": leaks.tolist() if leaks.any() else None,
        "row_sums": shares.sum(axis=1).tolist(),
        "column_sums": shares.sum(axis=0).tolist() if column_sums else None,
        "odd_rows": odd.tolist(),
        "empty_rows": empty.tolist(),
        "row_sentences": row_sentences(shares, visible, **names),
        "column_sentences": column_sentences(shares, visible, **names),
        "notice": notice_of_rows(shares.sum(axis=1)[odd], shape, words(layout).line),
    }


def _check_parts(parts: Sequence[str]) -> None:
    if not parts or not set(parts) <= set(PARTS) or len(set(parts)) < len(parts):
        raise ValueError(f"parts must be some of {PARTS}, each once, got {parts!r}")


def _fitting(name: str, values: ArrayLike, shape: tuple[int, int]) -> NDArray[Any]:
    array = np.asarray(values)
    if array.shape != shape and not (array.size == 0 and 0 in shape):
        raise ValueError(
            f"{name} must be [query, key] = {list(shape)}, one row for each query token and one column for each key "
            f"token, got shape {list(array.shape)}"
        )
    return array.reshape(shape)


def _mask(mask: ArrayLike | None, shape: tuple[int, int]) -> NDArray[np.bool_]:
    if mask is None:
        return np.ones(shape, bool)
    array = _fitting("mask", mask, shape)
    if array.size and array.dtype != bool:
        raise ValueError(f"mask must be boolean, True = may look at, got {array.dtype}")
    return array.astype(bool)


def _weights(
    weights: ArrayLike, visible: NDArray[np.bool_], shape: tuple[int, int], *, may_leak: bool
) -> NDArray[np.float64]:
    array = _fitting("weights", weights, shape).astype(float)
    _refuse(array, ~np.isfinite(array), "weights must be finite")
    _refuse(array, (array < 0) | (array > 1 + NEAR_ONE), "weights must lie from 0 to 1")
    if not may_leak:
        _refuse(array, ~visible & (array != 0), "weights must be 0 where the mask hides the key")
    return array


def _scores(scores: ArrayLike, visible: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.float64]:
    array = _fitting("scores", scores, shape).astype(float)
    _refuse(array, visible & ~np.isfinite(array), "scores must be finite where the mask lets a query look")
    return array


def _shown(values: NDArray[np.float64], visible: NDArray[np.bool_]) -> list[list[float | None]]:
    """The values as plain numbers, None where masked."""
    return [
        [number if seen else None for number, seen in zip(*row, strict=True)]
        for row in zip(values.tolist(), visible.tolist(), strict=True)
    ]


def _empty_rows(empty_rows: ArrayLike | None, visible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    nothing: NDArray[np.bool_] = np.logical_not(visible.any(axis=1))
    given = nothing if empty_rows is None else np.asarray(empty_rows, bool)
    if not np.array_equal(given, nothing):
        raise ValueError(
            "empty_rows must be [query] and True for the queries that the mask lets see nothing, "
            f"{np.flatnonzero(nothing).tolist()}, got {np.flatnonzero(given).tolist()} of shape {list(given.shape)}"
        )
    return nothing


def _refuse(array: NDArray[np.float64], wrong: NDArray[np.bool_], rule: str) -> None:
    """Raise ValueError naming the first wrong place."""
    if wrong.any():
        i, j = (int(place) for place in np.argwhere(wrong)[0])
        raise ValueError(f"{rule}, but query {i}, key {j} has {array[i, j]:g}")


def notice_of_rows(odd_sums: NDArray[np.float64], shape: tuple[int, int], line: str) -> str:
    """What a reader must know before reading the picture, or nothing."""
    if 0 in shape:
        return "There is no token that asks." if shape[0] == 0 else "There is no token to look at."
    if not odd_sums.size:
        return ""
    lines = f"1 {line} does" if odd_sums.size == 1 else f"{odd_sums.size:,} {line}s do"
    low, high = (f"{total:.4g}" for total in (odd_sums.min(), odd_sums.max()))
    return f"{lines} not sum to 1: {f'the sum is {low}' if low == high else f'the sums run from {low} to {high}'}."
