"""The gallery of heads: what it sends, once; what it takes back; its table and its picture for a file."""

import base64
import json
import re
import struct
import xml.etree.ElementTree as ET
import zlib

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_core.models.small_maps import small_maps
from attention_view.colours import Theme, colour, colour_at, weight_scale
from attention_view.head_gallery.groups import Group, check_groups
from attention_view.head_gallery.message import MASKED, ONE, cell_bytes, gallery_words, new_pick
from attention_view.head_gallery.plain import gallery_twin
from attention_view.numbers import in_full
from attention_view.pictures.csv_text import tables_in
from attention_view.pictures.gallery_picture import gallery_picture
from attention_view.pictures.indexed_png import indexed_png
from attention_view.pictures.page_file import page_file
from attention_view.pictures.pieces import Still
from attention_view.take_away.files import Source, offers

TOKENS = ("The", "<b>", "the")
MAPS = np.array([
    [[[1, 0, 0], [0.9, 0.1, 0], [0.5, 0.2, 0.3]], [[1, 0, 0], [0.4, 0.6, 0], [0, 1, 0]]],
    [[[1, 0, 0], [0.997, 0.003, 0], [1, 0, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]],
])  # fmt: skip
GROUPS = [Group("Rest <i>", "No pattern.", [(1, 1), (0, 0)]), Group("First", "Sinks.", [(1, 0)]),
          Group("Middle", "Why not.", [(0, 1)])]  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"


def words(layout="rows", tokens=TOKENS, groups=GROUPS, maps=MAPS, marked=None, **options):
    small = small_maps(maps, causal=True, **options)
    return gallery_words(small, groups=groups, tokens=tokens, layout=layout, marked=marked or {})


def test_words_name_every_head_in_the_order_of_its_group():
    said = words()
    assert [name for name, _, _ in said["groups"]] == ["Rest <i>", "First", "Middle"]
    assert [heads for _, _, heads in said["groups"]] == [[3, 0], [2], [1]]
    assert said["strongest"] == [
        "strongest: <b> to The, token 1, 0.90",
        "strongest: the, token 3 to <b>, 1.00",
        "strongest: the, token 3 to The, token 1, 1.00",
        "strongest: <b> to itself, 1.00",
    ]
    assert (said["layers"], said["heads"], said["rows"], said["columns"], said["masks"]) == (2, 2, 3, 3, True)


def test_words_of_one_query_and_of_weights_that_are_small_or_have_no_choice():
    assert words(ask=1)["strongest"][1] == "<b> looks most at itself, 0.60"
    assert words(ask=1, hide_first=True)["strongest"][2] == "<b> looks most at itself, <0.01"
    assert words(ask=2, hide_first=True)["strongest"][2] == "the, token 3 looks most at <b>, 0"
    assert words(ask=0)["strongest"] == ["no token has a choice"] * 4


def test_a_map_without_a_strongest_pair_is_called_even():
    even = np.tril(np.ones((1, 2, 3, 3)))
    even /= even.sum(axis=-1, keepdims=True)
    even[0, 1, 2] = [0.3, 0.3, 0.4]
    assert words(maps=even, groups=[Group("All", "", [(0, 0), (0, 1)])])["strongest"] == [
        "even: no key stands out", "strongest: <b> to The, token 1, 0.50",
    ]  # fmt: skip
    asked = words(maps=even, groups=[Group("All", "", [(0, 0), (0, 1)])], ask=2, hide_first=True)["strongest"]
    assert asked == ["the, token 3 looks evenly: no key stands out", "the, token 3 looks most at itself, 0.40"]
    assert not small_maps(np.ones((1, 1, 1, 1)), causal=True).even.any()


def test_a_marked_head_carries_its_words_and_must_exist():
    said = words(marked={(0, 1): "the lesson's <i>"})
    assert said["marked"] == {1: "the lesson's <i>"}
    assert said["caption"].endswith(" A dot marks layer 0, head 1 (the lesson's <i>).")
    assert words()["marked"] == {} and "dot" not in words()["caption"]
    with pytest.raises(ValueError, match="layers 0 to 1 with heads 0 to 1, but it is layer 2, head 0"):
        words(marked={(2, 0): "x"})


def test_the_caption_says_what_is_left_out_and_what_a_cell_stands_for():
    assert words()["caption"] == "A small map for each head: rows are queries (ask), columns are keys (are looked at)."
    assert "columns are queries (ask), rows are keys" in words("columns")["caption"]
    assert words(hide_first=True)["caption"].endswith(" What the first token, The, gets is left out.")
    many = words(maps=np.tile(np.eye(50), (2, 2, 1, 1)), tokens=[f"t{n}" for n in range(50)])
    assert "50 tokens, so a cell is a block of 3 × 3 pairs and shows the largest weight in it." in many["caption"]


def test_a_byte_a_cell_from_the_weight_and_a_byte_of_its_own_where_masked():
    cells = cell_bytes(small_maps(MAPS, causal=True), layout="rows")
    assert cells.dtype == np.uint8
    assert cells[0, 0].tolist() == [[ONE, MASKED, MASKED], [229, 25, MASKED], [127, 51, 76]]
    turned = cell_bytes(small_maps(MAPS, causal=True, hide_first=True), layout="columns")
    assert turned[0, 0].tolist() == [[MASKED, 25, 51], [MASKED, MASKED, 76]]
    assert (words("columns", hide_first=True)["rows"], words("columns", hide_first=True)["columns"]) == (2, 3)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (GROUPS[:2], "every head must stand in one group, which does not hold for layer 0, head 1"),
        ([*GROUPS, Group("More", "", [(1, 0)])], "in two groups, which does not hold for layer 1, head 0"),
        ([*GROUPS, Group("More", "", [(2, 0)])], "layers 0 to 1 with heads 0 to 1, which does not hold for layer 2"),
        ([*GROUPS[1:], GROUPS[0]._replace(name="")], "every group must have a name"),
    ],
)
def test_groups_that_do_not_hold_each_head_once_are_refused(groups, message):
    with pytest.raises(ValueError, match=message):
        check_groups(groups, n_layers=2, n_heads=2)


def test_tokens_that_are_not_those_of_the_maps_are_refused():
    with pytest.raises(ValueError, match="a token for each of 3 queries, but there are 2"):
        words(tokens=("a", "b"))


def test_the_table_has_every_head_by_group_with_its_scores():
    maps = small_maps(MAPS, causal=True, ask=2)
    twin = gallery_twin(maps, groups=GROUPS, tokens=TOKENS, scores={"first <token>": [[0.25, 1 / 3], [1.0, np.nan]]})
    assert "<b>" not in re.sub(r"</?bdi>", "", twin)
    (table,) = tables_in(twin)
    assert table.rows[0] == ["head", "group", "largest weight", "first <token>"]
    assert [row[0] for row in table.rows[1:]] == [
        "layer 1, head 1", "layer 0, head 0", "layer 1, head 0", "layer 0, head 1",
    ]  # fmt: skip
    assert table.rows[4] == ["layer 0, head 1", "Middle", "the, token 3 looks most at <b>, 1.00", "0.33"]
    assert "no token has a choice" in twin
    with in_full():
        kept = gallery_twin(maps, groups=GROUPS, tokens=TOKENS, scores={"first": [[0.25, 1 / 3], [1.0, np.nan]]})
    assert str(1 / 3) in kept


def test_scores_of_another_model_are_refused():
    with pytest.raises(ValueError, match=r"first must have a score for each head, \[2, 2\], but its shape is \(3,\)"):
        gallery_twin(small_maps(MAPS, causal=True), groups=GROUPS, tokens=TOKENS, scores={"first": [1.0, 2.0, 3.0]})


def dots(png):
    """The dots of a picture as they would be painted: [row, column, red green blue alpha]."""
    chunks, place = {}, 8
    while place < len(png):
        (size,) = struct.unpack(">I", png[place : place + 4])
        kind, content = png[place + 4 : place + 8], png[place + 8 : place + 8 + size]
        assert struct.unpack(">I", png[place + 8 + size : place + 12 + size])[0] == zlib.crc32(kind + content)
        chunks[kind], place = content, place + 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    colours = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    alpha = np.frombuffer(chunks[b"tRNS"], np.uint8)
    return np.concatenate([colours[lines[:, 1:]], alpha[lines[:, 1:]][..., None]], axis=-1)


def test_a_small_picture_has_the_colours_of_its_list_and_is_clear_beyond_it():
    painted = dots(indexed_png(np.array([[0, 1], [255, 1]]), ["#FFFFFF", "#5B3E96"]))
    assert painted.tolist() == [[[255, 255, 255, 255], [91, 62, 150, 255]], [[0, 0, 0, 0], [91, 62, 150, 255]]]


def picture(theme: Theme):
    return gallery_picture(
        cell_bytes(small_maps(MAPS, causal=True), layout="rows"), groups=words()["groups"], n_heads=2, picked=2,
        caption=words()["caption"], theme=theme, credit="In a real model", marked=[1],
    )  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_for_a_file_has_every_map_named_hatched_where_masked_and_one_framed(theme):
    root = ET.fromstring(picture(theme))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[:4] == ["Rest <i> · 2 heads", "No pattern.", "1·1", "0·0"]
    assert "In a real model" in texts
    images = [dots(base64.b64decode(image.get("href").partition(",")[2])) for image in root.iter(f"{SVG}image")]
    assert len(images) == 4
    assert images[1][1, 2, 3] == 0  # masked: clear, above the hatching
    shade = colour_at(weight_scale(theme), 229 / ONE)
    assert images[1][1, 0].tolist() == [*bytes.fromhex(shade[1:]), 255]
    assert sum(rect.get("fill") == "url(#hatch)" for rect in root.iter(f"{SVG}rect")) == 5  # one is in the legend
    assert len([*root.iter(f"{SVG}circle")]) == 1
    frames = [rect for rect in root.iter(f"{SVG}rect") if rect.get("stroke-width") == "2"]
    assert [frame.get("stroke") for frame in frames] == [colour("ink", theme)]


def test_a_saved_page_holds_the_picture():
    still = Still("all <heads>", lambda theme, credit="": f"<svg>{theme}{credit}</svg>")
    saved = page_file([still], title="T", promise="P", product="A", link="", styles="", theme="dark")
    assert 'aria-label="all &lt;heads&gt;"><svg>dark</svg></figure>' in saved


def test_the_picture_can_be_taken_away_as_svg_and_png_with_its_source():
    still = Still("all heads", lambda theme, credit="": f"<svg>{theme}, {credit}</svg>")
    source = Source(
        [still], {}, stem="real_model", title="In a real model", promise="", product="Attention", link="", styles="",
        theme="dark",
    )  # fmt: skip
    offer = offers(source)[0]
    assert (offer.name, offer.file, [*offer.forms]) == ("all heads", "attention-real-model-all-heads", ["svg", "png"])
    assert offer.forms["svg"]() == "<svg>dark, In a real model · Attention</svg>"


def page():
    """A page with one gallery, whose maps follow a switch, and a button that chooses another head."""
    import numpy as np
    import streamlit as st

    from attention_view.head_gallery import Group, head_gallery

    st.session_state.setdefault("head", (1, 1))
    maps = np.full((3, 2, 2, 2), 0.25 if st.toggle("other maps") else 0.5)
    heads = [(layer, head) for layer in range(3) for head in range(2)]
    picked = head_gallery(
        maps, groups=[Group("All", "Why", heads)], tokens=["a", "b"], chosen=st.session_state["head"], causal=False
    )
    st.text(f"{picked}")
    if "late" in st.session_state:
        st.session_state["head"] = picked


def message_of(at):
    line, _, cells = at.get("bidi_component")[0].proto.bytes.partition(b"\n")
    return json.loads(line), cells


@pytest.mark.parametrize(
    ("told", "head"),
    [
        ({"session": "now", "head": 5, "serial": 8}, 5),
        ({"session": "now", "head": 5, "serial": 7}, None),  # seen before
        ({"session": "before", "head": 5, "serial": 8}, None),
        ({"session": "now", "head": 6, "serial": 8}, None),
        ({"session": "now", "head": -1, "serial": 8}, None),
        ({"session": "now", "head": "5", "serial": 8}, None),
        (None, None),
        ("5", None),
    ],
)
def test_a_pick_counts_once_and_only_of_a_head_that_exists(told, head):
    memory = {"session": "now", "sizes": (3, 2), "seen": 7}
    assert new_pick(told, memory) == (head, 7 if head is None else 8)


def test_the_message_is_a_line_of_words_and_a_byte_a_cell_and_is_repeated_to_the_letter():
    at = AppTest.from_function(page, default_timeout=20).run()
    said, cells = message_of(at)
    assert (said["picked"], said["turn"], len(cells)) == (3, 1, 3 * 2 * 2 * 2)
    assert at.text[0].value == "(1, 1)"
    assert message_of(at.run()) == (said, cells)


def test_new_maps_and_a_head_chosen_elsewhere_are_news():
    at = AppTest.from_function(page, default_timeout=20).run()
    assert message_of(at.toggle[0].set_value(True).run())[0]["turn"] == 2
    at.session_state["head"] = (2, 0)
    said, _ = message_of(at.run())
    assert (said["turn"], said["picked"], at.text[0].value) == (3, 4, "(2, 0)")


@pytest.mark.parametrize("late", [True, False])
def test_no_pick_is_lost_where_a_page_gives_back_late_what_it_got(late):
    at = AppTest.from_function(page, default_timeout=20)
    if late:
        at.session_state["late"] = True
    at.run()
    for place in ((2, 0), (0, 1), (0, 0), (2, 1)):
        at.session_state["head_gallery memory"]["picked"] = 2 * place[0] + place[1]  # as the callback of a pick does
        assert at.run().text[0].value == f"{place}"
    at.session_state["head"] = (1, 0)
    assert at.run().text[0].value == "(1, 0)"


def test_a_head_that_does_not_exist_is_refused():
    at = AppTest.from_function(page, default_timeout=20)
    at.session_state["head"] = (3, 0)
    assert "a layer from 0 to 2 and a head from 0 to 1, but it is (3, 0)" in at.run().exception[0].message
