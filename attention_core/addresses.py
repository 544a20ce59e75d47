"""Every number of a record has an address, such as weights[0,9,1]."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from attention_core.checks import Array
from attention_core.patterns import mean_of_heads
from attention_core.record import AttentionRecord

MEAN = "mean"  # of the weights of the heads that are on: [query, key]; the layer itself never uses it
ARRAYS = (
    "X", "X_key", "W_Q", "W_K", "W_V", "W_O", "Q", "K", "V", "divisor", "raw_scores", "scores", "mask",
    "masked_scores", "shift", "exponentials", "totals", "shares", "weights", "mean", "weighted_values",
    "head_outputs", "heads_on", "joined", "output", "new_X",
)  # fmt: skip
FORM = re.compile(r"(\w{1,20})\[((?:\d{1,5}(?:,\d{1,5}){0,3})?)\]", re.ASCII)


class Address(NamedTuple):
    """Where a number stands: the name of an array, and an index along each of its axes (none for the divisor).

    >>> str(Address("weights", (0, 9, 1)))
    'weights[0,9,1]'
    """

    array: str
    place: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.array}[{','.join(map(str, self.place))}]"


def read_address(text: str, arrays: Sequence[str] = ARRAYS) -> Address:
    """Read the text form of an address in one of some arrays.

    Raises ValueError for a text of another form or an array that does not exist.
    """
    found = FORM.fullmatch(text)
    if not found:
        raise ValueError(f"an address must read like weights[0,9,1], but it reads {text[:60]!r}")
    if found[1] not in arrays:
        raise ValueError(f"an address must name one of {', '.join(arrays)}, but it names {found[1]!r}")
    return Address(found[1], tuple(map(int, filter(None, found[2].split(",")))))


def value_at(record: AttentionRecord, address: Address) -> float:
    """The number at an address; in the mask 1 is "may look at".

    Raises ValueError if the record has no such place.
    """
    values = _array(record, address.array)
    if len(address.place) != values.ndim or any(
        not 0 <= i < n for i, n in zip(address.place, values.shape, strict=True)
    ):
        raise ValueError(f"{address} must name a place within the shape of {address.array}, {values.shape}")
    return float(values[address.place])


def _array(record: AttentionRecord, name: str) -> Array:
    if name not in ARRAYS:
        raise ValueError(f"an address must name one of {', '.join(ARRAYS)}, but it names {name!r}")
    if name == MEAN:
        none_on: Any = np.zeros((0, 0))  # no head, no mean
        return mean_of_heads(record.weights, record.heads_on) if record.heads_on.any() else none_on
    return np.asarray(getattr(record, name))
