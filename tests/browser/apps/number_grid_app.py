"""A small app around large tables of numbers, for their tests: each step is told, undone and redone by Python."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

import numpy as np
import streamlit as st

from attention_core import Experiment, trace
from attention_view.colours import css_variables
from attention_view.number_table import NumberEdit, NumberTable, number_tables

st.set_page_config(layout="wide", page_title="Tables of numbers")
st.html(f"<style>{css_variables()}</style>")

RECORD = trace(Experiment())
NAMES = ["The, token 1", "cat", "sat", "on", "the, token 5", "mat", "because", "it", "was", "tired"]
LARGE = 32
SHOWN = {"small": ("X", "mask", "divisor"), "large": ("scores", "X"), "large_mask": ("mask",)}


def usual(case: str) -> dict[str, np.ndarray]:
    """The numbers at first, by the name of the table."""
    if case.startswith("large"):
        scores = np.random.default_rng(0).normal(scale=4, size=(LARGE, LARGE))
        return {"scores": scores, "mask": np.tri(LARGE), "X": np.zeros((LARGE, 12)), "divisor": np.ones((1, 1))}
    return {"X": RECORD.X, "mask": RECORD.mask.astype(float), "divisor": np.array([[2.0]]), "scores": RECORD.scores[0]}


def tables(case: str, changed: dict[tuple[str, int, int], float]) -> list[NumberTable]:
    """The tables of a case, with what the learner has changed."""
    defaults = usual(case)
    values = {name: array.copy() for name, array in defaults.items()}
    for (name, row, column), value in changed.items():
        values[name][row, column] = value
    words = [f"word {n + 1}" for n in range(LARGE)] if case.startswith("large") else NAMES
    asks, looks = "query (asks)", "key (is looked at)"
    made = {
        "X": NumberTable(
            "X", "Token vectors", "token", values["X"], defaults["X"], words, RECORD.dimension_names,
            opens="X[{row},{column}]", frozen=case == "large",
        ),
        "mask": NumberTable(
            "mask", "Mask", "mask", values["mask"], defaults["mask"], words, words,
            row_heading=asks, column_heading=looks,
        ),
        "divisor": NumberTable(
            "divisor", "Divisor", "plain", values["divisor"], defaults["divisor"], ["√d_head"], ["divided by"],
            minimum_exclusive=0,
        ),
        "scores": NumberTable(
            "scores", "Scores", "score", values["scores"], defaults["scores"], words, words,
            row_heading=asks, column_heading=looks,
            overridden=values["scores"] != defaults["scores"], opens="scores[0,{row},{column}]",
        ),
    }  # fmt: skip
    return [made[name] for name in SHOWN[case]]


def take(edits: list[NumberEdit]) -> None:
    """One step: the changes so far go on the pile of what can be undone."""
    time.sleep(float(st.query_params.get("slow", 0)))
    if "cut" in st.query_params and not st.session_state.get("was_cut"):
        st.session_state["was_cut"] = True
        st.rerun()  # ends it here, as a newer click does
    st.session_state["undo"].append(dict(st.session_state["changed"]))
    for table, row, column, value in edits:
        if value is None:
            st.session_state["changed"].pop((table, row, column), None)
        else:
            st.session_state["changed"][table, row, column] = value
    st.session_state["steps"] = [*st.session_state["steps"], len(edits)]


def undo() -> None:
    """Back by one step."""
    st.session_state["changed"] = st.session_state["undo"].pop()


@st.fragment
def page() -> None:
    """The tables, and below them what Python knows."""
    for name, empty in (("undo", []), ("steps", []), ("changed", {})):
        st.session_state.setdefault(name, empty)
    case = st.query_params.get("case", "small")
    st.button("Undo", on_click=undo, disabled=not st.session_state["undo"])
    number_tables(tables(case, st.session_state["changed"]), on_edits=take, key="tables")
    st.html(f'<p data-steps="{st.session_state["steps"]}">Steps: {st.session_state["steps"]}</p>')
    known = "; ".join(
        f"{name} {row} {column} = {x:g}" for (name, row, column), x in st.session_state["changed"].items()
    )
    st.html(f"<p>Python knows: {known or 'nothing'}</p>")


page()
