"""The page of the real model in a browser: the twin swings along, 64 numbers open, and a click costs little."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import axe_violations, settled

MOST = 12_000  # bytes that a click may send


@pytest.mark.parametrize(
    "page", [{"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}, {}], indirect=True, ids=["phone", ""]
)
def test_both_sides_swing_and_the_64_numbers_of_a_head_open(page, app_server):
    received = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.goto(f"{app_server}/real_model")
    settled(page)
    sides = [page.locator(f".st-key-side_{name}") for name in ("toy", "model")]
    for side in sides:
        expect(side).to_contain_text("tired looks mostly at cat")
    page.get_by_role("radio", name="soft", exact=True).click()
    for side in sides:
        expect(side).to_contain_text("soft looks mostly at mat")
    settled(page)
    received.clear()
    sides[1].get_by_text("it", exact=True).first.click()
    for side in sides:
        expect(side).to_contain_text(re.compile("it looks"))
    settled(page)
    expect(page.get_by_text("Nobody wrote these numbers")).to_be_visible()
    assert sum(received) <= MOST
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    product = page.locator(".av-bars[data-letter=r] u").nth(5)
    product.click()
    sheet = page.get_by_role("region", name="Where a number comes from")
    expect(sheet).to_contain_text("raw score of it on cat, layer 13, head 8, SmolLM2")
    rest = sheet.get_by_role("button", name=re.compile("54 smaller terms"))
    rest.click()
    expect(rest).to_have_attribute("aria-expanded", "true")
    sheet.get_by_role("button", name=re.compile("query of it: number 2, layer 13")).click()
    expect(sheet).to_contain_text("SmolLM2")
    page.keyboard.press("Escape")
    expect(page.get_by_role("option", name=re.compile("^layer 18, head 8, The first token · "))).to_be_visible()
    page.get_by_role("option", name=re.compile("^Show all [0-9]+: The first token")).click()
    for n, (layer, head) in enumerate([(5, 2), (5, 3), (5, 4), (5, 5)]):  # no pick is lost, of the mouse or of a key
        tile = page.get_by_role("option", name=re.compile(f"^layer {layer}, head {head},"))
        if n % 2:
            tile.press("Enter")
        else:
            tile.click()
        expect(page.get_by_role("heading", name=f"The head you picked: layer {layer}, head {head}")).to_be_visible()
        expect(page.locator(".tile[aria-selected=true]")).to_have_attribute("data-head", str(9 * layer + head))
        expect(page).to_have_url(re.compile(rf"layer_head={layer}\.{head}"))
    way = page.get_by_role("button", name="to the picked head: layer 5, head 5")
    name = page.locator(".line .name")
    assert 0 < way.bounding_box()["x"] - name.bounding_box()["x"] - name.bounding_box()["width"] < 40  # right after it
    way.press("Enter")
    expect(page.locator(".st-key-picked")).to_be_focused()
    expect(page.get_by_role("heading", name="The head you picked: layer 5, head 5")).to_be_in_viewport()
    marked = page.get_by_role(
        "option", name=re.compile("^layer 13, head 8, No clear role · the lesson's pronoun head;")
    )
    expect(marked).to_have_class(re.compile(r"\bmarked\b"))
    below, wide = page.locator(".st-key-guess").evaluate(
        """slider => { const [list, own] = [document.querySelector(".av-pairs"), slider].map((e) =>
        e.getBoundingClientRect()); return [own.top - list.bottom, own.width]; }"""
    )
    assert below >= 0 and wide <= 24 * 16  # the sentences are read, then asked about
    tables = page.locator(".av-many > *, .av-largest, .av-two-rows")
    assert tables.count() == 5
    assert tables.evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth).map(e => e.className)") == []
    assert axe_violations(page) == []
    heights = []
    for head in ("sink", "pronoun", "previous"):
        page.get_by_role("radio", name=head, exact=True).click()
        expect(sides[0]).to_contain_text(f"the toy, {head} head")
        settled(page)
        heights.append(page.locator(".stMain").evaluate("main => main.scrollHeight"))
    assert len(set(heights)) == 1  # nothing moves, from the captions to the foot
