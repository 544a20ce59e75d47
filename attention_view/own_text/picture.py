"""The picture of the chosen head: the token view of a short text, the map of a long one."""

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from attention_core import AttentionRecord
from attention_core.models import Run
from attention_core.models.entry_origin import Origin
from attention_core.models.shown_tokens import after_blanks
from attention_core.models.token_path import TokenPath
from attention_view import inputs, offered
from attention_view.map_view import map_view
from attention_view.own_text import visit
from attention_view.own_text.head_choice import Head
from attention_view.token_view import token_view
from attention_view.tokens import showable

MOST_LINES = 32  # tokens; a longer text is shown as a map
ASK = "own_ask"


class Which(NamedTuple):
    """One of the pictures of the page: how its keys begin, the record that it offers, what tells its head apart."""

    keys: str
    record: str
    words: str

    @property
    def before(self) -> str:
        """What stands before an address in its record."""
        return f"{self.record}:" if self.record else ""

    def caption(self, head: Head) -> str:
        """What a head is called there."""
        return f"layer {head.layer}, head {head.head}{self.words}"


OWN = Which("own", "", "")  # the reader's text
WRITTEN = Which("written", "written", ", while it wrote")  # the text with what the model wrote


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


def draw(run: Run, head: Head, first: int, text: str = "") -> int:
    """Draw the picture and return the place of the token that asks. Call it in a fragment.

    first: the place of the token that asks until another is picked; text: what the caption says of the text
    """
    return of_run(run, head, asking(run, first), OWN, text)


def of_run(run: Run, head: Head, ask: int, which: Which, text: str = "") -> int:
    """Draw the picture of a run, in which a token asks, and return the place of the one that asks now."""
    return (_short if run.n_tokens <= MOST_LINES else _long)(run, head, ask, which, text)


def _long(run: Run, head: Head, ask: int, which: Which, text: str) -> int:
    """The map of a head over a long text. The record that the page offers has the row of the asked token alone."""
    return map_view(
        run.weights(head.layer, head.head),
        query_tokens=run.tokens,
        key_tokens=run.tokens,
        ask=ask,
        causal=run.causal,
        hide_first=True,
        caption=which.caption(head) + text,
        layout=inputs.layout(),
        opens=f"{which.before}weights[0,0,{{key}}]",
        gaps=after_blanks(run.tokens),
        key=f"{which.keys}_map",
        ask_key=f"{which.keys}_ask",
    )


def _short(run: Run, head: Head, ask: int, which: Which, text: str) -> int:
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
        caption=which.caption(head) + text,
        key=f"{which.keys}_view",
        ask_key=f"{which.keys}_ask",
        layout=inputs.layout(),
        opens={array: f"{which.before}{array}[0,*]" for array in ("weights", "scores")},
    )


def record_of(path: TokenPath, head: Head, ask: int, which: Which) -> tuple[AttentionRecord, int]:
    """The record whose numbers the page opens, and the row of it that asks: of a long text this row alone.

    path: opens them further, down to the vectors of the tokens
    """
    run = path.run
    long = run.n_tokens > MOST_LINES
    record = run.record(head.layer, [head.head], query=ask if long else None)
    record = replace(record, head_names=(which.caption(head),))
    tokens = tuple(map(showable, run.tokens))
    origin = Origin(path, *head, tokens=tokens, first_query=ask if long else 0)
    offered.offer(record, which.record or offered.PAGE, origin=origin)
    return record, 0 if long else ask
