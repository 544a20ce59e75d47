"""Tables of numbers that are changed in place, in one component: type, press Enter, and everything follows."""

import json
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from attention_core.setting import LARGEST
from attention_view import drawn
from attention_view.assets import joined, script
from attention_view.number_table.edits import NumberEdit, new_steps, rules_of
from attention_view.number_table.plain import plain_tables
from attention_view.number_table.table import NumberTable, laid, table_message
from attention_view.pictures.pieces import Tables

__all__ = ["NumberEdit", "NumberTable", "laid", "number_tables"]

HERE = Path(__file__).parent
SCRIPTS = (
    "parse.js", "edits.js", "cells.js", "fields.js", "grid.js", "walk.js", "editor.js", "stroke.js", "blocks.js",
    "line.js", "tables.js",
)  # fmt: skip
_component = st.components.v2.component(
    "attention_number_table",
    css=joined(HERE, ("tables.css", "grid.css", "mask.css")),
    js=script(HERE, SCRIPTS),
)


def number_tables(
    tables: Sequence[NumberTable], *, on_edits: Callable[[list[NumberEdit]], None], key: str = "number_tables"
) -> None:
    """Draw the tables side by side, as far as there is room; their names must differ.

    `on_edits` is called once for each step that the learner made, before the script runs again: one edit for a number
    that was typed, several for a pasted block, a stroke over a mask, or all numbers put back.

    Raises ValueError if the numbers do not fit the names or one is not finite.
    """
    drawn.note(Tables("", (partial(plain_tables, tables),)))
    memory = st.session_state.setdefault(f"{key} memory", {"session": secrets.token_hex(4), "seen": 0})
    memory["rules"] = rules_of(tables)
    message = {
        "session": memory["session"],
        "seen": memory["seen"],
        "key": key,
        "largest": LARGEST,
        "tables": [table_message(table) for table in tables],
    }
    # As bytes: given a dictionary, Streamlit would load pandas to look for tables in it.
    data = json.dumps(message, separators=(",", ":")).encode()
    _component(data=data, key=key, on_edits_change=partial(_take_steps, key, on_edits))


def _take_steps(key: str, on_edits: Callable[[list[NumberEdit]], None]) -> None:
    """Hand on each new step that may be. It is seen once that is done: a newer click can cut it short."""
    memory, told = st.session_state[f"{key} memory"], st.session_state[key].get("edits")
    for serial, edits in new_steps(told, memory).items():
        if edits:
            on_edits(edits)
        memory["seen"] = serial
