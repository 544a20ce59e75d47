"""The common mistakes, each a named variant of the layer that differs from the right one in a single choice."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from attention_core.attention import SoftmaxSteps, masked_scores, softmax_steps
from attention_core.checks import Array


@dataclass(frozen=True, kw_only=True)
class Variant:
    """The choices of a layer; the defaults are those of the formula (Vaswani et al. 2017, section 3.2)."""

    divide_by: Literal["sqrt d_head", "sqrt d_model", "nothing"] = "sqrt d_head"
    shares_of: Literal["row", "column"] = "row"  # what softmax turns into shares of one whole
    hide: Literal["−∞ before softmax", "0 before softmax", "0 after softmax", "0 after softmax, renormalised"] = (
        "−∞ before softmax"
    )
    keys_by: Literal["W_K", "W_Q"] = "W_K"
    positions: bool = True
    heads_see: Literal["all of the vector", "a slice of the vector"] = "all of the vector"
    weights_of: Literal["each head", "the mean of all heads"] = "each head"


RIGHT = Variant()
VARIANTS = {
    "right": RIGHT,
    "no_divisor": Variant(divide_by="nothing"),
    "sqrt_d_model": Variant(divide_by="sqrt d_model"),
    "wrong_axis": Variant(shares_of="column"),
    "mask_as_zero": Variant(hide="0 before softmax"),
    "mask_after": Variant(hide="0 after softmax"),
    "mask_after_renormalised": Variant(hide="0 after softmax, renormalised"),
    "one_matrix": Variant(keys_by="W_Q"),
    "no_positions": Variant(positions=False),
    "cut_first": Variant(heads_see="a slice of the vector"),
    "mean_of_heads": Variant(weights_of="the mean of all heads"),
}


def may_leak(variant: Variant) -> bool:
    """Whether hidden keys get some of the weight: e⁰ is 1, so a score of 0 hides nothing."""
    return variant.hide == "0 before softmax"


def divisor_of(variant: Variant, *, d_head: int, d_model: int) -> float:
    """What the raw scores are divided by."""
    sizes = {"sqrt d_head": d_head, "sqrt d_model": d_model, "nothing": 1}
    return float(np.sqrt(sizes[variant.divide_by]))


def projections_of(variant: Variant, W_Q: Array, W_K: Array, W_V: Array) -> tuple[Array, Array, Array]:
    """The matrices as the variant uses them: one for queries and keys, or each head's own slice of the vector alone.

    W_Q: [head, d_model, d_head]    W_K, W_V: [kv_head, d_model, d_head]

    Raises ValueError if keys made with W_Q would need as many key heads as query heads, or if no slices fit.
    """
    if variant.keys_by == "W_Q":
        if W_Q.shape != W_K.shape:
            raise ValueError(f"W_K can be W_Q only if each head has its own keys, but got {len(W_K)} for {len(W_Q)}")
        W_K = W_Q
    if variant.heads_see == "a slice of the vector":
        W_Q, W_K, W_V = (_own_slice(W) for W in (W_Q, W_K, W_V))
    return W_Q, W_K, W_V


def masked_and_shared(variant: Variant, scores: Array, mask: Array) -> tuple[Array, SoftmaxSteps, Array]:
    """Hide and share out: the masked scores, the steps of softmax, and the weights.

    scores: [head, query, key]    mask: [query, key], True = may look at
    returns: masked scores, steps (shift and totals with an axis of length 1 where softmax adds up), weights
    """
    before = {"−∞ before softmax": masked_scores(scores, mask), "0 before softmax": np.where(mask, scores, 0.0)}
    hidden = before.get(variant.hide, scores)
    steps = _softmax_along(variant.shares_of, hidden)
    weights = steps.weights
    if variant.hide.startswith("0 after softmax"):
        weights = np.where(mask, weights, 0.0)
    if variant.hide.endswith("renormalised"):
        sums = weights.sum(axis=-1, keepdims=True)
        weights = weights / np.where(sums == 0, 1.0, sums)
    if variant.weights_of == "the mean of all heads" and len(weights):
        weights = np.broadcast_to(weights.mean(axis=0), weights.shape).copy()
    return hidden, steps, weights


def _softmax_along(shares_of: str, scores: Array) -> SoftmaxSteps:
    if shares_of == "row":
        shift, exponentials, totals, weights = softmax_steps(scores)
        return SoftmaxSteps(shift[..., None], exponentials, totals[..., None], weights)
    shift, exponentials, totals, weights = softmax_steps(scores.swapaxes(-1, -2))
    return SoftmaxSteps(
        shift[..., None, :], exponentials.swapaxes(-1, -2), totals[..., None, :], weights.swapaxes(-1, -2)
    )


def _own_slice(W: Array) -> Array:
    """The matrices with zeros in the rows of every entry that is not in the head's own slice of the vector."""
    n_heads, d_model, _ = W.shape
    if d_model % n_heads:
        raise ValueError(
            f"a vector can be cut into heads only if they divide it, but {n_heads} do not divide {d_model}"
        )
    own = np.arange(d_model) // (d_model // n_heads) == np.arange(n_heads)[:, None]  # [head, d_model]
    return np.where(own[..., None], W, 0.0)
