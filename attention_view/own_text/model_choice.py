"""Which model reads: one of those in the models folder, loaded in the background and shared by all visits."""

import html
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention_core.models.files import ModelFile, ModelFileError, load, models_folder, models_in
from attention_core.models.free_memory import free_memory
from attention_core.models.progress import Progress
from attention_core.models.refusal import os_reason
from attention_view.own_text import fetch_card, visit
from attention_view.own_text.sizes import megabytes
from attention_view.own_text.store import MOST_MODELS, Held, Store
from attention_view.own_text.watching import is_done
from attention_view.tokens import markdown_text

LOADED_UNASKED = 200_000_000  # bytes: a larger file is loaded only when the reader says so
FIRST = "SmolLM2"  # the model that is chosen at first, if it is there
STORE = Store(visit.is_there)  # of the whole server
FILE, LAZILY, ASLEEP = "own_model", "own_lazily", "own_asleep"
GONE = "own_gone"  # the chosen model that disappeared


class Chosen(NamedTuple):
    """A model that is ready to read. It does not hold the model itself, so that unloading frees it."""

    key: str  # tells it from others, and from itself after a change of the file
    name: str  # in sentences
    held: Held
    fold: DeltaGenerator  # the place in the fold for what can be chosen of it

    @property
    def model(self) -> Any:
        """The model, while it is in memory. Raises ValueError when it was unloaded."""
        return self.held.model()


def listed() -> list[ModelFile]:
    """What lies in the models folder now. The page asks once a run."""
    return models_in(models_folder())


def pick(fold: DeltaGenerator, files: Sequence[ModelFile]) -> Chosen | None:
    """Draw the choice in a fold, and load what is chosen. None while there is no model, or it is not ready.

    How far a load or a fetch is, is drawn outside.
    """
    usable = {file.name: file for file in files if not file.refusal}
    _set_choice(usable)
    if not usable:
        fetch_card.offer()
        fetch_card.card()
        fetch_card.way_back()
        _draw_refused(files)
        return None
    with fold, st.expander(f"{markdown_text(_name_of(st.session_state[FILE]))} · change", key="own_fold"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="own_model_line"):
            file, lazily = _choose(usable)
            of_model, button = st.container(width="content"), st.empty()
        more = st.container(key="own_more")
        _draw_refused(files)
    missing = tuple(name for name, model in fetch_card.FETCHABLE.items() if model.place not in usable)
    if missing:
        with st.container() if fetch_card.FETCHES.running() else more:
            fetch_card.card(missing)
    return _ready(file, lazily=lazily, button=button, fold=of_model)


def is_any(files: Sequence[ModelFile]) -> bool:
    """Whether one of them can be used."""
    return any(not file.refusal for file in files)


def _set_choice(usable: Collection[str]) -> None:
    """See that the choice is a model that can be used, if there is one, and say which one is gone."""
    first = min(usable, key=lambda name: (not name.startswith(FIRST), name), default=None)
    chosen = st.session_state.get(FILE) or visit.kept().get(FILE)
    if chosen is None and first is not None:
        chosen = _linked(usable, first)
    if chosen is not None and chosen not in usable:
        visit.kept()[GONE], chosen = chosen, first
    if chosen is not None:
        st.session_state[FILE] = chosen
    _draw_gone(usable)


def _linked(usable: Collection[str], first: str) -> str:
    """The model of the address, if it can be used."""
    name = visit.linked(FILE)
    if name is not None and name not in usable:
        visit.refuse(FILE, "the name of a model in the folder models/")
    return name if name is not None and name in usable else first


def _draw_gone(usable: Collection[str]) -> None:
    """Say which model is gone until it is back, or another one is chosen."""
    gone = visit.kept().get(GONE)
    if gone in usable:
        visit.kept().pop(GONE)
    elif gone:
        st.html(
            f'<p class="av-note" role="status"><strong>{html.escape(gone)}</strong> cannot be used any more: it is not '
            "in the folder models/, or it was changed.</p>"
        )


def _name_of(file: str) -> str:
    """What sentences call a model: a known one by its name, another one by that of its file."""
    return next((model.name for model in fetch_card.FETCHABLE.values() if model.place == file), file)


def _choose(usable: dict[str, ModelFile]) -> tuple[ModelFile, bool]:
    """The model, and whether it is read a layer at a time."""
    st.selectbox(
        "Model",
        list(usable),
        key=FILE,
        width=270,
        format_func=lambda file: file if _name_of(file) in usable else _name_of(file),
        on_change=lambda: visit.kept().pop(GONE, None),
    )
    visit.write_link(**{FILE: st.session_state[FILE]})
    file = usable[visit.keep(FILE)]
    visit.restore(LAZILY, False)
    st.toggle(
        "Use little memory",
        key=LAZILY,
        help="On: a layer's numbers are unpacked when they are used (about 0.25 GB in all), and reading is slower. "
        "Off: all are unpacked at once (about 0.7 GB).",
    )
    return file, bool(visit.keep(LAZILY))


def _ready(file: ModelFile, *, lazily: bool, button: DeltaGenerator, fold: DeltaGenerator) -> Chosen | None:
    key = _key(file, lazily=lazily)
    if not lazily and _is_short(key, file):
        lazily, key = True, _key(file, lazily=True)
        st.html(
            f'<p class="av-note" role="status">This computer has less memory free than the {megabytes(file.in_memory)} '
            "that this model takes, so its layers are unpacked one at a time. The numbers are the same, only "
            "slower.</p>"
        )
    if _is_wished(key, file):
        return _loaded(key, file, lazily=lazily, button=button, fold=fold)
    st.button(f"Load it ({megabytes(file.size)})", key="own_load", on_click=partial(_wake, key))
    return None


def _key(file: ModelFile, *, lazily: bool) -> str:
    try:
        changed = file.path.stat().st_mtime_ns
    except OSError as error:
        raise ModelFileError(Path(file.name), os_reason(error)) from None
    return f"{file.name} {file.size} {changed} {lazily}"


def _is_short(key: str, file: ModelFile) -> bool:
    """Whether there was too little memory for a model when this visit first came to it, and it is not loaded."""
    if STORE.found(key) is not None:
        return False
    seen: dict[str, bool] = visit.kept().setdefault("own_short", {})
    free = free_memory()
    return seen.setdefault(key, free is not None and free < file.in_memory)


def _loaded(key: str, file: ModelFile, *, lazily: bool, button: DeltaGenerator, fold: DeltaGenerator) -> Chosen | None:
    held = STORE.wish(key, visit.name(), partial(_load, file, lazily))
    job = held.job
    if not is_done(
        job,
        lambda: f"Loading {_name_of(file.name)}: {100 * job.fraction:.0f} %",
        key="own_loading",
        stop=partial(_cancel, key),
    ):
        return None
    if job.result is None:
        why = job.refusal or "Loading was stopped."
        named = why if why.startswith(file.name) else f"{file.name}: {why}"
        st.html(f'<p class="av-note" role="status">{html.escape(named)}</p>')
        st.button("Try again", key="own_again", on_click=partial(_again, key))
        return None
    button.button("Unload", key="own_unload", on_click=partial(_unload, key), help=UNLOAD)
    return Chosen(key, _name_of(file.name), held, fold)


UNLOAD = (
    f"The server keeps at most {MOST_MODELS} models in memory, for all who look at this page. "
    "Unload this one to free its memory."
)


def _load(file: ModelFile, lazily: bool, tell: Progress) -> Any:
    return load(file.path, lazily=lazily, progress=tell)


def _draw_refused(files: Sequence[ModelFile]) -> None:
    """The files in the folder that cannot be used, each with the reason."""
    refused = [file for file in files if file.refusal]
    if refused:
        n = len(refused)
        lines = "".join(
            f"<li><strong>{html.escape(file.name)}</strong>: {html.escape(str(file.refusal))}</li>" for file in refused
        )
        st.html(
            f'<p class="av-caption">{n} {"file" if n == 1 else "files"} in the folder models/ cannot be used:</p>'
            f'<ul class="av-own-list">{lines}</ul>'
        )


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
    visit.forget_work()
    STORE.unload(key)
    _sleep(key)


def _again(key: str) -> None:
    STORE.unload(key)
    _wake(key)
