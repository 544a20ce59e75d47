"""What is measured, each with its budget: the core beside transformers on the same file, tokens and threads."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.bench_model.worker import Worker
from tests.models.references.reference import read_reference

HEAD = {"layer": 13, "head": 8}  # the one that turns from the cat to the mat
N_NEW = 33  # tokens written; the first comes from reading the text and is not counted
TEXTS = {name: text.ids.tolist() for name, text in read_reference("smollm2").texts.items()}


def tokens(n: int) -> list[int]:
    """The first n tokens of a text that begins anew when it ends."""
    return [int(i) for i in np.resize(TEXTS["long"], n)]


class Repeats(NamedTuple):
    """How often each thing is measured."""

    fresh: int  # processes of each side
    at_length: dict[int, int]  # by the number of tokens
    writing: int


WHOLE = Repeats(fresh=3, at_length={11: 21, 128: 11, 512: 5, 1024: 5}, writing=5)
QUICK = Repeats(fresh=1, at_length={11: 7, 128: 3, 512: 1, 1024: 1}, writing=2)
MOST = {11: 1.0, 128: 1.0, 512: 1.1, 1024: 1.1}  # of the ratio of times, by the number of tokens


@dataclass(kw_only=True)
class Row:
    """One line of the table. The budget is of the ratio of the medians, or of the median where we stand alone."""

    what: str
    unit: str
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    budget: float | None = None
    more_is_better: bool = False

    @property
    def held(self) -> float:
        """The number that is held against the budget."""
        ours = float(np.median(self.ours))
        return ours / float(np.median(self.theirs)) if self.theirs else ours

    @property
    def over(self) -> bool:
        """Whether the budget is broken."""
        if self.budget is None:
            return False
        return self.held < self.budget if self.more_is_better else self.held > self.budget


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What a benchmark is run with."""

    path: Path
    n_threads: int
    repeats: Repeats

    def worker(self, side: str) -> Worker:
        return Worker(side, self.path, self.n_threads)


def fresh(bench: Bench) -> Iterator[Row]:
    """Loading and memory, each time in new processes, ours and transformers' in turn."""
    load = Row(what="load the file: numbers and tokenizer", unit="s", budget=0.35)
    bare = Row(what="the same, but transformers without its tokenizer", unit="s")
    peaks = [Row(what=f"peak memory, {n:,} tokens read", unit="GB", budget=1.0) for n in (11, 1024)]
    for n, peak in zip((11, 1024), peaks, strict=True):
        for _ in range(bench.repeats.fresh):
            for side, seconds, held in (("ours", load.ours, peak.ours), ("transformers", load.theirs, peak.theirs)):
                with bench.worker(side) as worker:
                    loaded = worker.ask("load")
                    worker.ask("read", ids=tokens(n), every=False)
                    seconds.append(loaded["seconds"])
                    held.append(worker.ask("peak")["bytes"] / 1e9)
                    bare.theirs.extend([loaded["numbers"]] if "numbers" in loaded else [])
    bare.ours = load.ours
    yield from (load, bare, *peaks)


def running(bench: Bench) -> Iterator[Row]:
    """Reading and writing, in one process of each side, which take turns."""
    with bench.worker("ours") as ours, bench.worker("transformers") as theirs:
        for worker in (ours, theirs):
            worker.ask("load")
        for every in (False, True):
            for n, repeats in bench.repeats.at_length.items():
                answers = in_turn(ours, theirs, repeats, "read", ids=tokens(n), every=every)
                row = Row(what=f"read {n:,} tokens, scores of {'all' if every else 'the last'}", unit="s")
                row.budget = None if every else MOST[n]
                row.ours, row.theirs = ([answer["seconds"] for answer in side] for side in answers)
                yield row
        answers = in_turn(ours, theirs, bench.repeats.writing, "write", ids=tokens(11), n=N_NEW)
        row = Row(what="write with a KV cache", unit="tokens/s", budget=1.0, more_is_better=True)
        row.ours, row.theirs = ([(N_NEW - 1) / answer["seconds"] for answer in side] for side in answers)
        if answers[0][0]["tokens"] != answers[1][0]["tokens"]:
            row.what += " (**not the same tokens**)"
        yield row


def in_turn(ours: Worker, theirs: Worker, repeats: int, act: str, **given: Any) -> list[list[dict[str, Any]]]:
    """So many answers of each, after one that does not count; who begins changes."""
    answers: list[list[dict[str, Any]]] = [[], []]
    for turn in range(repeats + 1):
        for side in (0, 1) if turn % 2 else (1, 0):
            answers[side].append((ours, theirs)[side].ask(act, **given))
    return [side[1:] for side in answers]


def alone(bench: Bench) -> Iterator[Row]:
    """What only the core does: pictures at once, and a model that stays in its file."""
    picture = Row(what="first picture of 10 tokens after loading: read, one head's record", unit="s", budget=0.5)
    lazy_picture = Row(what="the same with the numbers left in the file", unit="s")
    lazy_peak = Row(
        what="peak memory with the numbers left in the file: Python, libraries, tokenizer, 10 tokens read, "
        "scores of the last, one head's record",
        unit="GB", budget=0.25,
    )  # fmt: skip
    for _ in range(max(2, bench.repeats.fresh)):
        for lazily, row in ((False, picture), (True, lazy_picture)):
            with bench.worker("ours") as worker:
                worker.ask("load", lazily=lazily)
                row.ours.append(worker.ask("pictured", ids=TEXTS["english"], **HEAD)["seconds"])
                worker.ask("read", ids=TEXTS["english"], every=False)
                lazy_peak.ours.extend([worker.ask("peak")["bytes"] / 1e9] if lazily else [])
    yield from (picture, lazy_picture, lazy_peak)
    with bench.worker("ours") as worker:
        worker.ask("load")
        told = [worker.ask("mapped", ids=tokens(1024), **HEAD) for _ in range(bench.repeats.fresh + 1)][1:]
    yield Row(what="one head's map of 1,024 tokens", unit="ms", ours=[1000 * one["map"] for one in told])
    yield Row(what="one token's row in all heads, 1,024 tokens", unit="ms", ours=[1000 * one["row"] for one in told])


Group = Callable[[Bench], Iterator[Row]]
GROUPS: tuple[Group, ...] = (fresh, running, alone)
