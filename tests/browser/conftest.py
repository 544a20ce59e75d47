"""Servers and pages for the tests in a real browser.

A page that is opened here is watched to its end: a console error, a script error, a request to any host but the app's
own or a traceback on its server fails the test. `page` takes options of a browser context by indirect parameters:

    @pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import Faults, launch, new_context
from tests.browser.server import APP, Server

DESKTOP = {"width": 1280, "height": 900}
NO_WATCHING = "--server.fileWatcherType=none"

expect.set_options(timeout=45_000)  # ms: a busy machine is slow; a page that is wrong stays so


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    with sync_playwright() as playwright:
        try:
            chromium = launch(playwright)
        except FileNotFoundError as missing:
            pytest.fail(str(missing), pytrace=False)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], Server]]:
    """Serve a script (app.py or a small app of a test) until the end; each script has one server."""
    servers: dict[Path, Server] = {}

    def server_of(script: Path = APP) -> Server:
        if script not in servers:
            servers[script] = Server(script, NO_WATCHING).wait()
        return servers[script]

    yield server_of
    for server in servers.values():
        server.stop()


@pytest.fixture
def app_server(serve: Callable[..., Server]) -> Iterator[str]:
    """The address of the app on the server that all tests share."""
    server = serve(APP)
    before = len(server.log())
    yield server.address
    _no_traceback(server.log()[before:])


@pytest.fixture
def fresh_server() -> Iterator[str]:
    """The address of the app on a server that nobody has visited yet."""
    server = Server(APP, NO_WATCHING).wait()
    yield server.address
    server.stop()
    _no_traceback(server.log())


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page with options of a browser context, in a context of its own (as a visitor of its own)."""
    opened: list[tuple[Page, Faults]] = []

    def open_page(**options: Any) -> Page:
        page = new_context(browser, **{"viewport": DESKTOP, **options}).new_page()
        opened.append((page, Faults(page)))
        return page

    yield open_page
    faults = [fault for _, seen in opened for fault in seen]
    for page, _ in opened:
        page.context.close()
    assert not faults


@pytest.fixture
def page(new_page: Callable[..., Page], request: pytest.FixtureRequest) -> Page:
    """One page, 1280 pixels wide and light unless the test says otherwise."""
    return new_page(**getattr(request, "param", {}))


def _no_traceback(log: str) -> None:
    assert "Traceback" not in log, log
