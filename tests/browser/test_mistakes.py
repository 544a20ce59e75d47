"""The page of the mistakes in a real browser: every mistake by mouse and keyboard, linked pictures, shuffled words."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from attention_view.mistakes import MISTAKES
from tests.browser.chromium import axe_violations, settled

PHONE_IN_THE_DARK = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
TELLTALES = {  # a part of what gives each away
    "no_divisor": "scores are divided by 2 1",
    "sqrt_d_model": "scores are divided by 2 3.46",
    "wrong_axis": "sums of all columns 0.02 to 3.67 1 each",
    "mask_as_zero": "a hidden score becomes −∞ 0",
    "mask_after": "the most that a row loses 0 0.969, cat",
    "mask_after_renormalised": "largest difference of a weight, all heads – 0 (to 12 decimals)",
    "one_matrix": "scores, mirrored: largest difference 4.00 0 (to 12 decimals)",
    "no_positions": "entropy of a row, previous head (1 = even) 0.09 1.00",
    "cut_first": "it loses – tired, soft",
    "mean_of_heads": "largest weight of tired 0.858, cat 0.334, was",
}


@pytest.fixture
def open_mistakes(app_server, page):
    def opened(query: str = "") -> Page:
        page.goto(f"{app_server}/mistakes?{query}")
        expect(page.locator(".token-view").first).to_have_attribute("data-turn", re.compile(r"\d+"))
        settled(page)
        return page

    return opened


def view(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name=f"Who looks at whom: {name}, pronoun head", exact=True)


def switch(page: Page, short: str) -> Locator:
    return page.locator(".st-key-mistake").get_by_role("radio", name=short, exact=True)


def telltale(page: Page) -> Locator:
    return page.locator(".av-telltale table")


def tells(page: Page, words: str) -> None:
    """Wait until the tell-tale says so."""
    expect(telltale(page)).to_contain_text(re.compile(r"\s*".join(map(re.escape, words.split()))))


def stays_within_the_page(page: Page) -> bool:
    return bool(page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"))


def test_every_mistake_is_switched_on_by_mouse_and_by_keyboard_and_a_pick_moves_both_pictures(open_mistakes):
    page = open_mistakes()
    for mistake in MISTAKES:
        switch(page, mistake.short).click()
        tells(page, TELLTALES[mistake.variant])
        expect(view(page, mistake.short)).to_be_visible()
        expect(view(page, "right")).to_be_visible()
    expect(page).to_have_url(re.compile("mistake=mean_of_heads"))
    switch(page, MISTAKES[-1].short).focus()
    for mistake in reversed(MISTAKES[:-1]):
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        tells(page, TELLTALES[mistake.variant])
        expect(switch(page, mistake.short)).to_be_checked()
    settled(page)
    view(page, "no √d").get_by_role("radio", name="sat", exact=True).click()
    expect(view(page, "right").get_by_role("radio", name="sat", exact=True)).to_be_checked()
    tells(page, "largest weight of sat 0.965, cat 0.999, cat")
    expect(page).to_have_url(re.compile(r"ask=3\b"))
    assert axe_violations(page) == []


def test_the_future_leaks_over_the_wrong_axis_and_shuffled_words_take_their_weights_along(open_mistakes):
    page = open_mistakes("mistake=wrong_axis")
    right, wrong = (view(page, name).get_by_role("grid") for name in ("right", "wrong axis"))
    cat_of_it = [grid.get_by_role("row").nth(8).get_by_role("gridcell").nth(5) for grid in (right, wrong)]
    expect(cat_of_it[0]).to_have_text(".47")
    expect(cat_of_it[1]).to_have_text(".93")
    page.locator(".st-key-strip").get_by_role("radio", name="soft", exact=True).click()
    expect(cat_of_it[1]).to_have_text(".49")
    expect(cat_of_it[0]).to_have_text(".47")
    expect(page.get_by_role("table", name=re.compile("The row of it"))).to_contain_text("wrong axis, soft")
    switch(page, "no positions").click()
    page.get_by_role("button", name="Shuffle the words").click()
    tells(page, "previous head: weights that changed 100 of 100")
    expect(page).to_have_url(re.compile("shuffle=1"))
    expect(page.get_by_text("The mask is off for this comparison")).to_be_visible()
    settled(page)
    view(page, "right").get_by_role("radio", name="mat", exact=True).click()
    expect(view(page, "no positions").get_by_role("radio", name="mat", exact=True)).to_be_checked()
    expect(page).to_have_url(re.compile(r"ask=6\b"))
    page.get_by_role("button", name="Back in order").click()
    expect(page).not_to_have_url(re.compile("shuffle="))
    expect(view(page, "right").get_by_role("radio", name="mat", exact=True)).to_be_checked()
    page.get_by_role("slider", name=re.compile("d_head")).focus()
    page.keyboard.press("End")
    expect(page.locator(".av-scaled")).to_contain_text("22.59")
    expect(page).to_have_url(re.compile("d_head=512"))


@pytest.mark.parametrize("page", [PHONE_IN_THE_DARK], indirect=True)
def test_on_a_phone_in_the_dark_the_pictures_stand_one_below_the_other_without_a_barrier(open_mistakes):
    page = open_mistakes("mistake=mask_as_zero&ask=2")
    for mistake in ("mask as score 0", "wrong axis"):
        switch(page, mistake).click()
        expect(view(page, mistake)).to_be_visible()
        page.mouse.move(0, 0)
        settled(page)
        tops = [view(page, name).bounding_box() for name in ("right", mistake)]
        assert tops[0]["y"] + tops[0]["height"] <= tops[1]["y"]
        assert stays_within_the_page(page)
        assert axe_violations(page) == []
    page.get_by_text("The same numbers as a table").click()
    expect(page.get_by_role("table", name=re.compile("Weights: wrong axis"))).to_be_visible()
    settled(page)
    assert axe_violations(page) == []
