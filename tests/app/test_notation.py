"""The switch between queries in rows and in columns: on every page, in the address, and a way of looking only."""

import re
from collections import Counter

import pytest

from attention_core import Experiment
from attention_view import inputs
from attention_view.questions import QUESTIONS
from tests.app.test_pages import STEMS, app, html_of

UNFOLDED = ("formula", "matrices", "tables")
ROW_OR_COLUMN = re.compile(r"\b(rows?|columns?)\b", re.IGNORECASE)


def switch(at):
    return at.segmented_control(key="layout")


def opened(page, **link):
    at = app(page, **link)
    for key in UNFOLDED:
        at.session_state[key] = True
    assert not at.run().exception
    return at


def words(at):
    """What the page's markup says, everything unfolded that turns."""
    return re.sub(r"<style>.*?</style>|<[^>]*>", " ", html_of(at), flags=re.DOTALL).replace("3Blue1Brown", "")


def numbers(at):
    return Counter(re.findall(r"[−<]?\d+(?:[.,]\d+)*", words(at)))


@pytest.mark.parametrize("page", STEMS)
def test_every_page_has_the_switch_and_shows_the_same_numbers_either_way(page):
    rows, columns = opened(page), opened(page, layout="columns")
    assert switch(rows).options == ["rows", "columns"]
    assert (switch(rows).value, switch(columns).value) == ("rows", "columns")
    assert numbers(rows) == numbers(columns)


@pytest.mark.parametrize("page", ["neighbours", "queries_and_keys", "values", "heads", "two_queries"])
def test_what_a_page_unfolds_is_turned(page):
    rows, columns = (re.sub(r"\s", "", words(opened(page, **link))) for link in ({}, {"layout": "columns"}))
    assert "softmax(Q·KT" in rows and "softmax(KT·Q" not in rows
    assert "V·softmax(KT·Q" in columns and "softmax(Q·KT" not in columns


@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize("page", [page for page in STEMS if page != "every_token"])
def test_a_text_that_does_not_turn_says_neither_row_nor_column(page, layout):
    for markdown in app(page, layout=layout).markdown:
        assert not ROW_OR_COLUMN.search(markdown.value)


def test_no_question_says_row_or_column_because_both_must_hold():
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    said = [line for line in lines if re.match(r'(text|reason|otherwise|\S+) = "', line)]
    texts = [line for line in said if not re.match(r"(row|confusion|id) = ", line)]
    assert len(texts) > 100
    assert [line for line in texts if ROW_OR_COLUMN.search(line)] == []


def test_the_story_of_the_table_is_told_of_the_table_that_is_shown():
    stories = {
        layout: " ".join(" ".join(text.value for text in app("every_token", layout=layout).markdown).split())
        for layout in ("rows", "columns")
    }
    assert "One row for each word that asks, one column for each word that is looked at." in stories["rows"]
    assert "single matrix product, **Q·Kᵀ**, and no row waits" in stories["rows"]
    assert "One column for each word that asks, one row for each word that is looked at." in stories["columns"]
    assert "Every column adds up to 1." in stories["columns"]
    assert "single matrix product, **Kᵀ·Q**, and no column waits" in stories["columns"]


def test_the_switch_is_kept_in_the_address_and_over_page_switches():
    at = app()
    assert "layout" not in at.query_params
    switch(at).set_value("columns").run()
    assert at.query_params["layout"] == "columns"
    for page in STEMS:
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception
        assert switch(at).value == "columns"
        assert at.query_params["layout"] == "columns"
    switch(at).set_value("rows").run()
    assert "layout" not in at.query_params


@pytest.mark.parametrize("text", ["", "diagonal", "Columns", ["columns", "x"], "<script>", "c" * 5000])
def test_nonsense_in_the_address_falls_back_to_the_layout_of_the_paper(text):
    at = app("every_token", layout=text)
    assert switch(at).value == "rows"
    assert "layout" not in at.query_params


def test_the_layout_is_no_part_of_the_experiment():
    assert "layout" not in inputs.SHARED
    assert Experiment.from_link({"layout": "columns"}) == Experiment()
