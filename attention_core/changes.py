"""Changes to an experiment, each giving a new one: numbers set and given back, another sentence, another mask."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from attention_core import toy
from attention_core.checks import Array
from attention_core.edits import Edit
from attention_core.experiment import LAST, Experiment, trace

OVERRIDES = ("V", "scores")  # computed from other numbers; set by hand, they no longer depend on them
OF_TOKENS = ("X", "V", "scores", "mask")  # their places are those of tokens
MARKS = '.,;:!?…"()[]“”„«»'  # a word ends before them, and each is a word of its own

Place = tuple[int, ...]
Given = tuple[str, Place, float | None]  # an array, a place, and the number to set; None gives the number back


def edited(experiment: Experiment, given: Iterable[Given]) -> Experiment:
    """The experiment with numbers set, or given back to where they come from.

    A number that is set to what it is anyway is no edit, unless it is one that is computed: then it is held.

    Raises ValueError if a number may not stand where it is set, or if there is no such place.
    """
    kept = {(edit.array, edit.place): edit.value for edit in experiment.edits}
    for array, place, value in given:
        kept.pop((array, tuple(place)), None)
        if value is not None:
            kept[array, tuple(place)] = float(value) + 0.0  # + 0.0: there is no −0
    changed = replace(experiment, edits=tuple(Edit(array, place, value) for (array, place), value in kept.items()))
    trace(changed)  # refuses what may not be
    usual = {array: unedited(experiment, array) for array in {edit.array for edit in changed.edits} - {*OVERRIDES}}
    told = (e for e in changed.edits if e.array in OVERRIDES or float(usual[e.array][e.place]) != e.value)
    return replace(changed, edits=tuple(told))


def unedited(experiment: Experiment, array: str) -> Array:
    """The array that edits of it change: as it would be without them, all other changes made. A mistake of the
    matrices (W_K = W_Q, cut first) is not in it, since it comes after the edits."""
    others = replace(experiment, edits=tuple(edit for edit in experiment.edits if edit.array != array))
    return np.asarray(getattr(trace(_before_the_mistake(others, array)), array), dtype=float)


def set_numbers(experiment: Experiment, array: str) -> Array:
    """The array with its edits, which is what a table to change it shows."""
    return np.asarray(getattr(trace(_before_the_mistake(experiment, array)), array), dtype=float)


def with_mask(experiment: Experiment, mask: str) -> Experiment:
    """The experiment with another mask by its name, without the cells that were drawn on the one before."""
    return replace(experiment, mask=mask, edits=tuple(edit for edit in experiment.edits if edit.array != "mask"))


def require_numbers(experiment: Experiment) -> None:
    """Refuse an experiment that cannot be computed, or not any more when a change of it is put back.

    Raises ValueError if a number on the way is more than a float can hold.
    """
    for other in (experiment, replace(experiment, variant="right"), as_the_lesson_has_it(experiment)):
        trace(other)
    for array in {edit.array for edit in experiment.edits}:
        unedited(experiment, array)


def with_sentence(experiment: Experiment, words: Sequence[str], meanings: Mapping[str, Sequence[str]]) -> Experiment:
    """The experiment on other words: the same matrices, without the edits whose places were those of the old tokens.

    The toy's own sentences are kept as such. A new word without a meaning gets one in which nothing is ticked.

    Raises ValueError for a sentence that `toy.require_sentence` refuses.
    """
    words = tuple(words)
    new = {word: tuple(meanings.get(word, ())) for word in words if word not in toy.VOCABULARY}
    toy.require_sentence(words, new)
    ending = next((ending for ending in toy.ENDINGS if toy.sentence(ending) == words), None)
    if ending and not experiment.words:  # the last word is switched: all places stay
        return replace(experiment, ending=ending)
    is_same, was_last = words == experiment.tokens, experiment.ask == len(experiment.tokens) - 1
    return replace(
        experiment,
        ending=ending or experiment.ending,
        words=() if ending else words,
        meanings=() if ending else tuple(new.items()),
        ask=LAST if not is_same and (was_last or experiment.ask >= len(words)) else experiment.ask,
        edits=tuple(edit for edit in experiment.edits if is_same or edit.array not in OF_TOKENS),
    )


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text: what stands between blanks, with the marks around it as words of their own.

    >>> words_of("Is the cat's mat soft?")
    ('Is', 'the', "cat's", 'mat', 'soft', '?')
    """
    words: list[str] = []
    for piece in text.split():
        marks = re.escape(MARKS)
        match = re.fullmatch(rf"([{marks}]*)(.*?)([{marks}]*)", piece, re.DOTALL)
        before, word, after = match.groups() if match else ("", piece, "")
        words += [*before, *([word] if word else []), *after]
    return tuple(words)


def as_the_lesson_has_it(experiment: Experiment) -> Experiment:
    """The same sentence with no number changed: the causal mask, all heads on, the right layer."""
    return replace(experiment, edits=(), variant="right", mask="causal", heads=toy.HEAD_NAMES)


def _before_the_mistake(experiment: Experiment, array: str) -> Experiment:
    return replace(experiment, variant="right") if array.startswith("W_") else experiment
