"""Which head of the model the page shows: two number fields, and the gallery of all heads."""

from typing import NamedTuple

import streamlit as st

from attention_core.models.settings import Settings
from attention_view.own_text import visit

LAYER, HEAD = "own_layer", "own_head"
FIRST = {(30, 9): (13, 8), (6, 12): (3, 1)}  # by layers and heads: those of SmolLM2 and MiniLM on the page before


class Head(NamedTuple):
    """A head of a model, counted from 0."""

    layer: int
    head: int


def pick(settings: Settings) -> Head:
    """Draw the two fields and return the head they name. A model that has no such head begins with its first one."""
    sizes = settings.n_layers, settings.n_heads
    first = FIRST.get(sizes, (0, 0))
    for key, size, default in zip((LAYER, HEAD), sizes, first, strict=True):
        if key not in visit.kept():  # later sizes are those of another model
            visit.kept()[key] = visit.linked_number(key, default, range(size))
        visit.restore(key, default)
    if any(not 0 <= int(st.session_state[key]) < size for key, size in zip((LAYER, HEAD), sizes, strict=True)):
        choose(*first)
    for key, label, size in zip((LAYER, HEAD), ("Layer", "Head"), sizes, strict=True):
        st.number_input(f"{label}, 0 to {size - 1}", 0, size - 1, step=1, key=key, width=138)
    chosen = Head(int(visit.keep(LAYER)), int(visit.keep(HEAD)))
    same = chosen == first
    visit.write_link(own_layer=None if same else chosen.layer, own_head=None if same else chosen.head)
    return chosen


def choose(layer: int, head: int) -> None:
    """Set the head, as the gallery does: before the fields are drawn, or in a callback."""
    st.session_state.update({LAYER: layer, HEAD: head})
    visit.kept().update({LAYER: layer, HEAD: head})
