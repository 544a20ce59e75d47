"""What comes next: the likeliest tokens, and a text that the model writes on, one token at a time."""

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from attention_core.models import Run
from attention_core.models.model import Model, Step
from attention_core.models.next_token import likeliest
from attention_core.models.progress import Progress
from attention_core.models.token_path import TokenPath
from attention_view import drawn
from attention_view.own_text import numbers, picture, told, visit
from attention_view.own_text.head_choice import Head
from attention_view.own_text.job import Job
from attention_view.own_text.model_choice import Chosen
from attention_view.own_text.next_table import likeliest_table
from attention_view.own_text.reading import ASKS, WRITES
from attention_view.own_text.store import turn
from attention_view.own_text.watching import LOOK_AGAIN

MOST_WRITTEN = 40  # tokens
CHOSE = """
The next token is read off the newest one, once it has looked back in every head. Pick any token: you see what it looked
at in this head.
"""


@dataclass(eq=False)
class Writing:
    """A text that a model writes on, token by token."""

    asked: tuple[Any, ...]  # the model and what it is of: tokens, or a question
    end: int | None = None  # the token that ends an answer, once the model has begun
    ids: list[int] = field(default_factory=list)  # written so far
    run: Run | None = None  # with all rows before the newest token, once the writing has ended
    looked_into: bool = False  # whether its picture was drawn
    job: Job[None] = field(init=False)

    @property
    def text_ids(self) -> list[int]:
        """What is written so far, without the mark at its end."""
        ids = list(self.ids)
        return ids[:-1] if self.ended_itself else ids

    @property
    def ended_itself(self) -> bool:
        """Whether the model wrote the token that ends an answer."""
        return bool(self.ids) and self.ids[-1] == self.end


def draw(chosen: Chosen, run: Run, head: Head, ids: list[int]) -> None:
    """Draw the likeliest next tokens and the button that lets the model write on."""
    model = chosen.model
    if model.settings.family == "bert":
        drawn.markdown(
            "**This model does not write.** A BERT reads both ways: when it was trained, words were hidden in the "
            "middle of a text. It was never asked for the next one, so it has no scores for it."
        )
        return
    likely = likeliest(model.final_scores(run)[0])
    names = [model.tokenizer.shown([one.token])[0] for one in likely]
    drawn.html(likeliest_table(likely, names))
    _write_on(chosen, run, head, ids)


def _write_on(chosen: Chosen, run: Run, head: Head, ids: list[int]) -> None:
    room = int(chosen.model.settings.longest) - len(ids)
    found: Writing | None = visit.kept().get(WRITES)
    if found is not None and found.asked != (chosen.key, tuple(ids)):
        found.job.stop()  # it is of another text
        found = None
    running = found is not None and found.job.running
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="own_write_line"):
        st.button(
            f"Write on, up to {min(MOST_WRITTEN, room)} tokens",
            key="own_write",
            on_click=partial(_begin, chosen, ids, min(MOST_WRITTEN, room)),
            disabled=running or room < 1 or not run.causal,
        )
    if found is not None:
        st.fragment(_written, run_every=LOOK_AGAIN if running else None)(chosen, found, head, running)


@told.in_one_line()
def _written(chosen: Chosen, found: Writing, head: Head, was_running: bool) -> None:
    if was_running and not found.job.running:
        st.rerun()
    text = chosen.model.tokenizer.decode(found.text_ids) if found.text_ids else ""
    if text or was_running:
        st.html(f'<p class="av-own-text"><bdi>{html.escape(text) or "…"}</bdi></p>')
    if was_running:
        st.button("Stop", key="own_write_stop", on_click=found.job.stop)
        return
    if found.job.refusal:
        st.html(f'<p class="av-note" role="status">{html.escape(found.job.refusal)}</p>')
    elif said := end_sentence(len(found.text_ids), by_itself=found.ended_itself, stopped=found.job.stopped):
        st.html(f'<p class="av-caption" role="status">{said}</p>')
    if found.run is not None:
        drawn.markdown(CHOSE)
        ids = [*found.asked[1], *found.ids][: found.run.n_tokens]
        _look_into(found, TokenPath(chosen.held.model, found.run, ids), head)


def end_sentence(n: int, *, by_itself: bool, stopped: bool) -> str:
    """How a text of n written tokens came to its end; nothing if it is as long as it may be.

    >>> end_sentence(1, by_itself=True, stopped=False)
    'The model ended here by itself, after 1 token.'
    """
    if not (by_itself or stopped):
        return ""
    if not n:
        return "The model ended at once: it wrote nothing." if by_itself else "It was stopped before it wrote anything."
    who = "The model ended here by itself" if by_itself else "It was stopped here"
    return f"{who}, after {n} token{'s' if n > 1 else ''}."


def _look_into(found: Writing, path: TokenPath, head: Head) -> None:
    """Draw the text with what was written as the picture of the page; the newest token asks until another is picked."""
    asks = f"{picture.WRITTEN.keys}_ask"
    if not found.looked_into:
        found.looked_into, st.session_state[asks] = True, path.run.n_tokens - 1
    ask = picture.of_run(path.run, head, st.session_state[asks], picture.WRITTEN)
    numbers.opened(path, head, ask, picture.WRITTEN)


def _begin(chosen: Chosen, ids: list[int], n: int) -> None:
    if ASKS in visit.kept():
        visit.kept()[ASKS].job.stop()  # one at a time
    visit.kept()[WRITES] = begun(chosen, (chosen.key, tuple(ids)), lambda model: model.write(ids, n), n)


def begun(chosen: Chosen, asked: tuple[Any, ...], steps: Callable[[Model], Iterable[Step]], n: int) -> Writing:
    """Begin to write the tokens of at most n steps, up to the one that ends an answer."""
    found, here = Writing(asked), visit.name()

    def work(tell: Progress) -> None:
        with turn(chosen.held, here, tell, lambda waiting: None):
            model = chosen.model
            found.end = model.tokenizer.end
            _write(found, steps(model), tell, n)

    found.job = Job(work, wanted=lambda: visit.is_there(here))
    return found


def _write(found: Writing, steps: Iterable[Step], tell: Progress, n: int) -> None:
    """Take the steps, and keep the run of the last one: a step itself holds the model."""
    step = None
    try:
        for place, step in enumerate(steps, start=1):
            found.ids.append(step.id)
            tell(place / n)
            if step.id == found.end:
                return
    finally:
        found.run = None if step is None else step.run
