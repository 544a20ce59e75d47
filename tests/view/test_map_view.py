"""The map of a long text: what is sent and said of it, what is refused, and what can be taken away."""

import csv
import io
import json
import xml.etree.ElementTree as ET
import zlib

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from attention_core.attention import softmax
from attention_view.colours import colour
from attention_view.map_data import LONGEST, map_data, map_message
from attention_view.map_view import _take_pick
from attention_view.pictures.map_picture import map_picture, map_tables, strongest_table, whole_csv
from attention_view.pictures.page_file import page_file
from attention_view.pictures.pieces import Map
from attention_view.pictures.png import png
from attention_view.take_away.files import Source, message, offers

TOKENS = ["The", " cat", " cat", "\n", "=1+1", "<b>"]


def weights_of(n, seed=0):
    scores = np.random.default_rng(seed).normal(scale=3, size=(n, n))
    return softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf)).astype(np.float32)


def data_of(n=6, **changed):
    tokens = (TOKENS * n)[:n]
    given = {"weights": weights_of(n), "query_tokens": tokens, "key_tokens": tokens, "causal": True}
    return map_data(**{**given, **changed})


def read(sent):
    """The header and the arrays of a message, as the browser reads them."""
    length = int.from_bytes(sent[:4], "little")
    header, at = json.loads(sent[4 : 4 + length]), 4 + length + -length % 4
    arrays = {}
    for name, (kind, size) in header["arrays"].items():
        arrays[name] = np.frombuffer(sent, kind, size, at)
        at += arrays[name].nbytes + -arrays[name].nbytes % 4
    assert at == len(sent)
    return header, arrays


def test_every_weight_that_may_be_looked_at_is_sent_exactly_and_no_other():
    data = data_of(37)
    _, arrays = read(map_message(data))
    rows = [arrays["weights"][i * (i + 1) // 2 :][: i + 1] for i in range(37)]
    assert all(np.array_equal(row, data.weights[i, : i + 1]) for i, row in enumerate(rows))
    assert arrays["weights"].size == 37 * 38 / 2
    assert np.array_equal(arrays["max"].max(), data.weights.max())
    assert arrays["sum"].sum() == pytest.approx(37, abs=1e-4)


def test_a_mask_of_another_kind_is_sent_with_all_weights():
    mask = np.array([[True, False, True], [False, False, False]])
    data = map_data(
        [[0.5, 0, 0.5], [0, 0, 0]], query_tokens=["a", "b"], key_tokens=["c", "d", "e"], mask=mask, layout="columns"
    )
    header, arrays = read(map_message(data, id="1"))
    assert (header["id"], header["causal"], header["layout"]) == ("1", False, "columns")
    assert arrays["mask"].tolist() == [1, 0, 1, 0, 0, 0]
    assert arrays["weights"].tolist() == [0.5, 0, 0.5, 0, 0, 0]
    assert arrays["empty"].tolist() == [0, 1] and not data.notice


def test_a_map_of_1024_tokens_is_sent_in_3_megabytes():
    weights = np.tri(1024, dtype=np.float32) / np.arange(1, 1025, dtype=np.float32)[:, None]
    assert len(map_message(data_of(1024, weights=weights))) < 3_000_000


def test_tokens_are_showable_and_equal_ones_are_places_of_their_own():
    header, _ = read(map_message(data_of()))
    assert header["query_tokens"] == ["The", "␣cat", "␣cat", "↵", "=1+1", "<b>"]
    assert header["key_tokens"] is None  # the same


def test_the_first_token_left_out_is_in_no_block_and_no_list_and_its_share_is_said():
    weights = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.6, 0.1, 0.3]])
    data = data_of(3, weights=weights, hide_first=True)
    assert data.by_max.values[:, 0].tolist() == [0, 0, 0] and not data.by_max.visible[:, 0].any()
    assert data.strongest.keys[2, :2].tolist() == [2, 1]
    assert data.strongest.first == pytest.approx([1, 0.5, 0.6])
    assert data.left_out == "The first token, The, is left out here: it holds 70\xa0% of all weight there is."


def test_rows_that_do_not_sum_to_one_and_no_tokens_are_stated():
    weights = [[0.5, 0.4], [0.5, 0.3], [0.5, 0.5]]
    given = {"query_tokens": "abc", "key_tokens": "de"}
    assert map_data(weights, **given).notice == "2 rows do not sum to 1: the sums run from 0.8 to 0.9."
    assert map_data(weights, **given, layout="columns").notice.startswith("2 columns do not")
    assert map_data([], query_tokens=[], key_tokens=[]).notice == "There is no token that asks."
    assert map_data([], query_tokens=["a"], key_tokens=[]).notice == "There is no token to look at."
    assert data_of(1).notice == data_of(2).notice == ""


NAN = np.array([[1.0, 0.0], [np.nan, 1.0]])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"weights": NAN}, "weights must be finite, but at query 1, key 0 it is nan"),
        ({"weights": np.eye(3)}, r"weights must be \[query, key\] = \[2, 2\].* got shape \[3, 3\]"),
        ({"weights": 2 * np.eye(2)}, "weights must lie from 0 to 1, but query 0, key 0 has 2"),
        ({"weights": [[0.5, 0.5], [0, 1]]}, "weights must be 0 where the mask hides the key, but query 0, key 1 has"),
        ({"mask": np.ones((2, 2), bool)}, "a mask or be causal, but both are given"),
        ({"causal": False, "mask": np.ones((3, 3), bool)}, "mask must be boolean"),
        ({"query_tokens": ["a"] * (LONGEST + 1)}, "at most 2,048 queries and keys, but got 2,049 and 2"),
        ({"layout": "diagonal"}, "layout must be one of"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_must_hold(changed, message):
    with pytest.raises(ValueError, match=message):
        data_of(2, **changed)


def app(n: int = 6, **more):
    """The smallest app around a map."""
    import numpy as np
    import streamlit as st

    from attention_view.map_view import map_view

    st.session_state.setdefault("ask", n - 1)
    weights = np.tri(n) / np.arange(1, n + 1)[:, None] if st.session_state.get("even", True) else np.eye(n)
    tokens = [f"t{i}" for i in range(n)]
    map_view(weights, query_tokens=tokens, key_tokens=tokens, ask=st.session_state["ask"], **{"causal": True, **more})


def run(**more):
    return AppTest.from_function(app, kwargs=more, default_timeout=20).run()


def test_a_run_that_changes_nothing_sends_the_same_message():
    at = run()
    before = at.session_state["map_view memory"]["message"]
    at.run()
    assert at.session_state["map_view memory"]["message"] is before


def test_another_head_and_another_control_are_new_turns():
    at = run()
    assert read(at.session_state["map_view memory"]["message"])[0]["ask"] == 5
    at.session_state["ask"] = 1
    at.run()
    header, _ = read(at.session_state["map_view memory"]["message"])
    assert (header["turn"], header["ask"]) == (2, 1)


def test_other_weights_of_the_same_text_are_sent():
    at = run()
    at.session_state["even"] = False
    header, arrays = read(at.run().session_state["map_view memory"]["message"])
    assert header["turn"] == 2 and arrays["weights"].tolist() == np.eye(6)[np.tri(6, dtype=bool)].tolist()


def test_a_pick_older_than_one_seen_already_changes_nothing(monkeypatch):
    session = {"map memory": {"data": data_of()}}
    monkeypatch.setattr(st, "session_state", session)
    for ask, serial in ((2, 7), (4, 6)):
        session["map"] = {"pick": {"ask": ask, "serial": serial}}
        _take_pick("map", "ask")
    assert session["ask"] == 2


@pytest.mark.parametrize(
    ("more", "message"),
    [({"parts": ("lines",)}, "parts must be some of"), ({"ask": 6}, "place of a query, 0 to 5, got 6")],
)
def test_impossible_wishes_are_refused(more, message):
    def wish(**more):
        import numpy as np

        from attention_view.map_view import map_view

        map_view(np.eye(6), query_tokens="abcdef", key_tokens="abcdef", **{"ask": 0, **more})

    at = AppTest.from_function(wish, kwargs=more, default_timeout=20).run()
    assert message in at.exception[0].message


def rows(text):
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def test_the_table_of_a_row_has_every_weight_with_all_its_digits():
    data = data_of()
    (name, row), (whole, _) = map_tables(data, 4)
    assert (name, whole) == ("all that “=1+1”, token 5, looks at", "the whole map")
    head, *lines = rows(row())
    assert head == ["key (is looked at)", "token", "weight"]
    assert [np.float32(weight) for *_, weight in lines[:5]] == data.weights[4, :5].tolist()
    assert lines[4][0] == "'=1+1"  # no formula
    assert lines[5] == ["<b>", "6", "masked"]
    assert rows(whole_csv(data))[1][1:] == ["1", *["masked"] * 5]


def test_a_map_too_long_for_a_table_says_so():
    weights = np.tri(513, dtype=np.float32) / np.arange(1, 514, dtype=np.float32)[:, None]
    ((name, _),) = map_tables(data_of(513, weights=weights), 3)
    assert name.endswith("(the whole map has 263,169 weights, a table at most 262,144)")
    assert map_tables(data_of(0, weights=[]), 0) == []


def test_the_strongest_keys_are_listed_with_what_is_left():
    table = strongest_table(data_of(20, hide_first=True), 19)
    assert len(table.rows) == 1 + 10 + 1 + 1 + 1
    assert table.rows[-2][0] == "all other 9 tokens together"
    assert table.rows[-1][2] == "1"


@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_the_picture_is_xml_with_a_dot_for_each_block(layout):
    data = data_of(6, layout=layout, caption="head 8")
    root = ET.fromstring(map_picture(data, "max", ask=2, theme="light", credit="A page"))
    text = "".join(root.itertext())
    assert "“␣cat”, token 3, looks most at “" in text and "head 8" in text and "A page" in text
    assert len(root.findall(".//{*}image")) == 1
    asked = root.findall(".//{*}rect[@fill='none']")[-1]  # a row across, or a column down
    assert (float(asked.get("width")) < float(asked.get("height"))) == (layout == "columns")


def test_a_picture_of_no_tokens_and_of_a_blind_row_says_so():
    none = map_data([], query_tokens=[], key_tokens=[])
    assert "There is no token that asks." in map_picture(none, "sum", ask=0, theme="dark")
    blind = map_data([[0.0]], query_tokens=["a"], key_tokens=["b"], mask=[[False]])
    assert "may look at nothing" in map_picture(blind, "max", ask=0, theme="dark")
    assert "the first token only" in map_picture(data_of(2, hide_first=True), "max", ask=0, theme="light")


def test_masked_dots_are_clear_and_zero_is_the_colour_of_the_page():
    from attention_view.pictures.map_picture import _shaded

    data = data_of(2, weights=[[1, 0], [0, 1]])
    dots = _shaded(data.by_max, "light")
    assert dots[0, 1].tolist() == [0, 0, 0, 0]
    assert "#" + dots[1, 0, :3].tobytes().hex().upper() == colour("page", "light")
    assert "#" + dots[1, 1].tobytes().hex().upper() == colour("weight", "light") + "FF"


def test_a_png_holds_its_dots():
    dots = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    made = png(dots)
    data = made[made.index(b"IDAT") + 4 : made.index(b"IEND") - 8]
    assert zlib.decompress(data) == b"\0" + dots[0].tobytes() + b"\0" + dots[1].tobytes()
    with pytest.raises(ValueError, match=r"dots must be \[row, column, 4\].* but they are \(2, 3\) uint8"):
        png(dots[..., 0])


def test_a_page_offers_the_map_and_its_file_holds_it():
    pieces = [Map(data_of(caption="head 8"), 2), Map(map_data([], query_tokens=[], key_tokens=[]), 0)]
    look = {"title": "T", "promise": "P", "product": "X", "link": "", "styles": "", "theme": "light"}
    listed = offers(Source(pieces, {}, stem="own_text", **look))
    assert [offer.name for offer in listed[:2]] == [
        "map by the largest weight: head 8",
        "map by the sum of weights: head 8",
    ]
    assert (
        json.loads(message(listed, "0 svg"))["file"]["name"]
        == "attention-own-text-map-by-the-largest-weight-head-8.svg"
    )
    assert [offer.forms.keys() for offer in listed if "looks at" in offer.name] == [{"csv"}]
    file = page_file(pieces, **look)
    assert "all other 0 tokens" not in file and "looks most at" in file and "There is no token that asks." in file
