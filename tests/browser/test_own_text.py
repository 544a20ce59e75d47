"""The page of one's own text in a real browser, with small random models in a folder of its own."""

import json
import re
import shutil

import pytest
from playwright.sync_api import expect
from safetensors.numpy import load_file, save_file

from tests.browser.chromium import axe_violations, settled
from tests.browser.conftest import NO_WATCHING
from tests.browser.server import APP, ROOT, Server
from tests.browser.test_opening import part, sheet, title
from tests.browser.test_pages import PHONE
from tests.models.small_bert import write_small_bert

LONG = "one two three four five six seven eight nine ten eleven twelve"
BOXES = """
() => document.querySelector(".st-key-own_reads:has(.stProgress) button") && Object.fromEntries(Object.entries({
  field: ".st-key-own_text textarea", bar: ".st-key-own_reads .stProgress", stop: ".st-key-own_reads button",
  choices: ".st-key-own_choices",
}).map(([name, where]) => [name, document.querySelector(where).getBoundingClientRect()]))
"""


def write_deep_llama(folder):
    """Write the small Llama with its layers over and over: it takes its time for a long text."""
    shutil.copytree(ROOT / "tests/models/references/small_llama", folder)
    settings, tensors = json.loads((folder / "config.json").read_text()), load_file(folder / "model.safetensors")
    n = settings["num_hidden_layers"]
    for name in [name for name in tensors if name.startswith("model.layers.")]:
        layer, part = name.removeprefix("model.layers.").split(".", 1)
        tensors |= {f"model.layers.{place}.{part}": tensors[name] for place in range(int(layer), 60, n)}
    settings |= {"num_hidden_layers": 60, "max_position_embeddings": 1024}
    (folder / "config.json").write_text(json.dumps(settings))
    save_file(tensors, folder / "model.safetensors")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a Llama, a deep one, a BERT, and a file that is cut short."""
    folder = tmp_path_factory.mktemp("models")
    shutil.copytree(ROOT / "tests/models/references/small_llama", folder / "small_llama")
    write_small_bert(folder / "small_bert")
    write_deep_llama(folder / "deep_llama")
    (folder / "cut.gguf").write_bytes(b"GGUF\3\0\0\0")
    started = Server(APP, NO_WATCHING, models=folder).wait()
    yield started
    started.stop()
    assert "Traceback" not in started.log(), started.log()


def opened(page, server, path="own_model=small_llama"):
    page.goto(f"{server.address}/own_text?{path}")
    expect(page.get_by_role("button", name="Write on, up to 40 tokens")).to_be_visible()
    settled(page)


def fold(page):
    return page.get_by_text("· change")


def field(page):
    return page.get_by_role("textbox", name="Your text", exact=True)


def test_a_text_is_typed_read_looked_into_and_restored_by_its_link_all_by_keyboard(server, page, new_page):
    opened(page, server)
    assert page.locator(".st-key-own_view").bounding_box()["y"] <= 400  # the picture is seen at once
    field(page).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("<b>cat</b> שלום cat")
    page.keyboard.press("Tab")
    read = page.get_by_role("button", name="Read", exact=True)
    expect(page.get_by_text("The text has changed: press Read.")).to_be_visible()
    for taken in (page.get_by_role("link", name="Softmax"), read):
        taken.focus()
        ring = taken.evaluate("e => (s => [s.outlineStyle, s.outlineWidth, s.outlineOffset])(getComputedStyle(e))")
        assert ring == ["solid", "2px", "2px"]
    examples = page.get_by_role("combobox", name="Try a text")
    examples.focus()
    assert examples.evaluate("e => getComputedStyle(e.parentElement).outline").endswith("solid 2px")
    read.focus()
    page.keyboard.press("Enter")
    queries = page.get_by_role("radiogroup", name="query (asks)")
    expect(queries.get_by_role("radio").first).to_have_text("<")
    expect(page.get_by_text("The text has changed")).to_have_count(0)
    settled(page)
    layer = page.get_by_role("spinbutton", name=re.compile("^Layer"))
    layer.fill("2")
    layer.press("Enter")
    expect(page.get_by_text("layer 2, head 0").first).to_be_visible()
    queries.get_by_role("radio").last.focus()
    page.keyboard.press("ArrowUp")
    asked = str(queries.get_by_role("radio").count() - 2)
    expect(page.locator("[data-follows-ask]")).to_have_attribute("data-follows-ask", asked)
    settled(page)
    expect(page).to_have_url(re.compile("own_layer=2.*own_ask="))
    first = page.locator(".av-many u").first
    first.focus()
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text(re.compile("^query of .*: number 1, layer 2, head 0"))
    expect(title(page)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the first of its numbers
    expect(title(page)).to_have_text(re.compile("before its place turns it: number 1, layer 2, head 0"))
    for name, leads_to in (
        ("normed vector", "^normed vector of .*: dimension"),
        ("brought to size 1", "^vector brought to size 1"),
        ("before layer 2", "^vector of .* before layer 2"),
        ("what layer 1 added", "^what layer 1 added"),
    ):
        part(page, name).first.click()
        expect(title(page)).to_have_text(re.compile(leads_to))
    expect(sheet(page)).to_contain_text("The opening ends here.")
    sheet(page).get_by_role("button", name="query", exact=True).click()
    expect(sheet(page).locator(".sign", has_text=re.compile("^−$"))).to_have_count(1)
    part(page, "^.*cosine").click()
    expect(sheet(page).get_by_role("group").first).to_contain_text("cos")
    settled(page)
    assert axe_violations(page) == []
    page.keyboard.press("Escape")
    expect(first).to_be_focused()
    other = new_page()
    opened(other, server, page.url.partition("?")[2])
    expect(field(other)).to_have_value("<b>cat</b> שלום cat")
    expect(other.locator("[data-follows-ask]")).to_have_attribute("data-follows-ask", asked)


def test_a_long_text_two_versions_writing_and_a_bert(server, page):
    opened(page, server)
    expect(page.get_by_text("counted when you leave the field")).to_be_visible()
    field(page).fill(" ")
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.get_by_text("Write at least one word. Below you still see the text read last.")).to_be_visible()
    expect(page.locator(".st-key-own_view").get_by_text("in the text read last: “The cat sat")).to_be_visible()
    settled(page)
    field(page).fill(LONG)  # the first press on Read counts
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator(".st-key-own_map")).to_be_visible()
    settled(page)
    text = page.locator(".strip").first.text_content().replace("␣", " ")  # the small vocabulary has a blank alone
    assert text == LONG
    page.get_by_role("combobox", name="Try a text").click()
    page.get_by_role("option", name="Code", exact=True).click()
    expect(field(page)).to_have_value(re.compile("^def area"))
    expect(page.get_by_role("option", name="Code", exact=True)).to_have_count(0)
    settled(page)
    assert page.locator(".react-aria-ComboBox[role]").count() == 0  # an open list is no number that opens
    field(page).fill("abc abc")
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator(".st-key-own_view")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="tired / soft").click()
    expect(page.get_by_text("They cannot change")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Write on")).click()
    written = page.locator(".st-key-written_map, .st-key-written_view")
    expect(written).to_be_visible()
    settled(page)
    page.locator(".av-follows").last.locator(".av-many u").first.click()
    expect(sheet(page)).to_contain_text("layer 0, head 0, while it wrote")
    page.keyboard.press("Escape")
    fold(page).click()
    expect(page.get_by_text("cut.gguf").first).to_be_visible()
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="small_bert").click()
    expect(page.get_by_text("This model does not write.")).to_be_visible()
    expect(page.get_by_text("They do change")).to_be_visible()
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="deep_llama").click()
    expect(page.get_by_role("button", name=re.compile("^Write on"))).to_be_visible()
    fold(page).click()
    settled(page)
    assert_reading_has_its_own_line(page)


def assert_reading_has_its_own_line(page):
    """The bar and its button stand between the field and the choices, and nothing moves when they come and go."""
    choices = page.locator(".st-key-own_choices")
    before = choices.bounding_box()
    field(page).fill("one two three " * 80)
    page.get_by_role("button", name="Read", exact=True).click()
    boxes = page.wait_for_function(BOXES).json_value()
    assert boxes["field"]["bottom"] <= min(boxes["bar"]["top"], boxes["stop"]["top"])
    assert max(boxes["bar"]["bottom"], boxes["stop"]["bottom"]) <= boxes["choices"]["top"] == before["y"]
    assert boxes["bar"]["right"] <= boxes["stop"]["left"]
    page.locator(".st-key-own_reads_stop button").click()
    expect(page.get_by_text("Reading was stopped.")).to_be_visible()
    settled(page)
    assert choices.bounding_box() == before


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}, {"color_scheme": "light", **PHONE}], indirect=True)
def test_an_open_page_leaves_nobody_out(server, page):
    opened(page, server, "own_model=small_llama&own_other_mask=1&own_text=abc%20abc")
    for name in ("The same numbers as a table", "The tokens, one by one"):
        page.get_by_text(name).click()
    page.get_by_role("button", name="thirsty / deep").click()
    expect(page.get_by_text("They do change")).to_be_visible()
    settled(page)
    assert axe_violations(page) == []
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
