"""What is drawn on the page, noted while the frame runs it, so that it can be taken away as it stands.

A piece is noted as a reference: nothing is copied or made. A pick in the picture runs a part of the page alone and
notes nothing; whoever wants to save something runs the whole page anew, so that all pieces are of one moment.
"""

from typing import Any, NamedTuple

import streamlit as st

from attention_view.pictures.pieces import Drawn, Heading, Listing, Markup, Words

DRAWN = "drawn"  # in the session: the pieces of the page
RECORDS = "drawn records"  # in the session: the records behind the pictures, by name
OPEN = "drawn open"  # in the session while the frame runs the page


class Page(NamedTuple):
    """What stands on a page, in order, and the records behind its pictures by name."""

    pieces: list[Drawn]
    records: dict[str, Any]


def begin() -> None:
    """Forget the page before. The frame says so before it runs a page."""
    st.session_state.update({DRAWN: [], RECORDS: {}, OPEN: True})


def end() -> Page:
    """All that the page has drawn. The frame says so when the page is at its end; later pieces are not noted."""
    st.session_state[OPEN] = False
    return Page(st.session_state.get(DRAWN, []), st.session_state.get(RECORDS, {}))


def note(piece: Drawn) -> None:
    """Note what is drawn just now."""
    if st.session_state.get(OPEN, False):
        st.session_state[DRAWN].append(piece)


def note_record(record: Any, name: str) -> None:
    """Note the record whose numbers a picture shows: a dataclass of arrays, see `record_npz`."""
    if st.session_state.get(OPEN, False) and all(record is not noted for noted in st.session_state[RECORDS].values()):
        st.session_state[RECORDS][name] = record


def html(markup: str) -> None:
    """Draw markup, as `st.html` does, and note it."""
    note(Markup(markup))
    st.html(markup)


def markdown(text: str) -> None:
    """Draw words in Markdown, as `st.markdown` does, and note them."""
    note(Words(text))
    st.markdown(text)


def header(text: str) -> None:
    """Draw the heading of a part of the page, and note it."""
    note(Heading(text))
    st.header(text, anchor=False)


def code(text: str) -> None:
    """Draw lines to copy, and note them."""
    note(Listing(text))
    st.code(text, language=None, wrap_lines=True)
