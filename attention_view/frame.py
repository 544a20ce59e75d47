"""The dress of every page: page configuration and stylesheets."""

from pathlib import Path

import streamlit as st

from attention_view.colours import Theme, css_variables

HERE = Path(__file__).parent
SHEETS = (
    "style.css", "frame.css", "focus.css", "marks.css", "shelf.css", "paper.css", "heads.css", "check.css",
    "mistakes.css", "workbench.css", "real_model.css", "own_text.css", "opening.css", "take_away.css",
)  # fmt: skip
STYLES = "".join((HERE / name).read_text(encoding="utf-8") for name in SHEETS)
SIDEBAR_WIDTH = 300  # px


def dress(title: str, *, more_styles: str = "") -> None:
    """Set up the browser's tab and send the stylesheets."""
    st.set_page_config(
        page_title=title,
        page_icon=str(HERE / "favicon.svg"),  # an icon by name would be fetched from a foreign host
        layout="wide",
        initial_sidebar_state=SIDEBAR_WIDTH,
    )
    st.html(f"<style>{css_variables()}{STYLES}{more_styles}</style>")


def theme() -> Theme:
    """The theme that the browser shows, for pictures that cannot follow it by themselves."""
    return "dark" if st.context.theme.type == "dark" else "light"
