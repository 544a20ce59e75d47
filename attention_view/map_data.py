"""What the map of a long text is drawn from: a head's weights, their blocks and strongest keys, all by the core."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import causal_mask
from attention_core.checks import Array
from attention_core.models.blocks import Blocks, blocks, mask_of, weights_from_0_to_1
from attention_core.models.strongest import Strongest, strongest
from attention_view.layout import Layout, words
from attention_view.numbers import percent
from attention_view.token_data import notice_of_rows
from attention_view.tokens import showable

LONGEST = 2_048  # tokens on each side
DOTS = 256  # blocks along a side of the overview, at most: also a narrow screen has a dot for each
LISTED = 10  # strongest keys of a row
NEAR_ONE = 1e-5  # a row of weights in single precision whose sum is farther from 1 is said to be odd
ALIGNED = 4  # bytes


@dataclass(frozen=True, eq=False, kw_only=True)
class MapData:
    """One head's map of a text, checked.

    weights: [query, key], single precision, 0 where masked    mask: [query, key], True = may look at
    causal: whether the mask is the causal one of equally many queries and keys
    left_out: a sentence on the first token if it is left out of the picture, else nothing
    """

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    weights: Array
    mask: Array
    causal: bool
    by_max: Blocks
    by_sum: Blocks
    strongest: Strongest
    odd_rows: Array
    hide_first: bool
    left_out: str
    notice: str
    caption: str
    layout: Layout


def map_data(
    weights: ArrayLike,
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    mask: ArrayLike | None = None,
    causal: bool = False,
    hide_first: bool = False,
    caption: str = "",
    layout: Layout = "rows",
) -> MapData:
    """Check the weights of one head and read them by blocks and by the strongest keys of each row.

    weights: [query, key], from 0 to 1, 0 where masked; kept in single precision
    mask: [query, key], True = may look at; `causal` instead of it says that no token looks at a later one
    hide_first: leave the first key out of the overview and of the strongest keys; what it has is said

    Raises ValueError if shapes or values do not fit, if there are more than 2,048 tokens, or if both a mask is given
    and `causal`.
    """
    shape = (len(query_tokens), len(key_tokens))
    if max(shape) > LONGEST:
        raise ValueError(f"a map must have at most {LONGEST:,} queries and keys, but got {shape[0]:,} and {shape[1]:,}")
    given = np.asarray(weights)
    if given.shape != shape and (given.size or 0 not in shape):
        raise ValueError(
            f"weights must be [query, key] = {list(shape)}, one row for each query token and one column for each key "
            f"token, got shape {list(given.shape)}"
        )
    single = weights_from_0_to_1(given.reshape(shape)).astype(np.float32)
    seen = _mask(single, mask, causal=causal)
    _refuse_leaks(single, seen)
    listed = seen & (np.arange(shape[1]) > 0) if hide_first else seen
    found = strongest(single, LISTED, mask=seen, without_first=hide_first)
    odd = ~found.empty & (np.abs(found.sums - 1) > NEAR_ONE)
    shown = {token: showable(token) for token in {*query_tokens, *key_tokens}}
    return MapData(
        query_tokens=tuple(shown[token] for token in query_tokens),
        key_tokens=tuple(shown[token] for token in key_tokens), weights=single, mask=seen,
        causal=shape[0] == shape[1] and np.array_equal(seen, causal_mask(shape[0])),
        by_max=blocks(single, DOTS, "max", mask=listed), by_sum=blocks(single, DOTS, "sum", mask=listed),
        strongest=found, odd_rows=odd, hide_first=hide_first, left_out=_left_out(found, key_tokens, hide=hide_first),
        notice=notice_of_rows(found.sums[odd], shape, words(layout).line), caption=caption, layout=layout,
    )  # fmt: skip


def map_message(data: MapData, **more: Any) -> bytes:
    """What the browser gets: the length of a header, the header in JSON, and the arrays that it names, as they lie.

    more: what stands first in the header
    Of a causal map the weights that may be looked at are sent, row by row: 2.1 MB at 1,024 tokens, 8.4 MB at 2,048.
    """
    same = data.query_tokens == data.key_tokens
    arrays = {
        "weights": data.weights[data.mask] if data.causal else data.weights,
        "max": data.by_max.values.astype(np.float32),
        "sum": data.by_sum.values.astype(np.float32),
        "rest": data.strongest.rest.astype(np.float32),
        "first": data.strongest.first.astype(np.float32),
        "sums": data.strongest.sums.astype(np.float32),
        "keys": data.strongest.keys.astype(np.int32),
        "others": data.strongest.others.astype(np.int32),
        "visible": data.by_max.visible.astype(np.uint8),
        "empty": data.strongest.empty.astype(np.uint8),
        "odd": data.odd_rows.astype(np.uint8),
        "mask": np.zeros(0, np.uint8) if data.causal else data.mask.astype(np.uint8),
    }
    header = {
        **more,
        "query_tokens": data.query_tokens,
        "key_tokens": None if same else data.key_tokens,
        "n_queries": len(data.query_tokens),
        "n_keys": len(data.key_tokens),
        "n_blocks": data.by_max.values.shape,
        "tokens": data.by_max.tokens,
        "causal": data.causal,
        "hide_first": data.hide_first,
        "left_out": data.left_out,
        "notice": data.notice,
        "caption": data.caption,
        "layout": data.layout,
    }
    return _packed(header, arrays)


def _packed(header: dict[str, Any], arrays: Mapping[str, Array]) -> bytes:
    listed = {name: [array.dtype.name, array.size] for name, array in arrays.items()}
    text = json.dumps({**header, "arrays": listed}, separators=(",", ":")).encode()
    parts = [len(text).to_bytes(ALIGNED, "little"), text, *(array.tobytes() for array in arrays.values())]
    return b"".join(part + bytes(-len(part) % ALIGNED) for part in parts)


def _mask(weights: Array, mask: ArrayLike | None, *, causal: bool) -> Array:
    if causal and mask is not None:
        raise ValueError("a map must have a mask or be causal, but both are given")
    return causal_mask(*weights.shape) if causal else mask_of(weights, mask)


def _refuse_leaks(weights: Array, mask: Array) -> None:
    if (weights[~mask] != 0).any():
        query, key = (int(place) for place in np.argwhere(~mask & (weights != 0))[0])
        raise ValueError(
            f"weights must be 0 where the mask hides the key, but query {query}, key {key} has {weights[query, key]:g}"
        )


def _left_out(found: Strongest, key_tokens: Sequence[str], *, hide: bool) -> str:
    if not hide or not key_tokens:
        return ""
    share = percent(found.share_of_first)
    return f"The first token, {showable(key_tokens[0])}, is left out here: it holds {share} of all weight there is."
