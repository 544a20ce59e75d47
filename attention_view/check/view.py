"""One question on screen, and the row of all of them."""

import html
import json
import os
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

import streamlit as st

from attention_core import trace
from attention_view import drawn, inputs, lesson, progress, tables
from attention_view.check import session
from attention_view.check.picture import head_of, real_picture
from attention_view.check.prediction import prediction
from attention_view.check.switches import draw_switches
from attention_view.questions import QUESTIONS, Question, QuestionFile, load_questions, settling_link, truth

FILE = "ATTENTION_QUESTIONS"  # names another file of questions
HOW = {
    "click": "Click the token that you expect, then press Check.",
    "bars": "Drag the bars, or use the arrow keys: hand out 100 %. Then press Check.",
    "switch": "Set the switches, then press Check. Until then, the picture stays as it is.",
    "choice": "Choose one, then press Check.",
}
_chips = st.components.v2.component(
    "attention_questions", js=(Path(__file__).parent / "chips.js").read_text(encoding="utf-8"), isolate_styles=False
)


def question_ids() -> list[str]:
    """The ids of all questions that can be asked."""
    return [question.id for question in _found().questions]


def question_file() -> QuestionFile:
    """The questions of the file, after a friendly word on what is broken in it."""
    path, found = _file(), _found()
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
    return found


def choose(questions: Sequence[Question]) -> Question:
    """Draw the row of questions and return the one that is asked: the last picked, or the address's, or the first."""
    known = [question.id for question in questions]
    current = st.session_state.get("question", st.query_params.get("question"))
    st.session_state["question"] = current if current in known else known[0]
    place = known.index(st.session_state["question"])
    inputs.keep_in_address("question", known[place])
    titles = {one.stem: one.title for one in lesson.LESSONS}
    numbered = enumerate(questions, start=1)
    groups = [
        {"title": titles.get(page, page), "questions": [{"id": one.id, "number": n} for n, one in group]}
        for page, group in groupby(numbered, key=lambda pair: pair[1].page)
    ]
    message = {"groups": groups, "current": known[place], "right": session.right_ones(), "tried": session.tried_ones()}
    _chips(data=json.dumps(message).encode(), key="questions", on_picked_change=partial(_pick, known))
    progress.tell()
    return questions[place]


def question_view(question: Question, following: str) -> None:
    """Draw a question: its text, the picture on the left, answer and verdict on the right."""
    one = session.attempt(question)
    with st.container(key="question_text"):
        drawn.markdown(question.text)
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
            real_picture(question)
    if one.shown or question.kind == "switch":
        record = trace(session.pictured_experiment(question))
        h = head_of(question)
        lesson.fold_tables(
            lambda: tables.weights_table(
                record.weights[h],
                query_tokens=record.query_tokens,
                key_tokens=record.key_tokens,
                mask=record.mask,
                layout=inputs.layout(),
                opens=f"weights[{h},*]" if one.shown else "",
            )
        )


def _file() -> Path:
    return Path(os.environ.get(FILE) or QUESTIONS)


def _found() -> QuestionFile:
    return load_questions(_file(), pages=lesson.STEMS)


def _pick(known: Sequence[str]) -> None:
    picked = st.session_state["questions"].get("picked")
    if picked in known:
        _go(picked)


def _go(name: str) -> None:
    st.session_state["question"] = name
    st.session_state["visit"] += 1


def _answer_and_verdict(question: Question, following: str) -> None:
    one = session.attempt(question)
    _controls(question)
    with st.container(horizontal=True, key="answer_buttons"):
        if one.shown:
            st.button("Next question", key="next", type="primary", on_click=_go, args=(following,))
            if not one.right:
                st.button("Ask me again", key="again", on_click=session.ask_again, args=(question,))
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
            on_change=_take_option,
            args=(question, key),
        )
    elif question.kind == "switch":
        draw_switches(question)


def _take_option(question: Question, key: str) -> None:
    if type(st.session_state[key]) is int:  # a text is an option that a changed file no longer has
        session.give(question, st.session_state[key])


def _verdict(question: Question) -> None:
    """Right or not yet, the numbers, the reason, and where to see it."""
    one = session.attempt(question)
    headline = "Right." if one.right else "Not yet." if one.verdict else "The answer."
    numbers = one.verdict.numbers if one.verdict else truth(question)
    reason = one.verdict.reason if one.verdict else _reason(question)
    drawn.html(f'<div class="av-verdict" role="alert"><strong>{headline}</strong> {numbers}</div>')
    drawn.markdown(reason)
    if one.shown:
        title = next((page.title for page in lesson.LESSONS if page.stem == question.page), question.page)
        address, name = html.escape(settling_link(question), quote=True), html.escape(title)
        st.html(f'<a href="{address}" target="_blank">See it on “{name}” (opens a new tab)</a>')


def _reason(question: Question) -> str:
    if question.kind == "choice":
        right = next(option for option in question.options if option.right)
        return f"**{right.text}** {right.reason}"
    return question.reason
