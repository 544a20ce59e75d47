"""A small app around the map of a long text, for its tests and for looking at it."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

import numpy as np
import streamlit as st

from attention_core.attention import softmax
from attention_view.colours import css_variables
from attention_view.layout import layout_of
from attention_view.map_view import map_view

TEXT = [
    " The",
    " cat",
    " sat",
    " on",
    " the",
    " mat",
    " because",
    " it",
    " was",
    " inter",
    "national",
    "ization",
    ".\n",
]
ODD = ["\n\n", " שלום", " 猫", " <b>x</b>", "", " 👩‍👩‍👧", " *x*", " é", "\u202e", " " + "long" * 50]

st.set_page_config(layout="wide", page_title="Map view")
st.html(f"<style>{css_variables()}</style>")


def long_text(n: int) -> list[str]:
    """The same sentence again and again, and after the third one the odd tokens."""
    return ([*TEXT * 3, *ODD] + TEXT * (n // len(TEXT) + 1))[:n]


@st.cache_data
def like_a_head(n: int) -> np.ndarray:
    """Causal weights as heads have them: the first token, the one before, an equal one before, and noise."""
    rng = np.random.default_rng(n)
    scores = rng.normal(size=(n, n))
    tokens = long_text(n)
    equal = np.equal.outer(tokens, tokens)
    scores += 6 * equal - 20 * np.eye(n) + 5 * np.eye(n, k=-1)
    scores[:, 0] += 8
    return softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf)).astype(np.float32)


def given(case: str, n: int) -> dict:
    """The arguments of a map."""
    if case == "long":
        return {"weights": like_a_head(n), "query_tokens": long_text(n), "key_tokens": long_text(n), "causal": True}
    if case == "cross":  # a row that sees nothing, one that does not sum to 1; other queries than keys
        weights = np.array([[0.5, 0.5, 0, 0, 0], [0, 0, 0, 0, 0], [0.5, 0.2, 0, 0, 0.2]])
        mask = np.array([[True] * 5, [False] * 5, [True] * 5])
        return {"weights": weights, "query_tokens": ODD[1:4], "key_tokens": ODD[4:9], "mask": mask}
    if case == "tiny":
        return {"weights": np.tri(n) / np.arange(1, n + 1)[:, None], "query_tokens": TEXT[:n], "key_tokens": TEXT[:n]}
    file = np.load(case)  # a file with a model's own weights, for looking
    tokens = [str(token) for token in file["tokens"]]
    return {"weights": file[st.query_params["head"]], "query_tokens": tokens, "key_tokens": tokens, "causal": True}


arrays = given(st.query_params.get("case", "long"), int(st.query_params.get("n", 1024)))
st.session_state.setdefault("ask", int(st.query_params.get("ask", len(arrays["query_tokens"]) - 1)))
hide_first = st.toggle("Leave the first token out", value="hide" in st.query_params)
if st.button("Ask token 3"):
    st.session_state["ask"] = 2


@st.fragment
def view() -> None:
    ask = st.session_state["ask"]
    begun = time.perf_counter()
    map_view(
        **arrays, ask=ask, hide_first=hide_first, caption="layer 13, head 8",
        layout=layout_of(st.query_params.get("layout")), opens="weights[0,0,{key}]",
    )  # fmt: skip
    took = 1000 * (time.perf_counter() - begun)
    st.html(f'<p data-follows-ask="{ask}">Python knows: {ask}</p><p data-took="{took:.1f}"></p>')


view()
