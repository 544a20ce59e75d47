"""The page of the heads in a real browser: linked pictures, switches, and what follows them."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chromium import axe_violations, settled

HEADS = ("pronoun head", "previous head", "sink head")
MEAN = "mean of the heads that are on (3)"
PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def open_heads(app_server, page):
    def opened(query: str = "", visitor: Page = page) -> Page:
        visitor.goto(f"{app_server}/heads?{query}")
        expect(visitor.locator(".token-view").first).to_have_attribute("data-turn", re.compile(r"\d+"))
        settled(visitor)
        return visitor

    return opened


def view(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=f"Who looks at whom: {name}", exact=True)


def asks(page: Page, name: str, token: str) -> Locator:
    return view(page, name).get_by_role("radio", name=token, exact=True)


def switch(page: Page, head: str) -> None:
    page.locator(f".st-key-{head}_on label").first.click()


def strip(page: Page, title: str) -> list[str]:
    figure = page.locator("figure.av-strip").filter(has=page.locator("figcaption", has_text=title))
    return [text.replace("\n", "") for text in figure.locator("dd").all_inner_texts()]


def python_knows(page: Page, ask: int) -> None:
    expect(page.locator(".av-joining").locator("..")).to_have_attribute("data-follows-ask", str(ask))


def test_a_pick_in_one_head_moves_all_views_in_the_same_frame(open_heads):
    page = open_heads()
    page.evaluate("""() => {
      const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector('.token-view'));
      window.frames_seen = [];
      const picked = root => root.querySelector('[role=radio][aria-checked=true]').dataset.query;
      const look = () => {
        window.frames_seen.push(roots.filter(Boolean).map(picked).join());
        requestAnimationFrame(look);
      };
      look();
    }""")
    asks(page, "sink head", "it").click()
    python_knows(page, 7)
    settled(page)
    for name in HEADS:
        expect(asks(page, name, "it")).to_be_checked()
    assert set(page.evaluate("window.frames_seen")) == {"9,9,9", "7,7,7"}
    expect(page).to_have_url(re.compile(r"[?&]ask=8\b"))


@pytest.mark.parametrize("by", HEADS)
def test_arrow_keys_in_any_head_move_all_of_them(open_heads, by):
    page = open_heads()
    asks(page, by, "tired").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    for name in HEADS:
        expect(asks(page, name, "it")).to_be_checked()
    expect(asks(page, by, "it")).to_be_focused()
    python_knows(page, 7)


def test_picks_in_different_heads_one_right_after_the_other_end_at_the_last_one(open_heads):
    page = open_heads()
    places = {"cat": 1, "sat": 2, "mat": 5, "it": 7}
    for name, token in zip(("pronoun head", "sink head", "previous head", "pronoun head"), places, strict=True):
        page.evaluate(
            """([name, place]) => [...document.querySelectorAll('*')].map(e => e.shadowRoot?.querySelector(
              `.token-view[aria-label$="${name}"] [role=radio][data-query="${place}"]`)).find(Boolean).click()""",
            [name, places[token]],
        )
    switch(page, "previous")  # a message is on its way while the last picks are seen
    asks(page, "sink head", "because").click()
    python_knows(page, 6)
    settled(page, quiet=700)
    for name in HEADS:
        expect(asks(page, name, "because")).to_be_checked()
    python_knows(page, 6)


def test_only_the_picked_head_speaks_and_says_its_name(open_heads):
    page = open_heads()
    asks(page, "sink head", "it").click()
    python_knows(page, 7)
    spoken = view(page, "sink head").locator("[aria-live]")
    expect(spoken).to_have_attribute("aria-live", "polite")
    expect(spoken).to_have_text(re.compile("^sink head: it looks mostly at The"))
    silent = view(page, "pronoun head").locator("[aria-live]")
    expect(silent).to_have_attribute("aria-live", "off")
    expect(silent).to_have_text(re.compile("^pronoun head: it looks mostly at cat"))


def test_a_head_switched_off_is_joined_as_zeros_and_the_address_keeps_it(open_heads, new_page):
    page = open_heads("ask=8")
    widths = "paths => paths.map(path => path.style.strokeWidth)"
    lines = view(page, "pronoun head").locator(".strong path")
    before, drawn = strip(page, "it after"), lines.evaluate_all(widths)
    assert before[:2] == ["0.49, marked", "0.50, marked"]
    switch(page, "pronoun")
    expect(page.locator(".av-slice-off")).to_contain_text("pronoun head: off")
    expect(page).to_have_url(re.compile("heads=previous(,|%2C)sink"))
    settled(page)
    assert strip(page, "output joined")[:2] == ["0.02", "0.03"]
    assert strip(page, "it after")[:2] == ["0.02, marked", "0.03, marked"]
    assert lines.evaluate_all(widths) == drawn
    host = page.locator(".st-key-head_pronoun [data-testid^=stBidiComponent]").first
    expect(host).to_have_css("filter", "grayscale(1)")
    for visitor in (page, new_page()):
        open_heads(page.url.partition("?")[2], visitor)
        expect(visitor.get_by_role("switch", name=re.compile("pronoun head"))).not_to_be_checked()
        assert strip(visitor, "it after")[:2] == ["0.02, marked", "0.03, marked"]
    switch(page, "pronoun")
    expect(page.locator(".av-slice-off")).to_have_count(0)
    settled(page)
    assert strip(page, "it after") == before


def test_a_switch_and_a_token_are_reached_by_keyboard_alone(open_heads):
    page = open_heads()
    page.get_by_role("switch", name=re.compile("sink head")).focus()
    page.keyboard.press("Space")
    expect(page.locator(".av-slice-off")).to_contain_text("sink head: off")
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.shadowRoot?.activeElement?.getAttribute('role')") == "radio":
            break
    page.keyboard.press("Home")
    expect(asks(page, "pronoun head", "The, token 1")).to_be_checked()
    python_knows(page, 0)


def test_all_heads_off_say_that_nothing_is_added(open_heads):
    page = open_heads("heads=none")
    mean = page.get_by_role("table", name=MEAN)
    expect(page.get_by_text("All heads are off. Nothing is added, so tired stays as it was.")).to_be_visible()
    expect(mean).to_have_count(0)
    for name in HEADS:
        switch(page, name.split()[0])
        settled(page)
    expect(mean).to_be_visible()


def test_the_question_goes_along_to_other_pages_and_back(open_heads):
    page = open_heads()
    asks(page, "previous head", "mat").click()
    python_knows(page, 5)
    page.get_by_role("link", name="Back: Every token at once").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Every token at once")
    expect(page.locator(".sentence .shown")).to_have_text(re.compile("^mat looks"))
    page.get_by_role("grid").get_by_role("gridcell").nth(7 * 11).click()
    expect(page).to_have_url(re.compile(r"ask=8\b"))
    page.get_by_role("link", name=re.compile(r"^6\.")).click()
    expect(asks(page, "pronoun head", "it")).to_be_checked()
    python_knows(page, 7)


INSIDE = """root => {
  const box = root.getBoundingClientRect();
  return [...root.querySelectorAll('.token-row, .pill, .share, .heading, .legend, th, td, .sentence .shown')]
    .filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1)
    .filter(e => e.getBoundingClientRect().right > box.right + 1 || e.getBoundingClientRect().left < box.left - 1
      || (e.matches('.pill, .share') && e.scrollWidth > e.clientWidth + 1))
    .map(e => `${e.className || e.tagName}: ${e.textContent}`);
}"""


@pytest.mark.parametrize("page", [{}, PHONE], indirect=True, ids=["wide", "phone"])
def test_nothing_is_cut_and_nothing_overlaps(open_heads, page):
    open_heads("ask=8")
    views = page.locator(".token-view")
    assert views.count() == 3
    for one in views.all():
        assert one.evaluate(INSIDE) == []
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
    boxes = [box for box in (one.bounding_box() for one in views.all()) if box]
    for k, a in enumerate(boxes):
        for b in boxes[k + 1 :]:
            apart_x = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
            assert apart_x or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]


def test_wide_the_three_heads_stand_side_by_side_and_level(open_heads):
    page = open_heads()
    tops = [view(page, name).get_by_role("grid").bounding_box()["y"] for name in HEADS]
    assert max(tops) - min(tops) < 1


def test_what_is_folded_holds_the_matrices_and_the_same_numbers(open_heads):
    page = open_heads("heads=sink")
    page.get_by_text("The matrices").click()
    expect(page.get_by_role("table", name=re.compile("^W_Q of all heads"))).to_be_visible()
    page.get_by_text("The formula", exact=True).click()
    page.get_by_text("The same numbers as a table").click()
    expect(page.get_by_role("table", name=re.compile("^New vectors"))).to_be_visible()
    settled(page)
    assert axe_violations(page) == []
