"""What is drawn on the page, noted while the frame runs it, so that it can be taken away as it stands.

A piece is noted as a reference: nothing is copied or made. A pick in the picture runs a part of the page alone and
notes nothing; whoever wants to save something runs the whole page anew, so that all pieces are of one moment.
"""

import streamlit as st

from attention_view.pictures.markdown import markdown as as_html
from attention_view.pictures.pieces import Drawn, Heading, Listing, Markup, Words

DRAWN = "drawn"  # in the session: the pieces of the page
OPEN = "drawn open"  # in the session while the frame runs the page


def begin() -> None:
    """Forget the page before. The frame says so before it runs a page."""
    st.session_state.update({DRAWN: [], OPEN: True})


def end() -> list[Drawn]:
    """All that the page has drawn, in order. The frame says so at the end of the page; later pieces are not noted."""
    st.session_state[OPEN] = False
    pieces: list[Drawn] = st.session_state.get(DRAWN, [])
    return pieces


def note(piece: Drawn) -> None:
    """Note what is drawn just now."""
    if st.session_state.get(OPEN, False):
        st.session_state[DRAWN].append(piece)


def html(markup: str) -> None:
    """Draw markup, as `st.html` does, and note it."""
    note(Markup(markup))
    st.html(markup)


def markdown(text: str) -> None:
    """Draw words in Markdown, as `st.markdown` does, and note them."""
    note(Words(text))
    st.markdown(text)


def caption(text: str) -> None:
    """Draw a small quiet line in Markdown, as `st.caption` does, and note it."""
    note(Markup(f'<div class="av-caption">{as_html(text)}</div>'))
    st.caption(text)


def header(text: str) -> None:
    """Draw the heading of a part of the page, and note it."""
    note(Heading(text))
    st.header(text, anchor=False)


def code(text: str) -> None:
    """Draw lines to copy, and note them."""
    note(Listing(text))
    st.code(text, language=None, wrap_lines=True)
