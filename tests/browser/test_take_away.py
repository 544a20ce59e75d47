"""Taking a page away in a real browser: each file is saved and read back; the saved page opens without a network."""

import csv
import io
import json
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

from attention_core import Experiment, trace
from tests.browser.chromium import axe_violations, settled

PNG = b"\x89PNG\r\n\x1a\n"
SVG = "{http://www.w3.org/2000/svg}"
INKS = """async (bytes) => {
  const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


def save(page: Page, button: str, folder: Path) -> Path:
    """Press a button by the keyboard and wait for its file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).press("Enter")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    expect(page.get_by_text(f"Saved {path.name}.", exact=True)).to_be_attached()
    return path


def png_size(content: bytes) -> tuple[int, int]:
    assert content.startswith(PNG)
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def test_a_page_is_taken_away_and_the_saved_one_answers_without_a_network(app_server, new_page, tmp_path):
    page = new_page()
    page.goto(f"{app_server}/every_token?ending=soft&ask=8")
    settled(page)
    page.get_by_text("Take it away").click()
    expect(page.get_by_role("button", name="Save masked scores as SVG")).to_be_visible()
    settled(page)
    assert axe_violations(page) == []
    page.get_by_role("gridcell").first.click()
    record = trace(Experiment(ending="soft", ask=0))

    svg = save(page, "Save grid and numbers: pronoun head as SVG", tmp_path)
    root = ET.parse(svg).getroot()
    said = "".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert "The, token 1 may see only itself" in said  # the token that was picked just now
    png = save(page, "Save grid and numbers: pronoun head as PNG", tmp_path).read_bytes()
    assert png_size(png) == (2 * int(root.get("width")), 2 * int(root.get("height")))
    assert page.evaluate(INKS, list(png)) > 50

    plot = ET.parse(save(page, "Save masked scores as SVG", tmp_path)).getroot()
    said = "".join("".join(text.itertext()) for text in plot.iter(f"{SVG}text"))
    assert "because" in said and "−∞" in said and "Hatched cells are masked." in said
    png = save(page, "Save masked scores as PNG", tmp_path).read_bytes()
    assert png_size(png) == (2 * int(plot.get("width")), 2 * int(plot.get("height")))
    assert page.evaluate(INKS, list(png)) > 20

    table = save(page, "Save Weights: how much each query looks at each key as CSV", tmp_path)
    rows = list(csv.reader(io.StringIO(table.read_text(encoding="utf-8-sig"))))
    assert float(rows[10][6]) == record.weights[0, 9, 5] and rows[1][2] == "masked"
    with np.load(save(page, "Save every array and every name as .npz", tmp_path), allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["weights"], record.weights)
    text = save(page, "Save every array and every name as .json", tmp_path).read_text(encoding="utf-8")
    assert json.loads(text)["weights"] == record.weights.tolist()

    whole = save(page, "Save pictures, words and tables, opens without a network as .html", tmp_path)
    away = new_page(offline=True, color_scheme="dark")
    asked: list[str] = []
    away.on("request", lambda request: asked.append(request.url))
    away.goto(whole.as_uri())
    expect(away.get_by_role("heading", level=1)).to_have_text("Every token at once")
    sentence = away.locator(".sentence > p").first
    expect(sentence).to_contain_text("The, token 1 may see only itself")
    soft = away.get_by_role("row").filter(has=away.get_by_role("rowheader", name="soft", exact=True)).first
    soft.get_by_role("gridcell").first.hover()
    expect(sentence).to_contain_text("soft looks mostly at mat, 86 percent")
    away.mouse.move(0, 0)
    expect(sentence).not_to_contain_text("soft looks")
    soft.get_by_role("gridcell").first.click()
    away.mouse.move(0, 0)
    expect(sentence).to_contain_text("soft looks mostly at mat, 86 percent")
    away.keyboard.press("ArrowUp")
    away.keyboard.press("Enter")
    expect(sentence).to_contain_text("was looks")
    expect(away.locator(".main-svg").first).to_be_visible()
    expect(away.get_by_text("?ending=soft&ask=1")).to_be_visible()
    assert axe_violations(away) == []
    away.locator("summary").last.click()  # numbers that open in the app: there is nothing to click in a file
    number = away.locator("[data-open]").first
    number.hover()
    looks = (
        "number => ['cursor', 'text-decoration-line'].map((look) => getComputedStyle(number).getPropertyValue(look))"
    )
    assert number.evaluate(looks) == ["auto", "none"] and number.get_attribute("role") is None
    assert away.get_by_role("grid").get_attribute("aria-description") == "Enter picks the row."
    assert away.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_the_numbers_of_the_token_that_asks_are_a_picture_of_what_stands_there_now(app_server, new_page, tmp_path):
    page = new_page()
    page.goto(f"{app_server}/values")
    settled(page)
    page.get_by_text("Take it away").click()
    button = "Save the numbers of the word that asks as SVG"
    expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()
    page.get_by_role("radio", name="it", exact=True).click()
    expect(page.locator('[data-follows-ask="7"]').first).to_be_attached()
    settled(page)
    root = ET.parse(save(page, button, tmp_path)).getroot()
    said = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert f"{trace(Experiment()).weights[0, 7, 1]:.3f}" in said and "Values · Attention, by hand" in said
    assert said.count("×") >= 10  # every key has its line
    assert any(rect.get("fill") == "url(#hatch)" for rect in root.iter(f"{SVG}rect"))  # was and tired are masked
