"""The forward pass of one attention layer."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import attention_scores
from attention_core.checks import Array, numbers
from attention_core.edits import Edit, Editor
from attention_core.record import AttentionRecord, Names
from attention_core.variants import RIGHT, Variant, divisor_of, masked_and_shared, projections_of


def attention_record(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    X_key: ArrayLike | None = None,
    heads_on: Sequence[bool] | None = None,
    edits: Sequence[Edit] = (),
    names: Names | None = None,
    variant: Variant = RIGHT,
) -> AttentionRecord:
    """Run one attention layer and keep every intermediate.

    X: [query, d_model]    X_key: [key, d_model], X itself unless told    W_Q: [head, d_model, d_head]
    W_K, W_V: [kv_head, d_model, d_head]; kv_heads must divide heads    W_O: [head · d_head, d_model]
    mask: [query, key], True = may look at    heads_on: [head]    variant: the right layer, or one with a mistake

    Raises ValueError if shapes disagree, an entry is not finite, or an edit names no place in its array.
    """
    edited = Editor(edits)
    X = edited("X", numbers("X", X, "query d_model"))
    X_key = X if X_key is None else np.array(numbers("X_key", X_key, "key d_model"))
    W_Q = edited("W_Q", numbers("W_Q", W_Q, "head d_model d_head"))
    W_K = edited("W_K", numbers("W_K", W_K, "kv_head d_model d_head"))
    W_V = edited("W_V", numbers("W_V", W_V, "kv_head d_model d_head"))
    W_O = edited("W_O", numbers("W_O", W_O, "joined d_model"))
    _require_fitting_shapes(X, X_key, W_Q, W_K, W_V, W_O)
    W_Q, W_K, W_V = projections_of(variant, W_Q, W_K, W_V)
    divisor = _positive(edited("divisor", np.array(divisor_of(variant, d_head=W_Q.shape[-1], d_model=X.shape[-1]))))
    seen = _seen(edited, mask, len(X), len(X_key))
    switches = _switches(heads_on, len(W_Q))

    Q, K, V = X @ W_Q, X_key @ W_K, edited("V", X_key @ W_V)  # [head, query, d_head], [kv_head, key, d_head]
    raw_scores = _grouped_scores(Q, K)
    scores = edited("scores", _divided(raw_scores, divisor))
    hidden, steps, weights = masked_and_shared(variant, scores, seen)
    values = np.repeat(V, len(W_Q) // len(W_K), axis=0)  # [head, key, d_head]
    weighted_values = weights[..., None] * values[:, None]  # [head, query, key, d_head]
    head_outputs = weighted_values.sum(axis=2)
    switched = head_outputs * switches[:, None, None]
    joined = switched.swapaxes(0, 1).reshape(len(X), len(W_O))  # [query, head · d_head]
    output = joined @ W_O
    return AttentionRecord(
        X=X, X_key=X_key, W_Q=W_Q, W_K=W_K, W_V=W_V, W_O=W_O, Q=Q, K=K, V=V,
        raw_scores=raw_scores, divisor=divisor, scores=scores, mask=seen, masked_scores=hidden,
        shift=steps.shift, exponentials=steps.exponentials, totals=steps.totals, shares=steps.weights,
        weights=weights, empty_rows=np.logical_not(seen.any(axis=-1)),
        weighted_values=weighted_values, head_outputs=head_outputs, heads_on=switches,
        joined=joined, output=output, new_X=X + output,
        variant=variant, edits=edited.edits, unedited=edited.unedited,
        **(names or Names.numbered(X, X_key, W_Q))._asdict(),
    )  # fmt: skip


def multi_head_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    W_O: ArrayLike,
    *,
    mask: ArrayLike | None = None,
) -> Array:
    """What all heads together add to each token.

    output = joined heads · W_O        (Vaswani et al. 2017, section 3.2.2; grouped heads: Ainslie et al. 2023)

    X: [token, d_model]    W_Q: [head, d_model, d_head]    W_K, W_V: [kv_head, d_model, d_head]
    W_O: [head · d_head, d_model]    mask: [token, token]    returns: [token, d_model]
    """
    return attention_record(X, W_Q, W_K, W_V, W_O, mask=mask).output


def _grouped_scores(Q: Array, K: Array) -> Array:
    """The raw scores of every query head with the keys of its group: [head, query, key]."""
    by_group = Q.reshape(len(K), len(Q) // len(K), *Q.shape[1:])  # [kv_head, heads that share it, query, d_head]
    return attention_scores(by_group, K[:, None], divisor=1).reshape(len(Q), Q.shape[1], K.shape[1])


def _seen(edited: Editor, mask: ArrayLike | None, n_queries: int, n_keys: int) -> Array:
    """The mask with its edits; without one, every query may look at every key."""
    whole: Array = np.ones((n_queries, n_keys), dtype=bool) if mask is None else np.array(mask)
    return edited("mask", whole)


def _positive(divisor: Array) -> float:
    if not divisor > 0:
        raise ValueError(f"the divisor must be more than 0, but it is {divisor}")
    return float(divisor)


def _divided(raw_scores: Array, divisor: float) -> Array:
    """The raw scores divided, if a float can hold what comes out."""
    with np.errstate(over="ignore"):
        scores: Array = raw_scores / divisor
    if np.isinf(scores).any() and np.isfinite(raw_scores).all():
        raise ValueError(
            f"the scores must stay within what a float can hold, but raw scores up to "
            f"{np.abs(raw_scores).max():.6g} divided by {divisor:.6g} do not"
        )
    return scores


def _switches(heads_on: Sequence[bool] | None, n_heads: int) -> Array:
    """On or off for each head; all on unless told."""
    switches = np.array([True] * n_heads if heads_on is None else heads_on, dtype=bool)
    if switches.shape != (n_heads,):
        raise ValueError(f"heads_on must say on or off for each of {n_heads} heads, but has {switches.shape}")
    return switches


def _require_fitting_shapes(X: Array, X_key: Array, W_Q: Array, W_K: Array, W_V: Array, W_O: Array) -> None:
    for name, array, axes in (
        ("X", X, 2),
        ("X_key", X_key, 2),
        ("W_Q", W_Q, 3),
        ("W_K", W_K, 3),
        ("W_V", W_V, 3),
        ("W_O", W_O, 2),
    ):
        if array.ndim != axes:
            raise ValueError(f"{name} must have {axes} axes (no batch axis), but its shape is {array.shape}")
    n_heads, d_model, d_head = W_Q.shape
    n_kv_heads = len(W_K)
    if n_kv_heads == 0 or n_heads % n_kv_heads:
        raise ValueError(f"the kv heads must divide the heads, but there are {n_kv_heads} kv heads and {n_heads} heads")
    expected = {
        "X": (X, (len(X), d_model)),
        "X_key": (X_key, (len(X_key), d_model)),
        "W_K": (W_K, (n_kv_heads, d_model, d_head)),
        "W_V": (W_V, (n_kv_heads, d_model, d_head)),
        "W_O": (W_O, (n_heads * d_head, d_model)),
    }
    for name, (array, shape) in expected.items():
        if array.shape != shape:
            raise ValueError(f"{name} must have the shape {shape} to fit W_Q {W_Q.shape}, but has {array.shape}")
