"""The records whose numbers stand on the page: what can be opened down to its arithmetic, and taken away."""

import streamlit as st

from attention_core import AttentionRecord
from attention_core.opening import Before

OFFERED, ORIGINS = "offered", "offered origins"  # in the session: a page's records by name, and what stands before them
PAGE = "page"  # the name of a page's main record


def begin() -> None:
    """Forget the records of the page before. The frame says so before it runs a page."""
    st.session_state.update({OFFERED: {}, ORIGINS: {}})


def offer(record: AttentionRecord, name: str = PAGE, *, origin: Before | None = None) -> None:
    """Say that numbers of this record stand on the page. A page with several records gives each a name.

    origin: what stands before its queries, keys and values, where a model is at hand
    """
    st.session_state.setdefault(OFFERED, {})[name] = record
    st.session_state.setdefault(ORIGINS, {})[name] = origin


def offered() -> dict[str, AttentionRecord]:
    """The records of the page, by name."""
    records: dict[str, AttentionRecord] = st.session_state.get(OFFERED, {})
    return records


def origin_of(name: str) -> Before | None:
    """What stands before the queries, keys and values of a record of the page, if the page has that."""
    origin: Before | None = st.session_state.get(ORIGINS, {}).get(name)
    return origin
