"""The recording as the page reads it: once, and a record for each head that is asked for."""

from functools import cache, lru_cache

from attention_core import AttentionRecord, toy
from attention_core.checks import Array
from attention_core.models.all_heads import weights_of_all_heads
from attention_core.models.pairs import weight_on_nouns
from attention_core.models.recording import Recording, read_recording
from attention_core.models.run import Run
from attention_view.real_model.counter_examples import Measured, Rows

Head = tuple[int, int]  # layer and head, from 0
TWINS: dict[str, Head] = {"pronoun": (13, 8), "previous": (16, 0), "sink": (18, 8)}  # by the toy's heads


@cache
def recording() -> Recording:
    """The recording, read when it is first asked for."""
    return read_recording()


def run_of(ending: str) -> Run:
    """What the model computed for the sentence with this last word."""
    return recording().runs[ending]


@lru_cache(maxsize=64)
def record_of(ending: str, layer: int, head: int) -> AttentionRecord:
    """The record of one head."""
    return run_of(ending).record(layer, [head])


@cache
def maps_of(ending: str) -> Array:
    """The maps of all heads: [layer, head, query, key]."""
    maps = weights_of_all_heads(run_of(ending))
    maps.flags.writeable = False
    return maps


@cache
def measured_pairs() -> tuple[Measured, ...]:
    """The sentences with two endings, and what the last word gives their nouns in the lesson's head."""
    return tuple(
        Measured(one.pair, [weight_on_nouns(run, one.pair.nouns, 0, 0) for run in one.runs])
        for one in recording().pairs
    )


@cache
def rows_of_it() -> tuple[Rows, Rows]:
    """What *it* looks at with the one last word and with the other: looking back only, and reading both ways."""
    both_ways = recording().both_ways
    back = {ending: record_of(ending, *TWINS["pronoun"]) for ending in toy.ENDINGS}
    both = {ending: both_ways[ending].record(0, [0]) for ending in toy.ENDINGS}
    return Rows("SmolLM2 looks back only", "back", back), Rows("MiniLM reads both ways", "both", both)
