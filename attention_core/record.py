"""The record of one attention layer: all that a forward pass computes on its way, named as in the formula."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attention_core.checks import Array
from attention_core.edits import Edit
from attention_core.variants import RIGHT, Variant


@dataclass(frozen=True, eq=False, kw_only=True)
class AttentionRecord:
    """Every intermediate of one attention layer, named as in the formula. All arrays are read-only.

    Shapes: h is a head, g a key-and-value head (several query heads may share one), q a query, k a key.
    """

    X: Array  # [q, d_model] the tokens that ask
    X_key: Array  # [k, d_model] the tokens that are looked at; X itself unless told
    W_Q: Array  # [h, d_model, d_head]
    W_K: Array  # [g, d_model, d_head]
    W_V: Array  # [g, d_model, d_head]
    W_O: Array  # [h · d_head, d_model]
    Q: Array  # [h, q, d_head] = X W_Q
    K: Array  # [g, k, d_head] = X_key W_K
    V: Array  # [g, k, d_head] = X_key W_V
    divisor: float  # sqrt(d_head), unless a variant or an edit says otherwise
    raw_scores: Array  # [h, q, k] = Q·Kᵀ
    scores: Array  # [h, q, k] = raw_scores / divisor
    mask: Array  # [q, k] boolean, True = may look at
    masked_scores: Array  # [h, q, k] scores, minus infinity where hidden
    shift: Array  # [h, q, 1] taken off a row of scores before e^score; 0 while they are small
    exponentials: Array  # [h, q, k] = e^(masked_scores - shift)
    totals: Array  # [h, q, 1] sums of the exponentials of a row ([h, 1, k], of a column, in the variant "wrong_axis")
    shares: Array  # [h, q, k] = exponentials / totals
    weights: Array  # [h, q, k] the shares themselves, unless a variant changes them after softmax
    empty_rows: Array  # [q] boolean, True = may look at nothing: its weights are all 0
    weighted_values: Array  # [h, q, k, d_head] = weight times value
    head_outputs: Array  # [h, q, d_head] = weights·V
    heads_on: Array  # [h] boolean, False = switched off
    joined: Array  # [q, h · d_head] the outputs of the heads end to end, 0 for a head switched off
    output: Array  # [q, d_model] = joined W_O
    new_X: Array  # [q, d_model] = X + output
    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    head_names: tuple[str, ...]
    dimension_names: tuple[str, ...]  # of X
    query_dimension_names: tuple[tuple[str, ...], ...]  # [h][d_head], of Q and K
    value_dimension_names: tuple[tuple[str, ...], ...]  # [h][d_head], of V
    variant: Variant = RIGHT  # the right layer, or the mistake that made these numbers
    edits: tuple[Edit, ...] = ()  # the numbers that the learner set
    unedited: tuple[float, ...] = ()  # for each edit the number that stood at its place; empty if that is not known
    given: str = ""  # where Q, K and V come from, if no X stands before them

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def kv_head(self, head: int) -> int:
        """The index in W_K, W_V, K and V of the key-and-value head that a query head uses."""
        return head * len(self.W_K) // len(self.W_Q)


class Names(NamedTuple):
    """What to call the tokens, heads and dimensions of a record."""

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    head_names: tuple[str, ...]
    dimension_names: tuple[str, ...]
    query_dimension_names: tuple[tuple[str, ...], ...]
    value_dimension_names: tuple[tuple[str, ...], ...]

    @classmethod
    def numbered(cls, X: Array, X_key: Array, W_Q: Array) -> "Names":
        """Names for arrays that came without: their numbers."""
        n_heads, d_model, d_head = W_Q.shape
        tokens, keys = (tuple(map(str, range(len(array)))) for array in (X, X_key))
        heads, dimensions, entries = (tuple(map(str, range(n))) for n in (n_heads, d_model, d_head))
        return cls(tokens, keys, heads, dimensions, (entries,) * n_heads, (entries,) * n_heads)
