"""One question on screen, and the row of all of them."""

import html
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import streamlit as st

from attention_core import toy, trace
from attention_core.named import AXES, Named
from attention_view import lesson, tables
from attention_view.check import session
from attention_view.check.prediction import prediction
from attention_view.questions import QUESTIONS, Question, QuestionFile, best_places, load_questions, truth
from attention_view.token_view import token_view
from attention_view.vectors import vector_strip

FILE = "ATTENTION_QUESTIONS"  # names another file of questions
COMING = ("heads", "two_queries", "kv_cache")  # pages that the questions may name already
HOW = {
    "click": "Click the token that you expect, then press Check.",
    "bars": "Drag the bars, or use the arrow keys: hand out 100 %. Then press Check.",
    "switch": "Set the switches, then press Check. Until then, the picture stays as it is.",
    "choice": "Choose one, then press Check.",
}
STRIPS = {"Q": ("query", "each query"), "K": ("key", "each key"), "V": ("value", "each value"),
          "weighted_values": ("value", "what each word hands over")}  # fmt: skip
_chips = st.components.v2.component(
    "attention_questions", js=(Path(__file__).parent / "chips.js").read_text(encoding="utf-8"), isolate_styles=False
)


def question_file() -> QuestionFile:
    """The questions of the file, after a friendly word on what is broken in it. Stops the page if there is none."""
    path = Path(os.environ.get(FILE) or QUESTIONS)
    found = load_questions(path, pages=(*(one.stem for one in lesson.LESSONS), *COMING))
    if found.faults:
        lines = "".join(
            f"<li>{f'<b>line {line}</b>: ' if line else ''}{html.escape(words)}</li>" for line, words in found.faults
        )
        st.html(
            f'<div class="av-faults" role="alert"><p>Some questions of <code>{html.escape(path.name)}</code> cannot be '
            f"asked. Mend these lines and press R:</p><ul>{lines}</ul></div>"
        )
    if not found.questions:
        st.html('<p class="av-note">There is no question to ask.</p>')
        st.stop()
    return found


def choose(questions: Sequence[Question]) -> Question:
    """Draw the row of questions and return the one that is asked: the last picked, or the address's, or the first."""
    known = [question.id for question in questions]
    current = st.session_state.get("question", st.query_params.get("question"))
    st.session_state["question"] = current if current in known else known[0]
    place = known.index(st.session_state["question"])
    if st.query_params.get_all("question") != [known[place]]:
        st.query_params["question"] = known[place]
    titles = {one.stem: one.title for one in lesson.LESSONS}
    numbered = enumerate(questions, start=1)
    groups = [
        {"title": titles.get(page, page), "questions": [{"id": one.id, "number": n} for n, one in group]}
        for page, group in groupby(numbered, key=lambda pair: pair[1].page)
    ]
    message = {"groups": groups, "current": known[place], "right": session.right_ones(), "seen": session.seen_ones()}
    _chips(data=json.dumps(message).encode(), key="questions", on_picked_change=partial(_pick, known))
    _tell(session.right_ones())
    return questions[place]


def question_view(question: Question, following: str) -> None:
    """Draw a question: its text, the picture on the left, answer and verdict on the right."""
    one = session.attempt(question)
    with st.container(key="question_text"):
        st.markdown(question.text)
    if not question.pictured:
        _answer_and_verdict(question, following)
        return
    picture, side = st.columns((1.7, 1), gap="large")
    with side:  # before the picture: what is pressed here decides what the picture shows
        _answer_and_verdict(question, following)
    with picture:
        if question.kind in ("click", "bars") and not one.shown:
            prediction(question)
        else:
            _real_picture(question)
    if one.shown:
        record = trace(session.pictured_experiment(question))
        h = _head(question)
        lesson.fold_tables(
            lambda: tables.weights_table(
                record.weights[h], query_tokens=record.query_tokens, key_tokens=record.key_tokens, mask=record.mask
            )
        )


def _tell(right: Sequence[str]) -> None:
    """Where the learner's progress hears which questions are answered right."""


def _pick(known: Sequence[str]) -> None:
    picked = st.session_state["questions"].get("picked")
    if picked in known:
        _go(picked)


def _go(name: str) -> None:
    st.session_state["question"] = name
    st.session_state["visit"] += 1


def _real_picture(question: Question) -> None:
    """The token view with its weights, and the numbers that the question names, if they are not weights."""
    experiment = session.pictured_experiment(question)
    record, h = trace(experiment), _head(question)
    place = f"{question.id} {session.attempt(question).turn}"
    if st.session_state.get("pictured") != place:  # a question starts with its own token; then any can be looked at
        st.session_state.update({"pictured": place, "check_ask": _asks(question)})
    token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[h],
        mask=record.mask,
        scores=record.scores[h],
        ask=st.session_state["check_ask"],
        parts=("lines",),
        caption=f"{record.head_names[h]} head",
        key="check_view",
        ask_key="check_ask",
    )
    entry = question.parts(experiment)[0].left.entry if question.kind == "switch" else None
    row = question.row() if question.kind == "click" else None
    if entry and entry.array == "new_X" and entry.places[0] is not None:
        i = entry.places[0]
        title = f"{entry.names[0]} after this layer"
        marks = [record.dimension_names.index(entry.names[1])]
        st.html(vector_strip(record.new_X[i], record.dimension_names, kind="token", title=title, marks=marks))
    elif row and row.array in STRIPS:
        st.html(_row_strip(row, best_places(question).tolist()))


def _row_strip(row: Named, marks: list[int]) -> str:
    kind, where = STRIPS[row.array]
    title = f"{row.names[-1]}: in {where}"
    return vector_strip(row.values, list(row.along), kind=kind, title=title, marks=marks)  # type: ignore[arg-type]


def _head(question: Question) -> int:
    """The place of the head that the question is about; a switch question shows the head that is set."""
    if question.kind in ("click", "bars"):
        row = question.row()
        if "head" in AXES[row.array]:
            return row.places[0] or 0
    return session.pictured_experiment(question).head_index


def _asks(question: Question) -> int:
    """The place of the token that asks in the question's row, else the experiment's own."""
    if question.kind not in ("click", "bars"):
        return question.experiment.ask
    row = question.row()
    axes = AXES[row.array].split()
    if row.axis == "query":
        return int(best_places(question)[0])
    place = row.places[axes.index("query")] if "query" in axes else None
    return question.experiment.ask if place is None else place


def _answer_and_verdict(question: Question, following: str) -> None:
    one = session.attempt(question)
    _controls(question)
    with st.container(horizontal=True, key="answer_buttons"):
        if one.shown:
            st.button("Next question", key="next", type="primary", on_click=_go, args=(following,))
            if not one.right:
                st.button("Ask me again later", key="again", on_click=session.ask_again, args=(question,))
        else:
            ready = session.is_given(question)
            st.button(
                "Check", key="check", type="primary", disabled=not ready, on_click=session.check, args=(question,)
            )
            if one.verdict:
                st.button("Show me", key="show", on_click=session.show, args=(question,))
    if one.verdict or one.shown:
        with st.container(key="verdict"):
            _verdict(question)


def _controls(question: Question) -> None:
    """What the answer is set with, beside the picture."""
    one = session.attempt(question)
    if not one.shown:
        st.html(f'<p class="av-caption">{HOW[question.kind]}</p>')
    if question.kind == "choice":
        key = f"choice {question.id} {one.turn}"
        st.session_state.setdefault(key, one.given)
        places = list(range(len(question.options)))
        st.radio(
            "Your answer",
            places,
            format_func=lambda place: question.options[place].text,
            key=key,
            disabled=one.shown,
            label_visibility="collapsed",
            on_change=lambda: session.give(question, st.session_state[key]),
        )
    elif question.kind == "switch":
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


def _verdict(question: Question) -> None:
    """Right or not yet, the numbers, the reason, and where to see it."""
    one = session.attempt(question)
    headline = "Right." if one.right else "Not yet." if one.verdict else "The answer."
    numbers = one.verdict.numbers if one.verdict else truth(question)
    reason = one.verdict.reason if one.verdict else _reason(question)
    st.html(f'<div class="av-verdict" role="alert"><strong>{headline}</strong> {numbers}</div>')
    st.markdown(reason)
    if one.shown:
        title = next((page.title for page in lesson.LESSONS if page.stem == question.page), question.page)
        address, name = html.escape(question.link, quote=True), html.escape(title)
        st.html(f'<a href="{address}" target="_blank">See it on “{name}” (opens a new tab)</a>')


def _reason(question: Question) -> str:
    if question.kind == "choice":
        right = next(option for option in question.options if option.right)
        return f"**{right.text}** {right.reason}"
    return question.reason
