"""What the browser tells of changed numbers: read with distrust, and each step once.

The browser numbers its steps, and repeats each until Python has seen it: so none is lost when several come quickly,
and a late answer never takes away what is being typed. A step is all that one act changed: a number that was typed, a
block that was pasted, a stroke over a mask, everything put back.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from attention_core.setting import LARGEST
from attention_view.number_table.table import TURNED, NumberTable

LARGEST_SERIAL = 2**53  # the largest whole number that JavaScript counts exactly


class NumberEdit(NamedTuple):
    """One number that was changed: in which table, where (from 0), and what; None if it was put back."""

    table: str
    row: int
    column: int
    value: float | None

    def as_given(self) -> "NumberEdit":
        """The same edit of the table that was given, if that was laid the other way round."""
        if not self.table.endswith(TURNED):
            return self
        return NumberEdit(self.table.removesuffix(TURNED), self.column, self.row, self.value)


class Rules(NamedTuple):
    """What may be changed in one table: its size, and what its numbers must hold."""

    n_rows: int
    n_columns: int
    above: float = -math.inf
    is_mask: bool = False

    def allow(self, row: int, column: int, value: float | None) -> bool:
        """Whether a value may stand at a place."""
        if not (0 <= row < self.n_rows and 0 <= column < self.n_columns):
            return False
        if value is None:
            return True
        return value in (0, 1) if self.is_mask else abs(value) <= LARGEST and value > self.above  # also refuses NaN


def rules_of(tables: Iterable[NumberTable]) -> dict[str, Rules]:
    """The rules of each table that is not frozen, by its name."""
    return {
        table.name: Rules(
            len(table.row_names),
            len(table.column_names),
            -math.inf if table.minimum_exclusive is None else table.minimum_exclusive,
            table.kind == "mask",
        )
        for table in tables
        if not table.frozen
    }


def new_steps(told: object, memory: Mapping[str, Any]) -> dict[int, list[NumberEdit]]:
    """The steps of a browser's message that are not seen yet, by serial number in the order in which they were done.

    A step with an edit that may not be is empty: it is seen, and changes nothing.

    memory: "session", the greatest serial number "seen", and the "rules" of each table
    """
    match told:
        case {"session": session, "steps": [*given]} if session == memory["session"]:
            steps = dict(filter(None, (_step(one, memory["rules"]) for one in given)))
            return {serial: steps[serial] for serial in sorted(steps) if serial > memory["seen"]}
    return {}


def _step(one: object, rules: Mapping[str, Rules]) -> tuple[int, list[NumberEdit]] | None:
    match one:
        case [int(serial), [*given]] if type(serial) is int and serial < LARGEST_SERIAL:
            edits = [_edit(edit, rules) for edit in given]
            return serial, [edit for edit in edits if edit] if all(edits) else []
    return None


def _edit(one: object, rules: Mapping[str, Rules]) -> NumberEdit | None:
    match one:
        case [str(table), int(row), int(column), int() | float() | None as value] if table in rules:
            if bool not in map(type, (row, column, value)) and rules[table].allow(row, column, value):
                return NumberEdit(table, row, column, None if value is None else float(value))
    return None
