"""What the page of two queries by hand remembers, and the inputs that change it: numbers in place and switches."""

import streamlit as st

from attention_core.setting import ARRAYS, Setting
from attention_view.inputs import keep_in_address, layout
from attention_view.number_table import NumberEdit, NumberTable, laid, number_tables

KEY, ASK = "by_hand", "by_hand_ask"  # in the session: what was chosen, and the query that is picked
QUERIES, KEYS, VALUES = ("query₁", "query₂"), ("key₁", "key₂", "key₃"), ("value₁", "value₂", "value₃")
NUMBERS = ("first", "second")
SWITCHES = tuple(f"see_{n}" for n in (1, 2, 3))


def setting() -> Setting:
    """What is chosen right now; a new visit starts from the address."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Setting.from_link(st.query_params)
    chosen: Setting = st.session_state[KEY]
    return chosen


def asking() -> int:
    """The place of the query that is picked, kept in the address; a new visit starts from there."""
    if ASK not in st.session_state:
        st.session_state[ASK] = int(st.query_params.get("asks") == "2")
    place: int = st.session_state[ASK]
    keep_in_address("asks", str(place + 1) if place else None)
    return place


def draw_inputs() -> Setting:
    """Draw the three tables and the switches, keep the address in step, and return what is chosen."""
    chosen, usual = setting(), Setting()
    tables = (
        NumberTable("Q", "Queries", "query", chosen.Q, usual.Q, QUERIES, NUMBERS, fields=True),
        NumberTable("K", "Keys", "key", chosen.K, usual.K, KEYS, NUMBERS, fields=True),
        NumberTable("V", "Values", "value", chosen.V, usual.V, VALUES, NUMBERS, fields=True),
    )
    number_tables([laid(table, layout()) for table in tables], on_edits=_take_edits, key="numbers")
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="visible"):
        st.html('<span class="av-switches">May be looked at</span>', width="content")
        for key, name, seen in zip(SWITCHES, KEYS, chosen.visible, strict=True):
            st.session_state[key] = seen
            st.toggle(name, key=key, on_change=_take_switch, args=(key,))
    _write_link(chosen)
    return chosen


def _take_edits(edits: list[NumberEdit]) -> None:
    chosen = setting()
    for table, row, column, value in map(NumberEdit.as_given, edits):
        usual = getattr(Setting(), table)[row][column]
        chosen = chosen.with_number(table, row, column, usual if value is None else value)
    st.session_state[KEY] = chosen


def _take_switch(key: str) -> None:
    chosen = setting()
    visible = [
        bool(st.session_state[key]) if key == one else seen for one, seen in zip(SWITCHES, chosen.visible, strict=True)
    ]
    st.session_state[KEY] = Setting(chosen.Q, chosen.K, chosen.V, tuple(visible))


def _write_link(chosen: Setting) -> None:
    link = chosen.link()
    for name in (*(array.lower() for array in ARRAYS), "visible"):
        keep_in_address(name, link.get(name))
