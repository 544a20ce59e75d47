"""The fold at the end of a page: what it offers on every page, what it hands over, and what it costs."""

import base64
import csv
import io
import json
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_core import Experiment, trace
from attention_core.changes import edited
from tests.app.test_pages import STEMS, app, ask

PICTURES = {
    "neighbours",
    "every_token",
    "softmax",
    "heads",
    "two_queries",
    "kv_cache",
    "check",
    "mistakes",
    "workbench",
}


NO_NUMBERS = {"check", "own_text"}  # own_text has numbers once there is a model


def opened(page="neighbours", **link):
    """A page with its fold open."""
    at = app(page, **link)
    at.session_state["take_away"] = True
    at.run()
    assert not at.exception
    return at


def told(at):
    """What the browser is told of the fold."""
    messages = [element.proto for element in at.get("bidi_component")]
    (found,) = (one for one in messages if one.component_name == "attention_take_away")
    return json.loads(found.bytes)


def take(at, name, form):
    """Press a button, and read the file that the browser gets."""
    (item,) = (item for group in told(at)["groups"] for item in group["items"] if item["name"] == name)
    assert form in item["forms"]
    at.session_state["take_away wanted"] = f"{item['id']} {form}"
    file = told(at.run())["file"]
    assert file["name"] == f"{item['file']}.{form}"
    return base64.b64decode(file["base64"])


def test_the_fold_is_closed_at_first_and_holds_nothing():
    at = app()
    assert not any(one.proto.component_name == "attention_take_away" for one in at.get("bidi_component"))


@pytest.mark.parametrize("page", STEMS)
def test_every_page_can_be_taken_away(page):
    at = opened(page)
    groups = {group["title"]: group["items"] for group in told(at)["groups"]}
    forms = [(title, form) for title, items in groups.items() for item in items for form in item["forms"]]
    assert ("This page as one file", "html") in forms
    assert page not in PICTURES or {("Pictures", "svg"), ("Pictures", "png")} <= set(forms)
    assert {("All numbers of this page", "npz"), ("All numbers of this page", "json")} <= set(
        forms
    ) or page in NO_NUMBERS
    files = [(item["file"], form) for items in groups.values() for item in items for form in item["forms"]]
    assert len(files) == len(set(files))
    for title, items in groups.items():
        for item in items:
            for form in item["forms"]:
                if not item["where"] and form != "png" and title != "Tables":
                    assert take(at, item["name"], form)


def test_the_files_hold_the_numbers_that_stand_there_now():
    at = opened("neighbours", ending="soft", mask="none")
    ask(at, 2)
    record = trace(Experiment(ending="soft", mask="none"))
    with np.load(io.BytesIO(take(at, "every array and every name", "npz")), allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["weights"], record.weights)
    assert json.loads(take(at, "every array and every name", "json"))["key_tokens"][-1] == "soft"
    lines = take(at, "Weights: how much each query looks at each key", "csv").decode("utf-8-sig")
    assert float(list(csv.reader(io.StringIO(lines)))[3][2]) == record.weights[0, 2, 1]
    svg = take(at, "lines and numbers: pronoun head", "svg").decode()
    assert "sat looks" in svg and "A word needs its neighbours · Attention, by hand" in svg
    page = take(at, "pictures, words and tables, opens without a network", "html").decode()
    assert "?ending=soft&amp;mask=none&amp;ask=3" in page


def test_a_wish_is_granted_once_and_the_page_is_noted_anew_by_every_run():
    at = opened()
    take(at, "every array and every name", "json")
    drawn = len(at.session_state["drawn"])
    assert told(at.run())["file"] is None
    assert len(at.session_state["drawn"]) == drawn


def test_what_a_part_of_the_page_draws_later_is_not_noted():
    """As after a pick, which runs a fragment alone: the page is noted anew when somebody wants a file."""

    def script():
        from attention_view import drawn

        drawn.begin()
        drawn.header("first")
        pieces = drawn.end()
        drawn.header("second")
        assert [piece.text for piece in pieces] == ["first"]

    at = AppTest.from_function(script, default_timeout=20).run()
    assert not at.exception
    assert [header.value for header in at.header] == ["first", "second"]


def offered(at, title):
    """The names under a heading of the list."""
    return [item["name"] for group in told(at)["groups"] if group["title"] == title for item in group["items"]]


def test_the_workbench_takes_its_changed_numbers_along():
    made = edited(Experiment(variant="no_divisor"), [("scores", (0, 9, 1), -1.25), ("mask", (0, 3), 1.0)])
    at = opened("workbench", **made.link())
    assert offered(at, "All numbers of this page") == ["the page's own", "before"]
    with np.load(io.BytesIO(take(at, "the page's own", "npz")), allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["weights"], trace(made).weights)
    lines = list(csv.reader(io.StringIO(take(at, "scores, pronoun head", "csv").decode("utf-8-sig"))))
    changed = next(place for place, line in enumerate(lines) if line[0] == "tired")
    assert lines[changed][2] == "-1.25" and lines[changed + 1][:3] == ["tired, before", "0", "8"]
    page = take(at, "pictures, words and tables, opens without a network", "html").decode()
    changes = {"scores tired, cat: 8 → −1.25 (pronoun)", "mask The₁, on: hidden → seen"}
    assert changes | {"mistake: no √d: the scores are not divided"} == {*re.findall("<li>(.*?)</li>", page)}
    assert "Before the mask and softmax" in page and "<h2>What follows</h2>" in page
    main = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    table = re.search(r"<table[^>]*><caption>scores, pronoun head <small>1 of 100 changed.*?</table>", main)[0]
    assert '<s><span class="av-visually-hidden">was </span>8</s>' in table and "<b>−1.25</b>" in table


def test_the_two_queries_are_taken_along_and_each_table_once():
    at = opened("two_queries")
    assert json.loads(take(at, "every array and every name", "json"))["mask"] == [[True, True, False]] * 2
    names = offered(at, "Tables")
    assert [names.count(name) for name in ("Queries", "Keys", "Values")] == [1, 1, 1] and "Queries (2)" not in names


@pytest.mark.parametrize("wish", ["99 svg", "0 exe", "-1 svg", "", "svg", 7, None, "0 svg svg"])
def test_a_wish_for_what_is_not_on_the_list_gives_nothing(wish):
    at = opened()
    at.session_state["take_away wanted"] = wish
    assert told(at.run())["file"] is None
    assert not at.exception


def test_no_question_is_answered_by_its_files():
    at = opened("check", question="who-looks-at-cat")
    assert [group["title"] for group in told(at)["groups"]] == ["This page as one file"]
    page = take(at, "pictures, words and tables, opens without a network", "html").decode()
    assert "<div data-token-view" not in page
