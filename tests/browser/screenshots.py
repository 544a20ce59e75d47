"""`python -m tests.browser.screenshots` takes a picture of every page for the eye, and the one of the README.

The first go to screenshots/ (not kept in git), at two widths, light and dark; the other to .github/screenshot.png.
"""

from typing import Any, Literal, get_args

from playwright.sync_api import Browser, Page, sync_playwright

from attention_view.lesson import LESSONS
from tests.browser.chromium import launch, new_context, settled
from tests.browser.server import ROOT, Server

FOLDER = ROOT / "screenshots"
README_PICTURE = ROOT / ".github" / "screenshot.png"
Scheme = Literal["light", "dark"]
WIDTHS = {1280: 900, 390: 844}  # and the heights of such screens


def open_page(browser: Browser, address: str, **options: Any) -> Page:
    """Open a page and wait for its pictures.

    Raises RuntimeError if it shows an error instead of a lesson.
    """
    page = new_context(browser, **options).new_page()
    page.goto(address)
    settled(page)
    error = page.locator('[data-testid="stException"]')
    if error.count():
        raise RuntimeError(f"{address} shows an error: {error.first.inner_text()}")
    return page


def take(browser: Browser, address: str, name: str, *, width: int, scheme: Scheme) -> None:
    """One page in its whole length."""
    page = open_page(browser, address, viewport={"width": width, "height": WIDTHS[width]}, color_scheme=scheme)
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": width, "height": height})
    settled(page)
    page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png")
    page.context.close()


def take_readme_picture(browser: Browser, address: str) -> None:
    """The first page as it opens."""
    page = open_page(browser, address, viewport={"width": 1280, "height": 860}, device_scale_factor=1.5)
    page.screenshot(path=README_PICTURE)


def main() -> None:
    """Take them all."""
    FOLDER.mkdir(exist_ok=True)
    README_PICTURE.parent.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        server = Server().wait()
        try:
            for lesson in LESSONS:
                for width in WIDTHS:
                    for scheme in get_args(Scheme):
                        take(browser, f"{server.address}/{lesson.stem}", lesson.stem, width=width, scheme=scheme)
            take_readme_picture(browser, server.address)
        finally:
            server.stop()
            browser.close()


main()
