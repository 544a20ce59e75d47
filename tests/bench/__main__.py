"""`python -m tests.bench [SCRIPT]` measures the app in a real Chromium and prints a table beside the budgets.

Its exit status says whether everything could be measured, not whether it was fast: a busy machine is nobody's fault.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import streamlit
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.bench import measures, real_models
from tests.bench.machine import machine
from tests.bench.measures import Measure
from tests.browser.chromium import launch
from tests.browser.server import APP, Server

HEADER = "| what | median | p95 | budget (p95) | | blank frames | n |\n|---|--:|--:|--:|---|--:|--:|"

Group = Callable[[Browser, Server, int], Iterator[Measure]]
GROUPS: tuple[Group, ...] = (
    measures.picking,
    measures.following,
    measures.switching,
    measures.figures,
    measures.editing,
    measures.workbench,
    real_models.recorded,
    real_models.long_text,
    measures.page_switches,
    measures.first_loads,
    measures.core,
)


def line(measure: Measure) -> str:
    """One line of the table."""
    median, p95 = np.percentile(measure.samples, [50, 95])
    over = p95 > measure.budget or bool(measure.blank and not measure.may_blank)
    blank = "" if measure.blank is None else f"{measure.blank} of {measure.frames}"
    digits = 2 if measure.budget <= 1 else 1 if measure.unit == "kB" else 0
    numbers = " | ".join(f"{number:,.{digits}f} {measure.unit}" for number in (median, p95))
    verdict = "**over**" if over else "ok"
    budget = f"≤ {measure.budget:,g} {measure.unit}"
    return f"| {measure.what} | {numbers} | {budget} | {verdict} | {blank} | {len(measure.samples)} |"


def main() -> None:
    """Start the app afresh, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("script", nargs="?", type=Path, default=APP, help="the app (default: app.py)")
    parser.add_argument("--repeats", type=int, default=30, help="how often each act is measured (default: 30)")
    parser.add_argument(
        "--only", action="append", metavar="GROUP", help="measure this group alone, as in --only recorded"
    )
    options = parser.parse_args()
    chosen = [group for group in GROUPS if not options.only or group.__name__ in options.only]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        server = Server(options.script).wait()
        try:
            print(f"Chromium {browser.version}, Streamlit {streamlit.__version__}, {machine()}\n\n{HEADER}")
            failed = [print_group(group, browser, server, options.repeats) for group in chosen]
        finally:
            server.stop()
            browser.close()
    sys.exit(any(failed))


def print_group(group: Group, browser: Browser, server: Server, n: int) -> bool:
    """Print the lines of some measures as they come; true if one could not be taken."""
    try:
        for measure in group(browser, server, n):
            print(line(measure), flush=True)
    except PlaywrightError as fault:
        print(f"| {group.__name__.replace('_', ' ')}: not measured, {fault.message.splitlines()[0]} | | | | | | |")
        return True
    return False


main()
