"""Numbers changed in place, in a real browser: typed, refused, put back, linked, and never lost to a late answer."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import axe_violations, settled
from tests.browser.test_pages import line_width, open_lesson, sentence


def cell(page: Page, name: str):
    return page.get_by_role("textbox", name=re.compile(f"^{name}"))


def results(page: Page):
    return page.get_by_role("table", name=re.compile("Both queries"))


def line_below(page: Page):
    return page.locator(".number-tables").get_by_role("status")


@pytest.fixture
def opened(app_server, page):
    return open_lesson(page, app_server, "two_queries")


def test_a_number_typed_with_the_keyboard_changes_everything_that_follows(opened):
    page = opened
    expect(sentence(page)).to_have_text("query₁ looks mostly at key₁, 80 percent; key₂ gets 20 percent.")
    before = line_width(page, 0, 0)
    cell(page, "query₁, first").focus()
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(cell(page, "query₂, first")).to_be_focused()
    expect(sentence(page)).to_have_text("query₁ looks equally at both tokens it may see, 50 percent each.")
    expect(results(page)).to_contain_text("0.500")
    expect(page.get_by_text("0 ÷ 1.414 = 0").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=0%2C0%3B0%2C2|q=0,0;0,2"))
    settled(page)
    assert line_width(page, 0, 0) < before
    expect(page.get_by_role("textbox", name="query₁, first, changed, was 2")).to_have_class("changed")


@pytest.mark.parametrize("text", ["abc", "nan", "1e9", "1,000,000", ""])
def test_what_is_no_number_is_refused_with_a_reason_and_the_former_one_stays(opened, text):
    page = opened
    cell(page, "key₁, first").fill(text)
    page.keyboard.press("Enter")
    expect(line_below(page)).to_have_text(
        f"key₁, first: a number from −1,000,000 to 1,000,000 must stand here, but it was “{text}”. 1 stays."
    )
    expect(cell(page, "key₁, first")).to_be_focused()
    expect(cell(page, "key₁, first")).to_have_value(text)  # to be mended
    page.keyboard.press("Escape")
    expect(cell(page, "key₁, first")).to_have_value("1")
    assert "k=" not in page.url


def test_a_decimal_comma_and_a_true_minus_are_understood(opened):
    page = opened
    cell(page, "value₁, first").fill("−0,5")
    page.keyboard.press("Tab")
    expect(cell(page, "value₁, first")).to_have_value("−0.5")
    expect(page).to_have_url(re.compile(r"v=-0\.5"))
    expect(cell(page, "value₁, second")).to_be_focused()


def test_arrow_keys_go_from_number_to_number(opened):
    page = opened
    cell(page, "key₁, first").focus()
    page.keyboard.press("ArrowDown")
    expect(cell(page, "key₂, first")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(cell(page, "key₂, second")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(cell(page, "key₁, second")).to_be_focused()


def test_one_number_and_all_numbers_are_put_back(opened):
    page = opened
    for name, text in (("query₁, first", "7"), ("key₃, second", "9")):
        cell(page, name).fill(text)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Put back 1 (key₃, second)").click()
    expect(cell(page, "key₃, second")).to_have_value("1")
    expect(cell(page, "query₁, first")).to_have_value("7")
    expect(page).not_to_have_url(re.compile(r"[?&]k="))
    page.get_by_role("button", name="Put all numbers back").click()
    expect(cell(page, "query₁, first")).to_have_value("2")
    expect(page).not_to_have_url(re.compile(r"[?&]q="))


def test_a_link_restores_numbers_and_switches_for_another_visitor(opened, app_server, new_page):
    page = opened
    page.get_by_role("switch", name="key₃").locator("xpath=ancestor::label").click()
    expect(results(page)).to_contain_text("[1.783, 1.554]")
    cell(page, "query₁, first").fill("3")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"q=3"))
    visitor = open_lesson(new_page(), app_server, page.url.removeprefix(f"{app_server}/"))
    expect(cell(visitor, "query₁, first")).to_have_value("3")
    expect(visitor.get_by_role("switch", name="key₃")).to_be_checked()
    assert results(visitor).inner_text() == results(page).inner_text()


def test_numbers_typed_quickly_are_all_taken_and_a_late_answer_takes_none_away(opened):
    page = opened
    cell(page, "query₁, first").focus()
    for digit in "3456":  # column by column, without waiting
        page.keyboard.type(digit)
        page.keyboard.press("Enter")
    cell(page, "key₁, first").focus()
    page.keyboard.type("12.")
    settled(page)
    expect(cell(page, "key₁, first")).to_have_value("12.")
    expect(cell(page, "key₁, first")).to_be_focused()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"k=12\.5"))
    expect(page).to_have_url(re.compile(r"q=3(%2C|,)5(%3B|;)4(%2C|,)6"))


def test_what_is_folded_follows_an_edit(opened):
    page = opened
    page.get_by_text("The same numbers as a table").click()
    table = page.locator(".av-twin table").first
    expect(table.get_by_role("cell").first).to_have_text("2")
    cell(page, "query₁, first").fill("7")
    page.keyboard.press("Enter")
    expect(table.get_by_role("cell").first).to_have_text("7")
    page.get_by_text("The source that computed it").click()
    expect(page.get_by_role("region", name=re.compile("Source of")).first).to_contain_text("def two_queries")
    settled(page)
    assert axe_violations(page) == []


def test_the_numbers_survive_the_way_to_another_page_and_leave_its_address_alone(opened):
    page = opened
    cell(page, "query₁, first").fill("5")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"q=5"))
    page.get_by_role("link", name=re.compile("Every token at once")).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Every token at once")
    settled(page)
    assert "q=5" not in page.url
    page.get_by_role("link", name=re.compile("Two queries, by hand")).first.click()
    expect(cell(page, "query₁, first")).to_have_value("5")
    expect(page).to_have_url(re.compile(r"q=5"))


@pytest.mark.parametrize("way_back", ["link", "history"])
def test_a_number_that_was_being_typed_when_the_page_was_left_is_in_force_when_it_is_shown(opened, way_back):
    page = opened
    cell(page, "query₁, first").fill("42")
    page.get_by_role("link", name=re.compile(r"^8\.")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The KV cache")
    settled(page)
    if way_back == "link":
        page.get_by_role("link", name=re.compile(r"^7\.")).click()
    else:
        page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Two queries, by hand")
    settled(page)
    if cell(page, "query₁, first").input_value() == "42":
        expect(page).to_have_url(re.compile("q=42"))
    else:
        expect(cell(page, "query₁, first")).to_have_value("2")


def test_a_thousand_with_a_comma_is_not_taken_for_one(opened):
    page = opened
    cell(page, "query₁, first").fill("1,000")
    page.keyboard.press("Enter")
    expect(line_below(page)).to_contain_text("but it was “1,000”. 2 stays.")
