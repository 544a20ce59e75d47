"""Tables of numbers that are changed in place, in one component: type, press Enter, and everything follows.

The browser tells what was typed as edits with rising serial numbers, and repeats each until Python has seen it: so no
edit is lost when several come quickly, and a late answer never takes away what is being typed.
"""

import json
import math
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import streamlit as st
from numpy.typing import ArrayLike

from attention_core.setting import LARGEST
from attention_view.assets import joined, script
from attention_view.shapes import shaped

HERE = Path(__file__).parent
SCRIPTS = ("parse.js", "table.js", "tables.js")
_component = st.components.v2.component(
    "attention_number_table",
    css=joined(HERE, ("tables.css",)),
    js=script(HERE, SCRIPTS),
)


class NumberTable(NamedTuple):
    """One table: what edits call it, its title, its numbers now and as they were at first, and its names.

    values, defaults: [row, column]
    """

    name: str
    title: str
    kind: Literal["query", "key", "value"]
    values: ArrayLike
    defaults: ArrayLike
    row_names: Sequence[str]
    column_names: Sequence[str]


class NumberEdit(NamedTuple):
    """One number that was typed: in which table, where (from 0), and what."""

    table: str
    row: int
    column: int
    value: float


def number_tables(
    tables: Sequence[NumberTable], *, on_edit: Callable[[NumberEdit], None], key: str = "number_tables"
) -> None:
    """Draw the tables side by side. `on_edit` is called for each edit, before the script runs again.

    Raises ValueError if the numbers do not fit the names or one is not finite.
    """
    memory = st.session_state.setdefault(f"{key} memory", {"session": secrets.token_hex(4), "seen": 0})
    memory["shapes"] = {table.name: (len(table.row_names), len(table.column_names)) for table in tables}
    message = {**memory, "key": key, "largest": LARGEST, "tables": [_table_data(table) for table in tables]}
    del message["shapes"]
    # As bytes: given a dictionary, Streamlit would load pandas to look for tables in it.
    _component(data=json.dumps(message).encode(), key=key, on_edits_change=partial(_take_edits, key, on_edit))


def _table_data(table: NumberTable) -> dict[str, Any]:
    sizes = {"row": len(table.row_names), "column": len(table.column_names)}
    return {
        **table._asdict(),
        "values": shaped("values", table.values, **sizes).tolist(),
        "defaults": shaped("defaults", table.defaults, **sizes).tolist(),
        "row_names": list(table.row_names),
        "column_names": list(table.column_names),
    }


def _take_edits(key: str, on_edit: Callable[[NumberEdit], None]) -> None:
    """Hand on each edit that is new, unless it names no place of a table or holds no number that may stand there."""
    memory, told = st.session_state[f"{key} memory"], st.session_state[key].get("edits")
    for edit, serial in new_edits(told, memory):
        memory["seen"] = serial
        on_edit(edit)


def new_edits(told: object, memory: dict[str, Any]) -> list[tuple[NumberEdit, int]]:
    """The edits of a browser's message that are valid and not seen yet, in the order in which they were typed."""
    match told:
        case {"session": session, "edits": [*given]} if session == memory["session"]:
            return sorted(filter(None, (_edit(one, memory) for one in given)), key=lambda pair: pair[1])
    return []


def _edit(one: object, memory: dict[str, Any]) -> tuple[NumberEdit, int] | None:
    match one:
        case [str(table), int(row), int(column), int() | float() as value, int(serial)] if table in memory["shapes"]:
            n_rows, n_columns = memory["shapes"][table]
            fits = 0 <= row < n_rows and 0 <= column < n_columns and serial > memory["seen"]
            if fits and type(value) is not bool and math.isfinite(value) and abs(value) <= LARGEST:
                return NumberEdit(table, row, column, float(value)), serial
    return None
