"""What the page of the real model lets its reader choose: a key, a step of the arithmetic, a head."""

import re
from collections.abc import Sequence

import streamlit as st

from attention_core import AttentionRecord
from attention_view.head_gallery.groups import Head
from attention_view.inputs import keep_in_address
from attention_view.real_model.opened_head import STEPS, most_looked_at
from attention_view.tokens import distinct_names, markdown_text, showable

CHOSEN, ADDRESS = "chosen_head", "layer_head"  # in the session, and in the address as in 8.0
HEAD = re.compile(r"(\d{1,3})\.(\d{1,3})", re.ASCII)
SAID = "guess said"  # in the session: what was guessed before the numbers were shown
ASK = "gallery_ask"  # in the session: the token that asks in the picture of the head that is picked
BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
STEP_NAMES = {"score": "1. query · key", "weight": "2. softmax", "output": "3. value mix"}


def pick_step(key: str) -> str:
    """Draw the switch of the step of the arithmetic that is shown."""
    st.session_state.setdefault(key, STEPS[0])
    step = st.segmented_control("Step", STEPS, format_func=STEP_NAMES.__getitem__, key=key, required=True, wrap=True)
    return step or STEPS[0]


def pick_key(record: AttentionRecord, query: int, *, key: str) -> int:
    """Draw the switch of the key that is compared; when another head or token asks, the one it looks at most."""
    about = (record.head_names, record.key_tokens, query)
    if st.session_state.get(f"{key} of") != about or key not in st.session_state:
        st.session_state[key] = most_looked_at(record, query)
        st.session_state[f"{key} of"] = about
    names = _names(record.key_tokens)
    place = st.segmented_control(
        "Key (is looked at)",
        range(len(names)),
        format_func=names.__getitem__,
        key=key,
        required=True,
        wrap=True,
    )
    return most_looked_at(record, query) if place is None else place


def chosen_head(n_layers: int, n_heads: int, *, first: Head) -> Head:
    """The layer and the head that are picked; the address follows.

    first: picked at the first visit, if the address names no other head of the model
    """
    if CHOSEN not in st.session_state:
        found = HEAD.fullmatch(st.query_params.get(ADDRESS, ""))
        layer, head = map(int, found.groups()) if found else first
        st.session_state[CHOSEN] = (layer, head) if layer < n_layers and head < n_heads else first
    place: Head = st.session_state[CHOSEN]
    keep_in_address(ADDRESS, None if place == first else f"{place[0]}.{place[1]}")
    return place


def keep_chosen(layer: int, head: int) -> None:
    """Keep the head that is picked in the gallery, in its callback: the page reads it before it draws the gallery."""
    st.session_state[CHOSEN] = (layer, head)


def pick_hide_first() -> bool:
    """Draw the switch that leaves the first token out of the small maps."""
    st.session_state.setdefault("hide_first", True)
    return st.toggle("Hide the first token", key="hide_first", help="Only in the small maps: no number changes.")


def guess(n: int) -> int | None:
    """Draw the question how many of n, and its button; return the guess once it is given."""
    st.slider(f"How many of these {n} sentences go the fitting way?", 0, n, n // 2, key="guess")
    st.button("Look", key="guessed", on_click=_take_guess)
    said: int | None = st.session_state.get(SAID)
    return said


def _take_guess() -> None:
    st.session_state[SAID] = st.session_state["guess"]


def _names(tokens: Sequence[str]) -> list[str]:
    """Each token for a button, in Markdown; tokens that sound alike carry their position: The₁ … the₅."""
    return [
        markdown_text(token) + (str(place).translate(BELOW) if name != showable(token) else "")
        for place, (token, name) in enumerate(zip(tokens, distinct_names(tokens), strict=True), start=1)
    ]
