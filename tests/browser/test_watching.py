"""The watch over pages and the search for Chromium, tried on faults made on purpose."""

from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.chromium import MISSING, Faults, axe_violations, find_chromium, settled
from tests.browser.server import Server

SMALL_APP = Path(__file__).parent / "apps" / "token_view_app.py"


class NoChromium:
    """Playwright without its own Chromium."""

    class chromium:
        executable_path = "/nowhere/chromium"


@pytest.fixture
def watched(browser):
    """A page that is not held to be without faults, and what is seen on it."""
    page = browser.new_page()
    yield page, Faults(page)
    page.close()


def seen(page: Page, faults: Faults, n: int) -> None:
    """Wait until n faults are seen: the browser tells of them a little later."""
    for _ in range(100):
        if len(faults) >= n:
            return
        page.wait_for_timeout(50)


def test_a_console_error_a_script_error_and_a_foreign_request_are_faults(watched):
    page, faults = watched
    page.route("**/*", lambda route: route.fulfill(body="", content_type="image/png"))
    page.set_content("<script>console.error('oh'); console.info('fine')</script><img src='http://foreign.test/a.png'>")
    page.evaluate("setTimeout(() => { throw new Error('broken') })")
    seen(page, faults, 3)
    assert sorted(fault.split(" (")[0] for fault in faults) == [
        "console error: oh",
        "foreign request: http://foreign.test/a.png",
        "script error: broken",
    ]


def test_the_apps_own_requests_are_no_faults_but_what_it_misses_is(watched):
    page, faults = watched
    here = "http://127.0.0.1:8501"
    page.route(f"{here}/softmax", lambda route: route.fulfill(body="<title>t</title>", content_type="text/html"))
    page.route("**/softmax/**", lambda route: route.fulfill(status=404))
    page.goto(f"{here}/softmax")
    page.evaluate("fetch('/softmax/_stcore/health')")
    assert not faults
    page.evaluate("fetch('/softmax/_stcore/stream')")
    seen(page, faults, 1)
    assert len(faults) == 1
    assert "404" in faults[0] and "/softmax/_stcore/stream" in faults[0]


def test_settled_waits_for_a_server_that_answers_late_and_says_what_is_missing(serve, page: Page):
    server = serve(SMALL_APP)
    page.goto(server.address)
    expect(page.get_by_text("Python knows: 9")).to_be_visible()
    settled(page)
    server.hold()
    page.get_by_role("button", name="Ask token 3").click()
    with pytest.raises(Error, match=r"did not settle in 500 ms: the server has not answered what was asked last"):
        settled(page, longest=500)
    server.let_go()
    settled(page)
    assert page.get_by_text("Python knows:").inner_text() == "Python knows: 2"
    page.evaluate("document.querySelector('.stApp').dataset.testScriptState = 'running'")
    with pytest.raises(Error, match="did not settle in 50 ms: the script is running"):
        settled(page, longest=50)


def test_axe_names_a_picture_without_a_text(page: Page):
    page.set_content("<html lang=en><title>t</title><main><h1>t</h1><img src='data:,'></main>")
    found = axe_violations(page)
    assert [violation["rule"] for violation in found] == ["image-alt"]
    assert found[0]["where"] == [["img"]]


def test_a_missing_chromium_is_named_with_the_way_to_get_one(monkeypatch):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(FileNotFoundError, match="No Chromium found. Install one"):
        find_chromium(NoChromium())
    assert "CHROMIUM" in MISSING


def test_a_wrong_name_in_chromium_is_refused(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    with pytest.raises(FileNotFoundError, match="CHROMIUM names '/nowhere/chromium', which is no program here"):
        find_chromium(NoChromium())


def test_a_server_that_cannot_start_says_why(tmp_path):
    with pytest.raises(RuntimeError, match=r"the Streamlit server did not start:(.|\n)*File does not exist"):
        Server(tmp_path / "missing.py").wait()
