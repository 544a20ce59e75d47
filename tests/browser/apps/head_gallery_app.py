"""A small app around the gallery of heads, for its tests: real heads, an ending, a button elsewhere, many heads."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

import numpy as np
import streamlit as st

from attention_core.models.recording import FILE, read_recording
from attention_view.colours import css_variables
from attention_view.head_gallery import Group, head_gallery

st.set_page_config(layout="wide", page_title="Head gallery")
st.html(f"<style>{css_variables()}</style>")
NASTY = ("<b>x</b>", " cat", "&lt;", "שלום")


def recorded():
    """The heads of the recording, or random ones of the same sizes where there is none."""
    ending = st.segmented_control("Last word", ["tired", "soft"], default="tired")
    if FILE.exists():
        run = read_recording().runs[ending]
        maps = np.stack([[run.weights(layer, head) for head in range(9)] for layer in range(30)])
        return maps, run.tokens
    return drawn_by_lot(30, 9, 10), (*"abcdefghi", ending)


def drawn_by_lot(n_layers, n_heads, n):
    """Weights of heads that nobody trained, under the causal mask."""
    scores = np.exp(3 * np.random.default_rng(0).normal(size=(n_layers, n_heads, n, n))) * np.tri(n)
    return scores / scores.sum(axis=-1, keepdims=True)


def case():
    """The maps, the tokens, and how they are shown."""
    match st.query_params.get("case", "recorded"):
        case "many":
            return drawn_by_lot(32, 32, 50), [f"token{n}" for n in range(50)], {}
        case "both":
            maps = np.full((2, 3, 4, 4), 0.25)
            return maps, NASTY, {"causal": False, "layout": "columns"}
    maps, tokens = recorded()
    return maps, tokens, {"hide_first": "hide" in st.query_params, "ask": len(tokens) - 1}


def groups_of(maps):
    """The first head of each layer by itself, those on the first token, and the rest."""
    heads = list(np.ndindex(*maps.shape[:2]))
    sinks = [head for head in heads if head[1] and maps[head][1:, 0].mean() > 0.8]
    rest = [head for head in heads if head[1] and head not in sinks]
    return [
        Group("<i>Firsts</i>", "The first head of each layer, for no better reason.", [h for h in heads if not h[1]]),
        Group("First token", "Most of the weight rests on the first token.", sinks, folds=True),
        Group("No clear role", "No pattern stands out in this sentence.", rest),
    ]


def gallery() -> None:
    """The gallery in a fragment, and a line that follows it."""
    maps, tokens, options = case()
    st.session_state.setdefault("head", (maps.shape[0] // 2, 1))
    if st.button("Layer 1, head 2"):
        st.session_state["head"] = (1, 2)

    @st.fragment
    def view() -> None:
        picked = head_gallery(
            maps,
            groups=groups_of(maps),
            tokens=tokens,
            chosen=st.session_state["head"],
            on_pick=lambda head: st.session_state.update(head=head),
            **options,
        )
        st.html(f"<p>Python knows: layer {picked[0]}, head {picked[1]}</p>")

    view()


gallery()
