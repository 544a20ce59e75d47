"""Reading tokens, layer by layer, with the lesson's own attention in every layer."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from attention_core.attention import attend, causal_mask
from attention_core.checks import Array
from attention_core.models import bert, gpt2, llama
from attention_core.models.progress import Progress
from attention_core.models.settings import Family, Settings
from attention_core.models.shelf import Shelf
from attention_core.models.tensors import Tensors

FAMILIES: dict[Family, ModuleType] = {"llama": llama, "gpt2": gpt2, "bert": bert}
BLOCK = 128  # queries at a time: their scores fit into a processor's cache


def read_on(
    settings: Settings,
    tensors: Tensors,
    shelf: Shelf,
    ids: Sequence[int],
    *,
    causal: bool,
    progress: Progress | None = None,
) -> None:
    """Read tokens after those on the shelf, and put all that the layers make of them there.

    Raises ValueError, with the place, if a number on the way is not finite; what `progress` raises passes through.
    """
    family = FAMILIES[settings.family]
    shelf.make_room(len(ids))
    with np.errstate(all="ignore"):  # what is not finite is refused below, with its place
        X = family.first_vectors(settings, tensors, ids, shelf.n_tokens)
        for layer in range(settings.n_layers):
            _tell(progress, layer / settings.n_layers)
            new = family.queries_keys_values(settings, tensors, layer, X, shelf.n_tokens)
            _require_finite(layer, shelf.n_tokens, *new)
            mixed = _attended_in(layer, *shelf.put(layer, *new), causal=causal)
            X = family.after_attention(settings, tensors, layer, X, mixed)
        hidden = family.last_vectors(settings, tensors, X)
    if not np.isfinite(hidden).all():
        token = shelf.n_tokens + int(np.argwhere(~np.isfinite(hidden))[0, 0])
        raise ValueError(f"layer {settings.n_layers - 1}, token {token}: the last vector must be finite, but it is not")
    shelf.finish(hidden)
    _tell(progress, 1.0)


def attended(Q: Array, K: Array, V: Array, *, causal: bool) -> Array:
    """What each query receives from the heads of a layer, joined: the values, mixed by its weights.

    A block of queries at a time, against the keys up to the block's end: rows do not depend on each other.
    The query heads that share a key head ask it together, as rows of one table; no key is repeated.

    Q: [head, query, d_head], the last of the tokens    K, V: [kv_head, key, d_head]    returns: [query, head · d_head]
    """
    (n_heads, n_queries, d_head), (n_kv_heads, n_keys, _) = Q.shape, K.shape
    shared = n_heads // n_kv_heads
    joined = np.empty((n_queries, n_heads, d_head), dtype=Q.dtype)
    for start in range(0, n_queries, BLOCK):
        stop = min(start + BLOCK, n_queries)
        end = n_keys - n_queries + stop if causal else n_keys
        hides = causal and stop - start > 1  # the keys end at the block's last query: from it none is hidden
        mask = np.tile(causal_mask(stop - start, end), (shared, 1)) if hides else None
        together = Q[:, start:stop].reshape(n_kv_heads, -1, d_head)  # [kv_head, head of the group and query, d_head]
        mixed = attend(together, K[:, :end], V[:, :end], mask)
        joined[start:stop] = mixed.reshape(n_heads, -1, d_head).swapaxes(0, 1)
    return joined.reshape(n_queries, -1)


def _attended_in(layer: int, Q: Array, K: Array, V: Array, *, causal: bool) -> Array:
    """What `attended` returns; what it refuses is said with the layer."""
    try:
        return attended(Q, K, V, causal=causal)
    except ValueError as refusal:
        raise ValueError(f"layer {layer}: {refusal}") from None


def _require_finite(layer: int, start: int, *vectors: Array) -> None:
    """Raise ValueError at the first query, key or value that is not finite. vectors: [token, head, d_head] each"""
    for name, heads, table in zip(("query", "key", "value"), ("head", "kv head", "kv head"), vectors, strict=True):
        finite = np.isfinite(table)
        if not finite.all():
            token, head, _ = (int(i) for i in np.argwhere(~finite)[0])
            place = f"layer {layer}, {heads} {head}, {name} {start + token}"
            raise ValueError(f"every {name} must be finite numbers, but at {place} one is not")


def _tell(progress: Progress | None, fraction: float) -> None:
    if progress is not None:
        progress(fraction)
