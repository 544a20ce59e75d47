"""The inputs of a switch question. They are the question's own: the lesson's shared inputs stay as they are."""

from dataclasses import replace
from typing import Any

import streamlit as st

from attention_core import toy
from attention_view.check import session
from attention_view.questions import Question


def draw_switches(question: Question) -> None:
    """Draw the inputs that the question lets the learner set."""
    with st.container(key="switches", gap="small"):
        for name in question.switches:
            _SWITCHES[name](question)


def _switch(question: Question, field: str, key: str, read: Any = lambda value: value) -> dict[str, Any]:
    """The key of a widget that sets a field of the answer, its value until touched, and what it does then."""
    key = f"{key} {question.id} {session.attempt(question).turn}"

    def changed() -> None:
        given = session.attempt(question).given
        session.give(question, replace(given, **{field: read(st.session_state[key])}))

    return {"key": key, "on_change": changed, "disabled": session.attempt(question).shown}


def _drawn(options: dict[str, Any], value: Any) -> dict[str, Any]:
    st.session_state.setdefault(options["key"], value)
    return options


def _pick_ending(question: Question) -> None:
    given = session.attempt(question).given
    options = _drawn(_switch(question, "ending", "ending of"), given.ending)
    st.segmented_control("Last word", toy.ENDINGS, required=True, **options)


def _pick_mask(question: Question) -> None:
    given = session.attempt(question).given
    read = {True: "causal", False: "none"}.__getitem__
    st.toggle("Causal mask", **_drawn(_switch(question, "mask", "mask of", read), given.mask == "causal"))


def _pick_head(question: Question) -> None:
    given = session.attempt(question).given
    options = _drawn(_switch(question, "head", "head of"), given.head)
    st.segmented_control("Head", toy.HEAD_NAMES, required=True, **options)


def _pick_heads(question: Question) -> None:
    for head in toy.HEAD_NAMES:
        heads = session.attempt(question).given.heads

        def read(on: bool, head: str = head) -> tuple[str, ...]:
            others = tuple(other for other in session.attempt(question).given.heads if other != head)
            return (*others, head) if on else others

        options = _drawn(_switch(question, "heads", f"{head} head of", read), head in heads)
        st.toggle(f"{head.capitalize()} head on", **options)


_SWITCHES = {"ending": _pick_ending, "mask": _pick_mask, "head": _pick_head, "heads": _pick_heads}
