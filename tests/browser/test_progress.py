"""The learner's progress: kept in the browser and nowhere else, through reloads, restarts and bad files."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from attention_view.check import question_ids
from attention_view.lesson import LESSONS
from tests.browser.chromium import axe_violations, settled
from tests.browser.conftest import NO_WATCHING
from tests.browser.server import APP, ROOT, Server, free_port

SMALL_APP = Path(__file__).parent / "apps" / "progress_app.py"
KEY = "attention-by-hand progress"
ASIDE = f"{KEY} set aside"
N = len(LESSONS)
GONE_BY = {"version": 1, "seen": ["a page of another edition"], "right": ["two", "a question of another edition"]}
PHONE = {"viewport": {"width": 390, "height": 844}}
BLOCKED = 'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError") } })'
FULL = 'Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }'


@pytest.fixture
def small_app(serve):
    return serve(SMALL_APP).address


@pytest.fixture
def restart():
    """Start a server of the app; called again, stop it and start another at the same address."""
    port, running = free_port(), []

    def start():
        stop()
        running.append(Server(APP, NO_WATCHING, port=port).wait())
        return running[-1].address

    def stop():
        while running:
            running.pop().stop()

    yield start
    stop()


def display(page: Page):
    return page.get_by_role("group", name="Your progress")


def open_at(page: Page, address: str) -> Page:
    page.goto(address)
    expect(display(page)).to_be_attached()
    settled(page)
    return page


def counts(page: Page, pages: str, questions: str | None = None) -> None:
    expect(display(page)).to_contain_text(f"Pages seen {pages}")
    if questions:
        expect(display(page)).to_contain_text(f"Questions right {questions}")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def unfold(page: Page) -> None:
    display(page).get_by_text("Export, import, clear").click()


def says(page: Page, words: str) -> None:
    expect(display(page).get_by_role("status").filter(has_text=words)).to_be_visible()


def kept(page: Page, key: str = KEY):
    text = page.evaluate("key => localStorage.getItem(key)", key)
    return text and json.loads(text)


def keep(page: Page, text: str) -> None:
    """Put a text where progress is kept, before the app looks."""
    page.add_init_script(
        f"if (!sessionStorage.done) localStorage.setItem({json.dumps(KEY)}, {json.dumps(text)}); sessionStorage.done=1"
    )


def give_file(page: Page, text: str) -> None:
    with page.expect_file_chooser() as chooser:
        press(page, "Import")
    chooser.value.set_files({"name": "mine.json", "mimeType": "application/json", "buffer": text.encode()})


def test_seen_pages_are_counted_and_marked_in_the_navigation_without_moving_it(app_server, page):
    open_at(page, app_server)
    counts(page, f"1 of {N}")
    links = page.get_by_test_id("stSidebarNavLink")
    before = links.evaluate_all("links => links.map(link => link.getBoundingClientRect().toJSON())")
    expect(page.get_by_role("link", name=f"1. {LESSONS[0].title} seen", exact=True)).to_be_visible()
    page.get_by_role("link", name="3. Softmax", exact=True).click()
    expect(page.get_by_role("link", name="3. Softmax seen", exact=True)).to_be_visible()
    counts(page, f"2 of {N}")
    assert page.get_by_role("link", name=re.compile(" seen$")).count() == 2
    assert links.evaluate_all("links => links.map(link => link.getBoundingClientRect().toJSON())") == before


def test_without_questions_no_word_is_said_of_them(small_app, page):
    open_at(page, f"{small_app}?questions=none")
    counts(page, "1 of 2")
    expect(display(page).get_by_text("Questions right")).to_be_hidden()


def test_seen_pages_survive_a_reload_and_a_restart_of_the_server(restart, page):
    address = restart()
    open_at(page, f"{address}/values")
    counts(page, f"1 of {N}")
    page.reload()
    counts(page, f"1 of {N}")
    page.goto("about:blank")
    assert restart() == address
    open_at(page, f"{address}/softmax")
    counts(page, f"2 of {N}")
    assert kept(page) == {"version": 1, "seen": ["values", "softmax"], "right": []}


def test_a_question_answered_right_stays_so_after_a_restart_of_the_server(restart, page):
    address = restart()
    open_at(page, f"{address}/check?question=which-root")
    questions = len(question_ids())
    counts(page, f"1 of {N}", f"0 of {questions}")
    page.get_by_text("The number of entries in a query or key: d_head, here 4.").click()
    press(page, "Check")
    counts(page, f"1 of {N}", f"1 of {questions}")
    page.goto("about:blank")
    assert restart() == address
    open_at(page, f"{address}/check?question=which-root")
    counts(page, f"1 of {N}", f"1 of {questions}")
    expect(page.get_by_role("button", name=re.compile("answered right"))).to_have_count(1)
    expect(page.locator('[data-question="which-root"]')).to_have_attribute("data-right", "")
    assert kept(page) == {"version": 1, "seen": ["check"], "right": ["which-root"]}


def test_a_right_answer_counts_once_whether_a_fragment_or_the_page_judges_it(small_app, page):
    open_at(page, small_app)
    counts(page, "1 of 2", "0 of 3")
    press(page, "Answer two")
    counts(page, "1 of 2", "1 of 3")
    press(page, "Answer two")
    press(page, "Answer sky")
    counts(page, "1 of 2", "2 of 3")
    press(page, "Run again")
    page.get_by_role("link", name="Second").click()
    counts(page, "2 of 2", "2 of 3")
    assert kept(page) == {"version": 1, "seen": ["first", "second"], "right": ["two", "sky"]}


def test_questions_answered_right_are_marked_on_later_visits_as_well(small_app, page):
    open_at(page, small_app)
    expect(page.locator("[data-right]")).to_have_count(0)
    press(page, "Answer two")
    expect(page.locator("[data-right]")).to_have_text("Question two answered right")
    page.get_by_text("Bold").click()
    expect(page.locator("strong[data-right]")).to_have_text("Question two answered right")
    page.get_by_role("link", name="Second").click()
    expect(page.locator("[data-question]")).to_have_count(0)
    page.get_by_role("link", name="First").click()
    expect(page.locator("[data-right]")).to_have_text("Question two answered right")
    open_at(page, small_app)
    expect(page.locator("[data-right]")).to_have_text("Question two answered right")
    unfold(page)
    press(page, "Clear")
    press(page, "Yes, clear")
    expect(page.locator("[data-right]")).to_have_count(0)
    expect(page.get_by_text("answered right")).to_have_count(0)


def test_what_is_cleared_stays_cleared_until_it_is_earned_again(small_app, page):
    open_at(page, small_app)
    press(page, "Answer two")
    counts(page, "1 of 2", "1 of 3")
    unfold(page)
    press(page, "Clear")
    counts(page, "1 of 2", "1 of 3")
    press(page, "Keep")
    counts(page, "1 of 2", "1 of 3")
    press(page, "Clear")
    press(page, "Yes, clear")
    says(page, "Cleared.")
    counts(page, "0 of 2", "0 of 3")
    assert kept(page) is None
    press(page, "Run again")
    press(page, "Answer two")
    settled(page)
    counts(page, "0 of 2", "0 of 3")
    press(page, "Answer sky")
    counts(page, "0 of 2", "1 of 3")
    press(page, "Answer two anew and at once")
    counts(page, "0 of 2", "2 of 3")
    press(page, "Clear")
    press(page, "Yes, clear")
    counts(page, "0 of 2", "0 of 3")
    press(page, "Answer two anew")
    settled(page)
    counts(page, "0 of 2", "0 of 3")
    press(page, "Answer two")
    counts(page, "0 of 2", "1 of 3")


def test_export_clear_and_import_give_the_same_and_an_import_is_added(small_app, page):
    open_at(page, small_app)
    press(page, "Answer two")
    counts(page, "1 of 2", "1 of 3")
    before = kept(page)
    unfold(page)
    with page.expect_download() as download:
        press(page, "Export")
    says(page, "Saved as attention-by-hand-progress.json.")
    assert download.value.suggested_filename == "attention-by-hand-progress.json"
    file = download.value.path().read_text(encoding="utf-8")
    assert json.loads(file) == before == {"version": 1, "seen": ["first"], "right": ["two"]}
    press(page, "Clear")
    press(page, "Yes, clear")
    counts(page, "0 of 2", "0 of 3")
    give_file(page, file)
    says(page, "Imported: 1 page and 1 right answer added.")
    counts(page, "1 of 2", "1 of 3")
    assert kept(page) == before
    give_file(page, file)
    says(page, "Imported: all of it was here already.")
    press(page, "Answer sky")
    counts(page, "1 of 2", "2 of 3")
    give_file(page, json.dumps(GONE_BY))
    says(page, "Imported: 1 page and 1 right answer added.")
    counts(page, "1 of 2", "2 of 3")  # what this edition does not know is kept, but not counted
    assert kept(page)["seen"] == ["first", *GONE_BY["seen"]]
    assert kept(page)["right"] == ["two", "sky", "a question of another edition"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is not JSON"),
        ("{'seen'", "is not JSON"),
        ("null", "holds no progress"),
        ("[1]", "holds no progress"),
        ('{"seen": [], "right": []}', "holds no progress"),
        ('{"version": 2, "seen": [], "right": []}', "has the version 2, not 1"),
        ('{"version": "1", "seen": [], "right": []}', 'has the version "1", not 1'),
        ('{"version": 1, "right": []}', 'lacks the field "seen"'),
        ('{"version": 1, "seen": "softmax", "right": []}', 'has no list of names in "seen"'),
        ('{"version": 1, "seen": [], "right": [7]}', 'has no list of names in "right"'),
        ('{"version": 1, "seen": [""], "right": []}', 'has no list of names in "seen"'),
        ('{"version": 1, "seen": [], "right": [], "<b>": 1}', 'has a field that progress has not: "<b>"'),
        ('{"version": 1, "seen": [], "right": ["' + "x" * 100_000 + '"]}', "is larger than 100 kB"),
    ],
    ids=lambda text: text[:50],
)
def test_a_bad_file_is_refused_with_the_reason_and_nothing_is_lost(small_app, page, text, fault):
    keep(page, json.dumps(GONE_BY))
    open_at(page, small_app)
    before = kept(page)
    unfold(page)
    give_file(page, text)
    says(page, f"Not imported: the file {fault}. Your progress is as it was.")
    assert kept(page) == before == {**GONE_BY, "seen": [*GONE_BY["seen"], "first"]}


def test_damaged_progress_is_set_aside_and_said(small_app, page):
    keep(page, '{"version": 1, "seen": 5}')
    open_at(page, small_app)
    says(page, 'The progress in this browser was damaged (it has no list of names in "seen"). It is set aside.')
    counts(page, "1 of 2")
    assert kept(page, ASIDE) == {"version": 1, "seen": 5}
    assert kept(page) == {"version": 1, "seen": ["first"], "right": []}


def test_progress_of_another_version_is_left_as_it_is(small_app, page):
    newer = {"version": 2, "pages": {"first": "yesterday"}}
    keep(page, json.dumps(newer))
    open_at(page, small_app)
    says(page, "This browser keeps progress of another version of this app.")
    press(page, "Answer two")
    counts(page, "1 of 2", "1 of 3")
    unfold(page)
    press(page, "Clear")
    press(page, "Yes, clear")
    counts(page, "0 of 2", "0 of 3")
    assert kept(page) == newer


@pytest.mark.parametrize("fault", [BLOCKED, FULL], ids=["blocked", "full"])
def test_with_the_storage_blocked_or_full_progress_counts_for_the_visit_and_says_so(small_app, page, fault):
    page.add_init_script(fault)
    open_at(page, small_app)
    says(page, "Your browser does not let this page keep your progress: it counts for this visit only.")
    page.get_by_role("link", name="Second").click()
    counts(page, "2 of 2", "0 of 3")
    page.get_by_role("link", name="First").click()
    press(page, "Answer two")
    counts(page, "2 of 2", "1 of 3")
    expect(page.locator("[data-right]")).to_have_text("Question two answered right")
    page.reload()
    counts(page, "1 of 2", "0 of 3")


def test_two_windows_keep_in_step_and_neither_wipes_out_what_the_other_has(small_app, page):
    open_at(page, small_app)
    other = open_at(page.context.new_page(), f"{small_app}/second")
    counts(page, "2 of 2", "0 of 3")
    press(page, "Answer two")
    counts(other, "2 of 2", "1 of 3")
    other.get_by_role("link", name="First").click()
    press(other, "Answer sky")
    counts(page, "2 of 2", "2 of 3")
    assert kept(page) == {"version": 1, "seen": ["first", "second"], "right": ["two", "sky"]}
    unfold(other)
    press(other, "Clear")
    press(other, "Yes, clear")
    counts(page, "0 of 2", "0 of 3")


def test_no_word_of_progress_reaches_the_server(small_app, page):
    keep(page, json.dumps(GONE_BY))
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.on("request", lambda request: sent.append(request.post_data or request.url))
    files = {path: path.stat().st_mtime_ns for path in app_files()}
    open_at(page, small_app)
    press(page, "Answer two")
    press(page, "Answer sky")
    counts(page, "1 of 2", "2 of 3")
    unfold(page)
    give_file(page, json.dumps({**GONE_BY, "seen": ["first", "a second page of another edition"]}))
    says(page, "Imported")
    with page.expect_download():
        press(page, "Export")
    press(page, "Clear")
    press(page, "Yes, clear")
    page.get_by_role("link", name="Second").click()
    counts(page, "1 of 2", "0 of 3")
    frames = [frame if isinstance(frame, bytes) else frame.encode() for frame in sent]
    assert any(b"the answer to two" in frame for frame in frames)  # what is sent is seen here
    for word in (b"another edition", b'"seen"', b'"right"'):
        assert not any(word in frame for frame in frames)
    assert {path: path.stat().st_mtime_ns for path in app_files()} == files


def app_files():
    """The files that a server could have written beside the app."""
    hidden = {".git", "__pycache__", ".venv", ".hypothesis", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
    return [path for path in ROOT.rglob("*") if path.is_file() and not hidden & set(path.relative_to(ROOT).parts)]


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.shadowRoot?.activeElement?.textContent")


def test_progress_is_cleared_and_kept_by_keyboard_alone(small_app, page):
    open_at(page, small_app)
    for _ in range(12):
        page.keyboard.press("Tab")
        if focused(page) == "Export, import, clear":
            break
    page.keyboard.press("Enter")
    for name in ("Export", "Import", "Clear"):
        page.keyboard.press("Tab")
        assert focused(page) == name
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Clear all progress?")).to_be_visible()
    assert focused(page) == "Keep"
    page.keyboard.press("Escape")
    assert focused(page) == "Clear"
    expect(page.get_by_role("group", name="Clear all progress?")).to_be_hidden()
    counts(page, "1 of 2")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "Yes, clear"
    page.keyboard.press("Enter")
    assert focused(page) == "Clear"
    counts(page, "0 of 2")


@pytest.mark.parametrize("page", [{"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}], indirect=True)
def test_nobody_is_left_out_of_the_progress(small_app, page):
    open_at(page, small_app)
    press(page, "Answer two")
    counts(page, "1 of 2", "1 of 3")
    if page.viewport_size["width"] < 640:
        page.get_by_test_id("stExpandSidebarButton").click()
    unfold(page)
    assert axe_violations(page) == []
    press(page, "Clear")
    settled(page)  # the sidebar may still be sliding
    assert axe_violations(page) == []
    for name in ("Yes, clear", "Keep"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    sidebar = page.get_by_test_id("stSidebarContent")
    assert sidebar.evaluate("sidebar => sidebar.scrollWidth - sidebar.clientWidth") == 0


def test_the_display_stays_in_place_when_the_page_is_switched(app_server, page):
    open_at(page, app_server)
    display(page).evaluate("display => (display.isTheSame = true)")
    unfold(page)
    page.get_by_role("link", name="2. Queries and keys").click()
    counts(page, f"2 of {N}")
    settled(page)
    assert display(page).evaluate("display => display.isTheSame")
    expect(page.get_by_role("button", name="Export", exact=True)).to_be_visible()
