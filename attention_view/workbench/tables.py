"""The tables of the workbench: which numbers each holds, how its rows and columns are called, what its edits mean."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np

from attention_core import Experiment, toy
from attention_core.changes import OVERRIDES, Given, set_numbers, unedited
from attention_core.checks import Array
from attention_core.edits import Edit
from attention_view.layout import Layout
from attention_view.number_table import NumberEdit, NumberTable, laid
from attention_view.number_table.table import Kind
from attention_view.tokens import distinct_names, showable

Axis = Literal["token", "dimension", "asks", "hands_over", "joined", "one"]
WHOLE = ("X", "mask", "W_O")  # these are shown for all heads together
QUERY, KEY = "query (asks)", "key (is looked at)"
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Editable(NamedTuple):
    """One array that can be changed. Its axes after that of the head: what a row and a column stand for."""

    title: str
    kind: Kind
    row: Axis
    column: Axis
    says: str  # one sentence on what its numbers do


EDITABLES = {
    "X": Editable("token vectors", "token", "token", "dimension", "What each word is, and where it stands."),
    "W_Q": Editable("W_Q", "query", "dimension", "asks", "What each dimension of a word makes it look for."),
    "W_K": Editable("W_K", "key", "dimension", "asks", "What each dimension of a word makes it offer."),
    "divisor": Editable("divisor", "plain", "one", "one", "Every score is divided by it: √d_head, here √4 = 2."),
    "scores": Editable("scores", "score", "token", "token", "Before the mask and softmax: one for each query and key."),
    "mask": Editable("mask", "mask", "token", "token", "Which keys each query may look at."),
    "W_V": Editable("W_V", "value", "dimension", "hands_over", "What each dimension of a word makes it hand over."),
    "V": Editable("values", "value", "token", "hands_over", "What each word hands over."),
    "W_O": Editable("W_O", "plain", "joined", "dimension", "To which dimension each number of a head is added."),
}


def table_of(array: str, experiment: Experiment, *, layout: Layout = "rows") -> NumberTable:
    """The table that changes an array, for the head that is shown; with queries in columns it is turned."""
    editable, h = EDITABLES[array], experiment.head_index
    values, defaults = (_of_head(array, f(experiment, array), h) for f in (set_numbers, unedited))
    held = np.zeros(values.shape, dtype=bool)
    for edit in experiment.edits:
        if edit.array == array and (array in WHOLE or not edit.place or edit.place[0] == h):
            held[row_and_column(edit)] = True
    rows, columns = table_names(array, experiment, h)
    headings = (QUERY, KEY) if array in ("scores", "mask") else ("", "")
    table = NumberTable(
        name=array,
        title=_title(array, experiment),
        kind=editable.kind,
        values=values,
        defaults=defaults,
        row_names=rows,
        column_names=columns,
        overridden=held if array in OVERRIDES else None,
        row_heading=headings[0],
        column_heading=headings[1],
        opens=_pattern(array, h),
        minimum_exclusive=0.0 if array == "divisor" else None,
        fields=array == "divisor",
    )
    return laid(table, layout)


def given(edits: Iterable[NumberEdit], head: int) -> list[Given]:
    """What the edits of a table set in the record's arrays."""
    found: list[Given] = []
    for array, row, column, value in map(NumberEdit.as_given, edits):
        found.append((array, _place(array, head, row, column), value))
    return found


def row_and_column(edit: Edit) -> tuple[int, int]:
    """The cell of its table that an edit sets."""
    return (edit.place[-2], edit.place[-1]) if edit.place else (0, 0)


def table_names(array: str, experiment: Experiment, head: int) -> tuple[list[str], list[str]]:
    """What the rows and the columns of an array's table are called, for a head."""
    editable = EDITABLES[array]
    return _names(editable.row, experiment, head), _names(editable.column, experiment, head)


def numbered_names(tokens: Iterable[str]) -> list[str]:
    """A name for each token, no two alike: equal ones carry their place, as in The₁ and the₅."""
    tokens = list(tokens)
    return [
        showable(token) + ("" if name == showable(token) else str(place).translate(SUBSCRIPTS))
        for place, (token, name) in enumerate(zip(tokens, distinct_names(tokens), strict=True), start=1)
    ]


def _title(array: str, experiment: Experiment) -> str:
    title = EDITABLES[array].title
    return title if array in (*WHOLE, "divisor") else f"{title}, {experiment.head} head"


def _of_head(array: str, whole: Array, head: int) -> Array:
    """The part of an array that belongs to a head, as rows and columns."""
    if array == "divisor":
        return whole.reshape(1, 1)
    return whole if array in WHOLE else whole[head]


def _place(array: str, head: int, row: int, column: int) -> tuple[int, ...]:
    """The place in the record's array of a cell of a head's table."""
    if array == "divisor":
        return ()
    return (row, column) if array in WHOLE else (head, row, column)


def _pattern(array: str, head: int) -> str:
    """What opens a cell, with {row} and {column} where their places go."""
    places = {"divisor": ""}.get(array, "{row},{column}" if array in WHOLE else f"{head},{{row}},{{column}}")
    return f"{array}[{places}]"


def _names(axis: Axis, experiment: Experiment, head: int) -> list[str]:
    own = toy.HEADS[toy.HEAD_NAMES[head]]
    return {
        "token": lambda: numbered_names(experiment.tokens),
        "dimension": lambda: list(toy.DIMENSIONS),
        "asks": lambda: list(own.asks),
        "hands_over": lambda: list(own.hands_over),
        "joined": lambda: [f"{name} {dimension}" for name, head in toy.HEADS.items() for dimension in head.hands_over],
        "one": lambda: ["divisor"],
    }[axis]()
