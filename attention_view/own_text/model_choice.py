"""Which model reads: one of those in the models folder, loaded in the background and shared by all visits."""

import html
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from attention_core.models.files import ModelFile, load, models_folder, models_in
from attention_core.models.progress import Progress
from attention_view.own_text import fetch_card, visit
from attention_view.own_text.sizes import megabytes
from attention_view.own_text.store import MOST_MODELS, Held, Store
from attention_view.own_text.watching import is_done

LOADED_UNASKED = 200_000_000  # bytes: a larger file is loaded only when the reader says so
FIRST = "SmolLM2"  # the model that is chosen at first, if it is there
STORE = Store(visit.is_there)  # of the whole server
FILE, LAZILY, ASLEEP = "own_model", "own_lazily", "own_asleep"


class Chosen(NamedTuple):
    """A model that is ready to read."""

    key: str  # tells it from others, and from itself after a change of the file
    held: Held
    model: Any


def pick() -> Chosen | None:
    """Draw the choice and load what is chosen. None while there is no model, or it is not ready."""
    files = models_in(models_folder())
    usable = {file.name: file for file in files if not file.refusal}
    if usable:
        chosen = _choose(usable)
        _draw_refused(files)
        return chosen
    fetch_card.offer()
    _draw_refused(files)
    fetch_card.card()
    return None


def is_any() -> bool:
    """Whether a model lies in the folder that can be used."""
    return any(not file.refusal for file in models_in(models_folder()))


def _choose(usable: dict[str, ModelFile]) -> Chosen | None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="own_choice"):
        visit.restore(FILE, visit.linked(FILE))
        if st.session_state[FILE] not in usable:
            st.session_state[FILE] = min(usable, key=lambda name: (not name.startswith(FIRST), name))
        st.selectbox("Model", list(usable), key=FILE, width=340)
        visit.restore(LAZILY, False)
        st.toggle(
            "Use little memory",
            key=LAZILY,
            help="On: a layer's numbers are unpacked when they are used (about 0.25 GB in all), and reading is slower. "
            "Off: all are unpacked at once (about 0.7 GB).",
        )
        file, lazily = usable[visit.keep(FILE)], bool(visit.keep(LAZILY))
        key = f"{file.name} {file.size} {file.path.stat().st_mtime_ns} {lazily}"
        button = st.empty()
    if not _is_wished(key, file):
        button.button(f"Load it ({megabytes(file.size)})", key="own_load", on_click=partial(_wake, key))
        return None
    return _loaded(key, file, lazily=lazily, button=button)


def _loaded(key: str, file: ModelFile, *, lazily: bool, button: Any) -> Chosen | None:
    held = STORE.wish(key, visit.name(), partial(_load, file, lazily))
    job = held.job
    if not is_done(
        job,
        lambda: f"Loading {file.name}: {100 * job.fraction:.0f} %",
        key="own_loading",
        stop=partial(_cancel, key),
        label="Cancel",
    ):
        return None
    if job.result is None:
        why = html.escape(job.refusal) if job.refusal else "Loading was stopped."
        st.html(f'<p class="av-note" role="status"><strong>{html.escape(file.name)}</strong>: {why}</p>')
        button.button("Try again", key="own_again", on_click=partial(_again, key))
        return None
    button.button("Unload", key="own_unload", type="tertiary", on_click=partial(_unload, key), help=UNLOAD)
    return Chosen(key, held, job.result)


UNLOAD = (
    f"The server keeps at most {MOST_MODELS} models in memory, for all who look at this page. "
    "Unload this one to free its memory."
)


def _load(file: ModelFile, lazily: bool, tell: Progress) -> Any:
    return load(file.path, lazily=lazily, progress=tell)


def _draw_refused(files: Sequence[ModelFile]) -> None:
    """The files in the folder that cannot be used, each with the reason, in a fold."""
    refused = [file for file in files if file.refusal]
    if refused:
        n = len(refused)
        with st.expander(
            f"{n} {'file' if n == 1 else 'files'} in the folder models/ cannot be used", key="own_refused"
        ):
            lines = "".join(
                f"<li><strong>{html.escape(file.name)}</strong>: {html.escape(str(file.refusal))}</li>"
                for file in refused
            )
            st.html(f'<ul class="av-own-list">{lines}</ul>')


def _is_wished(key: str, file: ModelFile) -> bool:
    """Whether to load without being asked: small files, what is loaded already, and what was asked for."""
    if key in visit.kept().get(ASLEEP, ()):
        return False
    return file.size <= LOADED_UNASKED or STORE.found(key) is not None or key in visit.kept().get("own_awake", ())


def _wake(key: str) -> None:
    visit.kept().setdefault(ASLEEP, set()).discard(key)
    visit.kept().setdefault("own_awake", set()).add(key)


def _sleep(key: str) -> None:
    visit.kept().setdefault(ASLEEP, set()).add(key)
    visit.kept().setdefault("own_awake", set()).discard(key)


def _cancel(key: str) -> None:
    STORE.withdraw(key, visit.name())
    _sleep(key)


def _unload(key: str) -> None:
    STORE.unload(key)
    _sleep(key)


def _again(key: str) -> None:
    STORE.unload(key)
    _wake(key)
