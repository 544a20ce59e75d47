"""What follows a change: how many numbers of each stage are others now, and a table of old and new ones."""

import html
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_core.differences import changed_entries, changed_stages
from attention_view.laid_table import laid_table
from attention_view.layout import Layout, is_turned, words
from attention_view.numbers import full, number
from attention_view.openable import letters, number_at
from attention_view.table_parts import (
    caption_text,
    cell,
    masked,
    plain_names,
    token_names,
    was_now,
)


class Stage(NamedTuple):
    """One step of the calculation as the workbench shows it."""

    name: str
    array: str
    rows: str  # the axis that runs down: query, key, dimension, joined
    columns: str  # the axis that runs across: key, dimension, asks, hands_over
    digits: int = 2


STAGES = (
    Stage("token vectors", "X", "query", "dimension"),
    Stage("queries", "Q", "query", "asks"),
    Stage("keys", "K", "key", "asks"),
    Stage("values", "V", "key", "hands_over"),
    Stage("scores", "scores", "query", "key"),
    Stage("masked scores", "masked_scores", "query", "key"),
    Stage("weights", "weights", "query", "key", 3),
    Stage("head output", "head_outputs", "query", "hands_over", 3),
    Stage("new vectors", "new_X", "query", "dimension", 3),
)
MOST_DIGITS = 10  # with more, a number is written in full


def stage_counts(before: AttentionRecord, after: AttentionRecord, head: int) -> dict[str, int]:
    """How many numbers of each stage changed, for the head that is shown; 0 where none did."""
    return {
        stage.name: int(_of_head(stage, after, changed_entries(before, after, stage.array), head).sum())
        for stage in STAGES
    }


def changed_in_words(before: AttentionRecord, after: AttentionRecord) -> str:
    """One sentence: how many numbers of the whole layer are others than in the lesson."""
    counts = changed_stages(before, after)
    total = sum(counts.values())
    if not total:
        return "Every number is as in the lesson."
    kept = "" if "weights" in counts else " All weights are."
    return (
        f"{total:,} {'number is' if total == 1 else 'numbers are'} not as in the lesson, over all steps and heads."
        f"{kept} Below, the steps of the head that is shown."
    )


def changed_table(
    stage: Stage, before: AttentionRecord, after: AttentionRecord, head: int, *, layout: Layout = "rows"
) -> str:
    """What changed in a stage: of each token with a changed number all numbers, the old one beside the new.

    All of them open: the page offers `after` as its record, and `before` as "before".
    """
    changed = _of_head(stage, after, changed_entries(before, after, stage.array), head)
    old, new = (_of_head(stage, r, np.asarray(getattr(r, stage.array), dtype=float), head) for r in (before, after))
    lines = np.flatnonzero(changed.any(axis=1)).tolist()
    if not lines:
        return f'<p class="av-note">No number of the {stage.name} is changed.</p>'
    names = _names(stage.rows, after, head)
    left_out = len(names) - len(lines)
    without = (
        f"{words(layout).line} without a change is" if left_out == 1 else f"{words(layout).line}s without a change are"
    )
    note = f"{left_out} {without} left out." if left_out else ""
    return laid_table(
        [
            [
                _changed_cell(old[i, j], new[i, j], stage.digits, f"{i},{j}")
                if changed[i, j]
                else _plain_cell(new[i, j], stage.digits, f"n{i},{j}")
                for j in range(new.shape[1])
            ]
            for i in lines
        ],
        line_names=[names[i] for i in lines],
        place_names=_names(stage.columns, after, head),
        corner=html.escape(stage.columns.replace("_", " ") if is_turned(layout) else stage.rows),
        caption=caption_text(html.escape(stage.name), f"{changed.sum()} of {changed.size} changed.", note),
        style="av-following",
        of=_opens(stage, after, head),
        layout=layout,
    )


def _changed_cell(old: float, new: float, digits: int, place: str) -> str:
    """The old and the new number, with so many digits more that they differ."""
    written = ((_written(old, more), _written(new, more)) for more in range(digits, MOST_DIGITS))
    was, now = next((pair for pair in written if pair[0] != pair[1]), (full(old), full(new)))
    return was_now(was, now, ats=(f"b{place}", f"n{place}"))


def _plain_cell(x: float, digits: int, at: str) -> str:
    return masked("−∞", at=at) if np.isneginf(x) else cell(number_at(_written(x, digits), at), lit=bool(x))


def _written(x: float, digits: int) -> str:
    return number(x, digits, whole=True)


def _of_head(stage: Stage, record: AttentionRecord, array: Array, head: int) -> Array:
    """The part of an array that belongs to the shown head: [row, column]."""
    if array.ndim == 2:
        return array
    part: Array = array[_head_of(stage, record, head)]
    return part


def _head_of(stage: Stage, record: AttentionRecord, head: int) -> int:
    return record.kv_head(head) if stage.array in ("K", "V") else head


def _opens(stage: Stage, record: AttentionRecord, head: int) -> str:
    """Where the new numbers stand, and the old ones."""
    whole = np.ndim(getattr(record, stage.array)) == 2
    place = f"{stage.array}[{'' if whole else f'{_head_of(stage, record, head)},'}*]"
    return letters(n=place, b=f"before:{place}")


def _names(axis: str, record: AttentionRecord, head: int) -> Sequence[str]:
    if axis in ("query", "key"):
        return token_names(record.query_tokens if axis == "query" else record.key_tokens)
    names = {
        "dimension": record.dimension_names,
        "asks": record.query_dimension_names[head],
        "hands_over": record.value_dimension_names[head],
    }
    return plain_names(names[axis])
