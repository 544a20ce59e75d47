"""The numbers of the chosen head, a step at a time, for the token that asks and a key that the reader picks."""

import streamlit as st

from attention_core import AttentionRecord
from attention_core.models import Run
from attention_view import inputs, picture
from attention_view.own_text.head_choice import Head
from attention_view.own_text.picture import MOST_LINES, record_of
from attention_view.real_model import Place, opened_step, pick_key, pick_step
from attention_view.real_model.opened_head import most_looked_at
from attention_view.tokens import distinct_names

KEY, HEIGHT = "own_key", 460  # px: so high is the table of a long text


def follow(run: Run, head: Head, ask: int) -> None:
    """Draw the arithmetic of the token that asks. Call it in the fragment of the picture."""
    record, i = record_of(run, head, ask)
    with st.container(key="own_opened_choices"):
        step = pick_step("own_step")
        j = pick_key(record, i, key=KEY) if run.n_tokens <= MOST_LINES else _one_of_many(record, i)
    markup = opened_step(Place(record, i, j, "", inputs.layout()), step)
    if run.n_tokens <= MOST_LINES or step != "weight":
        picture.follow(ask, markup)
        return
    with st.container(height=HEIGHT, key="own_long_table"):
        picture.follow(ask, markup)


def _one_of_many(record: AttentionRecord, i: int) -> int:
    """Draw the field for one of many keys; when another token or head asks, the one it looks at most."""
    about = (record.head_names, record.key_tokens, record.query_tokens, i)
    names = distinct_names(record.key_tokens)
    if st.session_state.get(f"{KEY} of") != about or f"{KEY}_long" not in st.session_state:
        st.session_state[f"{KEY}_long"] = most_looked_at(record, i)
        st.session_state[f"{KEY} of"] = about
    place = st.selectbox(
        "Key (is looked at)", range(len(names)), format_func=names.__getitem__, key=f"{KEY}_long", width=320
    )
    return most_looked_at(record, i) if place is None else int(place)
