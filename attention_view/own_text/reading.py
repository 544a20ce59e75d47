"""Reading a text with a model, as a job of one visit; a newer text stops an older one."""

from dataclasses import dataclass, field
from typing import Any

from attention_core.models import Run
from attention_core.models.progress import Progress
from attention_view.own_text import visit
from attention_view.own_text.job import Job
from attention_view.own_text.model_choice import Chosen
from attention_view.own_text.store import turn
from attention_view.own_text.watching import is_done

WRITES, ASKS = "own_writes", "own_asks"  # in what the visit keeps: what a model writes on, and what it answers
BUSY = "The model is busy. Your text waits for it."
BUSY_FOR_YOU = "What you asked for before ends first. Then this text is read."
MOST_TOKENS = 1024  # of one text; its queries, keys and values take about 120 MB in SmolLM2


@dataclass(eq=False)
class Reading:
    """A text that is being read, or was."""

    asked: tuple[Any, ...]  # the model, the text and the mask that it is of
    waiting: bool = False  # whether the model is busy with something else
    job: Job[Run] = field(init=False)


def most_tokens(model: Any) -> int:
    """How many tokens a text may have: what the model was made for, and no more than this page takes."""
    return min(int(model.settings.longest), MOST_TOKENS)


def reading(chosen: Chosen, text: str, *, causal: bool, name: str = "own_reading") -> Reading:
    """The reading of a text: the one of this visit if it is of the very same, else a new one, which stops the old."""
    asked, kept = (chosen.key, text, causal), visit.kept()
    found: Reading | None = kept.get(name)
    if found is None or found.asked != asked:
        if found is not None:
            found.job.stop()
        found = kept[name] = _begun(chosen, text, asked, causal=causal)
    return found


def run_of(chosen: Chosen, found: Reading, *, key: str = "own_reads") -> Run | None:
    """What the model made of the text; None while it reads, which is drawn, or if it was stopped or refused."""

    n_layers = chosen.model.settings.n_layers

    def words() -> str:
        if found.waiting:
            return BUSY_FOR_YOU if chosen.held.user == visit.name() else BUSY
        return f"Reading: layer {min(round(found.job.fraction * n_layers) + 1, n_layers)} of {n_layers}"

    if not is_done(found.job, words, key=key, stop=found.job.stop):
        return None
    return found.job.result


def _begun(chosen: Chosen, text: str, asked: tuple[Any, ...], *, causal: bool) -> Reading:
    begun, here = Reading(asked), visit.name()
    for name in (WRITES, ASKS):
        if name in visit.kept():
            visit.kept()[name].job.stop()  # what this visit lets the model write must not keep its own text waiting

    def say_waiting(waiting: bool) -> None:
        begun.waiting = waiting

    def work(tell: Progress) -> Run:
        with turn(chosen.held, here, tell, say_waiting):
            model = chosen.model
            run: Run = model.read(model.tokenizer.encode(text), causal=causal, progress=tell)
            return run

    begun.job = Job(work, wanted=lambda: visit.is_there(here))
    return begun


def n_bytes(run: Run) -> int:
    """How much memory the queries, keys and values of a text take."""
    return run.Q.nbytes + run.K.nbytes + run.V.nbytes
