"""Chromium for tests and measurements: find it, start it, and read what a page shows."""

import os
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "No Chromium found. Install one (Debian, Ubuntu: apt install chromium; elsewhere: "
    "python -m playwright install chromium) or name it in the environment variable CHROMIUM."
)

# Opened at a page's own address, Streamlit's front end first looks for its server below that address: a 404 by design.
PROBE = re.compile(r"/\w+/_stcore/(health|host-config)")


def find_chromium(playwright: Playwright) -> str:
    """The path of a Chromium: the one named in CHROMIUM, the system's, or Playwright's own.

    Raises FileNotFoundError if there is none, saying how to get one.
    """
    named = os.environ.get("CHROMIUM")
    if named:
        if not shutil.which(named):
            raise FileNotFoundError(f"CHROMIUM names {named!r}, which is no program here.")
        return named
    for path in filter(None, map(shutil.which, NAMES)):
        return path
    own = playwright.chromium.executable_path
    if Path(own).exists():
        return own
    raise FileNotFoundError(MISSING)


def launch(playwright: Playwright) -> Browser:
    """Start Chromium without a window."""
    return playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)


class Faults(list[str]):
    """What must not happen while a page is open: a console error, a script error, a request to a foreign host."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        page.on("console", lambda message: self._console(message.type, message.text, message.location["url"]))
        page.on("pageerror", lambda error: self.append(f"script error: {error}"))
        page.on("request", lambda request: self._request(request.url))
        page.on("websocket", lambda socket: self._request(socket.url))

    def _console(self, kind: str, text: str, source: str) -> None:
        if kind == "error" and not PROBE.fullmatch(urlsplit(source).path):
            self.append(f"console error: {text} ({source})")

    def _request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            self.append(f"foreign request: {url}")


# Resolves when the script has not been running and the page has not changed for a while.
SETTLED = """
(quiet) => new Promise((resolve) => {
  let since = performance.now();
  const observer = new MutationObserver(() => { since = performance.now(); });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const look = () => {
    const app = document.querySelector('.stApp[data-test-script-state="notRunning"]');
    const skeleton = document.querySelector('[data-testid="stSkeleton"], [data-testid="stAppSkeleton"]');
    if (!app || skeleton) since = performance.now();
    if (performance.now() - since < quiet) { setTimeout(look, 20); return; }
    observer.disconnect();
    resolve();
  };
  look();
})
"""


def settled(page: Page, *, quiet: int = 250) -> None:
    """Wait until Streamlit's script has ended and the page has stood still for `quiet` milliseconds."""
    page.wait_for_selector(".stApp")
    page.evaluate(SETTLED, quiet)


def axe_violations(page: Page) -> list[dict[str, Any]]:
    """The barriers that axe-core finds on the page as it stands: the rule, its weight, and where."""
    found = Axe().run(page).response["violations"]
    return [
        {"rule": rule["id"], "impact": rule["impact"], "where": [node["target"] for node in rule["nodes"]]}
        for rule in found
    ]
