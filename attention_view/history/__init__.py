"""The browser's history: one entry for each page that was opened, none for what was chosen there."""

from pathlib import Path

import streamlit as st

KEY = "history"  # frame.css hides the element of this key: it is nothing to see
_script = st.components.v2.component(
    "attention_history", js=(Path(__file__).parent / "history.js").read_text(encoding="utf-8")
)


def one_entry_a_page() -> None:
    """Let the browser's Back lead to the page before, however often the address changed on this one."""
    _script(key=KEY)
