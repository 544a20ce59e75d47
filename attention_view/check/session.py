"""What the learner has answered in this visit, and which question is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import streamlit as st

from attention_core import Experiment
from attention_view import progress
from attention_view.questions import Answer, Question, Verdict, judge, solution


@dataclass
class Attempt:
    """One question's answer so far. `given` is what the learner has set, whole percents in bars."""

    question: Question
    given: Any = None
    verdict: Verdict | None = None
    shown: bool = False  # the answer is on screen, and stands
    right: bool = False  # it was predicted
    tried: bool = False  # a wrong answer was checked
    turn: int = 0  # counts what the prediction's picture must forget


def attempt(question: Question) -> Attempt:
    """The learner's attempt at a question; a new one starts from nothing, or from the switches as they are."""
    attempts: dict[str, Attempt] = st.session_state.setdefault("attempts", {})
    one = attempts.get(question.id)
    if one is None or one.question != question:  # a teacher may have changed the question meanwhile
        attempts[question.id] = one = Attempt(question, given=_start(question), turn=one.turn + 1 if one else 0)
    return one


def right_ones() -> list[str]:
    """The questions that were answered right in this visit."""
    return [name for name, one in st.session_state.get("attempts", {}).items() if one.right]


def tried_ones() -> list[str]:
    """The questions that were answered wrong in this visit, or whose answer was shown."""
    attempts = st.session_state.get("attempts", {}).items()
    return [name for name, one in attempts if (one.shown or one.tried) and not one.right]


def check(question: Question) -> None:
    """Judge what is given; what is right is shown at once."""
    one = attempt(question)
    answer = _answer(question, one.given)
    if answer is not None:
        one.verdict = judge(question, answer)
        one.shown = one.right = one.verdict.right
        one.tried = one.tried or not one.right
        if one.right:
            progress.note_right(question.id)


def show(question: Question) -> None:
    """Show the answer without its having been predicted; switches are set as it needs them."""
    one = attempt(question)
    one.shown, one.verdict = True, None
    if question.kind == "switch":
        one.given, one.turn = solution(question) or one.given, one.turn + 1


def ask_again(question: Question) -> None:
    """Forget the attempt."""
    turn = attempt(question).turn + 1
    progress.reopen(question.id)
    st.session_state["attempts"][question.id] = Attempt(question, given=_start(question), turn=turn)


def give(question: Question, given: Any) -> None:
    """Note what the learner has set. A verdict on something else goes."""
    one = attempt(question)
    if not one.shown and given != one.given:
        one.given, one.verdict = given, None


def is_given(question: Question) -> bool:
    """Whether there is an answer to judge."""
    return _answer(question, attempt(question).given) is not None


def pictured_experiment(question: Question) -> Experiment:
    """What the picture shows: the start, or what the switches have led to once that is judged or shown."""
    one = attempt(question)
    is_set = question.kind == "switch" and (one.verdict or one.shown)
    return cast("Experiment", one.given) if is_set else question.experiment


def _start(question: Question) -> Any:
    return question.experiment if question.kind == "switch" else None


def _answer(question: Question, given: Any) -> Answer | None:
    if question.kind != "bars" or given is None:
        return cast("Answer | None", given)
    shares: Sequence[int] = given
    return [share / 100 for share in shares] if sum(shares) == 100 else None
