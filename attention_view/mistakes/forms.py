"""The measures of a tell-tale as they are written, as HTML: sums, weights with their word, shares, differences."""

import numpy as np

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_core.telltales import ROUNDING
from attention_view.mistakes.pair import Pair, token_text
from attention_view.numbers import number

NOTHING = "–"
ZERO = "0 to 12 decimals"
NEAR_ONE = 1e-6  # sums closer to 1 than this count as 1


def seen(record: AttentionRecord, array: Array, pair: Pair) -> Array:
    """The entries of the asking token's row that its mask lets through: [key]. array: [head, query, key]"""
    entries: Array = array[pair.head, pair.query][record.mask[pair.query]]
    return entries


def largest_text(entries: Array) -> str:
    """The largest of some scores."""
    return number(float(entries.max())) if len(entries) else NOTHING


def largest_weight_text(record: AttentionRecord, pair: Pair) -> str:
    """The largest weight of the asking token's row, and on which word."""
    row, visible = record.weights[pair.head, pair.query], seen(record, record.weights, pair)
    if not row.any():
        return "may look at nothing"
    key = int(row.argmax())
    even = len(visible) > 1 and float(visible.min()) >= row[key] - ROUNDING
    return f"{weight_text(row[key])}, {'all alike' if even else token_text(record, key)}"


def favourites_text(record: AttentionRecord, pair: Pair) -> str:
    """The words with the largest weight, several if they are equal."""
    row, visible = record.weights[pair.head, pair.query], seen(record, record.weights, pair)
    keys = np.flatnonzero(row >= row.max(initial=0) - ROUNDING)
    if not row.any():
        return "nothing"
    if len(keys) == len(visible) > 1:
        return "all alike"
    return ", ".join(token_text(record, int(key)) for key in keys)


def weight_text(weight: float) -> str:
    """A weight with three decimals; 0 and 1 exactly as "0" and "1"."""
    return number(float(weight), 3, whole=True)


def share_text(share: float | None) -> str:
    """An entropy as a share of an even row's, if the row has a choice."""
    return NOTHING if share is None else number(share)


def sum_text(total: float) -> str:
    """A sum of weights; "1" if it is 1."""
    return "1" if abs(total - 1) <= NEAR_ONE else number(total)


def sums_text(totals: Array) -> str:
    """Several sums: the one that all have, or from the least to the most."""
    if not len(totals):
        return NOTHING
    low, high = sum_text(float(totals.min())), sum_text(float(totals.max()))
    return f"{low} each" if low == high else f"{low} to {high}"


def difference_text(difference: float) -> str:
    """A largest difference, or that there is none."""
    return ZERO if difference <= ROUNDING else number(difference)


def change_text(changes: Array, record: AttentionRecord) -> str:
    """The largest change of some rows, and of which. changes: [query]"""
    row = int(changes.argmax())
    return f"{number(changes[row])}, {token_text(record, row)}" if changes[row] > ROUNDING else ZERO


def changed_text(differences: Array) -> str:
    """How many of some numbers changed, and by how much at most."""
    n = int((np.abs(differences) > ROUNDING).sum())
    return f"{n} of {differences.size}" + (f", by up to {number(float(np.abs(differences).max()))}" if n else "")
