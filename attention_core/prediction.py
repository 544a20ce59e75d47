"""How far a predicted row of weights is from the real one."""

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import numbers


def misplaced_weight(predicted: ArrayLike, weights: ArrayLike) -> float:
    """The share of the weight that lies elsewhere than predicted: 0 = all of it is where it was predicted, 1 = none.

    half the sum over j of |predicted[j] - weights[j]|        (the total variation distance)

    predicted, weights: [key], each of them sums to 1

    >>> misplaced_weight([0.5, 0.5, 0], [1, 0, 0])
    0.5

    Raises ValueError if shapes disagree, an entry is negative or not finite, or a sum is not 1.
    """
    rows = [numbers(name, row, "key") for name, row in (("predicted", predicted), ("weights", weights))]
    if rows[0].ndim != 1 or rows[0].shape != rows[1].shape:
        raise ValueError(f"both must be [key] and of one length, but their shapes are {rows[0].shape}, {rows[1].shape}")
    for row in rows:
        if (row < 0).any() or abs(row.sum() - 1) > 1e-6:
            raise ValueError(f"shares must not be negative and must sum to 1, but are {row.tolist()}")
    return float(np.abs(rows[0] - rows[1]).sum() / 2)
