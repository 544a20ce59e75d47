"""The learner's progress: pages seen and questions right, kept in the learner's own browser and nowhere else.

Python says what there is to see and what was answered right just now; the browser adds it to its localStorage and
shows what is there. Nothing comes back: the components have no state and no triggers.
"""

import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from attention_view.assets import joined, script

__all__ = ["draw", "note_right", "reopen", "tell"]

HERE = Path(__file__).parent
SCRIPTS = ("form.js", "store.js", "marks.js", "manage.js", "display.js")
STYLES = ("display.css",)
NOTED = "progress noted"  # in the session: what was answered right in this visit


_display = st.components.v2.component("attention_progress", css=joined(HERE, STYLES), js=script(HERE, SCRIPTS))
_teller = st.components.v2.component("attention_progress_teller", js=joined(HERE, ("tell.js",)))


def draw(page: str, pages: Sequence[str], questions: Sequence[str] = ()) -> None:
    """Draw the progress into the sidebar, and count `page` as seen. The frame does this once on every page.

    pages: the stems in the order of the navigation, where the seen ones get a check sign. questions: the ids of all
    questions there are; without any, no word of questions is shown. What the browser keeps of other pages and
    questions stays there, but is not counted.
    """
    message = {"page": page, "pages": list(pages), "questions": list(questions), "told": _noted()}
    with st.sidebar:
        _display(data=_bytes(message), key="progress")


def note_right(question: str) -> None:
    """Note that the question of this id is answered right. Noted again, it says nothing new.

    The browser learns of it by the next `tell` or `draw`. Call it where an answer is judged, not for answers that a
    link restores: they may be somebody else's.
    """
    noted = _noted()
    if question not in noted["right"]:
        noted["turn"] += 1
        noted["right"][question] = noted["turn"]


def reopen(question: str) -> None:
    """Note that the question may be answered anew. What the browser keeps stays; a new right answer counts again,
    also if the progress was cleared in between."""
    noted = _noted()
    if noted["right"].pop(question, None):
        noted["turn"] += 1


def tell() -> None:
    """Tell the browser at once what was noted, from where the answers are judged: a fragment's rerun reaches no frame.

    Draws nothing to be seen. Elements with an attribute `data-question="<id>"` (as `st.html` draws them) are marked
    by the browser itself, now and on later visits: a question kept as right gets the attribute `data-right`, and as
    its last child the words "answered right" for those who hear the page.
    """
    _teller(data=_bytes(_noted()), key="progress_teller")


def _noted() -> dict[str, Any]:
    """What this visit has noted: `right` holds the turn in which a question was last noted. With it, `session` and
    `turn` let the browser know what is new, even when the page leaves out a message between two quick answers."""
    noted: dict[str, Any] = st.session_state.setdefault(
        NOTED, {"session": secrets.token_hex(4), "turn": 0, "right": {}}
    )
    return noted


def _bytes(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()  # given a dictionary, Streamlit would load pandas to look for tables in it
