"""Queries, keys and values from elsewhere: a record of heads before which no token vector and no matrix stands."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import attention_scores, masked_scores, softmax_steps
from attention_core.checks import Array, numbers
from attention_core.record import AttentionRecord

GIVEN = "It is given: no token vector stands before it."


def record_of_vectors(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    head_names: Sequence[str],
    given: str = GIVEN,
) -> AttentionRecord:
    """The record of heads whose queries, keys and values are given, from the raw scores to the mixed values.

    weights = softmax(Q·Kᵀ / sqrt(d_head)), outputs = weights·V, in double precision; d_model is 0, so nothing comes
    before the queries, keys and values, and nothing after the joined outputs.

    Q: [head, query, d_head]    K: [kv_head, key, d_head]    V: [kv_head, key, d_value]; kv_heads must divide heads
    mask: [query, key], True = may look at; without one, every query may look at every key
    given: what an opened entry of a query, key or value says of where it comes from

    Raises ValueError if shapes or names do not fit, or an entry is not finite.
    """
    Q = numbers("Q", Q, "head query d_head").astype(float)
    K, V = (numbers(name, A, "kv_head key d_head").astype(float) for name, A in (("K", K), ("V", V)))
    _require_fitting(Q, K, V)
    (n_heads, n_queries, d_head), (n_kv_heads, n_keys, d_value) = Q.shape, V.shape
    expected, found = (n_queries, n_keys, n_heads), (len(query_tokens), len(key_tokens), len(head_names))
    if found != expected:
        raise ValueError(f"{expected} queries, keys and heads must have a name each, but there are {found} names")
    share = n_heads // n_kv_heads
    raw_scores = attention_scores(Q, K.repeat(share, axis=0), divisor=1)  # [head, query, key]
    divisor = float(np.sqrt(d_head))
    seen = np.ones((n_queries, n_keys), dtype=bool) if mask is None else np.array(mask)
    scores = raw_scores / divisor
    hidden = masked_scores(scores, seen)
    steps = softmax_steps(hidden)
    weighted_values = steps.weights[..., None] * V.repeat(share, axis=0)[:, None]  # [head, query, key, d_value]
    outputs = weighted_values.sum(axis=2)
    numbered = tuple(f"number {d + 1}" for d in range(max(d_head, d_value)))
    return AttentionRecord(
        X=np.zeros((n_queries, 0)), X_key=np.zeros((n_keys, 0)), W_Q=np.zeros((n_heads, 0, d_head)),
        W_K=np.zeros((n_kv_heads, 0, d_head)), W_V=np.zeros((n_kv_heads, 0, d_value)),
        W_O=np.zeros((n_heads * d_value, 0)), Q=Q, K=K, V=V, divisor=divisor, raw_scores=raw_scores, scores=scores,
        mask=seen, masked_scores=hidden, shift=steps.shift[..., None], exponentials=steps.exponentials,
        totals=steps.totals[..., None], shares=steps.weights, weights=steps.weights,
        empty_rows=np.logical_not(seen.any(axis=-1)), weighted_values=weighted_values, head_outputs=outputs,
        heads_on=np.ones(n_heads, dtype=bool), joined=outputs.swapaxes(0, 1).reshape(n_queries, n_heads * d_value),
        output=np.zeros((n_queries, 0)), new_X=np.zeros((n_queries, 0)), query_tokens=tuple(query_tokens),
        key_tokens=tuple(key_tokens), head_names=tuple(head_names), dimension_names=(),
        query_dimension_names=(numbered[:d_head],) * n_heads, value_dimension_names=(numbered[:d_value],) * n_heads,
        given=given,
    )  # fmt: skip


def _require_fitting(Q: Array, K: Array, V: Array) -> None:
    if not Q.ndim == K.ndim == V.ndim == 3:
        raise ValueError(f"Q, K and V must have three axes each, but have {Q.shape}, {K.shape} and {V.shape}")
    if not len(K) or len(Q) % len(K):
        raise ValueError(f"the kv heads must divide the heads, but there are {len(K)} kv heads and {len(Q)} heads")
    if K.shape[:2] != V.shape[:2]:
        raise ValueError(f"each key needs a value, but K has {K.shape} and V {V.shape}")
