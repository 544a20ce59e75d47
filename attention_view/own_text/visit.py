"""What a visit keeps of this page when it goes to another one and comes back, and what its address says."""

from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from attention_view import inputs
from attention_view.own_text.job import Job

KEPT = "own_kept"  # in the session: widget values and readings, which outlive their widgets
SHOWN_OF_IT = 40  # characters of a part of the address that is refused
SHOWN = "own_shown"  # the text of which the page shows the numbers, with its run
LONGEST_IN_ADDRESS = 500  # characters of a text


def kept() -> dict[str, Any]:
    """What this visit keeps, by name."""
    found: dict[str, Any] = st.session_state.setdefault(KEPT, {})
    return found


def forget_work() -> None:
    """Stop whatever a model does for this visit, and forget what came of it."""
    kept().pop(SHOWN, None)
    for key, work in list(kept().items()):
        if isinstance(job := getattr(work, "job", None), Job):
            kept().pop(key)
            job.forget()


def name() -> str:
    """The name of this visit."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def is_there(visit: str) -> bool:
    """Whether a visit is still open. Any thread may ask."""
    try:
        return bool(runtime.get_instance().is_active_session(visit))
    except RuntimeError:  # no server: a page that a test runs
        return True


def restore(key: str, default: Any) -> None:
    """Give a widget the value that it had when it was last drawn, or its default. Call it before the widget."""
    if key not in st.session_state:
        st.session_state[key] = kept().get(key, default)


def keep(key: str) -> Any:
    """Keep the value of a widget, and return it. Call it after the widget."""
    kept()[key] = st.session_state[key]
    return kept()[key]


def linked(name: str) -> str | None:
    """What the address says under a name when the visit first comes here; later the widgets have the word."""
    found: str | None = kept().setdefault("linked", st.query_params.to_dict()).get(name)
    return found


def refuse(name: str, must: str) -> None:
    """Say once in this visit what a part of the address must be, and what it is."""
    told: set[str] = kept().setdefault("refused", set())
    if name not in told:
        told.add(name)
        inputs.refuse(f"{name} must be {must}, but it is {(linked(name) or '')[:SHOWN_OF_IT]!r}")


def linked_number(name: str, default: int, places: range) -> int:
    """The whole number that the address says; the default if it says none, or none of these places, which is told."""
    text = linked(name)
    if text is None:
        return default
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) in places:
        return int(text)
    refuse(name, f"a whole number from {places[0]} to {places[-1]}")
    return default


def linked_switch(name: str) -> bool:
    """Whether the address turns a switch on."""
    text = linked(name)
    if text not in (None, "1"):
        refuse(name, "1")
    return text == "1"


def write_link(**parts: object) -> None:
    """Keep the address in step. None, and a text that is too long for a link, are left out."""
    for name, part in parts.items():
        text = None if part is None else str(part)
        inputs.keep_in_address(name, text if text and len(text) <= LONGEST_IN_ADDRESS else None)
