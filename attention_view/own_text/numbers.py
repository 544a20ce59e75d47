"""The numbers of the chosen head, a step at a time, for the token that asks and a key that the reader picks."""

from typing import Any

import streamlit as st

from attention_core import AttentionRecord
from attention_core.models.token_path import TokenPath
from attention_view import drawn, inputs, lesson, picture
from attention_view.own_text.head_choice import Head
from attention_view.own_text.picture import MOST_LINES, OWN, Which, record_of
from attention_view.real_model import Place, opened_step, pick_key, pick_step
from attention_view.real_model.opened_head import LONG, MOST_KEYS, most_looked_at
from attention_view.tables import row_table
from attention_view.tokens import html_text


def follow(path: TokenPath, head: Head, ask: int) -> None:
    """Draw the arithmetic of the token that asks. Call it in the fragment of the picture.

    path: of the text at hand, for what stands before a query, key or value
    """
    drawn.header("Open the numbers of this head")
    record, i = opened(path, head, ask, OWN)
    lesson.fold_tables(
        lambda: row_table(
            record.scores[0, i],
            record.weights[0, i],
            key_tokens=record.key_tokens,
            mask_row=record.mask[i],
            caption=f"What {record.query_tokens[i]} looks at ({record.head_names[0]})",
        )
    )


def opened(path: TokenPath, head: Head, ask: int, which: Which) -> tuple[AttentionRecord, int]:
    """Draw the arithmetic of a token that asks in one of the pictures; return its record, and the row that asks."""
    record, i = record_of(path, head, ask, which)
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"{which.keys}_opened_choices"):
        step = pick_step(f"{which.keys}_step")
        key = f"{which.keys}_key"
        j = pick_key(record, i, key=key) if path.run.n_tokens <= MOST_LINES else _one_of_many(record, i, key)
    after = _pick_after(record, i, f"{which.keys}_after") if step == "weight" else 0
    picture.follow(ask, opened_step(Place(record, i, j, which.record, inputs.layout(), after), step))
    return record, i


def _pick_after(record: AttentionRecord, i: int, kept: str) -> int:
    """How many of the largest weights are passed over: drawn as two buttons that go on to smaller ones, and back.

    When another token or head asks, the largest stand first. A short text has a line for each key, and no buttons.
    """
    n, about = int(record.mask[i].sum()), (record.head_names, record.key_tokens, record.query_tokens)
    if len(record.key_tokens) <= LONG or n <= MOST_KEYS:
        return 0
    of, after = st.session_state.get(kept, (about, 0))
    after = after if of == about else 0
    with st.container(horizontal=True, gap="small", key=f"{kept}_line"):
        for label, to in (("Larger weights", after - MOST_KEYS), ("Smaller weights", after + MOST_KEYS)):
            st.button(label, key=f"{kept} {label}", disabled=not 0 <= to < n, on_click=_go_on, args=(kept, about, to))
    return after


def _go_on(kept: str, about: tuple[Any, ...], after: int) -> None:
    st.session_state[kept] = about, after


def _one_of_many(record: AttentionRecord, i: int, key: str) -> int:
    """Draw the field for one of many keys, with its name; when another token or head asks, the one it looks at most."""
    about = (record.head_names, record.key_tokens, record.query_tokens, i)
    n, of, key = len(record.key_tokens), f"{key} of", f"{key}_long"
    if st.session_state.get(of) != about or key not in st.session_state:
        st.session_state[key] = most_looked_at(record, i) + 1
        st.session_state[of] = about
    place = int(st.number_input(f"Key (is looked at), 1 to {n:,}", 1, n, step=1, key=key, width=220))
    st.html(f'<p class="av-own-key"><bdi>{html_text(record.key_tokens[place - 1])}</bdi></p>')
    return place - 1
