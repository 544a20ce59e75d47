"""What the learner has done on the workbench: one experiment, changed in steps that can be undone."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from attention_core import Experiment, toy
from attention_core.changes import require_numbers, with_mask
from attention_core.experiment import LAST
from attention_core.history import History
from attention_view import inputs

KEY = "workbench"  # in the session: the steps
REFUSED = "workbench refused"  # in the session: why the last change was not made
LONGEST_ADDRESS = 6_000  # characters; longer ones are cut by mail programs, chats and proxies


def history() -> History[Experiment]:
    """The steps so far; a new visit starts from the address. What a lesson page has switched since is one more step."""
    if KEY not in st.session_state:
        st.session_state[KEY] = History(_changes_of(inputs.linked()))
    steps: History[Experiment] = st.session_state[KEY]
    st.session_state[KEY] = steps = steps.changed(_with_shared(steps.present, inputs.experiment()))
    return steps


def experiment() -> Experiment:
    """The experiment as it stands: every change made on the workbench, and the shared choice of head and token."""
    present, shared = history().present, inputs.experiment()
    return replace(present, head=shared.head, ask=inputs.asking(len(present.tokens)))


def change(make: Callable[[Experiment], Experiment]) -> None:
    """Make one step, or say why it is refused; then everything stays as it was. Call it in a callback."""
    before = experiment()
    try:
        after = make(before)
        require_numbers(after)
    except ValueError as refusal:
        st.session_state[REFUSED] = str(refusal)
        return
    _show(history().changed(_changes_of(after)), ask=after.ask)


def take(loaded: Experiment) -> None:
    """One step to another experiment, with its own way of being looked at."""
    _show(history().changed(_changes_of(loaded)), head=loaded.head, ask=loaded.ask)


def set_fields(**fields: Any) -> None:
    """One step: other values of an experiment's fields."""
    change(partial(replace, **fields))


def undo() -> None:
    """Take the last step back."""
    _show(history().undone())


def redo() -> None:
    """Make the step again that was taken back last."""
    _show(history().redone())


def refused() -> str:
    """Why the last change was not made, or nothing."""
    said: str = st.session_state.get(REFUSED, "")
    return said


def write_link() -> bool:
    """Keep the whole experiment in the address; False if it is too long for one, and then only the view is kept."""
    whole = experiment()
    fits = len(address(whole.link())) <= LONGEST_ADDRESS
    inputs.write_link(whole if fits else inputs.experiment())
    return fits


def address(link: Mapping[str, str]) -> str:
    """The address of the page with a link's settings, as a browser writes it."""
    place = (st.context.url or "").partition("?")[0]
    return f"{place}?{urlencode(link)}"


def _show(steps: History[Experiment], *, head: str | None = None, ask: int | None = None) -> None:
    """Keep the steps, and set the shared inputs by the last of them; head and token stay unless told."""
    st.session_state.update({KEY: steps, REFUSED: ""})
    wanted = inputs.asking(len(steps.present.tokens)) if ask is None else ask
    inputs.choose(replace(steps.present, head=head or inputs.experiment().head, ask=wanted))


def _changes_of(chosen: Experiment) -> Experiment:
    """The experiment without what is only a way to look at it."""
    return replace(chosen, head=toy.HEAD_NAMES[0], ask=LAST)


def _with_shared(present: Experiment, shared: Experiment) -> Experiment:
    """The experiment with what the shared inputs say; another mask takes the cells along that were drawn on the old."""
    ending = present.ending if present.words else shared.ending
    if (present.mask == "none") == (shared.mask == "none"):
        return replace(present, ending=ending, heads=shared.heads)
    return replace(with_mask(present, shared.mask), ending=ending, heads=shared.heads)
