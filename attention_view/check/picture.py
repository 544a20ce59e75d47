"""The picture with its numbers: at the start, as the learner's switches made it, or as the answer shows it."""

import streamlit as st

from attention_core import AttentionRecord, Experiment, trace
from attention_core.named import AXES, Named
from attention_core.variants import may_leak
from attention_view import drawn, offered
from attention_view.check import session
from attention_view.mistakes import BY_VARIANT
from attention_view.picture import shown_scores
from attention_view.questions import Question, best_places
from attention_view.token_view import token_view
from attention_view.vectors import Kind, vector_strip

STRIPS: dict[str, tuple[Kind, str]] = {
    "Q": ("query", "each query"),
    "K": ("key", "each key"),
    "V": ("value", "each value"),
    "weighted_values": ("value", "what each word hands over"),
}


def real_picture(question: Question) -> None:
    """The token view with its weights, and the numbers that the question names."""
    experiment = session.pictured_experiment(question)
    record, h = trace(experiment), head_of(question)
    place = f"{question.id} {session.attempt(question).turn}"
    if st.session_state.get("pictured") != place:  # a question starts with its own token; then any can be looked at
        st.session_state.update({"pictured": place, "check_ask": _asks(question)})
    is_on = bool(record.heads_on[h])
    opens = session.attempt(question).shown  # before that, nothing may lead to the answer
    if opens:
        offered.offer(record)
    with st.container(key="head_is_on" if is_on else "head_is_off"):
        _view(record, h, _caption(experiment, record.head_names[h], is_on=is_on), opens=opens)
    _numbers(question, experiment, record, opens=opens)


def _caption(experiment: Experiment, head: str, *, is_on: bool) -> str:
    """What the picture shows: a head that is off and a layer with a mistake say so."""
    mistake = BY_VARIANT.get(experiment.variant)
    return f"{head} head{'' if is_on else ', off: not handed on'}{f', mistake: {mistake.short}' if mistake else ''}"


def _view(record: AttentionRecord, h: int, caption: str, *, opens: bool) -> None:
    """The lines of one head; those of a head that is off are grey."""
    token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[h],
        mask=record.mask,
        scores=shown_scores(record, h),
        may_leak=may_leak(record.variant),
        ask=st.session_state["check_ask"],
        parts=("lines",),
        caption=caption,
        key="check_view",
        ask_key="check_ask",
        opens={"weights": f"weights[{h},*]"} if opens else None,
    )


def _numbers(question: Question, experiment: Experiment, record: AttentionRecord, *, opens: bool) -> None:
    """The numbers that the question names, if they are not weights."""
    entry = question.parts(experiment)[0].left.entry if question.kind == "switch" else None
    row = question.row() if question.kind == "click" else None
    if entry and entry.array == "new_X" and entry.places[0] is not None:
        i = entry.places[0]
        title = f"{entry.names[0]} after this layer"
        marks = [record.dimension_names.index(entry.names[1])]
        of = f"new_X[{i},*]" if opens else ""
        drawn.html(
            vector_strip(record.new_X[i], record.dimension_names, kind="token", title=title, marks=marks, opens=of)
        )
    elif row and row.array in STRIPS:
        drawn.html(_row_strip(row, best_places(question).tolist(), opens=opens))


def _row_strip(row: Named, marks: list[int], *, opens: bool) -> str:
    kind, where = STRIPS[row.array]
    title = f"{row.names[-1]}: in {where}"
    places = ",".join("*" if place is None else str(place) for place in row.places)
    of = f"{row.array}[{places}]" if opens else ""
    return vector_strip(row.values, list(row.along), kind=kind, title=title, marks=marks, opens=of)


def head_of(question: Question) -> int:
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
