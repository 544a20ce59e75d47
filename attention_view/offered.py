"""The records whose numbers stand on the page: what can be opened down to its arithmetic, and taken away."""

import streamlit as st

from attention_core import AttentionRecord

OFFERED = "offered"  # in the session: a page's records by name
PAGE = "page"  # the name of a page's main record


def begin() -> None:
    """Forget the records of the page before. The frame says so before it runs a page."""
    st.session_state[OFFERED] = {}


def offer(record: AttentionRecord, name: str = PAGE) -> None:
    """Say that numbers of this record stand on the page. A page with several records gives each a name."""
    st.session_state.setdefault(OFFERED, {})[name] = record


def offered() -> dict[str, AttentionRecord]:
    """The records of the page, by name."""
    records: dict[str, AttentionRecord] = st.session_state.get(OFFERED, {})
    return records
