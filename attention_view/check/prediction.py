"""The picture to predict on, in the browser: the sentence without its weights. Nothing sent there tells the answer."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from attention_core.named import AXES
from attention_view.assets import joined, script
from attention_view.check.session import attempt, give
from attention_view.questions import Question
from attention_view.tokens import distinct_names, showable

HERE = Path(__file__).parent
KEY = "prediction"
_component = st.components.v2.component(
    "attention_prediction",
    css=joined(HERE, ("prediction.css",)),
    js=script(HERE, ("prediction.js",)),
)


def prediction(question: Question) -> None:
    """Draw it; what the learner sets there is noted as given."""
    message = _message(question)
    _component(data=json.dumps(message).encode(), key=KEY, on_given_change=partial(_take, question, message["for"]))


def _message(question: Question) -> dict[str, Any]:
    """What the picture is built from: the same until the question, its turn or the page's visit changes."""
    one, row = attempt(question), question.row()
    name = f"{question.id} {one.turn} {st.session_state['visit']}"
    memory: dict[str, Any] = st.session_state.setdefault("prediction message", {})
    if memory.get("for") != name:
        asks = row.axis == "query"
        names = distinct_names(row.along)
        nothing = [0] * len(names) if question.kind == "bars" else None
        memory = {
            "for": name,
            "kind": question.kind,
            "side": row.axis,
            "fixed": _fixed(row.array, row.places, "key" if asks else "query"),
            "tokens": [showable(token) for token in row.along],
            "names": names,
            "label": "query (asks)" if asks else "key (is looked at)",
            "given": nothing if one.given is None else one.given,
        }
        st.session_state["prediction message"] = memory
    return memory


def _fixed(array: str, places: tuple[int | None, ...], axis: str) -> int | None:
    """The place of the token on the other side, if the row has one."""
    axes = AXES[array].split()
    return places[axes.index(axis)] if axis in axes else None


def _take(question: Question, name: str) -> None:
    """Note what the browser reports, unless it belongs to another question or makes no sense."""
    report = st.session_state[KEY].get("given")
    n = len(question.row().along)
    match report:
        case {"for": str(other), "given": int(place)} if other == name and question.kind == "click" and 0 <= place < n:
            give(question, place)
        case {"for": str(other), "given": list(shares)} if other == name and question.kind == "bars":
            if len(shares) == n and all(type(share) is int and 0 <= share <= 100 for share in shares):
                give(question, shares)
