"""The workbench in a real browser: change, follow, undo, link, draw a mask, write a sentence, save and load."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from attention_core import Edit, Experiment, trace
from attention_view.workbench.words import MISTAKES
from tests.browser.chromium import axe_violations, settled
from tests.browser.test_pages import open_lesson, sentence, shown_weights, token

LAST, CAT = 9, 1


def cell(page: Page, row: int, column: int):
    return page.locator(".number-tables [role=row]:has([role=gridcell])").nth(row).get_by_role("gridcell").nth(column)


def choose(page: Page, key: str, name: str) -> None:
    page.locator(f".st-key-{key}").get_by_role("radio", name=name, exact=True).click()
    settled(page)


def set_number(page: Page, row: int, column: int, text: str) -> None:
    cell(page, row, column).dblclick()
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    settled(page)


def weights_of(experiment: Experiment) -> list[str]:
    record, i = trace(experiment), experiment.ask
    row, seen = record.weights[experiment.head_index, i], record.mask[i]
    return [written(w) if s else "masked" for w, s in zip(row, seen, strict=True)]


def written(weight: float) -> str:
    if weight == 0:
        return "0"
    return "<0.001" if weight < 0.0005 else f"{weight:.3f}"


def test_a_score_is_changed_followed_undone_redone_and_linked(app_server, page, new_page):
    open_lesson(page, app_server, "workbench")
    assert shown_weights(page) == weights_of(Experiment())
    set_number(page, LAST, CAT, "1.5")
    changed = Experiment(edits=(Edit("scores", (0, LAST, CAT), 1.5),))
    assert shown_weights(page) == weights_of(changed)
    follows = page.get_by_role("table", name=re.compile("^weights"))
    expect(follows).to_contain_text("was 0.858, now 0.332")
    expect(page).to_have_url(re.compile("edits="))

    choose(page, "change", "mask")  # a choice that Streamlit writes into the address, and sorts it
    choose(page, "change", "scores")
    assert 0 < page.url.index("_seal=") < page.url.index("edits=")
    broken = open_lesson(new_page(), app_server, page.url.removeprefix(f"{app_server}/")[:-2])
    expect(broken.get_by_text("The address could not be read whole.")).to_be_visible()
    assert shown_weights(broken) == weights_of(Experiment())
    visitor = open_lesson(new_page(), app_server, page.url.removeprefix(f"{app_server}/"))
    assert shown_weights(visitor) == weights_of(changed)
    expect(visitor.get_by_role("table", name=re.compile("^weights"))).to_contain_text("was 0.858, now 0.332")

    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert shown_weights(page) == weights_of(Experiment())
    expect(follows).to_have_count(0)
    expect(page).not_to_have_url(re.compile("edits=|_seal="))
    page.get_by_role("button", name="Redo").click()
    settled(page)
    assert shown_weights(page) == weights_of(changed)

    set_number(page, LAST, CAT, "nan")
    expect(page.get_by_text(re.compile("must stand here, but it was “nan”"))).to_be_visible()
    page.keyboard.press("Escape")
    assert shown_weights(page) == weights_of(changed)
    page.get_by_role("button", name=re.compile("^Put back 4")).click()
    settled(page)
    assert shown_weights(page) == weights_of(Experiment())
    assert axe_violations(page) == []


def test_a_mask_is_drawn_by_hand_and_a_sentence_is_written(app_server, page):
    open_lesson(page, app_server, "workbench?change=mask")
    cell(page, LAST, CAT).click()
    settled(page)
    assert shown_weights(page) == weights_of(Experiment(edits=(Edit("mask", (LAST, CAT), 0.0),)))
    choose(page, "mask_kind", "window")
    assert shown_weights(page) == weights_of(Experiment(mask="window 3"))
    choose(page, "change", "sentence")
    box = page.get_by_role("textbox", name="Your own sentence")
    box.fill("The dog was tired")
    box.press("Enter")
    settled(page)
    page.locator(".st-key-meaning_0").get_by_role("button", name="alive").click()
    settled(page)
    choose(page, "change", "mask")
    choose(page, "mask_kind", "causal")
    expect(sentence(page)).to_contain_text("tired looks mostly at dog")
    token(page, "dog").click()
    expect(page).to_have_url(re.compile(r"ask=2\b"))
    choose(page, "change", "sentence")
    box.fill(" ")
    box.press("Enter")
    expect(page.get_by_text("A sentence must have 1 to 32 words, but it has 0.")).to_be_visible()
    expect(token(page, "dog")).to_be_checked()
    expect(page.locator(".stException")).to_have_count(0)


def test_every_mistake_can_be_switched_on_and_undone(app_server, page):
    open_lesson(page, app_server, "workbench?change=mistake&mask=none")
    for variant, name in MISTAKES.items():
        page.get_by_role("radio", name=name, exact=True).locator("xpath=ancestor::label").click()
        settled(page)
        shown, record = shown_weights(page), trace(Experiment(variant=variant, mask="none"))
        assert shown == [written(w) for w in record.weights[0, LAST]]
    page.get_by_role("button", name="Undo").click()
    settled(page)
    expect(page).to_have_url(re.compile("variant=cut_first"))


def test_an_experiment_is_saved_and_loaded_and_a_broken_file_is_refused(app_server, page, tmp_path):
    open_lesson(page, app_server, "workbench?edits=divisor[]=4&ending=soft")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the experiment").click()
    saved = tmp_path / "saved.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text(encoding="utf-8"))["experiment"]["edits"][0]["value"] == 4
    page.get_by_role("button", name="Reset all").click()
    settled(page)
    assert shown_weights(page) == weights_of(Experiment())
    broken = tmp_path / "broken.json"
    broken.write_text(saved.read_text(encoding="utf-8").replace("4.0", '"four"'), encoding="utf-8")
    loader = page.locator(".st-key-load_experiment input[type=file]")
    loader.set_input_files(broken)
    expect(page.get_by_text(re.compile(r"experiment\.edits\[0\]\.value: a number from"))).to_be_visible()
    expect(page.get_by_text("Nothing was changed.")).to_be_visible()
    loader.set_input_files({"name": "photo.json", "mimeType": "application/json", "buffer": b"\xff\xfe\x00"})
    expect(page.get_by_text("photo.json was not loaded: it must be a text in UTF-8")).to_be_visible()
    assert shown_weights(page) == weights_of(Experiment())
    loader.set_input_files(saved)
    expect(sentence(page)).to_contain_text("soft looks")
    settled(page)
    assert shown_weights(page) == weights_of(Experiment(ending="soft", edits=(Edit("divisor", (), 4.0),)))


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}], indirect=True)
def test_a_changed_workbench_on_a_phone_leaves_nobody_out(app_server, page):
    open_lesson(page, app_server, "workbench?edits=scores[0,9,1]=1.5&change=token+vectors")
    assert axe_violations(page) == []
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
