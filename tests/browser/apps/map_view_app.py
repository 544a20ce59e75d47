"""A small app around the map of a long text, for its tests and for looking at it."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

import numpy as np
import streamlit as st

from attention_core.models.shown_tokens import after_blanks
from attention_view.colours import css_variables
from attention_view.layout import layout_of
from attention_view.map_view import map_view
from tests.browser.apps.long_text import ODD, TEXT, another_head, like_a_head, long_text

st.set_page_config(layout="wide", page_title="Map view")
st.html(f"<style>{css_variables()}</style>")


weights_of = st.cache_data(like_a_head)


def cross() -> dict:
    """Other queries than keys: a row that sees nothing, one that does not sum to 1."""
    weights = np.array([[0.5, 0.5, 0, 0, 0], [0, 0, 0, 0, 0], [0.5, 0.2, 0, 0, 0.2]])
    mask = np.array([[True] * 5, [False] * 5, [True] * 5])
    return {"weights": weights, "query_tokens": ODD[1:4], "key_tokens": ODD[4:9], "mask": mask}


def tiny(n: int) -> dict:
    """No token, one, or two."""
    return {"weights": np.tri(n) / np.arange(1, n + 1)[:, None], "query_tokens": TEXT[:n], "key_tokens": TEXT[:n]}


def long(n: int) -> dict:
    """A long text; with a file in the address a model's own weights, for looking."""
    if "file" not in st.query_params:
        return {"weights": weights_of(n), "query_tokens": long_text(n), "key_tokens": long_text(n), "causal": True}
    file = np.load(st.query_params["file"])
    tokens = [str(token) for token in file["tokens"]]
    same = {"query_tokens": tokens, "key_tokens": tokens, "gaps": after_blanks(tokens)}
    return {"weights": file[st.query_params["head"]], "causal": True, **same}


def odd() -> None:
    """Small and odd maps below each other."""
    for name, arrays in {"cross": cross(), "none": tiny(0), "one": tiny(1), "two": tiny(2)}.items():
        ask_key = f"ask {name}"
        ask = st.session_state.setdefault(ask_key, max(len(arrays["query_tokens"]) - 1, 0))
        map_view(**arrays, ask=ask, caption=name, key=name, ask_key=ask_key)


def whole() -> None:
    """One map, a switch, a button elsewhere, and what Python knows."""
    arrays = long(int(st.query_params.get("n", 1024)))
    st.session_state.setdefault("ask", int(st.query_params.get("ask", len(arrays["query_tokens"]) - 1)))
    hide_first = st.toggle("Leave the first token out", value="hide" in st.query_params)
    if st.button("Ask token 3"):
        st.session_state["ask"] = 2
    if st.button("Another head"):
        st.session_state["other"] = True
    is_other = st.session_state.get("other", False)
    if is_other:
        arrays["weights"] = another_head(len(arrays["query_tokens"]))

    @st.fragment
    def view() -> None:
        ask = st.session_state["ask"]
        begun = time.perf_counter()
        map_view(
            **arrays, ask=ask, hide_first=hide_first, caption="another head" if is_other else "layer 13, head 8",
            layout=layout_of(st.query_params.get("layout")), opens="weights[0,0,{key}]",
        )  # fmt: skip
        took = 1000 * (time.perf_counter() - begun)
        st.html(f'<p data-follows-ask="{ask}" data-took="{took:.1f}">Python knows: {ask}</p>')

    view()


odd() if "odd" in st.query_params else whole()
