"""`make bench-model` measures the core beside transformers (eager, float32, attention weights handed out).

Both run SmolLM2-135M-Instruct from the same .gguf file, on the same tokens and as many threads, in one run, in turn.
Its exit status says whether everything could be measured, not whether it was fast: a busy machine is nobody's fault.
"""

import argparse
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from attention_core.models import fetch
from attention_core.models.fetching import FETCHABLE
from attention_core.models.files import models_folder
from tests.bench.machine import machine
from tests.bench_model import measures
from tests.bench_model.measures import Bench, Row
from tests.bench_model.worker import Broken

HEADER = (
    "| what | | ours: median | p95 | transformers: median | p95 | ratio | budget | | n |\n"
    "|---|---|--:|--:|--:|--:|--:|--:|---|--:|"
)


def line(row: Row) -> str:
    """One line of the table."""
    digits = 1 if row.unit in ("tokens/s", "ms") else 3
    sides = (
        [f"{number:,.{digits}f}" for number in np.percentile(side, [50, 95])] if side else ["", ""]
        for side in (row.ours, row.theirs)
    )
    numbers = " | ".join(number for side in sides for number in side)
    ratio = f"{row.held:.2f}" if row.theirs else ""
    budget = "" if row.budget is None else f"{'≥' if row.more_is_better else '≤'} {row.budget:g}"
    verdict = "" if row.budget is None else "**over**" if row.over else "ok"
    if row.budget is not None and not row.theirs:
        budget += f" {row.unit}"
    return f"| {row.what} | {row.unit} | {numbers} | {ratio} | {budget} | {verdict} | {len(row.ours)} |"


def versions() -> str:
    """What runs. Ends the program with an explanation if something is missing."""
    try:
        named = [f"{name} {version(name)}" for name in ("numpy", "gguf", "torch", "transformers")]
    except PackageNotFoundError as missing:
        sys.exit(f"{missing.name} is not installed here. `make bench-model` installs what the benchmark needs.")
    return ", ".join([f"Python {platform.python_version()}", *named])


def fetched_model() -> Path:
    """The model's file, fetched first if it is not there. Ends the program if it cannot be."""
    if fetch.main(["smollm2"]):
        sys.exit("The benchmark needs that model.")
    return models_folder() / FETCHABLE["smollm2"].place


def main() -> None:
    """Measure and print, line by line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench_model", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure each thing only once or a few times")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of both sides (default: all cores)")
    parser.add_argument("--model", type=Path, metavar="FILE", help="the .gguf file (default: as fetched)")
    options = parser.parse_args()
    about = versions()
    path = (options.model or fetched_model()).resolve()
    bench = Bench(
        path=path, n_threads=options.threads, repeats=measures.QUICK if options.quick else measures.WHOLE
    )  # fmt: skip
    print(f"{path.name}, {options.threads} threads a side, {machine()}\n{about}\n\n{HEADER}", flush=True)
    failed = [print_group(group, bench) for group in measures.GROUPS]
    print(f"\nAt the end: {machine()}. Ratios are of the medians: ours / transformers.")
    print("The scores of all tokens have no budget of their own.")
    sys.exit(any(failed))


def print_group(group: measures.Group, bench: Bench) -> bool:
    """Print the lines of some measures as they come; true if one could not be taken."""
    try:
        for row in group(bench):
            print(line(row), flush=True)
    except Broken as fault:
        print(f"| {group.__name__}: not measured, {fault} | | | | | | | | | |", flush=True)
        return True
    return False


main()
