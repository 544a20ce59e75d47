"""The map of a long text in a real browser: exact numbers at once, no weight lost, and nobody left out."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from attention_core.models.blocks import blocks
from attention_core.models.strongest import strongest
from attention_view.colours import colour
from attention_view.numbers import full
from tests.browser.apps.long_text import another_head, like_a_head
from tests.browser.chromium import axe_violations, settled

SCRIPT = Path(__file__).parent / "apps" / "map_view_app.py"
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
N = 1024
PIXELS = """canvas => [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data]"""

ASK_31ST = """tokens => {
  tokens[30].click();
  return [tokens[31], tokens.at(-1)].map((one) => one.classList.contains('masked'));
}"""


@pytest.fixture
def open_map(serve, page):
    """Open the test app on the page and wait until the map is painted."""

    def opened(query: str = "") -> Page:
        page.goto(f"{serve(SCRIPT).address}/?{query}")
        expect(view(page).last).to_have_attribute("data-turn", re.compile(r"\d+"))
        settled(page)
        return page

    return opened


def view(page: Page) -> Locator:
    return page.locator(".map-view")


def token(page: Page, place: int) -> Locator:
    return page.locator(".strip .token").nth(place)


def pair(page: Page) -> Locator:
    return page.locator(".pair")


def lens(page: Page) -> Locator:
    return page.get_by_role("application", name="Weights of single tokens")


def overview(page: Page) -> Locator:
    return page.get_by_role("application", name="Overview of the whole map")


def python_knows(page: Page, ask: int) -> None:
    expect(page.get_by_text("Python knows:")).to_have_text(f"Python knows: {ask}")


def says(weights: np.ndarray, i: int, j: int) -> re.Pattern[str]:
    """What the fixed line must say of a pair: the places and every digit."""
    digits = full(weights[i, j]) if weights[i, j] >= 1e-6 else ""
    return re.compile(rf", token {i + 1:,} → .*, token {j + 1:,}: {re.escape(digits)}")


def dots(page: Page) -> np.ndarray:
    """The overview as it is painted: [block row, block column, 4]."""
    canvas = page.locator("canvas.dots")
    side = canvas.evaluate("canvas => [canvas.height, canvas.width, 4]")
    return np.array(canvas.evaluate(PIXELS)).reshape(side)


def shades(blocks_of_map, theme: str) -> np.ndarray:
    """The colours that the overview must have, from the page's colour at 0 to the weights' at the most."""
    low, high = (
        np.array(list(bytes.fromhex(colour(name, theme)[1:])), np.float64)  # type: ignore[arg-type]
        for name in ("page", "weight")
    )
    share = np.minimum(blocks_of_map.values / blocks_of_map.most, 1)[..., None]
    return low + (high - low) * share


def painted_right(page: Page, weights: np.ndarray, by: str, theme: str) -> None:
    """No block is averaged, lost, or painted where the mask hides all of it."""
    expected = blocks(weights, 256, by, mask=np.tri(len(weights), dtype=bool))  # type: ignore[arg-type]
    painted = dots(page)
    assert np.array_equal(painted[..., 3] == 255, expected.visible)
    assert np.abs(painted[..., :3] - shades(expected, theme))[expected.visible].max() <= 1.5


def test_a_long_text_shows_every_weight_exactly_and_answers_by_itself(open_map, page):
    weights = like_a_head(N)
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    open_map()
    assert 2_000_000 < max(received) < 3_000_000  # once
    found = strongest(weights, 10, mask=np.tri(N, dtype=bool))
    expect(token(page, N - 1)).to_have_attribute("aria-checked", "true")
    expect(pair(page)).to_have_text(says(weights, N - 1, found.keys[N - 1, 0]))
    painted_right(page, weights, "max", "light")
    assert not axe_violations(page)

    # a pick shades what is in sight at once, the rest of the text when that is painted
    page.locator(".strip").evaluate("box => box.scrollTop = 0")
    assert page.locator(".strip .token").evaluate_all(ASK_31ST) == [True, False]  # masked: the next token, the last one
    expect(token(page, N - 1)).to_have_class(re.compile("masked"))
    python_knows(page, 30)
    settled(page)

    # a click: drawn at once, then told; few bytes
    received.clear()
    turn = view(page).get_attribute("data-turn")
    token(page, 60).click()
    expect(pair(page)).to_have_text(says(weights, 60, found.keys[60, 0]))
    expect(page.locator(".legend.of-text")).to_contain_text(f"{weights[60].max():.3f}, the largest weight shown")
    shade = token(page, int(found.keys[60, 0])).evaluate("one => getComputedStyle(one).backgroundColor")
    dark = np.array(list(bytes.fromhex(colour("weight", "light")[1:])))  # whatever its weight is
    assert np.array(re.findall(r"[\d.]+", shade)[:3], float) == pytest.approx(dark / 255, abs=1e-5)
    listed = page.locator(".strongest tbody tr:not(.none)")
    assert listed.locator(".place").all_inner_texts() == [f"{key + 1:,}" for key in found.keys[60]]
    assert (
        listed.locator(".weight, .number:not(.place):not(.share)").first.inner_text()
        == f"{weights[60, found.keys[60, 0]]:.3f}"
    )
    expect(listed.last).to_contain_text("all other 51 tokens")
    expect(page.locator(".strongest [data-open]").first).to_have_attribute(
        "data-open", f"weights[0,0,{found.keys[60, 0]}]"
    )
    expect(token(page, 61)).to_have_class(re.compile("masked"))
    expect(token(page, 60)).not_to_have_class(re.compile("masked"))
    python_knows(page, 60)
    settled(page)
    assert sum(received) <= 12_000
    assert view(page).get_attribute("data-turn") == turn

    # the text by keyboard, and odd tokens in it
    page.keyboard.press("ArrowLeft")
    expect(token(page, 59)).to_be_focused()
    expect(token(page, 59)).to_have_attribute("aria-checked", "true")
    expect(token(page, 42)).to_have_text(" <b>x</b>")
    expect(token(page, 40)).to_have_accessible_name("␣שלום, token 41")
    assert token(page, 40).evaluate("one => getComputedStyle(one.parentElement).unicodeBidi") == "isolate"
    assert token(page, 40).evaluate("one => one.parentElement.dir") == "rtl"
    runs = page.locator(".strip .run").evaluate_all("runs => runs.map((run) => [...run.children].map((one) => one.n))")
    assert runs == [[40], [50, 51, 52]]  # not the sign before the first word that is read from the right
    assert token(page, 41).evaluate("one => getComputedStyle(one).unicodeBidi") == "isolate"
    assert token(page, 12).evaluate("one => one.nextElementSibling.tagName") == "BR"
    page.keyboard.press("Home")
    expect(pair(page)).to_have_text(re.compile(r"^␣The, token 1 → ␣The, token 1: 1 \(100 %\)$"))
    page.keyboard.press("End")
    python_knows(page, N - 1)

    # a strong key is pointed at; the mouse reads a weight without moving anything
    page.locator(".strongest .who").nth(2).click()
    expect(pair(page)).to_have_text(says(weights, N - 1, found.keys[N - 1, 2]))
    before = view(page).bounding_box()
    token(page, N - 20).hover()
    expect(pair(page)).to_have_text(says(weights, N - 1, N - 20))
    assert view(page).bounding_box() == before

    # the lens: arrow keys, Home, End, zoom
    lens(page).focus()
    page.keyboard.press("Home")
    expect(pair(page)).to_have_text(says(weights, N - 1, 0))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(pair(page)).to_have_text(says(weights, N - 2, 1))
    python_knows(page, N - 2)
    page.keyboard.press("End")
    expect(pair(page)).to_have_text(re.compile("masked: it may not look there$"))
    page.keyboard.press("+")
    expect(page.locator(".zoomed")).to_have_text("the lens: 16 × 16 tokens")
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    expect(page.locator(".zoomed")).to_have_text("the lens: 64 × 64 tokens")
    expect(page.locator(".names.top > .chosen.key:not([hidden])")).to_have_text(re.compile("\\S"))

    # the overview: a click finds the strongest weight of the block; by sum; in the dark
    by_max = blocks(weights, 256, "max").values
    row, column = (int(n) for n in np.unravel_index(by_max[:, 20:].argmax(), by_max[:, 20:].shape))
    column += 20
    box = overview(page).bounding_box()
    x, y = (1 + (place + 0.5) / 256 * (box["width"] - 2) for place in (column, row))
    overview(page).click(position={"x": x, "y": y})
    cells = weights[4 * row : 4 * row + 4, 4 * column : 4 * column + 4]
    query, key = (int(n) for n in np.unravel_index(cells.argmax(), cells.shape))
    block = page.locator(".block-line")
    expect(pair(page)).to_have_text(says(weights, 4 * row + query, 4 * column + key))
    expect(block).to_contain_text(f"largest weight {by_max[row, column]:.3f}")
    page.get_by_role("radio", name="the sum").check()
    expect(block).to_contain_text(f"sum {cells.sum():.3f}, at most 4")
    painted_right(page, weights, "sum", "light")
    page.emulate_media(color_scheme="dark")
    settled(page)
    painted_right(page, weights, "sum", "dark")
    page.get_by_role("checkbox", name="Shade faint weights more strongly").check()
    expect(page.locator(".legend .middle")).to_have_text("1")

    page.get_by_role("checkbox", name="Shade faint weights more strongly").uncheck()

    # another head of the same text: another message, drawn into what stands there
    strip = page.locator(".strip").element_handle()
    page.get_by_role("button", name="Another head").click()
    other = another_head(N)
    expect(view(page)).not_to_have_attribute("data-turn", turn)
    settled(page)
    painted_right(page, other, "sum", "dark")
    expect(page.locator(".caption")).to_have_text("another head")
    ask = int(view(page).get_attribute("data-painted-ask"))
    key = int(strongest(other, 1).keys[ask, 0])
    page.locator(".strongest .who").first.click()
    expect(pair(page)).to_have_text(says(other, ask, key))
    assert strip.evaluate("(box) => box.isConnected")

    # another control: a new message, the way of looking stays
    page.get_by_role("button", name="Ask token 3").click()
    expect(token(page, 2)).to_have_attribute("aria-checked", "true")
    expect(page.get_by_role("radio", name="the sum")).to_be_checked()


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_on_a_phone_small_and_odd_maps_say_what_they_are(open_map, page):
    open_map("odd")
    cross, none, one, two = (view(page).nth(n) for n in range(4))
    expect(cross.locator(".notice")).to_have_text("1 row does not sum to 1: the sum is 0.9.")
    expect(cross.locator(".strongest .odd")).to_contain_text("sum, not 1")
    cross.locator(".strip").first.locator(".token").nth(1).click()
    expect(cross.locator(".strongest caption")).to_have_text("␣猫, token 2 may look at nothing")
    expect(cross.locator(".pair")).to_contain_text("masked: it may not look there")
    expect(cross.locator(".strip").nth(1).locator(".masked")).to_have_count(5)
    expect(none.locator(".notice")).to_have_text("There is no token that asks.")
    expect(none.locator("canvas")).to_have_count(0)
    expect(one.locator(".pair")).to_have_text("␣The, token 1 → ␣The, token 1: 1 (100 %)")
    expect(two.locator(".strongest tbody tr:not(.none)")).to_have_count(2)
    assert view(page).evaluate_all("views => views.filter((view) => view.scrollWidth > view.clientWidth).length") == 0
    assert not axe_violations(page)


def test_in_columns_without_the_first_token_the_map_is_turned_and_says_what_is_missing(open_map, page):
    weights = like_a_head(61)
    open_map("n=61&layout=columns&hide")
    expect(page.locator(".left-out")).to_contain_text(f"it holds {100 * weights[:, 0].mean():.0f} % of all weight")
    rest = page.locator(".strongest .rest").first
    expect(rest).to_contain_text("␣The, left out")
    expect(rest).to_contain_text(f"{weights[60, 0]:.3f}")
    painted = dots(page)
    assert (painted[..., 3] > 0).T[:, 1:].tolist() == np.tri(61, dtype=bool)[:, 1:].tolist()
    assert not painted[0].any()  # the first key, in the first row
    lens(page).focus()
    page.keyboard.press("ArrowLeft")  # the query before
    python_knows(page, 59)
    page.keyboard.press("Home")
    expect(pair(page)).to_have_text(says(weights, 59, 0))
    expect(pair(page)).to_contain_text("left out of the picture")
    assert not axe_violations(page)
