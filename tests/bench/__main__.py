"""`python -m tests.bench [SCRIPT]` measures the app in a real Chromium and prints a table beside the budgets.

Its exit status says whether everything could be measured, not whether it was fast: a busy machine is nobody's fault.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import streamlit
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.bench import measures
from tests.bench.machine import machine
from tests.bench.measures import Measure
from tests.browser.chromium import launch
from tests.browser.server import APP, Server

HEADER = "| what | median | p95 | budget (p95) | | blank frames | n |\n|---|--:|--:|--:|---|--:|--:|"


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
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        server = Server(options.script).wait()
        try:
            print(f"Chromium {browser.version}, Streamlit {streamlit.__version__}, {machine()}\n\n{HEADER}")
            failed = [print_group(group, browser, server, options.repeats) for group in measures.GROUPS]
        finally:
            server.stop()
            browser.close()
    sys.exit(any(failed))


def print_group(group: measures.Group, browser: Browser, server: Server, n: int) -> bool:
    """Print the lines of some measures as they come; true if one could not be taken."""
    try:
        for measure in group(browser, server, n):
            print(line(measure), flush=True)
    except PlaywrightError as fault:
        print(f"| {group.__name__.replace('_', ' ')}: not measured, {fault.message.splitlines()[0]} | | | | | | |")
        return True
    return False


main()
