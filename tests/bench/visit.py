"""One visit to the app in Chromium, with the stopwatch in the page and a count of what the server sends."""

import base64
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, Locator

from tests.browser.chromium import Faults, settled

STOPWATCH = Path(__file__).with_name("stopwatch.js")
TAIL = 300  # ms for which frames are watched after the answer: a flicker may come late
Act = Callable[[], object]  # what a learner does


class Turn(NamedTuple):
    """One act to be measured, what must hold after it, and what the learner does shortly before."""

    act: Act
    value: str
    before: Act = lambda: None


class Lap(NamedTuple):
    """One measured answer."""

    ms: float
    frames: int
    blank: int  # frames in which a picture, a follower or a figure was gone or empty
    bytes: int  # what the server sent, from the event until the page stood still


class Visit:
    """A page of the app, opened in a context that carries the stopwatch."""

    def __init__(self, context: BrowserContext) -> None:
        context.add_init_script(path=STOPWATCH)
        self.page = context.new_page()
        self.faults = Faults(self.page)
        self.received = 0
        network = context.new_cdp_session(self.page)
        network.on("Network.webSocketFrameReceived", self._receive)
        network.send("Network.enable")

    def _receive(self, event: dict[str, Any]) -> None:
        frame = event["response"]
        text = frame["payloadData"]  # Chromium gives binary frames (opcode 2) in base64
        self.received += len(base64.b64decode(text)) if frame["opcode"] == 2 else len(text.encode())

    def open(self, address: str) -> dict[str, float]:
        """Go to an address; returns when its first picture was painted: `epoch` and `ms` since the visit began."""
        self.page.goto(address, wait_until="commit")
        first: dict[str, float] = self.page.evaluate("stopwatch.first")
        settled(self.page)
        return first

    def lap(self, turn: Turn, *, event: str, until: str) -> Lap:
        """Do something and measure from its first `event` until the condition of the stopwatch holds of its value."""
        turn.before()
        settled(self.page)
        self.page.evaluate("([...how]) => { stopwatch.arm(...how) }", [event, until, turn.value, TAIL])
        before = self.received
        turn.act()
        seen = self.page.evaluate("stopwatch.result")
        settled(self.page)
        return Lap(**seen, bytes=self.received - before)

    def laps(self, turns: Iterable[Turn], *, event: str, until: str) -> list[Lap]:
        """A lap for each turn."""
        return [self.lap(turn, event=event, until=until) for turn in turns]

    def signature(self, part: str) -> str:
        """What the page shows of a part: "view", "plots" or "page"."""
        text: str = self.page.evaluate("(part) => stopwatch.signature(part)", part)
        return text

    def both_states(self, switches: list[Locator], part: str) -> list[str]:
        """What a part shows after each of two switches was clicked; ends where the second leaves it."""
        seen = []
        for switch in switches:
            switch.click()
            settled(self.page)
            seen.append(self.signature(part))
        return seen
