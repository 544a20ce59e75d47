"""The gallery of heads in a real browser: it answers by itself at once, sends its maps once, and leaves nobody out."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from attention_view.colours import colour, colour_at, weight_scale
from attention_view.head_gallery.message import MASKED, ONE
from tests.browser.chromium import axe_violations, settled

SCRIPT = Path(__file__).parent / "apps" / "head_gallery_app.py"
LEAST = 2_000  # bytes that a pick may bring back
# What is painted at a dot of the map of a head: [red, green, blue, alpha].
DOT = """(map, [row, column]) => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: map.naturalWidth, height: map.naturalHeight });
  const pen = canvas.getContext("2d");
  pen.drawImage(map, 0, 0);
  return [...pen.getImageData(column, row, 1, 1).data];
}"""


@pytest.fixture
def open_gallery(serve, new_page):
    """Open the test app and wait until the gallery is painted; `received` counts what the server sends."""

    def opened(query: str = "", **options) -> tuple[Page, list[int]]:
        page, received = new_page(**options), []
        page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))),
        )
        page.goto(f"{serve(SCRIPT).address}/?{query}")
        expect(gallery(page)).to_have_attribute("data-turn", re.compile(r"\d+"))
        settled(page)
        return page, received

    return opened


def gallery(page: Page) -> Locator:
    return page.locator(".head-gallery")


def head(page: Page, layer: int, head: int) -> Locator:
    return page.get_by_role("option", name=re.compile(rf"^layer {layer}, head {head},"))


def focused(page: Page) -> str:
    name = page.locator(".tile:focus").get_attribute("aria-label")
    assert name
    return name.partition(", <")[0].partition(", First")[0].partition(", No")[0]


def python_knows(page: Page, layer: int, head: int) -> None:
    expect(page.get_by_text("Python knows:")).to_have_text(f"Python knows: layer {layer}, head {head}")


def places(page: Page) -> dict[str, float]:
    """Where everything stands."""
    script = """root => Object.fromEntries([...root.querySelectorAll('.controls, .line, .tile, .heading, .caption')]
      .map((e, n) => [n + e.className, e.getBoundingClientRect().top + e.getBoundingClientRect().left]))"""
    found: dict[str, float] = gallery(page).evaluate(script)
    return found


def painted(page: Page, layer: int, of: int, row: int, column: int) -> list[int]:
    found: list[int] = head(page, layer, of).locator("img").evaluate(DOT, [row, column])
    return found


def test_pick_walk_and_jump(open_gallery):
    page, received = open_gallery()
    line, picked = page.locator(".line"), page.locator('[aria-selected="true"]')
    expect(page.locator(".tile")).to_have_count(270)
    expect(line).to_contain_text("picked: layer 15, head 1")
    firsts = "<i>Firsts</i>, 30 heads. The first head of each layer, for no better reason."
    expect(page.get_by_role("group", name=firsts, exact=True)).to_have_count(1)
    before = places(page)
    for said in (page.get_by_text("A small map for each head: rows are queries"), page.locator(".legend")):
        assert said.bounding_box()["y"] < page.locator(".tile").first.bounding_box()["y"]  # read before the first map
    looks = page.locator(".tile").evaluate_all("all => [...new Set(all.map((e) => getComputedStyle(e).position))]")
    assert looks == ["static"]  # with a layer for each map, whatever moves on the page would be slow

    # A click frames the head and moves nothing; the server answers with little, and the maps are not sent again.
    received.clear()
    head(page, 3, 0).click()
    expect(picked).to_have_attribute("aria-label", re.compile(r"^layer 3, head 0, <i>Firsts</i>; \w+ looks most at "))
    expect(line).to_contain_text("picked: layer 3, head 0")
    python_knows(page, 3, 0)
    settled(page)
    assert 0 < sum(received) < LEAST
    head(page, 7, 0).hover()
    expect(line).to_have_text(re.compile("^layer 7, head 0"))
    assert places(page) == before
    python_knows(page, 3, 0)

    # Keys go over the heads; only Enter or Space picks.
    head(page, 3, 0).focus()
    for key, name in {
        "ArrowRight": "layer 4, head 0", "ArrowDown": "layer 28, head 0", "ArrowUp": "layer 4, head 0",
        "Home": "layer 0, head 0", "ArrowLeft": "layer 0, head 0", "End": "layer 29, head 0",
    }.items():  # fmt: skip
        page.keyboard.press(key)
        assert focused(page) == name, key
    page.keyboard.press("PageDown")
    second = page.locator(".tile:focus")
    assert second.evaluate("tile => tile === tile.closest('.list').children[1].querySelector('.tile')")
    page.keyboard.press("PageUp")
    assert focused(page) == "layer 0, head 0"
    expect(line).to_have_text(re.compile("^layer 0, head 0"))
    assert page.locator('.tile[tabindex="0"]').count() == 1
    python_knows(page, 3, 0)
    page.keyboard.press("Enter")
    python_knows(page, 0, 0)

    # Two fields lead to any head; what is no head is said, and picks nothing.
    page.get_by_label("layer", exact=True).fill("13")
    page.get_by_label("head", exact=True).fill("9")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("There are layers 0 to 29, each with heads 0 to 8.")
    page.get_by_label("head", exact=True).fill("8")
    page.keyboard.press("Enter")
    python_knows(page, 13, 8)
    assert focused(page) == "layer 13, head 8"

    # By place: a line a layer. The pick and the focus stay.
    page.get_by_role("button", name="by place").click()
    expect(page.get_by_role("group", name="layer 13", exact=True).get_by_role("option")).to_have_count(9)
    expect(picked).to_have_attribute("aria-label", re.compile("^layer 13, head 8,"))
    head(page, 13, 8).focus()
    page.keyboard.press("ArrowDown")
    assert focused(page) == "layer 14, head 8"
    page.keyboard.press("ArrowRight")
    assert focused(page) == "layer 15, head 0"

    # A group that folds shows one line; all of it when asked for; and a head that is gone to, wherever it stands.
    page.get_by_role("button", name="by what they look at").click()
    folded = page.get_by_role("group", name=re.compile("^First token, "))
    tiles, one_line = folded.locator(".tile:visible"), folded.locator(".tile:visible").count()
    heads = folded.locator(".tile").count()
    assert len(set(folded.locator(".tile:visible, .more").evaluate_all("all => all.map((e) => e.offsetTop)"))) == 1
    tiles.first.focus()
    page.keyboard.press("End")
    expect(folded.get_by_role("option", name=f"Show all {heads}: First token")).to_be_focused()
    page.keyboard.press("Enter")
    expect(tiles).to_have_count(heads)
    expect(tiles.nth(one_line)).to_be_focused()
    expect(tiles.last.locator("img")).to_have_attribute("src", re.compile("^data:"))
    folded.get_by_text("Show one line").click()
    expect(tiles).to_have_count(one_line)
    layer, of = divmod(int(folded.locator(".tile").last.get_attribute("data-head")), 9)
    page.get_by_label("layer", exact=True).fill(f"{layer}")
    page.get_by_label("head", exact=True).fill(f"{of}")
    page.keyboard.press("Enter")
    expect(head(page, layer, of)).to_be_focused()
    expect(head(page, layer, of).locator("img")).to_have_attribute("src", re.compile("^data:"))
    page.get_by_role("button", name="by place").click()

    # Another control chooses, and the gallery follows; new maps keep the order and the pick.
    page.get_by_role("button", name="Layer 1, head 2").click()
    expect(picked).to_have_attribute("aria-label", re.compile("^layer 1, head 2,"))
    page.get_by_text("soft", exact=True).click()
    expect(head(page, 13, 8)).to_have_attribute("aria-label", re.compile("; soft looks most at "))
    expect(page.get_by_role("button", name="by place")).to_have_attribute("aria-pressed", "true")
    expect(picked).to_have_attribute("aria-label", re.compile("^layer 1, head 2,"))
    assert axe_violations(page) == []


def test_shades_are_the_weights_in_either_theme_and_the_page_is_narrow(open_gallery):
    page, _ = open_gallery("case=both", viewport={"width": 390, "height": 800})
    expect(page.get_by_text("columns are queries (ask)")).to_be_visible()
    expect(page.locator(".legend").get_by_text("masked")).to_be_hidden()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        shade = colour_at(weight_scale(theme), round(0.25 * ONE) / ONE)
        wanted = [*bytes.fromhex(shade[1:]), 255]
        page.wait_for_function(
            f"([map, wanted]) => String(({DOT})(map, [0, 0])) === String(wanted)",
            arg=[head(page, 0, 1).locator("img").element_handle(), wanted],
        )
    assert page.locator(".stMain").evaluate("main => main.scrollWidth - main.clientWidth") == 0
    assert axe_violations(page) == []


def test_a_thousand_heads_of_a_long_text_are_blocks_and_what_is_masked_is_clear(open_gallery):
    page, received = open_gallery("case=many", viewport={"width": 390, "height": 800}, color_scheme="dark")
    expect(page.get_by_role("option")).to_have_count(1024)
    expect(page.get_by_text("The text has 50 tokens, so a cell is a block of 3 × 3 pairs")).to_be_visible()
    assert painted(page, 0, 1, 2, 9)[3] == 0
    assert painted(page, 0, 1, 0, 0) == [*bytes.fromhex(colour("weight", "dark")[1:]), 255]  # the first token: 1.0
    assert MASKED > ONE
    page.get_by_role("button", name="by place").click()
    assert page.locator(".stMain").evaluate("main => main.scrollWidth - main.clientWidth") == 0
    assert min(page.locator(".tile").first.bounding_box()[side] for side in ("width", "height")) >= 24
    received.clear()
    head(page, 31, 31).click()
    python_knows(page, 31, 31)
    settled(page)
    assert 0 < sum(received) < LEAST
    assert axe_violations(page) == []
