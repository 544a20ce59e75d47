"""Keep an experiment: in the address, and as a file."""

import streamlit as st

from attention_core import Experiment
from attention_core.experiment_file import experiment_json, read_experiment
from attention_view.workbench import state
from attention_view.workbench.words import refused_note

FILE = "attention-experiment.json"


def draw_link(experiment: Experiment) -> None:
    """Keep the address in step, and say so where the experiment does not fit into it."""
    if not state.write_link():
        length = len(state.address(experiment.link()))
        st.html(
            f'<p class="av-note" role="status">This experiment is too long for a link: {length:,} characters, '
            f"{state.LONGEST_ADDRESS:,} at most. <strong>Save it as a file</strong> below.</p>"
        )


@st.fragment
def draw_file() -> None:
    """Draw what saves the experiment as a file and loads one."""
    st.header("Keep it", anchor=False)
    st.markdown(
        "The address of this page holds the whole experiment: copy it, and it opens just so elsewhere. "
        "Or save it as a file."
    )
    st.download_button(
        "Save the experiment",
        lambda: experiment_json(state.experiment()),
        file_name=FILE,
        mime="application/json",
        on_click="ignore",
        key="save_experiment",
    )
    turn = st.session_state.setdefault("loads", 0)  # a new number gives an empty input again
    st.file_uploader(
        "Load an experiment", type="json", key=f"load_{turn}", on_change=_load, args=(turn,), max_upload_size=1
    )
    if st.session_state.get("load refused"):
        st.html(refused_note(st.session_state["load refused"]))


def _load(turn: int) -> None:
    """Take the experiment of the chosen file as one step, or say what is wrong with it."""
    file = st.session_state[f"load_{turn}"]
    st.session_state["loads"] = turn + 1
    try:
        read = read_experiment(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        _refuse(file.name, "it is not written in UTF-8")
    except ValueError as refusal:
        _refuse(file.name, str(refusal))
    else:
        st.session_state["load refused"] = ""
        state.take(read)


def _refuse(name: str, why: str) -> None:
    st.session_state["load refused"] = f"{name[:80]} was not loaded: {why}"
