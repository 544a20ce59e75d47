"""Which numbers of a layer changed: two records of the same sizes, compared entry by entry."""

import numpy as np

from attention_core.checks import Array
from attention_core.record import AttentionRecord

ROUNDING = 1e-12  # a number that is the same up to this share of it, or of 1, is the same number
STAGES = (  # in the order of the calculation; totals are left out, since a mistake may add up another axis
    "X", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", "raw_scores", "divisor", "scores", "mask", "masked_scores",
    "exponentials", "weights", "weighted_values", "head_outputs", "joined", "output", "new_X",
)  # fmt: skip


def changed_entries(before: AttentionRecord, after: AttentionRecord, array: str) -> Array:
    """Where an array holds another number than before: boolean, of the array's shape.

    −∞ is the same as −∞.

    Raises ValueError if the two arrays differ in shape.
    """
    old, new = np.asarray(getattr(before, array), dtype=float), np.asarray(getattr(after, array), dtype=float)
    if old.shape != new.shape:
        raise ValueError(f"{array} must have one shape in both records, but has {old.shape} and {new.shape}")
    same: Array = np.isclose(new, old, rtol=ROUNDING, atol=ROUNDING)
    return np.logical_not(same)


def changed_stages(before: AttentionRecord, after: AttentionRecord) -> dict[str, int]:
    """How many numbers of each stage changed, in the order of the calculation; stages without a change are left out.

    Raises ValueError if the records differ in their sizes.
    """
    counts = {array: int(changed_entries(before, after, array).sum()) for array in STAGES}
    return {array: n for array, n in counts.items() if n}
