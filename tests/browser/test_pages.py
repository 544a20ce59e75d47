"""The lesson in a real browser: opened cold, clicked, typed, linked, reloaded, and read by a machine for barriers."""

import re

import pytest
from playwright.sync_api import Page, expect

from attention_core import Experiment, trace
from attention_view.lesson import LESSONS
from tests.browser.chromium import axe_violations, settled

STEMS = [lesson.stem for lesson in LESSONS]
PHONE = {"viewport": {"width": 390, "height": 844}}


def open_lesson(page: Page, server: str, path: str = "") -> Page:
    page.goto(f"{server}/{path}")
    if path.startswith("own_text"):  # without a model it has no picture
        expect(page.get_by_role("button", name="Fetch SmolLM2-135M-Instruct (93 MB)")).to_be_visible()
        settled(page)
        return page
    expect(page.locator(".token-view").first).to_have_attribute("data-turn", re.compile(r"\d+"))
    settled(page)
    return page


def token(page: Page, name: str):
    return page.get_by_role("radiogroup", name="query (asks)").get_by_role("radio", name=name, exact=True)


def sentence(page: Page):
    return page.locator(".token-view .sentence .shown")


def choose(page: Page, name: str) -> None:
    page.locator(".st-key-strip").get_by_role("radio", name=name, exact=True).click()


def switch_mask(page: Page) -> None:
    page.locator(".st-key-causal label").first.click()


def shown_weights(page: Page) -> list[str]:
    return page.locator(".numbers tbody td.weight").all_inner_texts()


def row(ask: int, **settings) -> list[str]:
    record = trace(Experiment(**settings))
    return [f"{w:.3f}" if seen else "masked" for w, seen in zip(record.weights[0, ask], record.mask[ask], strict=True)]


def line_width(page: Page, query: int, key: int) -> float:
    path = page.locator(f'.lines .strong path[data-query="{query}"][data-key="{key}"]')
    return path.evaluate("path => parseFloat(path.style.strokeWidth) || 0")


def mark_what_lights_up(page: Page) -> None:
    """Mark for good whatever lights up from now on: the light itself may be gone before a slow machine looks."""
    page.evaluate("""() => new MutationObserver((changes) => changes.forEach(({ target }) => {
      if (target.classList.contains("av-lit")) target.dataset.wasLit = "";
    })).observe(document.body, { subtree: true, attributeFilter: ["class"] })""")


@pytest.mark.parametrize("stem", [STEMS[0], "queries_and_keys", "workbench"])  # all pages begin alike: test_layout
def test_a_page_opens_cold_at_its_own_address_on_a_fresh_server(fresh_server, page, stem):
    open_lesson(page, fresh_server, f"{stem}?ending=soft&ask=8")
    expect(page.get_by_role("heading", level=1)).to_have_text(LESSONS[STEMS.index(stem)].title)
    expect(page.get_by_role("link", name=re.compile(r"^\d+\."))).to_have_count(len(LESSONS))
    if "ending" in LESSONS[STEMS.index(stem)].inputs:
        expect(page.locator(".st-key-strip").get_by_role("radio", name="soft")).to_be_checked()
    assert "ask=8" in page.url
    assert "ending=soft" in page.url


def test_the_last_words_thick_line_moves_from_cat_to_mat_and_no_other_row_changes(app_server, page):
    open_lesson(page, app_server)
    expect(sentence(page)).to_have_text("tired looks mostly at cat, 86 percent; the most another gets is 2 percent.")
    assert line_width(page, 9, 1) > 10 * line_width(page, 9, 5) > 0
    others = page.locator(".lines .all path:not([data-query='9'])")
    before = others.evaluate_all("paths => paths.map(path => path.style.strokeWidth)")
    choose(page, "soft")
    expect(sentence(page)).to_have_text("soft looks mostly at mat, 86 percent; the most another gets is 2 percent.")
    assert line_width(page, 9, 5) > 10 * line_width(page, 9, 1) > 0
    assert others.evaluate_all("paths => paths.map(path => path.style.strokeWidth)") == before
    assert len(before) == 90


def test_a_clicked_token_shows_its_row_of_weights_and_stands_in_the_address(app_server, page):
    open_lesson(page, app_server)
    token(page, "it").click()
    assert shown_weights(page) == row(7)
    expect(page).to_have_url(re.compile(r"[?&]ask=8\b"))
    expect(token(page, "it")).to_be_checked()


def test_the_mask_switched_off_lets_the_first_tokens_look_ahead(app_server, page):
    open_lesson(page, app_server)
    token(page, "cat").click()
    assert shown_weights(page) == row(1)
    assert shown_weights(page).count("masked") == 8
    switch_mask(page)
    expect(sentence(page)).to_contain_text("cat looks mostly at tired")
    assert shown_weights(page) == row(1, mask="none")
    expect(page).to_have_url(re.compile("mask=none"))


def test_a_reload_and_a_link_restore_the_view(app_server, page, new_page):
    open_lesson(page, app_server, "every_token")
    choose(page, "soft")
    expect(page).to_have_url(re.compile("ending=soft"))
    settled(page)  # one choice at a time: whether quick ones are all kept is another question
    choose(page, "sink")
    expect(page).to_have_url(re.compile("head=sink"))
    settled(page)
    switch_mask(page)
    expect(page).to_have_url(re.compile("(?=.*ending=soft)(?=.*head=sink).*mask=none"))
    settled(page)
    page.get_by_role("grid").get_by_role("gridcell").nth(23).click()
    expect(page).to_have_url(re.compile(r"ask=3\b"))
    for visitor in (page, new_page()):
        open_lesson(visitor, app_server, page.url.removeprefix(f"{app_server}/"))
        expect(visitor.locator(".st-key-strip").get_by_role("radio", name="soft")).to_be_checked()
        expect(visitor.locator(".st-key-strip").get_by_role("radio", name="sink")).to_be_checked()
        expect(visitor.get_by_role("switch", name=re.compile("Causal mask"))).not_to_be_checked()
        expect(sentence(visitor)).to_contain_text("sat looks mostly at The")


def test_the_view_survives_the_way_to_the_next_page_and_back(app_server, page):
    open_lesson(page, app_server)
    choose(page, "soft")
    token(page, "sat").click()
    expect(page).to_have_url(re.compile(r"ask=3\b"))
    page.get_by_role("link", name="Next: Queries and keys").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Queries and keys")
    expect(token(page, "sat")).to_be_checked()
    token(page, "mat").click()
    expect(page.locator("[data-follows-ask='5']").first).to_be_visible()
    page.get_by_role("link", name="Back: A word needs its neighbours").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A word needs its neighbours")
    expect(token(page, "mat")).to_be_checked()
    expect(page.locator(".st-key-strip").get_by_role("radio", name="soft")).to_be_checked()


def test_back_leads_to_the_page_before_however_much_was_chosen_here(app_server, page):
    open_lesson(page, app_server)
    page.get_by_role("link", name="Next: Queries and keys").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Queries and keys")
    for place, name in ((2, "sat"), (5, "mat"), (7, "it")):
        token(page, name).click()
        expect(page).to_have_url(re.compile(rf"ask={place + 1}\b"))
    choose(page, "soft")
    expect(page).to_have_url(re.compile("ending=soft"))
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("A word needs its neighbours")
    expect(token(page, "it")).to_be_checked()
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Queries and keys")


def test_what_follows_a_click_shows_the_arithmetic_of_the_picked_token(app_server, page):
    open_lesson(page, app_server, "queries_and_keys")
    token(page, "it").click()
    follower = page.locator("[data-follows-ask='7']").first
    expect(follower).to_contain_text("query of it")
    cat = follower.get_by_role("row").filter(has=page.get_by_role("rowheader", name="cat"))
    expect(cat).to_contain_text("= 8")
    mat = follower.get_by_role("row").filter(has=page.get_by_role("rowheader", name="mat"))
    expect(mat).to_contain_text("= 8")


def test_two_points_more_are_seven_point_three_nine_times_the_weight(app_server, page):
    open_lesson(page, app_server, "softmax?points=2")
    expect(page.get_by_text("= 7.39").first).to_be_visible()
    token(page, "it").click()
    expect(page.locator("[data-follows-ask='7']")).to_contain_text("e2.0 = 7.39")


def test_equal_tokens_are_kept_apart(app_server, page):
    open_lesson(page, app_server)
    expect(page.get_by_role("radiogroup", name="query (asks)").get_by_role("radio")).to_have_count(10)
    token(page, "the, token 5").click()
    expect(token(page, "the, token 5")).to_be_checked()
    expect(token(page, "The, token 1")).not_to_be_checked()
    assert shown_weights(page) == row(4)


def test_the_first_page_is_walked_by_keyboard_alone(app_server, page):
    open_lesson(page, app_server)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.shadowRoot?.activeElement?.getAttribute('aria-label')") == "tired":
            break
    expect(token(page, "tired")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(token(page, "it")).to_be_checked()
    expect(page).to_have_url(re.compile(r"ask=8\b"))
    assert shown_weights(page) == row(7)


@pytest.mark.parametrize(
    "link", ["ending=dog&ask=99&mask=maybe&head=nose", "ask=" + "9" * 3000, "ending=&ask=&mask=&n="]
)
def test_nonsense_in_the_address_gives_the_defaults(app_server, page, link):
    open_lesson(page, app_server, f"every_token?{link}")
    expect(sentence(page)).to_contain_text("tired")
    expect(page.get_by_role("switch", name=re.compile("Causal mask"))).to_be_checked()
    expect(page.locator(".stException")).to_have_count(0)


@pytest.mark.parametrize("stem", STEMS)
@pytest.mark.parametrize("page", [{"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}], indirect=True)
def test_nobody_is_left_out_nothing_runs_over_the_side_and_the_thing_to_try_lights_up(app_server, page, stem):
    open_lesson(page, app_server, stem)
    expect(page.locator(".gliding")).to_have_count(0)
    assert axe_violations(page) == []
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
    mark_what_lights_up(page)
    page.get_by_role("button", name="Show me where").click()
    expect(page.locator("[data-was-lit]")).to_have_count(1)
    expect(page.locator("[data-was-lit]")).to_be_in_viewport()
    if stem == STEMS[0]:
        expect(page.locator(".av-lit")).to_have_count(0)


def test_what_is_folded_opens_with_the_formula_the_source_and_the_same_numbers(app_server, page):
    open_lesson(page, app_server)
    assert page.get_by_role("table", name=re.compile("Weights")).count() == 0
    page.get_by_text("The same numbers as a table").click()
    table = page.get_by_role("table", name=re.compile("Weights"))
    expect(table).to_be_visible()
    last_row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name="tired", exact=True))
    assert last_row.get_by_role("cell").all_inner_texts()[:-1] == row(9)
    page.get_by_text("The source that computed it").click()
    expect(page.get_by_role("region", name=re.compile("Source of"))).to_contain_text("def attention_weights")
    page.get_by_text("The formula", exact=True).click()
    expect(page.get_by_role("math")).to_be_visible()
    settled(page)
    assert axe_violations(page) == []
