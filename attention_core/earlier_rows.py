"""What a new token does to the rows of the tokens before it: with the causal mask nothing, without it something."""

from typing import NamedTuple

import numpy as np

from attention_core.checks import Array
from attention_core.layer import attention_record
from attention_core.masks import named_mask
from attention_core.record import AttentionRecord

ROUNDING = 1e-12  # products of more rows may be summed in another order, which moves the last digit (about 1e-16)


class EarlierRows(NamedTuple):
    """The rows of the earlier tokens, computed before the newest token came and again with it."""

    keys_and_values: Array  # [token] largest change of an entry of its keys and values
    weights: Array  # [token] largest change of a weight that it gives to an earlier token, over all heads
    to_newest: Array  # [head, token] the weight that it now gives to the newest token
    vectors: Array  # [token] largest change of an entry of its new vector, which the next layer reads

    @property
    def changed(self) -> Array:
        """[token] boolean: whether a weight or an entry of the new vector is another number than before."""
        differs: Array = np.maximum(self.weights, self.vectors) > ROUNDING
        return differs


def earlier_rows(record: AttentionRecord, newest: int, *, causal: bool) -> EarlierRows:
    """Compare the tokens before `newest` in a text that ends before it with the same tokens in one that ends with it.

    record: where the tokens' vectors and the matrices come from    causal: with the causal mask or without any

    Raises ValueError if there is no token at `newest`.
    """
    if not 0 <= newest < len(record.X):
        raise ValueError(f"newest must be the place of a token, 0 to {len(record.X) - 1}, but it is {newest}")
    before, after = (_first(record, n, causal=causal) for n in (newest, newest + 1))
    return EarlierRows(
        keys_and_values=np.maximum(
            _largest(after.K[:, :newest] - before.K, (0, 2)), _largest(after.V[:, :newest] - before.V, (0, 2))
        ),
        weights=_largest(after.weights[:, :newest, :newest] - before.weights, (0, 2)),
        to_newest=after.weights[:, :newest, newest],
        vectors=_largest(after.new_X[:newest] - before.new_X, (1,)),
    )


def _first(record: AttentionRecord, n: int, *, causal: bool) -> AttentionRecord:
    """The layer run on the first n tokens alone."""
    mask = named_mask("causal" if causal else "none", n)
    return attention_record(
        record.X[:n], record.W_Q, record.W_K, record.W_V, record.W_O, mask=mask, heads_on=record.heads_on.tolist()
    )


def _largest(change: Array, axes: tuple[int, ...]) -> Array:
    largest: Array = np.abs(change).max(axis=axes, initial=0.0)
    return largest
