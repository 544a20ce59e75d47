"""Large tables in a real browser: walked by keys, changed in place, painted, pasted, put back, and nothing lost."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chromium import axe_violations, settled

SCRIPT = Path(__file__).parent / "apps" / "number_grid_app.py"
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def open_tables(serve, page):
    """Open the test app on the page and wait until the tables are painted."""

    def opened(query: str = "") -> Page:
        page.goto(f"{serve(SCRIPT).address}/?{query}")
        expect(page.locator(".number-tables")).to_have_attribute("data-seen", "0")
        settled(page)
        return page

    return opened


def grid(page: Page, name: str = "Token vectors") -> Locator:
    return page.get_by_role("grid", name=re.compile(name))


def cell(page: Page, row: int, column: int, table: str = "Token vectors") -> Locator:
    return grid(page, table).locator("tbody").get_by_role("row").nth(row).get_by_role("gridcell").nth(column)


def field(page: Page) -> Locator:
    return page.get_by_role("textbox")


def about(page: Page) -> Locator:
    return page.locator(".about")


def refusal(page: Page) -> Locator:
    return page.locator(".number-tables").get_by_role("status")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def python_knows(page: Page, text: str) -> None:
    expect(page.get_by_text("Python knows:")).to_have_text(f"Python knows: {text}")


def steps(page: Page, text: str) -> None:
    expect(page.get_by_text("Steps:")).to_have_text(f"Steps: {text}")


def test_keys_walk_the_grid_which_is_one_stop_of_the_tab_key(open_tables):
    page = open_tables()
    expect(page.locator(".number-tables input")).to_have_count(0)  # a cell becomes a field when it is changed
    page.get_by_role("button", name="Undo").focus()
    cell(page, 0, 0).focus()
    for keys, (row, column) in (
        (["ArrowDown", "ArrowRight"], (1, 1)),
        (["End"], (1, 11)),
        (["Home"], (1, 0)),
        (["PageDown"], (9, 0)),
        (["PageUp"], (0, 0)),
        (["Control+End"], (9, 11)),
        (["Control+Home", "ArrowLeft", "ArrowUp"], (0, 0)),
        (["ArrowDown", "ArrowDown"], (2, 0)),
    ):
        press(page, *keys)
        expect(cell(page, row, column)).to_be_focused()
    expect(grid(page).locator("[tabindex='0']")).to_have_count(1)
    expect(about(page)).to_have_text("sat, alive: 0")
    expect(page.get_by_role("button", name="Open its arithmetic")).to_have_attribute("data-open", "X[2,0]")
    press(page, "Tab")
    expect(cell(page, 0, 0, "Mask")).to_be_focused()
    press(page, "Shift+Tab")
    expect(cell(page, 2, 0)).to_be_focused()


def test_a_number_is_typed_in_place_marked_told_undone_and_put_back(open_tables):
    page = open_tables()
    cell(page, 1, 0).focus()
    page.keyboard.type("-0,5")
    expect(field(page)).to_have_accessible_name("cat, alive")
    press(page, "Enter")
    expect(cell(page, 2, 0)).to_be_focused()
    expect(cell(page, 1, 0)).to_have_accessible_name("−0.50, changed, was 1")
    python_knows(page, "X 1 0 = -0.5")
    press(page, "ArrowUp")
    expect(about(page)).to_have_text("cat, alive: −0.5 (changed, was 1)")
    press(page, "F2", "End")
    page.keyboard.type("4")
    press(page, "Tab")
    expect(cell(page, 1, 1)).to_be_focused()
    python_knows(page, "X 1 0 = -0.54")
    page.get_by_role("button", name="Undo").click()
    expect(cell(page, 1, 0)).to_have_accessible_name("−0.50, changed, was 1")
    cell(page, 1, 0).dblclick()
    expect(field(page)).to_have_value("−0.5")
    page.keyboard.type("8")
    press(page, "Escape")
    expect(cell(page, 1, 0)).to_be_focused()
    expect(field(page)).to_have_count(0)
    cell(page, 1, 0).click()  # it has the focus already
    expect(field(page)).to_be_focused()
    page.keyboard.type("8")
    cell(page, 3, 11).click()  # elsewhere: what was typed is taken
    python_knows(page, "X 1 0 = 8")
    page.keyboard.type("7")
    press(page, "Tab")  # at the end of its row, Tab leaves the table
    expect(cell(page, 0, 0, "Mask")).to_be_focused()
    python_knows(page, "X 1 0 = 8; X 3 11 = 7")
    page.get_by_role("button", name="Put back 0 (on, cos 4)").click()
    python_knows(page, "X 1 0 = 8")
    expect(cell(page, 3, 11)).to_be_focused()
    cell(page, 0, 0, "Divisor").focus()
    page.keyboard.type("4")
    press(page, "Enter")
    page.get_by_role("button", name="Put all numbers back").click()
    python_knows(page, "nothing")
    steps(page, "[1, 1, 1, 1, 1, 1, 2]")
    expect(cell(page, 1, 0)).to_have_accessible_name("1")
    page.get_by_role("button", name="Undo").click()
    expect(cell(page, 1, 0)).to_have_accessible_name("8, changed, was 1")


def test_what_may_not_stand_there_is_refused_with_a_reason(open_tables):
    page = open_tables()
    for text in ("abc", "1e9", ""):
        cell(page, 0, 6).focus()
        press(page, "Enter")
        field(page).fill(text)
        press(page, "Tab")
        expect(refusal(page)).to_have_text(
            "The, token 1, always 1: a number from −1,000,000 to 1,000,000 must stand here, "
            f"but it was “{text}”. 1 stays."
        )
        expect(field(page)).to_be_focused()
        expect(field(page)).to_have_value(text)  # to be mended
        press(page, "Escape")
        expect(cell(page, 0, 6)).to_have_text("1")
    cell(page, 0, 0, "Divisor").focus()
    page.keyboard.type("-2")
    press(page, "Enter")
    expect(refusal(page)).to_contain_text("a number more than 0, at most 1,000,000, must stand here, but it was “-2”.")
    cell(page, 4, 4).click()
    expect(field(page)).to_have_count(0)
    python_knows(page, "nothing")


@pytest.mark.parametrize("page", [CLIPBOARD], indirect=True)
def test_a_block_is_pasted_as_one_step_or_refused_as_a_whole_and_a_number_is_copied_whole(open_tables):
    page = open_tables()

    def paste(text: str) -> None:
        page.evaluate("text => navigator.clipboard.writeText(text)", text)
        press(page, "Control+v")

    cell(page, 8, 10).focus()
    paste("1.5\t-2\r\n0,25\t1e3\r\n")
    python_knows(page, "X 8 10 = 1.5; X 8 11 = -2; X 9 10 = 0.25; X 9 11 = 1000")
    steps(page, "[4]")
    paste("1\t2\t3")
    expect(refusal(page)).to_have_text(
        "From was, sin 4 there is room for 2 × 2 numbers, but 1 × 3 were pasted. Nothing was changed."
    )
    paste("1\n x ")
    expect(refusal(page)).to_contain_text(
        "tired, sin 4: a number from −1,000,000 to 1,000,000 must stand here, but “ x ”"
    )
    press(page, "Enter")
    paste("3\t4")  # into the field
    python_knows(page, "X 8 10 = 3; X 8 11 = 4; X 9 10 = 0.25; X 9 11 = 1000")
    steps(page, "[4, 2]")
    page.get_by_role("button", name="Undo").click()
    expect(cell(page, 8, 11)).to_have_accessible_name("−2, changed, was 1")
    cell(page, 1, 8).focus()
    expect(cell(page, 1, 8)).to_have_text("0.38")
    press(page, "Control+c")
    expect(about(page)).to_have_text("cat, sin 16: 0.382683432365")
    assert page.evaluate("navigator.clipboard.readText()") == "0.382683432365"


def test_cells_of_a_mask_are_switches_and_are_painted_in_one_stroke(open_tables):
    page = open_tables()
    cell(page, 0, 9, "Mask").scroll_into_view_if_needed()
    expect(cell(page, 0, 9, "Mask")).to_have_accessible_name("hidden")
    cell(page, 0, 9, "Mask").click()
    expect(cell(page, 0, 9, "Mask")).to_have_accessible_name("seen, changed, was hidden")
    press(page, "Space")
    expect(cell(page, 0, 9, "Mask")).to_have_accessible_name("hidden")
    press(page, "ArrowLeft", "Enter")
    python_knows(page, "mask 0 9 = 0; mask 0 8 = 1")
    cell(page, 2, 6, "Mask").hover()
    page.mouse.down()
    cell(page, 2, 9, "Mask").hover()  # no event in the cells between
    expect(cell(page, 2, 8, "Mask")).to_have_accessible_name("seen")
    page.mouse.up()
    python_knows(page, "mask 0 9 = 0; mask 0 8 = 1; " + "; ".join(f"mask 2 {key} = 1" for key in (6, 7, 8, 9)))
    steps(page, "[1, 1, 1, 4]")
    cell(page, 3, 0, "Mask").hover()
    page.mouse.down()
    cell(page, 3, 2, "Mask").hover()
    press(page, "Escape")
    page.mouse.up()
    expect(cell(page, 3, 1, "Mask")).to_have_accessible_name("seen")
    steps(page, "[1, 1, 1, 4]")
    page.get_by_role("button", name="Undo").click()
    expect(cell(page, 2, 8, "Mask")).to_have_accessible_name("hidden")


def test_numbers_typed_quickly_are_all_taken_and_a_late_answer_takes_none_away(open_tables):
    page = open_tables("slow=0.3")
    cell(page, 5, 2).focus()
    for digit in "3456":  # down the column, without waiting
        page.keyboard.type(digit)
        press(page, "Enter")
    page.keyboard.type("12.")
    python_knows(page, "X 5 2 = 3; X 6 2 = 4; X 7 2 = 5; X 8 2 = 6")
    settled(page)
    expect(field(page)).to_be_focused()
    expect(field(page)).to_have_value("12.")
    page.keyboard.type("5")
    press(page, "Enter")
    assert cell(page, 9, 2).inner_text() == "12.50"  # at once
    expect(cell(page, 0, 3)).to_be_focused()  # from the last row to the head of the next column
    steps(page, "[1, 1, 1, 1, 1]")


def test_a_number_whose_taking_is_cut_short_is_told_again(open_tables):
    page = open_tables("cut")
    cell(page, 1, 1).click()
    press(page, "7", "Enter")
    python_knows(page, "X 1 1 = 7")
    steps(page, "[1]")


def test_an_overridden_score_flows_again_when_it_is_put_back_and_a_frozen_table_is_only_walked(open_tables):
    page = open_tables("case=large")
    scores = cell(page, 31, 31, "Scores")
    before = scores.inner_text()
    cell(page, 0, 0, "Scores").focus()
    press(page, "Control+End")
    expect(scores).to_be_in_viewport()
    head, first = grid(page, "Scores").locator("thead"), grid(page, "Scores").get_by_role("rowheader").nth(31)
    expect(head.get_by_role("columnheader").last).to_be_in_viewport()  # the headers stand still
    expect(first).to_be_in_viewport()
    page.keyboard.type("9")
    press(page, "Enter")
    expect(scores).to_have_accessible_name(f"9, set by hand, was {before}: what lies upstream no longer feeds it")
    expect(page.get_by_role("button", name="Open its arithmetic")).to_have_attribute("data-open", "scores[0,31,31]")
    python_knows(page, "scores 31 31 = 9")
    page.get_by_role("button", name=re.compile("Put back")).first.click()
    python_knows(page, "nothing")
    expect(scores).to_have_accessible_name(before)
    expect(grid(page)).to_have_attribute("aria-readonly", "true")
    cell(page, 0, 0).click()
    press(page, "5", "Enter", "F2", "ArrowDown")
    expect(cell(page, 1, 0)).to_be_focused()
    cell(page, 1, 0).dblclick()
    expect(field(page)).to_have_count(0)
    steps(page, "[1, 1]")


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_tap_changes_a_number_or_turns_a_switch(open_tables):
    page = open_tables()
    cell(page, 1, 0).tap()
    expect(field(page)).to_be_focused()
    field(page).fill("3")
    cell(page, 0, 2, "Mask").tap()
    python_knows(page, "X 1 0 = 3; mask 0 2 = 1")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_no_barrier_and_no_sideways_scrolling(serve, new_page, scheme, width):
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    for case, table in (("small", "Token vectors"), ("large", "Scores")):
        page.goto(f"{serve(SCRIPT).address}/?case={case}")
        expect(page.locator(".number-tables")).to_have_attribute("data-seen", "0")
        settled(page)
        cell(page, 1, 1, table).focus()
        page.keyboard.type("7")
        press(page, "Enter", "ArrowUp")
        if case == "small":
            cell(page, 0, 2, "Mask").focus()
            press(page, "Space", "ArrowDown")
            cell(page, 1, 1, table).focus()
        settled(page)
        assert axe_violations_of_tables(page) == []
        press(page, "Enter")
        field(page).fill("x")
        press(page, "Enter")
        assert axe_violations_of_tables(page) == []
        assert page.locator(".stMain").evaluate("main => main.scrollWidth - main.clientWidth") == 0


def axe_violations_of_tables(page: Page) -> list:
    """The small app has no headings and landmarks of its own."""
    return [found for found in axe_violations(page) if "number-tables" in str(found) or "Bidi" in str(found)]
