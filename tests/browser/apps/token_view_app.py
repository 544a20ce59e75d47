"""A small app around the token view, for its tests: two pages, a switch, a button elsewhere, and a slow server."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

import numpy as np
import streamlit as st

from attention_core import Experiment, trace
from attention_view.colours import css_variables
from attention_view.token_view import token_view

st.set_page_config(layout="wide", page_title="Token view")
st.html(f"<style>{css_variables()}</style>")


def toy():
    """The toy with its two endings."""
    experiment = Experiment(ending=st.segmented_control("Last word", ["tired", "soft"], default="tired"))
    record = trace(experiment)
    return {
        "query_tokens": record.query_tokens,
        "key_tokens": record.key_tokens,
        "weights": record.weights[0],
        "mask": record.mask,
        "scores": record.scores[0],
    }


def odd():
    """Cross-attention over odd tokens: a row that sees nothing, an exact 0, a sum that is not 1."""
    weights = np.array([[0.5, 0.5, 0, 0, 0], [0, 0, 0, 0, 0], [0.5, 0.2, 0, 0, 0.2]])
    mask = np.array([[True] * 5, [False] * 5, [True] * 5])
    keys = ["<b>x</b>", " cat", "\u202e", "internationalization", "שלום"]
    return {"query_tokens": ["&lt;", "", "*x*"], "key_tokens": keys, "weights": weights, "mask": mask}


def leaks():
    """The toy with a mask that leaks, and the sums of its columns."""
    record = trace(Experiment(variant="mask_as_zero"))
    return {
        "query_tokens": record.query_tokens,
        "key_tokens": record.key_tokens,
        "weights": record.weights[0],
        "mask": record.mask,
        "scores": record.masked_scores[0],
        "may_leak": True,
        "column_sums": True,
        "size": "half",
    }


def many():
    """Forty tokens."""
    tokens = [f"token{n}" for n in range(40)]
    return {"query_tokens": tokens, "key_tokens": tokens, "weights": np.tri(40) / np.arange(1, 41)[:, None]}


def none():
    """No token at all."""
    return {"query_tokens": [], "key_tokens": [], "weights": np.zeros((0, 0))}


def picture() -> None:
    """The token view in a fragment, and a line that follows it."""
    case = {"toy": toy, "odd": odd, "leaks": leaks, "many": many, "none": none}[st.query_params.get("case", "toy")]
    arrays = case()
    parts = st.query_params.get("parts", "lines,numbers,grid").split(",")
    st.session_state.setdefault("ask", max(len(arrays["query_tokens"]) - 1, 0))
    if st.button("Ask token 3"):
        st.session_state["ask"] = 2

    @st.fragment
    def view() -> None:
        ask = st.session_state["ask"]
        time.sleep(float(st.query_params.get("slow", 0)))  # whoever picks meanwhile gets a late answer
        token_view(**arrays, ask=ask, parts=parts, caption="pronoun head")
        st.html(f'<p data-follows-ask="{ask}">Python knows: {ask}</p>')

    view()
    st.html('<div style="height: 120vh">room to scroll</div>')


st.navigation(
    [
        st.Page(picture, title="Picture", default=True),
        st.Page(lambda: st.write("Elsewhere"), title="Other", url_path="other"),
    ]
).run()
