"""The measures of a tell-tale as they are written, as HTML: sums, weights with their word, shares, differences."""

import numpy as np

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_core.telltales import ROUNDING
from attention_view.mistakes.pair import Pair, token_text
from attention_view.numbers import number
from attention_view.openable import number_at

NOTHING = "–"
ZERO = "0 (to 12 decimals)"
NEAR_ONE = 1e-6  # sums closer to 1 than this count as 1


def seen(record: AttentionRecord, array: Array, pair: Pair) -> Array:
    """The entries of the asking token's row that its mask lets through: [key]. array: [head, query, key]"""
    entries: Array = array[pair.head, pair.query][record.mask[pair.query]]
    return entries


def divisor_text(record: AttentionRecord, offered: str) -> str:
    """What scores are divided by, to be opened. offered: the name under which the page offers the record"""
    return number_at(number(record.divisor, whole=True), f"{offered}:divisor[]")


def largest_score_text(record: AttentionRecord, pair: Pair, offered: str) -> str:
    """The largest score that the asking token may see, to be opened."""
    keys = np.flatnonzero(record.mask[pair.query])
    if not len(keys):
        return NOTHING
    row = record.scores[pair.head, pair.query]
    key = int(keys[row[keys].argmax()])
    return number_at(number(float(row[key])), f"{offered}:scores[{pair.head},{pair.query},{key}]")


def largest_weight_text(record: AttentionRecord, pair: Pair, offered: str) -> str:
    """The largest weight of the asking token's row, to be opened, and on which words."""
    row = record.weights[pair.head, pair.query]
    if not row.any():
        return "may look at nothing"
    largest = weight_on_text(record, pair.head, pair.query, int(row.argmax()), offered)
    return f"{largest}, {favourites_text(record, pair.head, pair.query)}"


def weight_on_text(record: AttentionRecord, head: int, query: int, key: int, offered: str) -> str:
    """One weight, to be opened."""
    return number_at(weight_text(record.weights[head, query, key]), f"{offered}:weights[{head},{query},{key}]")


def favourites(record: AttentionRecord, head: int, query: int) -> list[int]:
    """The places of the words with the largest weight of a row, several if they are equal; none if it is empty."""
    row = record.weights[head, query]
    return [int(key) for key in np.flatnonzero(row >= row.max(initial=0) - ROUNDING)] if row.any() else []


def all_alike(record: AttentionRecord, head: int, query: int) -> bool:
    """Whether a row looks equally at all that it may see, at two words or more."""
    return len(favourites(record, head, query)) == int(record.mask[query].sum()) > 1


def favourites_text(record: AttentionRecord, head: int, query: int) -> str:
    """The words with the largest weight of a row."""
    if all_alike(record, head, query):
        return "all alike"
    return ", ".join(token_text(record, key) for key in favourites(record, head, query)) or "nothing"


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
