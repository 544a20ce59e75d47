"""The picture of the chosen head: the token view of a short text, the map of a long one."""

import streamlit as st

from attention_core import AttentionRecord
from attention_core.models import Run
from attention_core.models.shown_tokens import after_blanks
from attention_view import inputs, offered
from attention_view.map_view import map_view
from attention_view.own_text import visit
from attention_view.own_text.head_choice import Head
from attention_view.token_view import token_view

MOST_LINES = 32  # tokens; a longer text is shown as a map
ASK = "own_ask"


def asking(run: Run, first: int) -> int:
    """The place of the token that asks, from 0: until another is picked, that which asks first."""
    n, asked = run.n_tokens, visit.kept().get(ASK, "unset")
    if asked == "unset":
        st.session_state[ASK] = visit.linked_number(ASK, first + 1, range(1, n + 1)) - 1
    elif ASK not in st.session_state:
        st.session_state[ASK] = asked
    if asked != "unset" and visit.kept().get("own_ask_of") != run.tokens:
        st.session_state[ASK] = first  # of another text
    place: int = min(max(st.session_state[ASK], 0), n - 1)
    visit.kept().update({ASK: place, "own_ask_of": run.tokens})
    visit.write_link(own_ask=None if place == first else place + 1)
    return place


def draw(run: Run, head: Head, first: int) -> int:
    """Draw the picture and return the place of the token that asks. Call it in a fragment.

    first: the place of the token that asks until another is picked
    """
    ask = asking(run, first)
    return _short(run, head, ask) if run.n_tokens <= MOST_LINES else _long(run, head, ask)


def _long(run: Run, head: Head, ask: int) -> int:
    """The map of a head over a long text. The record that the page offers has the row of the asked token alone."""
    return map_view(
        run.weights(head.layer, head.head),
        query_tokens=run.tokens,
        key_tokens=run.tokens,
        ask=ask,
        causal=run.causal,
        hide_first=True,
        caption=caption_of(head),
        layout=inputs.layout(),
        opens="weights[0,0,{key}]",
        gaps=after_blanks(run.tokens),
        key="own_map",
        ask_key=ASK,
    )


def _short(run: Run, head: Head, ask: int) -> int:
    """The lines, numbers and grid of a head over a short text."""
    record = run.record(head.layer, [head.head])
    return token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[0],
        mask=record.mask,
        scores=record.scores[0],
        ask=ask,
        parts=("lines", "numbers", "grid"),
        caption=caption_of(head),
        key="own_view",
        ask_key=ASK,
        layout=inputs.layout(),
        opens={"weights": "weights[0,*]", "scores": "scores[0,*]"},
    )


def caption_of(head: Head) -> str:
    """What the head is called in a caption."""
    return f"layer {head.layer}, head {head.head}"


def record_of(run: Run, head: Head, ask: int) -> tuple[AttentionRecord, int]:
    """The record whose numbers the page opens, and the row of it that asks: of a long text this row alone."""
    long = run.n_tokens > MOST_LINES
    record = run.record(head.layer, [head.head], query=ask if long else None)
    offered.offer(record)
    return record, 0 if long else ask
