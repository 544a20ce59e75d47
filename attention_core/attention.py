"""Attention in a handful of functions, each built from those above it.

Axes in words: query (the token that asks), key (the token that is looked at), d_head (the numbers in one query,
key or value). Every function also takes further axes in front, such as one for heads.

Source of the formulas: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array, numbers

PLAIN_EXPONENT = 30.0  # e^30 is about 1e13: up to here the exponentials of a row are safe as they stand


class SoftmaxSteps(NamedTuple):
    """What softmax computes on its way. Row by row: weights = exponentials / totals."""

    shift: Array  # [query] taken off every score of the row before e^score; 0 while the scores are small
    exponentials: Array  # [query, key]
    totals: Array  # [query]
    weights: Array  # [query, key]


def softmax_steps(scores: ArrayLike) -> SoftmaxSteps:
    """Turn each row of scores into positive weights that sum to 1, and keep the steps.

    weights[i, j] = e^scores[i, j] / sum over j of e^scores[i, j]

    A score of minus infinity gets a weight of exactly 0. A row of nothing else gets zeros (its total is 0).
    A constant added to a row changes no weight, so a row with very large scores is moved to a safe size first.

    scores: [query, key]

    Raises ValueError if a score is NaN or plus infinity.

    >>> softmax_steps([0.0, 0.0]).exponentials.tolist()
    [1.0, 1.0]
    """
    scores = numbers("scores", scores, "key", allow_minus_inf=True)
    shift = _shift(scores)
    exponentials = _exponentials(scores, shift)
    totals = exponentials.sum(axis=-1)
    return SoftmaxSteps(shift, exponentials, totals, exponentials / _divisors(totals))


def softmax(scores: ArrayLike, *, out: Array | None = None) -> Array:
    """Turn each row of scores into positive weights that sum to 1.

    scores: [query, key]    returns: [query, key]; in `out`, which may be the scores, if it is given

    >>> softmax([0.0, 0.0, -np.inf]).tolist()
    [0.5, 0.5, 0.0]
    """
    scores = numbers("scores", scores, "key", allow_minus_inf=True)
    weights = _exponentials(scores, _shift(scores), out)
    weights /= _divisors(weights.sum(axis=-1))
    return weights


def _shift(scores: Array) -> Array:
    """What is taken off each row so that no exponential overflows: 0 while the row's largest score is safe."""
    largest = scores.max(axis=-1, initial=-np.inf)
    largest = np.where(np.isneginf(largest), 0.0, largest)
    shift: Array = largest - largest.clip(-PLAIN_EXPONENT, PLAIN_EXPONENT)
    return shift


def _exponentials(scores: Array, shift: Array, out: Array | None = None) -> Array:
    """e^(score - shift); where no row is shifted, the pass over all scores that would take off 0 is spared."""
    with np.errstate(over="ignore"):  # scores at both ends of what a float can hold: the lower one's weight is 0
        shifted = np.subtract(scores, shift[..., None], out=out) if shift.any() else scores
    exponentials: Array = np.exp(shifted, out=out)
    return exponentials


def _divisors(totals: Array) -> Array:
    """The totals by which rows are divided; a row of nothing but 0 is divided by 1 and stays."""
    return np.where(totals == 0, 1.0, totals)[..., None]


def attention_scores(Q: ArrayLike, K: ArrayLike, *, divisor: float | None = None) -> Array:
    """How strongly each query matches each key.

    scores[i, j] = (Q[i] · K[j]) / divisor        divisor: sqrt(d_head) unless told (section 3.2.1); 1 gives raw scores

    Q: [query, d_head]    K: [key, d_head]    returns: [query, key]

    Raises ValueError if Q and K disagree on d_head, or if the divisor is not a positive number.

    >>> attention_scores([[4, 0, 0, 0]], [[2, 0, 0, 0], [0, 2, 0, 0]]).tolist()
    [[4.0, 0.0]]
    """
    Q, K = numbers("Q", Q, "query d_head"), numbers("K", K, "key d_head")
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(
            f"Q and K must have the same d_head, but Q has {Q.shape[-1]} {Q.shape} and K has {K.shape[-1]} {K.shape}"
        )
    _require_same_heads(Q=Q, K=K)
    divisor = float(np.sqrt(max(Q.shape[-1], 1))) if divisor is None else divisor
    if not (np.isfinite(divisor) and divisor > 0):
        raise ValueError(f"divisor must be a positive number, but it is {divisor}")
    with np.errstate(over="ignore", invalid="ignore"):
        scores: Array = Q @ K.swapaxes(-1, -2)
        scores /= divisor
    if not np.isfinite(scores).all():
        raise ValueError("the products of Q and K must stay within what a float can hold, but they overflow")
    return scores


def causal_mask(n_queries: int, n_keys: int | None = None) -> Array:
    """Which keys each query may look at when no token may look at a later one: True = may look at.

    With fewer queries than keys, the queries are the last tokens (as when a text is written with a KV cache).

    returns: [query, key], boolean

    Raises ValueError if a number is negative or if there are more queries than keys.

    >>> causal_mask(2, 3).tolist()
    [[True, True, False], [True, True, True]]
    """
    n_keys = n_queries if n_keys is None else n_keys
    if not 0 <= n_queries <= n_keys:
        raise ValueError(f"a causal mask needs 0 <= queries <= keys, but got {n_queries} queries and {n_keys} keys")
    return np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool)


def masked_scores(scores: ArrayLike, mask: ArrayLike | None) -> Array:
    """The scores with minus infinity wherever the mask hides a key; no mask hides nothing.

    scores: [query, key]    mask: [query, key], True = may look at    returns: [query, key]

    Raises ValueError if the mask is not boolean or does not fit the scores.
    """
    scores = numbers("scores", scores, "query key")
    if mask is None:
        return scores
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise ValueError(f"mask must be boolean (True = may look at), but its type is {mask.dtype}")
    if mask.ndim < 2 or mask.shape[-2:] != scores.shape[-2:]:
        raise ValueError(
            f"mask must have the shape of the scores [query, key] {scores.shape[-2:]}, but has {mask.shape}"
        )
    _require_same_heads(scores=scores, mask=mask)
    shown: Array = scores + np.where(mask, scores.dtype.type(0), -np.inf)  # many times quicker than picking
    return shown


def attention_weights(
    Q: ArrayLike, K: ArrayLike, mask: ArrayLike | None = None, *, divisor: float | None = None
) -> Array:
    """How much each query looks at each key; every row sums to 1, or is 0 where a query may look at nothing.

    weights = softmax(Q·Kᵀ / sqrt(d_head))        (section 3.2.1)

    Q: [query, d_head]    K: [key, d_head]    mask: [query, key]    returns: [query, key]
    """
    scores = masked_scores(attention_scores(Q, K, divisor=divisor), mask)
    return softmax(scores, out=scores)


def attend(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, mask: ArrayLike | None = None, *, divisor: float | None = None
) -> Array:
    """What each query receives: the values, mixed by its weights.

    output = softmax(Q·Kᵀ / sqrt(d_head))·V        (equation 1)

    Q: [query, d_head]    K: [key, d_head]    V: [key, d_value]    returns: [query, d_value]

    Raises ValueError if K and V disagree on the number of keys.

    >>> attend([[0.0]], [[1.0], [2.0]], [[1.0], [3.0]]).tolist()
    [[2.0]]
    """
    K, V = numbers("K", K, "key d_head"), numbers("V", V, "key d_value")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(
            f"K and V must have the same keys, but K has {K.shape[-2]} {K.shape} and V {V.shape[-2]} {V.shape}"
        )
    weights = attention_weights(Q, K, mask, divisor=divisor)
    _require_same_heads(weights=weights, V=V)
    return weights @ V


def _require_same_heads(**arrays: Array) -> None:
    """Raise ValueError if the axes in front of the last two do not fit each other."""
    try:
        np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = " and ".join(f"{name} has {array.shape}" for name, array in arrays.items())
        raise ValueError(f"the axes in front (heads) must be the same, but {shapes}") from None
