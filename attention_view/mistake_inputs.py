"""What the page of the mistakes remembers, each in the address: the mistake, the shuffle, the size of a query."""

import streamlit as st

from attention_core.scaling import LONGEST
from attention_view.inputs import asking, keep_in_address
from attention_view.mistakes import BY_VARIANT, MISTAKES, Mistake

CHOSEN, SHUFFLE, SHUFFLED = "mistake_chosen", "shuffle_seed", "shuffled"  # in the session
SHUFFLED_ASK = "shuffled_ask"  # the place that asks in the shuffled sentence
MOST_SHUFFLES = 9999
USUAL_SIZE = 64


def pick_mistake() -> Mistake:
    """Draw the row of switches and return the mistake that is on; a new visit starts from the address."""
    if CHOSEN not in st.session_state:
        asked_for = st.query_params.get("mistake", "")
        st.session_state[CHOSEN] = asked_for if asked_for in BY_VARIANT else MISTAKES[0].variant
    st.session_state["mistake"] = st.session_state[CHOSEN]
    st.segmented_control(
        "Mistake",
        list(BY_VARIANT),
        format_func=lambda variant: BY_VARIANT[variant].short,
        key="mistake",
        required=True,
        on_change=_take_mistake,
        label_visibility="collapsed",
        wrap=True,
    )
    chosen = BY_VARIANT[st.session_state[CHOSEN]]
    keep_in_address("mistake", None if chosen is MISTAKES[0] else chosen.variant)
    return chosen


def shuffle_seed() -> int:
    """How often the words were shuffled, 0 if they stand in order; a new visit starts from the address."""
    if SHUFFLE not in st.session_state:
        text = st.query_params.get("shuffle", "")
        is_seed = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST_SHUFFLES))
        st.session_state[SHUFFLE] = int(text) if is_seed else 0
    seed: int = st.session_state[SHUFFLE]
    return seed


def draw_shuffle(seed: int, *, shown: bool) -> None:
    """Draw the buttons that shuffle the words and put them back, where they are shown; keep the address in step."""
    keep_in_address("shuffle", str(seed) if seed else None)
    if not shown:
        return
    with st.container(horizontal=True, key="shuffling"):
        st.button("Shuffle the words", key="shuffle_words", on_click=_set_shuffle, args=(seed % MOST_SHUFFLES + 1,))
        st.button("Back in order", key="in_order", on_click=_set_shuffle, args=(0,), disabled=seed == 0)


def asks_in(order: list[int]) -> int:
    """The place of the asking token in a shuffled sentence; a pick there is a pick of the same word everywhere.

    order: for each new place the old one
    """
    ask = asking(len(order))
    if st.session_state.get(SHUFFLED) == (order, ask):  # nobody else asked since: the shuffled views say who asks
        ask = st.session_state["ask"] = order[st.session_state[SHUFFLED_ASK]]
    st.session_state[SHUFFLED] = (order, ask)
    place = order.index(ask)
    st.session_state[SHUFFLED_ASK] = place
    return place


def pick_d_head() -> int:
    """Draw the slider of the length of a query and a key."""
    size: int = st.slider(
        "Numbers in a query and a key (d_head)", 1, LONGEST, USUAL_SIZE, key="d_head", bind="query-params"
    )
    return size


def _take_mistake() -> None:
    st.session_state[CHOSEN] = st.session_state["mistake"]


def _set_shuffle(seed: int) -> None:
    st.session_state[SHUFFLE] = seed
