"""The grid with queries in columns, in a real browser: turned by the switch, walked by keys, picked, and heard."""

import re

from playwright.sync_api import Page, expect

from attention_core import Experiment, trace
from tests.browser.chromium import axe_violations, settled
from tests.browser.test_pages import PHONE, open_lesson, row, sentence, shown_weights

RECORD = trace(Experiment())
CAT, SAT, IT = 1, 2, 7


def asked_column(page: Page):
    return page.get_by_role("grid").get_by_role("columnheader", selected=True)


def frame_of(page: Page) -> list[float]:
    """The left and the right edges of the frame around each part of the asked column: two, if it is straight."""
    return page.locator(".grid [aria-selected=true]").evaluate_all(
        """parts => [...new Set(parts.flatMap(part => {
          const look = getComputedStyle(part, '::before');
          const { left, right } = part.getBoundingClientRect();
          return [left + parseFloat(look.left), right - parseFloat(look.right)].map(Math.round);
        }))]"""
    )


def test_the_switch_turns_the_grid_whose_columns_are_walked_and_picked(app_server, page, new_page):
    open_lesson(page, app_server, "every_token")
    page.locator(".st-key-layout").get_by_role("radio", name="columns", exact=True).click()
    grid = page.get_by_role("grid", name="Weights: columns are queries (ask), rows are keys (are looked at)")
    expect(grid).to_be_visible()
    expect(page).to_have_url(re.compile("layout=columns"))
    settled(page)
    for j, line in enumerate(grid.locator("tbody tr").all()):
        seen = [f"{w:.2f}" if m else "masked" for w, m in zip(RECORD.weights[0, :, j], RECORD.mask[:, j], strict=True)]
        assert line.get_by_role("gridcell").all_text_contents() == seen
    assert grid.locator("tfoot").get_by_role("gridcell").all_text_contents() == ["1.00"] * 10
    expect(asked_column(page)).to_have_text("tired")
    column = asked_column(page).bounding_box()
    assert column and frame_of(page) == [round(column["x"] - 2), round(column["x"] + column["width"] + 2)]

    cells = grid.locator("tbody td")
    cells.first.focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(cells.nth(10 * CAT + SAT)).to_be_focused()
    expect(sentence(page)).to_contain_text("sat looks mostly at cat")
    expect(asked_column(page)).to_have_text("tired")  # looked at, not picked
    page.keyboard.press("Enter")
    expect(asked_column(page)).to_have_text("sat")
    expect(page).to_have_url(re.compile(r"ask=3\b"))
    assert shown_weights(page) == row(SAT)
    cells.nth(10 * CAT + IT).click()
    expect(asked_column(page)).to_have_text("it")
    assert shown_weights(page) == row(IT)
    expect(page).to_have_url(re.compile(r"ask=8\b"))
    assert axe_violations(page) == []

    phone = new_page(color_scheme="dark", **PHONE)
    open_lesson(phone, app_server, page.url.removeprefix(f"{app_server}/").replace("ask=8", "ask=10"))
    expect(asked_column(phone)).to_have_text("tired")
    box, asked = phone.locator(".grid .scroll").bounding_box(), asked_column(phone).bounding_box()
    assert box and asked and box["x"] < asked["x"] and asked["x"] + asked["width"] <= box["x"] + box["width"]
    expect(phone.locator(".gliding")).to_have_count(0)
    assert axe_violations(phone) == []
    main = phone.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
