"""Numbers opened in a real browser: by mouse, by keyboard, by a click on a heat map; followed, and closed again."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from attention_core import Edit, Experiment
from tests.browser.chromium import axe_violations, settled
from tests.browser.test_pages import PHONE, choose, open_lesson, switch_mask, token


def sheet(page: Page):
    return page.get_by_role("region", name="Where a number comes from")


def title(page: Page):
    return sheet(page).get_by_role("heading")


def part(page: Page, name: str):
    return sheet(page).get_by_role("button", name=re.compile(name))


def crumbs(page: Page) -> list[str]:
    return sheet(page).get_by_role("listitem").all_inner_texts()


def focused(page: Page) -> dict[str, str]:
    """What has the focus, also inside a component."""
    return page.evaluate(
        "(() => { let at = document.activeElement;"
        " while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;"
        " return { ...at.dataset, label: at.getAttribute('aria-label'), tag: at.tagName, text: at.textContent }; })()"
    )


def test_a_weight_leads_down_to_the_token_vector_and_back(app_server, page):
    open_lesson(page, app_server)
    expect(page.get_by_text("Click a number to open it.")).to_be_visible()
    expect(sheet(page)).not_to_be_visible()
    before = page.locator(".numbers").bounding_box()
    weight = page.locator(".numbers").get_by_role("button", name="0.858")
    weight.click()
    expect(title(page)).to_have_text("weight of tired on cat, pronoun head")
    expect(sheet(page)).to_contain_text("Numbers are shown rounded.")
    assert page.locator(".numbers").bounding_box() == before, "nothing moves"
    main, box = page.get_by_test_id("stMain").bounding_box(), sheet(page).bounding_box()
    assert box["x"] >= main["x"] and box["height"] <= 0.45 * 900, "not over the sidebar"
    for name, opened in (
        (r"^54\.60, exponential", "exponential of tired on cat, pronoun head"),
        (r"^4, masked score", "masked score of tired on cat, pronoun head"),
        (r"^4, score", "score of tired on cat, pronoun head"),
        (r"^8, raw score", "raw score of tired on cat, pronoun head"),
        (r"^4, query of tired: alive", "query of tired: alive, pronoun head"),
        (r"^1, vector of tired", "vector of tired: tired"),
    ):
        part(page, name).click()
        expect(title(page)).to_have_text(opened)
    assert crumbs(page) == ["weight", "e to the score", "masked score", "score", "raw score", "query", "token vector"]
    expect(sheet(page)).to_contain_text("It comes with the word: tired")
    sheet(page).get_by_role("button", name="raw score", exact=True).click()
    expect(title(page)).to_have_text("raw score of tired on cat, pronoun head")
    part(page, r"^2, key of cat: alive").click()
    expect(title(page)).to_have_text("key of cat: alive, pronoun head")
    part(page, "11 terms of 0").click()
    expect(part(page, r"^0, W_K: thing → alive")).to_be_visible()
    settled(page)
    assert axe_violations(page) == []
    page.keyboard.press("Escape")
    expect(sheet(page)).not_to_be_visible()
    assert focused(page)["open"] == "weights[0,9,1]"
    page.locator(".keys .token-row").nth(1).locator(".share").click()
    expect(title(page)).to_have_text("weight of tired on cat, pronoun head")
    sheet(page).get_by_role("button", name="Close").click()
    expect(sheet(page)).not_to_be_visible()


def test_numbers_are_reached_and_opened_by_keyboard_alone(app_server, page):
    open_lesson(page, app_server, "queries_and_keys")
    token(page, "tired").focus()
    for _ in range(4):
        page.keyboard.press("Tab")
        if focused(page).get("label") == "query · key":
            break
    assert focused(page)["label"] == "query · key"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")  # from the divisor in the headings, or from the first row
    page.keyboard.press("Home")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    at = focused(page)["open"]
    assert re.fullmatch(r"[qkrs]\d(,\d)?", at)
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    assert focused(page)["open"] == "s8"
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("score of tired on was, pronoun head")
    expect(title(page)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("raw score of tired on was, pronoun head")
    page.keyboard.press("Shift+Tab")  # the close button
    page.keyboard.press("Shift+Tab")  # the way back
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("score of tired on was, pronoun head")
    page.keyboard.press("Escape")
    expect(sheet(page)).not_to_be_visible()
    assert focused(page)["open"] == "s8"
    page.keyboard.press("Escape")
    assert focused(page)["label"] == "query · key"
    factors = page.locator(".av-products tbody tr").nth(1).locator("td").first.get_by_role("button")
    assert factors.all_inner_texts() == ["4", "2"]
    factors.last.click()
    expect(title(page)).to_have_text("key of cat: alive, pronoun head")


def test_an_open_number_follows_what_changes_on_the_page(app_server, page):
    open_lesson(page, app_server)
    page.locator(".numbers").get_by_role("button", name="0.858").click()
    expect(title(page)).to_have_text("weight of tired on cat, pronoun head")
    choose(page, "soft")
    expect(title(page)).to_have_text("weight of soft on cat, pronoun head")
    expect(sheet(page).get_by_role("group").first).to_contain_text("0.016")
    switch_mask(page)
    settled(page)
    expect(title(page)).to_have_text("weight of soft on cat, pronoun head")
    page.get_by_role("link", name="Next: Queries and keys").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Queries and keys")
    expect(sheet(page)).not_to_be_visible()
    page.get_by_role("link", name="Next: Softmax").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Softmax")
    settled(page)
    page.locator(".av-softmax").get_by_role("button", name="4", exact=True).first.click()
    expect(title(page)).to_have_text(re.compile("^masked score of soft on mat"))
    before = title(page).inner_text()
    token(page, "it").click()
    settled(page)
    expect(title(page)).to_have_text(before)


@pytest.mark.parametrize("page", [{"color_scheme": "dark", **PHONE}], indirect=True)
def test_a_cell_of_the_grid_picks_its_row_and_opens_its_number_also_on_a_phone(app_server, page):
    open_lesson(page, app_server, "every_token")
    page.get_by_role("grid").get_by_role("row").nth(3).get_by_role("gridcell").nth(1).click()
    expect(title(page)).to_have_text("weight of sat on cat, pronoun head")
    expect(page).to_have_url(re.compile(r"ask=3\b"))
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")  # the focus is on the cell again
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("weight of sat on on, pronoun head")
    expect(sheet(page)).to_contain_text("0")
    box = sheet(page).bounding_box()
    assert (box["x"], box["width"]) == (0, 390)
    heat = page.locator(".js-plotly-plot .nsewdrag").first
    heat.scroll_into_view_if_needed()
    settled(page)
    assert axe_violations(page) == []
    page.keyboard.press("Escape")
    heat.click(position={"x": 5, "y": 5})
    expect(title(page)).to_have_text("masked score of The (1) on The (1), pronoun head")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
    page.get_by_text("Show me where").scroll_into_view_if_needed()
    assert page.get_by_text("Show me where").bounding_box()["y"] < sheet(page).bounding_box()["y"]


def test_an_address_that_leads_nowhere_opens_nothing(app_server, page):
    open_lesson(page, app_server)
    number = page.locator(".numbers").get_by_role("button", name="0.858")
    number.evaluate("number => { number.dataset.open = 'weights[0,9,99]'; }")
    number.click()
    settled(page)
    expect(sheet(page)).not_to_be_visible()
    page.locator(".numbers").get_by_role("button", name="0.016").first.click()
    expect(title(page)).to_have_text("weight of tired on The (1), pronoun head")


def test_with_queries_in_columns_a_place_opens_the_number_that_stands_there(app_server, page):
    open_lesson(page, app_server, "every_token?layout=columns")
    cell = page.get_by_role("grid").get_by_role("row").nth(2).get_by_role("gridcell").nth(9)
    assert cell.inner_text() == "0.86"
    cell.click()
    expect(title(page)).to_have_text("weight of tired on cat, pronoun head")
    expect(page).to_have_url(re.compile("layout=columns"))
    assert "ask=" not in page.url, "the last word asks already"
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("weight of was on cat, pronoun head")
    expect(page).to_have_url(re.compile(r"ask=9\b"))
    page.keyboard.press("Escape")
    heat = page.locator(".js-plotly-plot .nsewdrag").first
    heat.scroll_into_view_if_needed()
    settled(page)
    box = heat.bounding_box()
    heat.click(position={"x": box["width"] * 0.95, "y": box["height"] * 0.15})  # the last column, the second row
    expect(title(page)).to_have_text("masked score of tired on cat, pronoun head")

    open_lesson(page, app_server, "queries_and_keys?layout=columns")
    factors = page.locator(".av-products tbody tr").nth(1).locator("td").first.get_by_role("button")
    assert factors.all_inner_texts() == ["2", "4"]
    factors.first.click()
    expect(title(page)).to_have_text("key of cat: alive, pronoun head")
    factors.last.click()
    expect(title(page)).to_have_text("query of tired: alive, pronoun head")


def test_where_a_number_stands_twice_each_opens_in_its_own_record(app_server, page):
    open_lesson(page, app_server, "mistakes?mistake=mask_as_zero&ask=2")
    for name, opened in (("right", "right layer"), ("mask as score 0", "layer with the mistake")):
        view = page.get_by_role("group", name=re.compile(f"Who looks at whom: {name}"))
        view.get_by_role("row").nth(2).get_by_role("gridcell").nth(1).click()
        expect(title(page)).to_have_text(f"weight of cat on cat, pronoun head, {opened}")
    leak = page.get_by_role("gridcell", name=re.compile("masked, but leaks")).first
    leak.click()
    expect(title(page)).to_have_text("weight of The (1) on cat, pronoun head, layer with the mistake")
    sums = page.get_by_role("row", name=re.compile("^sum"))
    assert sums.last.locator("[data-open]").count() == 0
    settled(page)
    assert axe_violations(page) == []

    edited = Experiment(edits=(Edit("scores", (0, 9, 1), 1.5),)).link()
    open_lesson(page, app_server, f"workbench?{urlencode(edited)}")
    changed = page.locator(".av-following .av-was-now").nth(1).get_by_role("button")
    assert changed.all_inner_texts() == ["0.858", "0.332"]
    changed.first.click()
    expect(title(page)).to_have_text("weight of tired on cat, pronoun head, as the lesson has it")
    changed.last.click()
    expect(title(page)).to_have_text("weight of tired on cat, pronoun head")
    page.keyboard.press("Escape")
    page.locator(".number-tables").get_by_role("gridcell").nth(91).click()
    opens = page.get_by_role("button", name="Open its arithmetic")
    opens.press("Enter")
    expect(title(page)).to_have_text("score of tired on cat, pronoun head")
    expect(title(page)).to_be_focused()
    expect(sheet(page)).to_contain_text("You set it.")
    expect(sheet(page)).to_contain_text("Otherwise it would be")
    page.keyboard.press("Escape")
    expect(sheet(page)).not_to_be_visible()
    expect(opens).to_be_focused()
