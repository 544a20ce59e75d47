"""What the core refuses while the page is drawn, told in one line in place of what could not be drawn."""

import html
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from attention_view.own_text.job import refusal_of

TOLD = (ValueError, KeyError, OSError, MemoryError)
PANIC = "PanicException"  # of a library written in Rust: no Exception, and it has no module to take it from


@contextmanager
def in_one_line() -> Iterator[None]:
    """Draw what is within; where that is refused, a line says why, and the page goes on after it."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, TOLD) and type(error).__name__ != PANIC:
            raise
        st.html(f'<p class="av-note" role="status">{html.escape(refusal_of(error))}</p>')
