"""The inputs of the workbench: what to change, the table or the words to change it with, and the steps back."""

from functools import partial

import streamlit as st

from attention_core import Experiment, toy
from attention_core.changes import edited, with_mask, with_sentence, words_of
from attention_core.variants import VARIANTS
from attention_view import drawn, inputs
from attention_view.number_table import NumberEdit, number_tables
from attention_view.pictures.pieces import Tables
from attention_view.tokens import markdown_text
from attention_view.workbench import state
from attention_view.workbench.tables import EDITABLES, given, table_of
from attention_view.workbench.words import MISTAKES, changes_note, changes_of, refused_note

SENTENCE, MISTAKE = "sentence", "mistake"
ARRAYS = {editable.title: array for array, editable in EDITABLES.items()}
CHOICES = (SENTENCE, *ARRAYS, MISTAKE)
FIRST_CHOICE = "scores"
MASKS = ("causal", "none", "window")
SHOWN_CHANGES = 12  # so many numbers that were set are listed, each to be put back
WORDS = [name for name in toy.WORD_DIMENSIONS if name != "always 1"]


def draw_editor(experiment: Experiment) -> None:
    """Draw the choice of what to change, and what changes it."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom", key="bench_head"
    ):
        st.header("Change", anchor=False, width="content")
        draw_steps()
    chosen = st.segmented_control(
        "What to change",
        CHOICES,
        default=FIRST_CHOICE,
        key="change",
        bind="query-params",
        required=True,
        label_visibility="collapsed",
    )
    with st.container(key="editor"):
        if chosen == SENTENCE:
            _sentence(experiment)
        elif chosen == MISTAKE:
            _mistake(experiment)
        else:
            _table(ARRAYS[chosen or FIRST_CHOICE], experiment)  # an address may hold an empty choice
    with st.container(key="refused"):
        if state.refused():
            st.html(refused_note(state.refused()))
    drawn.note(Tables("", (partial(changes_note, experiment),)))
    with st.container(key="changed"):
        _changes(experiment)


def draw_steps() -> None:
    """The buttons that lead back and forth between the steps."""
    steps = state.history()
    with st.container(horizontal=True, gap="small", width="content", key="steps_back"):
        st.button("Undo", on_click=state.undo, disabled=not steps.past, shortcut="Ctrl+Z", key="undo")
        st.button("Redo", on_click=state.redo, disabled=not steps.future, shortcut="Ctrl+Shift+Z", key="redo")
        untouched = steps.present == Experiment()
        st.button("Reset all", on_click=_reset_all, disabled=untouched, key="reset_all")


def _table(array: str, experiment: Experiment) -> None:
    drawn.caption(EDITABLES[array].says)
    if array == "mask":
        _mask_kind(experiment)
    if array == "W_O":
        with st.container(horizontal=True, gap="medium", key="bench_heads"):
            for name in toy.HEAD_NAMES:
                inputs.head_switch(name, f"{name} head")
    number_tables([table_of(array, experiment, layout=inputs.layout())], on_edits=_take_edits, key=f"edit_{array}")


def _take_edits(edits: list[NumberEdit]) -> None:
    state.change(lambda now: edited(now, given(edits, now.head_index)))


def _mask_kind(experiment: Experiment) -> None:
    kind, _, width = experiment.mask.partition(" ")
    st.session_state["mask_kind"] = kind
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="mask_inputs"):
        st.segmented_control("Mask", MASKS, key="mask_kind", required=True, on_change=_take_mask)
        if kind == "window":
            st.session_state["mask_width"] = min(int(width), toy.LONGEST)  # a wider one hides no more
            st.number_input("Words seen", 1, toy.LONGEST, key="mask_width", on_change=_take_mask, width=120)


def _take_mask() -> None:
    kind = st.session_state["mask_kind"] or "causal"
    width = st.session_state.get("mask_width") or 3
    mask = f"window {width}" if kind == "window" else kind
    state.change(partial(with_mask, mask=mask))


def _sentence(experiment: Experiment) -> None:
    if not state.refused():
        st.session_state["own_words"] = " ".join(experiment.tokens)
    st.text_input(
        "Your own sentence",
        key="own_words",
        on_change=_take_words,
        help=f"Up to {toy.LONGEST} words. Known words keep their numbers: {', '.join(toy.VOCABULARY)}.",
    )
    endings = [" ".join(toy.sentence(ending)) for ending in toy.ENDINGS]
    with st.container(horizontal=True, gap="small", key="toy_sentences"):
        for ending, text in zip(toy.ENDINGS, endings, strict=True):
            st.button(f"… was {ending}", on_click=_use_words, args=(text,), key=f"toy_{ending}", help=text)
    for n, (word, names) in enumerate(experiment.meanings):
        st.session_state[f"meaning_{n}"] = [name for name in names if name in WORDS]
        st.pills(
            f"What is {markdown_text(word)}?",
            WORDS,
            selection_mode="multi",
            key=f"meaning_{n}",
            on_change=_take_meaning,
            args=(n, word),
        )


def _take_words() -> None:
    _use_words(st.session_state["own_words"])


def _use_words(text: str) -> None:
    state.change(lambda now: with_sentence(now, words_of(text), dict(now.meanings)))


def _take_meaning(n: int, word: str) -> None:
    ticked = tuple(name for name in WORDS if name in (st.session_state[f"meaning_{n}"] or ()))
    state.change(lambda now: with_sentence(now, now.tokens, {**dict(now.meanings), word: ticked}))


def _mistake(experiment: Experiment) -> None:
    st.session_state["variant"] = experiment.variant
    st.radio(
        "Mistake",
        list(VARIANTS),
        format_func=MISTAKES.__getitem__,
        key="variant",
        on_change=lambda: state.set_fields(variant=st.session_state["variant"]),
        label_visibility="collapsed",
    )


def _changes(experiment: Experiment) -> None:
    """What was changed, each to be put back by a click."""
    changes = changes_of(experiment, SHOWN_CHANGES)
    if not changes:
        return
    st.session_state["put_back"] = None
    left_out = len(experiment.edits) - SHOWN_CHANGES
    more = f" Of {len(experiment.edits):,} numbers the last {SHOWN_CHANGES} stand here." if left_out > 0 else ""
    st.pills(f"What you changed. Click one to put it back.{more}", list(changes), key="put_back", on_change=_put_back)


def _put_back() -> None:
    put_back = changes_of(state.experiment(), SHOWN_CHANGES).get(st.session_state["put_back"])
    if put_back:
        state.change(put_back)


def _reset_all() -> None:
    state.change(lambda _: Experiment())
