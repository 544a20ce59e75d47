"""The words of the workbench: the mistakes by name, and the numbers that were set."""

import html
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from attention_core import AttentionRecord, Experiment, toy
from attention_core.changes import edited, unedited, with_mask
from attention_core.differences import changed_entries
from attention_core.edits import Edit
from attention_view.numbers import full
from attention_view.sentences import row_sentences
from attention_view.workbench.tables import EDITABLES, row_and_column, table_names

MISTAKES = {
    "right": "none: the right layer",
    "no_divisor": "no √d: the scores are not divided",
    "sqrt_d_model": "√d_model instead of √d_head",
    "wrong_axis": "softmax over the wrong axis",
    "mask_as_zero": "a masked score of 0 instead of −∞",
    "mask_after": "mask after softmax",
    "mask_after_renormalised": "mask after softmax, renormalised",
    "one_matrix": "W_K = W_Q",
    "no_positions": "no positions",
    "cut_first": "the vector cut into heads before it is projected",
    "mean_of_heads": "the mean of the heads",
}


def edit_labels(experiment: Experiment, most: int) -> dict[str, Edit]:
    """The numbers that were set last, each with its label such as "scores: tired, cat 4 → 2.5 (pronoun)"."""
    edits = experiment.edits[-most:] if most else ()
    usual = {array: unedited(experiment, array) for array in {edit.array for edit in edits}}
    return {_label(edit, float(np.asarray(usual[edit.array])[edit.place]), experiment): edit for edit in edits}


def changes_note(experiment: Experiment) -> str:
    """All that is changed in an experiment, as HTML; nothing if nothing is."""
    lines = "".join(f"<li>{html.escape(label)}</li>" for label in changes_of(experiment, len(experiment.edits)))
    return f"<div><p>What is changed:</p><ul>{lines}</ul></div>" if lines else ""


def changes_of(experiment: Experiment, most: int) -> dict[str, Callable[[Experiment], Experiment]]:
    """What was changed, in words, each with what puts it back: mistake, mask, heads, and the numbers set last."""
    found: dict[str, Callable[[Experiment], Experiment]] = {}
    if experiment.variant != "right":
        found[f"mistake: {MISTAKES[experiment.variant]}"] = lambda now: replace(now, variant="right")
    if experiment.mask != "causal":
        found[f"mask: {experiment.mask} instead of causal"] = lambda now: with_mask(now, "causal")
    off = [head for head in toy.HEAD_NAMES if head not in experiment.heads]
    if off:
        found[f"off: {', '.join(off)} head{'s' if len(off) > 1 else ''}"] = lambda now: replace(
            now, heads=toy.HEAD_NAMES
        )
    for label, (array, place, _) in edit_labels(experiment, most).items():
        found[label] = partial(edited, given=[(array, place, None)])
    return found


def before_note(before: AttentionRecord, after: AttentionRecord, *, head: int, query: int) -> str:
    """What the token that asks looks at as the lesson has it, as HTML: the sentence below the picture, before it."""
    if not changed_entries(before, after, "weights")[head, query].any():
        return '<p class="av-before">The lesson has the same weights here.</p>'
    sentence = row_sentences(
        before.weights[head], before.mask, query_tokens=before.query_tokens, key_tokens=before.key_tokens
    )[query]
    return f'<p class="av-before">In the lesson: <s>{html.escape(sentence)}</s></p>'


def refused_note(why: str) -> str:
    """Why a change was not made, as HTML."""
    text = f"{why[:1].upper()}{why[1:]}. Nothing was changed."
    return f'<p class="av-note av-refused" role="alert">{html.escape(text)}</p>'


def _label(edit: Edit, before: float, experiment: Experiment) -> str:
    rows, columns = table_names(edit.array, experiment, _head_of(edit))
    cell = row_and_column(edit)
    place = "" if edit.array == "divisor" else f" {rows[cell[0]]}, {columns[cell[1]]}"
    head = f" ({toy.HEAD_NAMES[edit.place[0]]})" if len(edit.place) == 3 else ""
    old, new = (_written(edit.array, x) for x in (before, edit.value))
    return f"{EDITABLES[edit.array].title}{place}: {old} → {new}{head}"


def _written(array: str, x: float) -> str:
    if array == "mask":
        return "seen" if x else "hidden"
    return full(x)


def _head_of(edit: Edit) -> int:
    return edit.place[0] if len(edit.place) == 3 else 0
