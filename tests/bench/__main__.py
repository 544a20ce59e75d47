"""`python -m tests.bench [SCRIPT]` measures the app in a real Chromium and prints a table beside the budgets.

It judges nothing by its exit status: a busy machine is slow without anybody's fault.
"""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import streamlit
from playwright.sync_api import Browser, sync_playwright

from tests.bench import measures
from tests.bench.measures import Measure
from tests.browser.chromium import launch
from tests.browser.server import APP, Server

HEADER = "| what | median | p95 | budget (p95) | | blank frames | n |\n|---|--:|--:|--:|---|--:|--:|"


def line(measure: Measure) -> str:
    """One line of the table."""
    median, p95 = np.percentile(measure.samples, [50, 95])
    over = p95 > measure.budget or bool(measure.blank)
    blank = "" if measure.blank is None else f"{measure.blank} of {measure.frames}"
    digits = 2 if measure.budget <= 1 else 1 if measure.unit == "kB" else 0
    numbers = " | ".join(f"{number:,.{digits}f} {measure.unit}" for number in (median, p95))
    verdict = "**over**" if over else "ok"
    budget = f"≤ {measure.budget:,g} {measure.unit}"
    return f"| {measure.what} | {numbers} | {budget} | {verdict} | {blank} | {len(measure.samples)} |"


def all_measures(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """Everything, each measured when it is asked for."""
    address = server.address
    yield from measures.picking(browser, address, n)
    yield from measures.following(browser, address, n)
    yield from measures.switching(browser, address, n)
    yield from measures.figures(browser, address, n)
    yield from measures.page_switches(browser, address, n)
    yield from measures.first_loads(browser, server, n)
    yield measures.core(n)


def main() -> None:
    """Start the app afresh, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("script", nargs="?", type=Path, default=APP, help="the app (default: app.py)")
    parser.add_argument("--repeats", type=int, default=30, help="how often each act is measured (default: 30)")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        server = Server(options.script).wait()
        try:
            print(f"Chromium {browser.version}, Streamlit {streamlit.__version__}, {os.cpu_count()} cores\n\n{HEADER}")
            for measure in all_measures(browser, server, options.repeats):
                print(line(measure), flush=True)
        finally:
            server.stop()
            browser.close()


main()
