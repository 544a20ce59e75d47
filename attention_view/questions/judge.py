"""Judges answers: the right one is looked up in the record each time, none is kept anywhere."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention_core import Experiment
from attention_core.conditions import SAME, Comparison
from attention_core.named import Named
from attention_core.prediction import misplaced_weight
from attention_view.numbers import number, percent
from attention_view.questions.question import SETTINGS, Question
from attention_view.questions.settings import address, holds, settings, with_fields
from attention_view.tokens import distinct_names, html_text

Answer = int | Sequence[float] | Experiment  # the place of a token or an option; a share for each token; switches
OTHERWISE = "otherwise"  # in `because`: the reason of every wrong answer that has none of its own
ENTRIES = {
    "Q": "query", "K": "key", "V": "value", "X": "vector", "new_X": "new vector", "head_outputs": "output",
    "scores": "score", "raw_scores": "score before scaling", "masked_scores": "score after the mask",
}  # fmt: skip
SIGNS = {">": "more than ", "<": "less than ", ">=": "at least ", "<=": "at most ", "=": ""}


class Verdict(NamedTuple):
    """Whether an answer is right, what the numbers say about it (HTML), and why (Markdown)."""

    right: bool
    numbers: str
    reason: str


def judge(question: Question, answer: Answer) -> Verdict:
    """Compare an answer with the numbers of the question's experiment.

    Raises ValueError if the shares of an answer in bars are not one for each token, or do not sum to 1.
    """
    if isinstance(answer, Experiment):
        return _switched(question, answer)
    if isinstance(answer, int):
        return _chosen(question, answer) if question.kind == "choice" else _clicked(question, answer)
    return _shared_out(question, np.asarray(answer, dtype=float))


def best_places(question: Question) -> NDArray[np.intp]:
    """The places of the largest entries of the question's row (or the smallest), of several only if they are equal."""
    values = question.row().values
    best = values.min() if question.least else values.max()
    return np.flatnonzero(np.isclose(values, best, rtol=0, atol=SAME))  # minus infinity is close to itself


def solution(question: Question) -> Experiment | None:
    """The setting of the switches nearest to the start that makes the condition true, or None if there is none."""
    start = question.experiment
    settings_of_each = product(*(SETTINGS[name] for name in question.switches))
    ways = (with_fields(start, dict(zip(question.switches, way, strict=True))) for way in settings_of_each)
    nearest = sorted(ways, key=lambda way: _changes(start, way))
    return next((way for way in nearest if all(part.holds for part in question.parts(way))), None)


def truth(question: Question) -> str:
    """What the numbers are, for whoever asks to see them: HTML."""
    if question.kind == "choice":
        return ""
    if question.kind == "switch":
        found = solution(question)
        return " ".join((_setting_words(question, found), *map(_part_words, question.parts(found)))) if found else ""
    row = question.row()
    places = best_places(question) if question.kind == "click" else _large(row.values)
    return " ".join(_entry_words(row, int(place)) for place in places)


def settling_link(question: Question) -> str:
    """The address of the page that settles a question: of a switch question, as its answer sets it."""
    found = solution(question) if question.kind == "switch" else None
    if found is None:
        return question.link
    stem, _, query = question.link.partition("?")
    before = {part.partition("=")[0] for part in address(question.experiment, stem)}
    own = [part for part in query.split("&") if part and part.partition("=")[0] not in before]
    settings = address(found, stem)
    return f"{stem}?{'&'.join((*settings, *own))}" if settings or own else stem


def _clicked(question: Question, place: int) -> Verdict:
    row = question.row()
    right = place in best_places(question)
    rank = "smaller" if question.least else "larger"
    words = f"{_entry_words(row, place)} {'None is' if right else 'There is a'} {rank}{'.' if right else ' one.'}"
    because = (key for key in question.because if _names_place(key, row.along, place))
    return Verdict(right, words, question.reason if right else question.because.get(next(because, OTHERWISE), ""))


def _shared_out(question: Question, shares: NDArray[np.float64]) -> Verdict:
    row = question.row()
    misplaced = misplaced_weight(shares, row.values)
    right = misplaced <= question.within
    if right:
        near = f"Near enough: only {percent(misplaced)} of yours lie on other words than they should."
        return Verdict(True, near if misplaced >= SAME else "Exactly so.", question.reason)
    most = int((shares - row.values).argmax())
    words = (
        f"{percent(misplaced)} of yours lie on other words than they should; up to {percent(question.within)} is near "
        "enough. "
        f"You gave too much to <em>{html_text(distinct_names(row.along)[most])}</em>."
    )
    because = (key for key in question.because if _names_place(key, row.along, most))
    return Verdict(False, words, question.because.get(next(because, OTHERWISE), ""))


def _switched(question: Question, answer: Experiment) -> Verdict:
    parts = question.parts(answer)
    wrong = [part for part in parts if not part.holds]
    words = " ".join(_part_words(part) for part in (wrong or parts))
    if not wrong:
        return Verdict(True, words, question.reason)
    because = (key for key in question.because if key != OTHERWISE and holds(settings(key), answer))
    return Verdict(False, words, question.because.get(next(because, OTHERWISE), ""))


def _chosen(question: Question, place: int) -> Verdict:
    option = question.options[place]
    return Verdict(option.right, "", option.reason)


def _entry_words(row: Named, place: int) -> str:
    """One entry of a row in words: "it gives cat a weight of 0.474."."""
    names = [
        distinct_names(row.along)[place] if at is None else name for name, at in zip(row.names, row.places, strict=True)
    ]
    return _words(row.array, names, float(row.values[place]))


def _part_words(part: Comparison) -> str:
    """What a comparison reads in the record, and what it must be if it does not hold."""
    entry, wanted = (part.left.entry, part.right) if part.left.entry else (part.right.entry, part.left)
    if entry is None:
        return ""
    words = _words(entry.array, entry.names, float(entry.values))
    if part.holds or not part.left.entry:
        return words
    return f"{words} It must be {SIGNS[part.sign]}{number(wanted.value, 3, whole=True)}."


def _words(array: str, names: Sequence[str], value: float) -> str:
    *_, first, last = ("", *(f"<em>{html_text(name)}</em>" for name in names))
    shown = f"<strong>{number(value, 3, whole=True)}</strong>"
    if array == "weights":
        return f"{first} gives {last} a weight of {shown}."
    if array == "weighted_values":
        _, asks, looked_at, dimension = (html_text(name) for name in names)
        return f"<em>{looked_at}</em> hands <em>{asks}</em> {shown} of {dimension}."
    if array in ("scores", "raw_scores", "masked_scores"):
        return f"{first} gives {last} the {ENTRIES[array]} {shown}."
    if array == "heads_on":
        return f"The {html_text(names[0])} head is <strong>{'on' if value else 'off'}</strong>."
    return f"In the {ENTRIES.get(array, array)} of {first}, {html_text(names[-1])} is {shown}."


def _setting_words(question: Question, chosen: Experiment) -> str:
    """What the switches are set to, in words, where that differs from the start."""
    start = question.experiment
    words = {
        "ending": f"last word <em>{chosen.ending}</em>",
        "mask": f"causal mask {'on' if chosen.mask == 'causal' else 'off'}",
        "head": f"head {chosen.head}",
        "heads": f"heads that are on: {', '.join(chosen.heads) or 'none'}",
    }
    changed = (words[name] for name in question.switches if getattr(chosen, name) != getattr(start, name))
    return f"Set this: {'; '.join(changed)}."


def _names_place(key: str, tokens: Sequence[str], place: int) -> bool:
    return key in (tokens[place], f"#{place + 1}") or (key == "last" and place == len(tokens) - 1)


def _large(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """The places of the entries that are at least half the largest, three at most: a row in short."""
    order = np.argsort(-values, kind="stable")[:3]
    return np.array([place for place in order if values[place] >= values.max() / 2])


def _changes(start: Experiment, other: Experiment) -> int:
    heads = len(set(start.heads) ^ set(other.heads))
    return heads + [start.ending != other.ending, start.mask != other.mask, start.head != other.head].count(True)
