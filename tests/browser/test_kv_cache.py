"""The page of the KV cache in a real browser: stepped by button and by key, with the mask off, and its calculator."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import axe_violations, settled
from tests.browser.test_pages import PHONE, choose, open_lesson, switch_mask, token


def shelf(page: Page):
    return page.get_by_role("table", name=re.compile("The shelf after step"))


def rows_in_state(page: Page, state: str):
    return shelf(page).get_by_role("rowheader").filter(has_text=state)


def test_the_buttons_and_the_arrow_keys_step_through_the_sentence(app_server, page):
    open_lesson(page, app_server, "kv_cache?ask=2")
    expect(rows_in_state(page, "from the shelf")).to_have_count(1)
    page.get_by_role("button", name="Next word").click()
    expect(token(page, "sat")).to_be_checked()
    expect(rows_in_state(page, "from the shelf")).to_have_count(2)
    expect(rows_in_state(page, "computed now")).to_contain_text("sat")
    expect(rows_in_state(page, "not written yet")).to_have_count(7)
    token(page, "sat").focus()
    page.keyboard.press("ArrowRight")
    expect(token(page, "on")).to_be_checked()
    expect(rows_in_state(page, "computed now")).to_contain_text("on")
    page.get_by_role("button", name="Back one word").focus()
    page.keyboard.press("Enter")
    expect(rows_in_state(page, "computed now")).to_contain_text("sat")
    expect(token(page, "sat")).to_be_checked()
    expect(page).to_have_url(re.compile(r"ask=3\b"))


@pytest.mark.parametrize("page", [{}, PHONE], indirect=True)
@pytest.mark.parametrize("mask", ["causal", "none"])
def test_the_picture_keeps_its_place_from_step_to_step(app_server, page, mask):
    open_lesson(page, app_server, f"kv_cache?ask=1&mask={mask}")
    heights = set()
    for name in ("The, token 1", "cat", "the, token 5", "because", "tired"):
        token(page, name).click()
        settled(page)
        follower = page.locator("[data-follows-ask]")
        heights.add((shelf(page).bounding_box()["y"], follower.bounding_box()["height"]))
    assert len(heights) == 1


def test_the_counts_follow_the_step(app_server, page):
    open_lesson(page, app_server, "kv_cache?ask=3")
    counts = page.get_by_role("table", name="Multiplications")
    expect(counts.get_by_role("row", name=re.compile("with the cache"))).to_contain_text("504")
    token(page, "tired").click()
    expect(counts.get_by_role("row", name=re.compile("with the cache"))).to_contain_text("5,640")
    expect(counts.get_by_role("row", name=re.compile("times as many"))).to_contain_text("5.9")


def test_with_the_mask_off_every_earlier_row_says_that_it_changed(app_server, page):
    open_lesson(page, app_server, "kv_cache?ask=8")
    expect(shelf(page).get_by_role("cell", name="no", exact=True)).to_have_count(7)
    switch_mask(page)
    expect(shelf(page).get_by_role("cell", name=re.compile("^yes, "))).to_have_count(7)
    expect(page.get_by_text("7 of 7 earlier results changed")).to_be_visible()


def test_the_calculator_answers_and_a_link_restores_it(app_server, page, new_page):
    open_lesson(page, app_server, "kv_cache?ask=5")
    result = page.get_by_role("table", name="Memory of the shelf").get_by_role("row", name=re.compile("^memory"))
    expect(result).to_contain_text("1 GiB")
    page.locator(".st-key-model").get_by_role("radio", name="SmolLM2-135M").click()
    expect(result).to_contain_text("180 MiB")
    page.locator(".st-key-bytes").get_by_role("radio", name="4 (32-bit)").click()
    expect(result).to_contain_text("360 MiB")
    slider = page.locator(".st-key-positions").get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(result).to_contain_text("180 MiB")
    choose(page, "soft")
    settled(page)
    other = open_lesson(new_page(), app_server, page.url.removeprefix(f"{app_server}/"))
    expect(other.get_by_role("table", name="Memory of the shelf")).to_contain_text("4,096")
    expect(other.locator(".st-key-model").get_by_role("radio", name="SmolLM2-135M")).to_be_checked()
    expect(other.locator(".st-key-bytes").get_by_role("radio", name="4 (32-bit)")).to_be_checked()
    expect(other.locator(".js-plotly-plot")).to_be_visible()
    expect(token(other, "the, token 5")).to_be_checked()


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}, {"color_scheme": "light", **PHONE}], indirect=True)
def test_an_open_page_with_the_mask_off_leaves_nobody_out(app_server, page):
    open_lesson(page, app_server, "kv_cache?mask=none&ask=6&head=previous&model=GPT-2%20small")
    page.get_by_text("The same numbers as a table").click()
    page.get_by_text("The source that computed it").click()
    expect(page.get_by_role("region", name=re.compile("Source of .*KVCache.attend"))).to_contain_text("def attend")
    expect(page.get_by_role("table", name="Settings of the models")).to_be_visible()
    settled(page)
    assert axe_violations(page) == []
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
