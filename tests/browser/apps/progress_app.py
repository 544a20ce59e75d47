"""A small app around the progress, for its tests: two pages, a question in a fragment, and one judged by the page."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

import streamlit as st

from attention_view import frame, progress

QUESTIONS = ("two", "sky", "sum") if st.query_params.get("questions") != "none" else ()
frame.dress("Progress")


def anew_and_at_once(question: str) -> None:
    """Two clicks so quick that the browser hears of both in one message."""
    progress.reopen(question)
    progress.note_right(question)


@st.fragment
def asked(question: str) -> None:
    """A question that a click answers right, and that can be answered anew; told from inside the fragment."""
    tag = "strong" if st.toggle("Bold") else "p"  # draws the question anew, and tells nothing new
    st.html(f'<{tag} data-question="{question}">Question {question}</{tag}>')
    st.button(f"Answer {question}", key=f"the answer to {question}", on_click=progress.note_right, args=[question])
    st.button(f"Answer {question} anew", on_click=progress.reopen, args=[question])
    st.button(f"Answer {question} anew and at once", on_click=anew_and_at_once, args=[question])
    progress.tell()


def first() -> None:
    st.title("First")
    asked("two")
    st.html('<p data-question="sky">Question sky</p>')
    if st.button("Answer sky"):
        progress.note_right("sky")  # in the run of the page; the frame draws after it
    st.button("Run again")


def second() -> None:
    st.title("Second")


pages = [
    st.Page(first, title="First", default=True, url_path="start"),
    st.Page(second, title="Second", url_path="second"),
]
page = st.navigation(pages)
page.run()
progress.draw(page.url_path or "first", ["first", "second"], QUESTIONS)
