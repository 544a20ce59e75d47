"""What must hold of a question before it is asked: its numbers exist, and it has an answer that can be found."""

import re
from collections.abc import Mapping
from typing import Any

from attention_core import Experiment
from attention_core.conditions import SAME
from attention_view.questions.judge import OTHERWISE, best_places, solution
from attention_view.questions.question import SETTINGS, Question
from attention_view.questions.settings import settings

LONGEST_ID = 100  # characters: what the learner's progress can keep


class Broken(ValueError):
    """A question that cannot be asked: what must hold, and in which of its fields it does not."""

    def __init__(self, words: str, *path: str | int) -> None:
        super().__init__(words)
        self.path = path


def experiment_of(entry: Mapping[str, Any]) -> Experiment:
    """The experiment that a question shows."""
    try:
        return Experiment(**settings(entry.get("shows", "")))
    except ValueError as refusal:
        raise Broken(str(refusal), "shows") from None


def check_meaning(question: Question) -> None:
    """Refuse a question whose fields have the right form but do not make a question.

    Raises Broken, naming the field.
    """
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", question.id):
        raise Broken(f"an id must be of small letters, digits and hyphens, but it is {question.id!r}", "id")
    if len(question.id) > LONGEST_ID:
        raise Broken(f"an id must have at most {LONGEST_ID} characters, but it has {len(question.id)}", "id")
    for key, reason in question.because.items():
        if not reason:
            raise Broken(f"the reason for {key} must not be empty", "because", key)
    _CHECKS[question.kind](question)
    if question.live and OTHERWISE not in question.because:
        raise Broken(f"because must have {OTHERWISE}: the reason of every wrong answer without its own", "because")


def _check_row(question: Question, field: str, axes: tuple[str, ...]) -> None:
    try:
        row = question.row()
    except ValueError as refusal:
        raise Broken(str(refusal), field) from None
    if row.axis not in axes:
        raise Broken(f"{field} must have a * in the place of a token, but it is {question.named!r}", field)
    for key in question.because:
        if key not in (*row.along, OTHERWISE, "last", *(f"#{place}" for place in range(1, len(row.along) + 1))):
            known = ", ".join(row.along)
            raise Broken(f"because must name one of {known}, last or {OTHERWISE}, but it names {key!r}", "because", key)


def _check_click(question: Question) -> None:
    field = "least" if question.least else "most"
    _check_row(question, field, ("key", "query"))
    best = best_places(question)
    along = question.row().along
    if len(best) == len(along):
        raise Broken(f"all tokens are equal in {question.named}, so there is nothing to click", field)
    if len(best) > 1 and not question.ties:
        tied = " and ".join(along[place] for place in best)
        raise Broken(f"{tied} are equal in {question.named}; say ties = true if each of them is right", field)


def _check_bars(question: Question) -> None:
    _check_row(question, "row", ("key",))
    if not question.named.strip().startswith("weights"):
        raise Broken(f"row must be a row of weights, which sum to 1, but it is {question.named!r}", "row")
    if abs(question.row().values.sum() - 1) > SAME:
        raise Broken(f"row must sum to 1, but {question.named!r} sums to {question.row().values.sum():.4g}", "row")
    if not 0 < question.within < 0.5:
        raise Broken(f"within must be a share between 0 and 0.5, but it is {question.within:g}", "within")


def _check_switch(question: Question) -> None:
    are_names = all(isinstance(name, str) for name in question.switches)
    if not question.switches or not are_names or not set(question.switches) <= SETTINGS.keys():
        raise Broken(f"switches must be some of {', '.join(SETTINGS)}, but they are {question.switches}", "switches")
    try:
        parts = question.parts(question.experiment)
    except ValueError as refusal:
        raise Broken(str(refusal), "goal") from None
    if all(part.holds for part in parts):
        raise Broken(f"goal must not hold at the start, but it does: {question.named}", "goal")
    try:
        found = solution(question)
    except ValueError as refusal:
        raise Broken(f"goal must name only what every setting of the switches has, but {refusal}", "goal") from None
    if found is None:
        raise Broken("goal must be within reach of the switches, but none of their settings gives it", "goal")
    for key in question.because:
        try:
            settings("" if key == OTHERWISE else key)
        except ValueError as refusal:
            raise Broken(str(refusal), "because", key) from None


def _check_choice(question: Question) -> None:
    right = sum(option.right for option in question.options)
    if len(question.options) < 2 or right != 1:
        raise Broken(
            f"a choice must have two options or more, one of them right, but it has {len(question.options)}, "
            f"{right} of them right",
            "option",
        )


_CHECKS = {"click": _check_click, "bars": _check_bars, "switch": _check_switch, "choice": _check_choice}
