"""A button that lights up a control of the page for a moment."""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
_button = st.components.v2.component(
    "attention_spotlight",
    html='<button type="button">Show me where</button>',
    css=(HERE / "spotlight.css").read_text(encoding="utf-8"),
    js=(HERE / "spotlight.js").read_text(encoding="utf-8"),
)


def show_me(key: str) -> None:
    """Draw the button for the container or widget of the given Streamlit key."""
    _button(data=key.encode(), key=f"show_me_{key}", width="content")  # bytes: a dictionary would load pandas
