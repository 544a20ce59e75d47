"""What is measured on the pages of real models: the recorded one, and one that reads a long text."""

from collections.abc import Iterator
from itertools import cycle, islice

from playwright.sync_api import Browser, expect

from tests.bench.measures import SIZE, Measure, alternate, answers, bytes_sent, clicks, faults, tokens, typed
from tests.bench.visit import Turn, Visit
from tests.browser.chromium import new_context, settled
from tests.browser.server import ROOT, Server

MODELS, MODEL = ROOT / "models", "SmolLM2-135M-Instruct.Q4_1.gguf"
SENTENCE, TIMES = "Attention lets every token look at the tokens before it. ", 93  # 11 tokens each, 1,024 with the last
HEADS, PLACES = ("7", "8"), (40, 900)


def recorded(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """The toy beside its twin: a click on a token, and the other ending."""
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(f"{server.address}/real_model")
    visit.page.evaluate("stopwatch.scope = '.st-key-both'")
    yield answers(
        "token click → both token views painted, page 12",
        30,
        visit.laps(clicks(visit.page, n), event="click", until="picked"),
    )
    laps = visit.laps(clicks(visit.page, n), event="click", until="followed")
    yield answers("token click → all that follows painted, page 12", 120, laps)
    yield bytes_sent("sent per token click, page 12", laps)
    tokens(visit.page)[-1].click()  # what the ending changes is the row of the last word
    endings = [visit.page.locator(".st-key-ending").get_by_text(name, exact=True) for name in ("soft", "tired")]
    yield answers("ending switch → both token views painted, page 12", 150, alternate(visit, endings, "view", n))
    yield from faults(visit, "page 12")


def long_text(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """1,024 tokens read by SmolLM2: another head's map, and a click on a token. Nothing if it has not been fetched."""
    if not (MODELS / MODEL).exists():
        print("| the map of a long text: not measured, make model fetches the model for it | | | | | | |")
        return
    live = Server(server.script, models=MODELS).wait()
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.page.goto(f"{live.address}/own_text?own_model={MODEL}&own_layer=13&own_head=8")
    visit.page.get_by_role("textbox", name="Your text").fill(SENTENCE * TIMES, timeout=60_000)
    visit.page.keyboard.press("Control+Enter")
    settled(visit.page)
    visit.page.get_by_role("button", name="Read", exact=True).click()
    expect(visit.page.locator(".map-view")).to_be_visible(timeout=120_000)
    settled(visit.page)
    words = visit.page.locator(".map-view .strip .token")
    assert words.count() == len(SENTENCE.split()) * TIMES + TIMES + 1
    head = visit.page.get_by_role("spinbutton", name="Head")
    yield answers("another head → its map of 1,024 tokens painted", 1_000, typed(visit, head, HEADS, "map", n))
    expect(visit.page.locator(".st-key-own_makes_maps")).to_have_count(0, timeout=120_000)  # its bar sends bytes too
    places = islice(cycle(PLACES), n)
    turns = (Turn(words.nth(i).click, str(i), before=words.nth(i).hover) for i in places)
    laps = visit.laps(turns, event="click", until="mapped")
    yield answers("token click → map of 1,024 tokens painted", 30, laps)
    yield bytes_sent("sent per token click, map of 1,024 tokens", laps)
    yield from faults(visit, "page 13")
    live.stop()
