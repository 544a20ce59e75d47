"""The last page in a real browser: each kind of question by mouse and by keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chromium import axe_violations, settled

PHONE = {"viewport": {"width": 390, "height": 844}}


def opened(page: Page, server: str, question: str) -> Page:
    page.goto(f"{server}/check?question={question}")
    expect(page.locator(".av-questions button[aria-current]")).to_be_visible()
    settled(page)
    return page


def check(page: Page) -> None:
    button = page.get_by_role("button", name="Check", exact=True)
    expect(button).to_be_enabled()
    button.click()


def verdict(page: Page):
    return page.get_by_role("alert")


def key(page: Page, name: str):
    return page.get_by_role("radio", name=name, exact=True)


def test_a_token_is_clicked_and_judged_and_the_picture_comes_after(app_server, page):
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    opened(page, app_server, "who-looks-at-cat")
    key(page, "it").click()
    settled(page)
    assert not any("0.964" in frame for frame in frames)  # the largest weight was not sent
    assert page.locator(".token-view").count() == 0
    check(page)
    expect(verdict(page)).to_contain_text("Not yet. it gives cat a weight of 0.474.")
    key(page, "sat").click()
    check(page)
    expect(verdict(page)).to_contain_text("Right. sat gives cat a weight of 0.965.")
    expect(page.locator(".token-view .sentence .shown")).to_contain_text("sat looks mostly at cat")
    assert any("0.964" in frame for frame in frames)
    expect(page.locator('[data-question="who-looks-at-cat"]')).to_have_class("right")


def test_a_token_is_picked_with_the_arrow_keys(app_server, page):
    opened(page, app_server, "who-looks-at-cat")
    key(page, "The, token 1").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(key(page, "sat")).to_be_checked()
    page.keyboard.press("Tab")
    check_button = page.get_by_role("button", name="Check", exact=True)
    expect(check_button).to_be_enabled()
    check_button.focus()
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("Right.")


def test_bars_are_dragged_and_never_hand_out_more_than_all(app_server, page):
    opened(page, app_server, "it-after-soft")
    for name in ("cat", "mat", "on"):
        bar = page.get_by_role("slider", name=name, exact=True)
        box = bar.bounding_box()
        page.mouse.move(box["x"] + 2, box["y"] + 8)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 8, steps=4)
        page.mouse.up()
    expect(page.get_by_role("slider", name="on", exact=True)).to_have_attribute("aria-valuenow", "0")
    expect(page.get_by_text("All 100 % are handed out.")).to_be_visible()
    check(page)
    expect(verdict(page)).to_contain_text("Right.")


def test_bars_are_moved_with_the_keys(app_server, page):
    opened(page, app_server, "first-row")
    expect(page.get_by_role("button", name="Check", exact=True)).to_be_disabled()
    page.get_by_role("slider", name="The, token 1").focus()
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Left to hand out: 75 %")).to_be_visible()
    page.keyboard.press("End")
    check(page)
    expect(verdict(page)).to_contain_text("Right.")


def test_a_switch_moves_the_picture_only_when_it_is_checked(app_server, page):
    opened(page, app_server, "swing")
    sentence = page.locator(".token-view .sentence .shown")
    expect(sentence).to_contain_text("tired looks mostly at cat")
    key(page, "soft").click()
    settled(page)
    expect(sentence).to_contain_text("tired looks mostly at cat")
    check(page)
    expect(sentence).to_contain_text("soft looks mostly at mat")
    expect(verdict(page)).to_contain_text("Right.")
    assert "ending" not in page.url


def test_a_choice_is_answered_by_keyboard(app_server, page):
    opened(page, app_server, "zero-weight")
    page.get_by_role("radio", name="Nothing.").focus()
    page.keyboard.press("Space")
    check(page)
    expect(verdict(page)).to_contain_text("Right.")


def test_the_row_of_questions_leads_to_one_and_its_link_restores_it(app_server, page, new_page):
    opened(page, app_server, "swing")
    page.locator('[data-question="thick-line"]').click()
    expect(page.get_by_text("What does it tell you?")).to_be_visible()
    expect(page).to_have_url(re.compile("question=thick-line"))
    other = new_page()
    other.goto(page.url)
    expect(other.get_by_text("What does it tell you?")).to_be_visible()


@pytest.mark.parametrize("page", [{"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}], indirect=True)
@pytest.mark.parametrize("question", ["who-looks-at-cat", "it-after-soft", "one-head-off", "which-root"])
def test_nobody_is_left_out_of_any_kind_of_question(app_server, page, question):
    opened(page, app_server, question)
    assert axe_violations(page) == []
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
