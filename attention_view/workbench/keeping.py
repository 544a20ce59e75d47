"""Keep an experiment: in the address, and as a file."""

from functools import partial
from pathlib import Path

import streamlit as st

from attention_core import Experiment
from attention_core.experiment_file import LARGEST_FILE, experiment_json, read_experiment
from attention_view.assets import joined
from attention_view.workbench import state
from attention_view.workbench.words import refused_note

FILE = "attention-experiment.json"
LOAD = "load_experiment"
FAULTS = {  # what the browser says of a file that it does not hand over
    "large": f"it must have at most {LARGEST_FILE:,} bytes",
    "unreadable": "it must be a text in UTF-8, but it is none",
}
HERE = Path(__file__).parent
_loader = st.components.v2.component(
    "attention_experiment_loader",
    html='<button type="button">Load an experiment</button>'
    '<input type="file" accept="application/json,.json" hidden aria-label="File of an experiment">',
    css=joined(HERE, ["loader.css"]),
    js=joined(HERE, ["loader.js"]),
)


def draw_file(experiment: Experiment) -> None:
    """Keep the address in step, say what it holds, and draw what saves the experiment as a file and loads one."""
    st.header("Keep it", anchor=False)
    st.html(_link_note(experiment, fits=state.write_link()))
    with st.container(horizontal=True, gap="small", key="keep"):
        st.download_button(
            "Save the experiment",
            partial(experiment_json, experiment),  # called when the button is pressed, where there is no session
            file_name=FILE,
            mime="application/json",
            on_click="ignore",
            key="save_experiment",
        )
        _loader(key=LOAD, on_file_change=_load)
    with st.container(key="load_refused"):
        if st.session_state.get("load refused"):
            st.html(refused_note(st.session_state["load refused"]))


def _link_note(experiment: Experiment, *, fits: bool) -> str:
    """What the address holds, as HTML."""
    if fits:
        return (
            '<p class="av-status">The address of this page holds the whole experiment: copy it, and it opens just so '
            "elsewhere. Or save it as a file.</p>"
        )
    length = len(state.address(experiment.link()))
    return (
        f'<p class="av-note" role="status">This experiment is too long for a link: {length:,} characters, '
        f"{state.LONGEST_ADDRESS:,} at most. <strong>Save it as a file</strong> instead.</p>"
    )


def _load() -> None:
    """Take the experiment of the chosen file as one step, or say what is wrong with it."""
    match st.session_state[LOAD].get("file"):
        case {"name": str(name), "text": str(text)}:
            try:
                state.take(read_experiment(text))
                st.session_state["load refused"] = ""
            except ValueError as refusal:
                _refuse(name, str(refusal))
        case {"name": str(name), "fault": str(fault)} if fault in FAULTS:
            _refuse(name, FAULTS[fault])


def _refuse(name: str, why: str) -> None:
    st.session_state["load refused"] = f"{name[:80]} was not loaded: {why}"
