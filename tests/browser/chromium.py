"""Chromium for tests and measurements: find it, start it, and read what a page shows."""

import os
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

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


# Notes how far the server has come with what the page has asked of it last: asked, begun, done. A message is told by
# its first byte, the number of a field of Streamlit's BackMsg or ForwardMsg and its form; a hash and metadata may lead.
RERUNS = f"""
(() => {{
  const RERUN = {BackMsg.RERUN_SCRIPT_FIELD_NUMBER} << 3 | 2;
  const BEGUN = {ForwardMsg.NEW_SESSION_FIELD_NUMBER} << 3 | 2, DONE = {ForwardMsg.SCRIPT_FINISHED_FIELD_NUMBER} << 3;
  const LEADING = [{ForwardMsg.HASH_FIELD_NUMBER} << 3 | 2, {ForwardMsg.METADATA_FIELD_NUMBER} << 3 | 2];
  const kind = (bytes) => {{
    let at = 0;
    while (LEADING.includes(bytes[at])) {{
      let length = 0, shift = 0;
      do {{ length |= (bytes[++at] & 127) << shift; shift += 7; }} while (bytes[at] & 128);
      at += 1 + length;
    }}
    return bytes[at];
  }};
  const heard = ({{ data }}) => {{
    const what = kind(new Uint8Array(data));
    if (what === BEGUN) window.rerun = "begun";
    if (what === DONE && window.rerun === "begun") window.rerun = "done";
  }};
  const send = WebSocket.prototype.send, listened = new WeakSet();
  window.rerun = "asked";
  WebSocket.prototype.send = function (data) {{
    if (!listened.has(this)) this.addEventListener("message", heard);
    listened.add(this);
    if (data[0] === RERUN) window.rerun = "asked";
    return send.call(this, data);
  }};
}})()
"""

# Resolves when all that was asked has been answered, the script has ended and the page has not changed for a while.
SETTLED = """
({ quiet, longest }) => new Promise((resolve, reject) => {
  const start = performance.now();
  let since = start;
  const observer = new MutationObserver(() => { since = performance.now(); });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const unrest = () => {
    if (window.rerun !== "done") return `the server has not answered what was asked last (${window.rerun})`;
    if (!document.querySelector('.stApp[data-test-script-state="notRunning"]')) return "the script is running";
    if (document.querySelector('[data-testid="stSkeleton"], [data-testid="stAppSkeleton"]')) return "a part is missing";
    if (document.getAnimations().some((one) => one instanceof CSSTransition)) return "a part is moving";
  };
  const look = () => {
    const why = unrest(), now = performance.now();
    if (why) since = now;
    const settled = now - since >= quiet, late = now - start >= longest;
    if (!settled && !late) { setTimeout(look, 20); return; }
    observer.disconnect();
    if (settled) resolve();
    else reject(new Error(`the page did not settle in ${longest} ms: ${why ?? "it keeps changing"}`));
  };
  look();
})
"""


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A visitor of its own, whose pages note what `settled` asks for."""
    context = browser.new_context(**options)
    context.add_init_script(RERUNS)
    return context


def settled(page: Page, *, quiet: int = 250, longest: int = 60_000) -> None:
    """Wait until the server has answered, its script has ended and the page has stood still for `quiet` milliseconds.

    Raises playwright's Error, saying what is still going on, if that takes more than `longest` milliseconds.
    The page must be one of a `new_context`.
    """
    page.wait_for_selector(".stApp")
    page.evaluate(SETTLED, {"quiet": quiet, "longest": longest})


def begun(page: Page) -> None:
    """Wait until the server has begun with what was asked last."""
    page.wait_for_function("window.rerun !== 'asked'")


def axe_violations(page: Page) -> list[dict[str, Any]]:
    """The barriers that axe-core finds on the page as it stands: the rule, its weight, and where."""
    found = Axe().run(page).response["violations"]
    return [
        {"rule": rule["id"], "impact": rule["impact"], "where": [node["target"] for node in rule["nodes"]]}
        for rule in found
    ]
