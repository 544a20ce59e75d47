"""Opening numbers on the page: a sheet at its foot that shows where a clicked number comes from, and the way back.

The browser tells which number was clicked, by its address, and the way that led there; Python answers with the
arithmetic, read from the records that the page offers. A change on the page is followed: the sheet stays open.
"""

import json
from pathlib import Path
from typing import Any

import streamlit as st

from attention_core import AttentionRecord
from attention_core.addresses import ARRAYS, Address, read_address, value_at
from attention_core.opening import Before
from attention_view import inputs
from attention_view.assets import script, styles
from attention_view.offered import PAGE, offered, origin_of
from attention_view.opening import crumb, opened

HERE = Path(__file__).parent
SCRIPTS = ("numbers.js", "reach.js", "line.js", "sheet.js", "opener.js")
KEY, MEMORY, PLACE = "opener", "opener memory", "opener place"
LONGEST_WAY = 24  # numbers, one opened from the other
WHOSE = {  # what a title adds where a page shows the same number of several records
    "before": "as the lesson has it",
    "toy": "toy",
    "model": "SmolLM2",
    "chosen": "SmolLM2",
    "back_tired": "SmolLM2, with tired",
    "back_soft": "SmolLM2, with soft",
    "both_tired": "MiniLM, with tired",
    "both_soft": "MiniLM, with soft",
    "right": "right layer",
    "right_other": "right layer, with the other last word",
    "wrong": "layer with the mistake",
    "written": "while it wrote",
    "wrong_other": "layer with the mistake, with the other last word",
}
_component = st.components.v2.component(
    "attention_opener", css=styles(HERE, ("sheet.css", "line.css")), js=script(HERE, SCRIPTS)
)


def place(key: str = "above") -> None:
    """Keep a place right above the picture for the line that says that numbers open.

    The frame calls it before the page; a page with inputs of its own calls it again after these, with another key.
    """
    st.session_state[PLACE] = st.container(key=key)


def draw(page: str) -> None:
    """Draw the sheet, open if a number is. The frame calls it after the page, which has offered its records by then.

    page: its stem; on another page the sheet closes
    """
    memory = st.session_state.setdefault(MEMORY, {"way": [], "seen": 0, "page": page})
    if memory["page"] != page:
        memory.update(way=[], page=page)
    with st.session_state[PLACE]:
        _sheet()


@st.fragment
def _sheet() -> None:
    memory = st.session_state[MEMORY]
    message = {"seen": memory["seen"], "any": bool(offered()), **_shown(memory["way"])}
    # As bytes: given a dictionary, Streamlit would load pandas to look for tables in it.
    _component(data=json.dumps(message, ensure_ascii=False).encode(), key=KEY, on_asked_change=_take)


def _shown(way: list[str]) -> dict[str, Any]:
    """The number at the end of the way, and what the others are called; nothing if one of them is gone."""
    try:
        places = [_place(text) for text in way]
        if not places:
            return {"way": []}
        record, address, prefix, origin = places[-1]
        crumbs = [[text, crumb(place[1], inputs.layout())] for text, place in zip(way, places, strict=True)]
        shown = _opened(record, address, prefix, origin)
        whose = WHOSE.get(prefix.removesuffix(":"), "")
        if not shown["title"].endswith(whose):  # the name of a head may say it already
            shown["title"] += f", {whose}"
        return {"way": crumbs, **shown}
    except ValueError:  # the record has changed, and the place is no longer there
        return {"way": []}


def _opened(record: AttentionRecord, address: Address, prefix: str, origin: Before | None) -> dict[str, Any]:
    """The number as shown. What the record has as given stays so, with the reason, where its origin cannot be told."""
    try:
        return opened(record, address, prefix, inputs.layout(), origin=origin)
    except ValueError as refusal:
        return opened(record, address, prefix, inputs.layout()) | {"why": str(refusal)}


def _place(text: str) -> tuple[AttentionRecord, Address, str, Before | None]:
    """The record of an address such as after:weights[0,9,1], the address in it, what stands before it; its origin.

    Raises ValueError if the page offers no such record, or neither it nor its origin has such a place.
    """
    name, colon, rest = text.rpartition(":")
    record = offered().get(name or PAGE)
    if record is None:
        raise ValueError(f"the record must be one of {', '.join(offered())}, but it is {name!r}")
    origin = origin_of(name or PAGE)
    address = read_address(rest, ARRAYS if origin is None else (*ARRAYS, *origin.arrays))
    try:
        value_at(record, address)
    except ValueError:
        if origin is None:
            raise
        origin.require(address)
    return record, address, name + colon, origin


def _take() -> None:
    """Note the way that the browser reports, unless it leads nowhere."""
    memory = st.session_state[MEMORY]
    match st.session_state[KEY].get("asked"):
        case {"way": [*way], "serial": int(serial)} if serial > memory["seen"]:
            memory["seen"] = serial
            if len(way) <= LONGEST_WAY and all(isinstance(text, str) and _is_there(text) for text in way):
                memory["way"] = way


def _is_there(text: str) -> bool:
    try:
        return bool(_place(text))
    except ValueError:
        return False
