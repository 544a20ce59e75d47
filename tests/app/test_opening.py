"""Every page offers the records whose numbers stand on it; what a browser asks for is opened if it is there."""

import json
import re

import numpy as np
import pytest

from attention_core import AttentionRecord, Edit, Experiment, trace
from attention_core.addresses import read_address, value_at
from attention_view import opener
from tests.app.test_pages import STEMS, app, ask, html_of
from tests.view.read_html import opened_by_place

OFFERED = {
    **{name: ["page"] for name in ("neighbours", "queries_and_keys", "values", "every_token", "heads", "kv_cache")},
    "softmax": ["page", "after"],
    "mistakes": ["right", "wrong", "page"],
    "workbench": ["page", "before"],
    "two_queries": ["page"],
    "real_model": ["toy", "model", "chosen", "back_tired", "back_soft", "both_tired", "both_soft"],
    "check": [],
    "own_text": [],  # no model, no numbers: see test_own_text.py
}
FEW = ("neighbours", "every_token", "kv_cache", "mistakes", "workbench", "check", "own_text")  # the rest in pictures


def resolved(markup):
    """The addresses of the numbers in some markup: data-of of the element around, completed by data-open."""
    addresses, of = [], {}
    for name, quoted, plain in re.findall(r'data-(of|open)=(?:"([^"]*)"|([^\s>]+))', opened_by_place(markup)):
        text = quoted or plain
        if name == "of":
            patterns = text.split(" ")
            of = dict(one.split("=") for one in patterns) if "=" in text else {"": text}
        elif "[" in text:
            addresses.append(text)
        else:
            letter = "" if "" in of else text[0]
            addresses.append(of[letter].replace("*", text[len(letter) :]))
    return addresses


@pytest.mark.parametrize("page", OFFERED)
@pytest.mark.parametrize(("mask", "layout"), [("causal", "rows"), ("none", "columns")])
def test_a_page_offers_its_records_and_every_number_in_its_markup_has_its_place_there(page, mask, layout):
    at = app(page, head="sink", mask=mask, layout=layout, ask="1")
    ask(at, 6)
    offered = at.session_state["offered"]
    assert list(offered) == OFFERED[page]
    assert all(isinstance(record, AttentionRecord) for record in offered.values())
    addresses = resolved(html_of(at))
    assert len(addresses) > 20 or page in FEW
    assert_there(addresses, offered)


def assert_there(addresses, offered):
    for text in addresses:
        name, _, address = text.rpartition(":")
        assert value_at(offered[name or "page"], read_address(address)) is not None


def test_every_page_is_expected_to_offer_something_or_nothing():
    assert set(OFFERED) == set(STEMS)


def unfolded(page, **link):
    """A page with its tables of numbers open."""
    at = app(page, **link)
    at.session_state["tables"] = True
    assert not at.run().exception
    return at


def test_the_workbench_opens_new_numbers_in_its_record_and_old_ones_as_the_lesson_has_them():
    experiment = Experiment(edits=(Edit("scores", (0, 9, 1), 1.5),))
    at = unfolded("workbench", **experiment.link())
    addresses = resolved(html_of(at))
    assert addresses[:4] == ["before:weights[0,9,0]", "weights[0,9,0]", "before:weights[0,9,1]", "weights[0,9,1]"]
    assert len(addresses) == 20 + 100  # the changed row, old and new, and the whole table
    assert_there(addresses, at.session_state["offered"])


def test_each_table_of_the_mistakes_opens_in_its_own_record_unless_the_pictures_show_another_order():
    at = unfolded("mistakes", mistake="no_positions", head="previous")
    addresses = resolved(html_of(at))
    assert {text.partition("[")[0] for text in addresses} == {
        f"{name}:{array}" for name in ("right", "wrong") for array in ("weights", "masked_scores")
    }
    assert_there(addresses, at.session_state["offered"])
    assert resolved(html_of(unfolded("mistakes", mistake="no_positions", shuffle="1"))) == []


@pytest.mark.parametrize(
    ("page", "link"), [("neighbours", {}), ("mistakes", {"mistake": "mask_as_zero"}), ("workbench", {}), ("heads", {})]
)
def test_the_pictures_say_where_the_numbers_that_they_show_stand(page, link):
    at = app(page, layout="columns", **link)
    seen = 0
    for part in at.get("bidi_component"):
        view = json.loads(part.proto.bytes) if part.proto.bytes.startswith(b"{") else {}
        for array, of in view.get("opens", {}).items():
            name, _, address = of.rpartition(":")
            record = at.session_state["offered"][name or "page"]
            for i, j in ((9, 1), (9, 0), (1, 9)):
                value = value_at(record, read_address(address.replace("*", f"{i},{j}")))
                shown = view[array] and view[array][i][j]
                assert shown is None or shown == value
                seen += shown is not None
    assert seen > 3


@pytest.fixture
def session(monkeypatch):
    """A session in which the page has offered the toy."""
    memory = {"way": [], "seen": 0, "page": "x"}
    state = {"offered": {"page": trace(Experiment())}, opener.MEMORY: memory, "layout": "rows"}
    monkeypatch.setattr(opener.st, "session_state", state)
    return state


def take(session, way, serial):
    session[opener.KEY] = {"asked": {"way": way, "serial": serial}}
    opener._take()
    return session[opener.MEMORY]["way"]


def test_a_way_that_leads_somewhere_is_taken_and_any_other_is_not(session):
    assert take(session, ["weights[0,9,1]"], 1) == ["weights[0,9,1]"]
    assert take(session, ["weights[0,9,1]", "exponentials[0,9,1]"], 2) == ["weights[0,9,1]", "exponentials[0,9,1]"]
    before = session[opener.MEMORY]["way"]
    for serial, way in enumerate(
        (["weights[0,9,99]"], ["nonsense"], ["other:X[0,0]"], [None], [5], ["X[0,0]"] * 25, ["empty_rows[0]"]), start=3
    ):
        assert take(session, way, serial) == before
        assert session[opener.MEMORY]["seen"] == serial
    assert take(session, ["X[0,0]"], 5) == before, "an old report"
    assert take(session, "X[0,0]", 99) == before and take(session, ["X[0,0]"], "100") == before
    assert take(session, [], 100) == []


def test_an_open_number_follows_its_record_and_closes_when_its_place_is_gone(session):
    way = take(session, ["weights[0,9,1]"], 1)
    assert opener._shown(way)["value"] == "0.858"
    session["offered"]["page"] = trace(Experiment(ending="soft"))
    after = opener._shown(way)
    assert after["value"] == "0.016" and after["title"].startswith("weight of soft on cat")
    session["offered"]["page"] = trace(Experiment(words=("cat", "it")))
    assert opener._shown(way) == {"way": []}
    session["offered"] = {}
    assert opener._shown(way) == {"way": []}


def test_the_same_number_gives_the_same_message(session):
    way = take(session, ["weights[0,9,1]", "totals[0,9,0]"], 1)
    assert opener._shown(way)["way"] == [["weights[0,9,1]", "weight"], ["totals[0,9,0]", "total"]]
    assert json.dumps(opener._shown(way)) == json.dumps(opener._shown(list(way)))


def test_products_and_the_way_back_follow_the_layout(session):
    way = ["weighted_values[0,9,1,0]", "V[0,1,0]"]
    session["layout"] = "columns"
    shown = opener._shown(way)
    assert [name for _, name in shown["way"]] == ["value × weight", "value"]
    assert shown["line"]["what"] == "W_V × token vector, added up"
    session["layout"] = "rows"
    assert opener._shown(way)["line"]["what"] == "token vector × W_V, added up"


def test_another_page_closes_the_sheet():
    at = app("values")
    at.session_state[opener.MEMORY]["way"] = ["weights[0,9,1]"]
    assert at.run().session_state[opener.MEMORY]["way"] == ["weights[0,9,1]"]
    at.switch_page("pages/softmax.py").run()
    assert at.session_state[opener.MEMORY]["way"] == []
    assert np.isfinite(at.session_state["offered"]["after"].weights).all()


def test_a_title_says_which_of_several_records_a_number_is_of(session):
    session["offered"]["before"] = trace(Experiment(ending="soft"))
    now, before = (opener._shown([f"{prefix}weights[0,9,1]"]) for prefix in ("", "before:"))
    assert now["title"] == "weight of tired on cat, pronoun head" and now["value"] == "0.858"
    assert before["title"] == "weight of soft on cat, pronoun head, as the lesson has it" and before["value"] == "0.016"
    part = before["line"]["terms"][0]["parts"][0]
    assert part["open"].startswith("before:")
