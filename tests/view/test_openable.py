"""Numbers in markup that open: each has an address if the builder was told where it stands, and none otherwise."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from attention_core import Experiment, trace
from attention_view import arithmetic, figures, heads, tables, vectors
from attention_view.openable import BY_PLACE, Opens, letters, number_at, opening_attribute
from tests.view.read_html import opened_by_place, read

RECORD = trace(Experiment())
H, I = 0, 9  # noqa: E741
ROW = {"key_tokens": RECORD.key_tokens, "mask_row": RECORD.mask[I]}


def dot_products(**more):
    return arithmetic.dot_products(
        RECORD.Q[H, I], RECORD.K[H], RECORD.raw_scores[H, I], RECORD.scores[H, I], **ROW,
        names=RECORD.query_dimension_names[H], divisor=RECORD.divisor, **more,
    )  # fmt: skip


def softmax_steps(**more):
    return arithmetic.softmax_steps(
        RECORD.masked_scores[H, I],
        RECORD.exponentials[H, I],
        RECORD.totals[H, I, 0],
        RECORD.weights[H, I],
        **ROW,
        **more,
    )


def weighted_sum(**more):
    return arithmetic.weighted_sum(
        RECORD.weights[H, I], RECORD.V[H], RECORD.weighted_values[H, I], RECORD.head_outputs[H, I], **ROW,
        names=RECORD.value_dimension_names[H], **more,
    )  # fmt: skip


def projection_steps(**more):
    return arithmetic.projection_steps(
        RECORD.X[I], RECORD.W_Q[H], RECORD.Q[H, I], input_names=RECORD.dimension_names,
        output_names=RECORD.query_dimension_names[H], kind="query", **more,
    )  # fmt: skip


BUILDERS = (dot_products, softmax_steps, weighted_sum, projection_steps)


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_builder_that_is_told_no_record_writes_plain_numbers(builder):
    assert "data-o" not in builder()
    assert read(builder()).text == read(builder(opens=Opens.row(RECORD, H, I))).text


@pytest.mark.parametrize("builder", BUILDERS)
def test_the_number_in_an_element_is_the_one_that_its_address_names(builder):
    tree = read(builder(opens=Opens.row(RECORD, H, I, name="after")))
    region = tree.one("div", having="av-scroll")
    patterns = dict(one.split("=") for one in region.attributes["data-of"].split(" "))
    assert all(pattern.startswith("after:") for pattern in patterns.values())
    numbers = [one for one in tree.all("b", "u") if "data-open" in one.attributes]
    assert len(numbers) > 4
    for one in numbers:
        letter, rest = one.attributes["data-open"][0], one.attributes["data-open"][1:]
        array, _, place = patterns[letter].removeprefix("after:").replace("*", rest).rstrip("]").partition("[")
        value = np.asarray(getattr(RECORD, array))[tuple(map(int, filter(None, place.split(","))))]
        text = one.text.removeprefix("masked: ").replace("−", "-").replace("∞", "inf")
        if "%" not in text:
            assert float(text.strip("()")) == pytest.approx(float(value), abs=0.0051)


def test_factors_of_products_are_left_to_their_place():
    cells = read(dot_products(opens=Opens.row(RECORD, H, I))).one("tbody").all("td")
    factors = [[one.attributes for one in cell.all("b", "u")] for cell in cells if "×" in cell.text]
    assert factors == [[{}, {}]] * 40


def test_strips_matrices_and_tables_name_their_array_once():
    strip = vectors.vector_strip([1, -2], ("a", "b"), kind="token", title="x", opens="X[9,*]")
    names = {"row_names": ("r",), "column_names": ("a", "b")}
    matrix = vectors.matrix_table([[1, 2]], **names, kind="query", title="W", opens="W_Q[0,*]")
    tokens = {"query_tokens": ("a",), "key_tokens": ("a", "b"), "mask": np.array([[True, False]])}
    twin = tables.weights_table([[1.0, 0.0]], **tokens, opens="weights[0,*]")
    plain = tables.vectors_table([[0.5]], row_names=("a",), column_names=("b",), caption="c", opens="K[0,*]")
    change = vectors.before_after([1, 2], [1, 3], ("a", "b"), title="t", opens=4)
    found = [
        [one.attributes["data-open"] for one in read(opened_by_place(text)).all("u")]
        for text in (strip, matrix, twin, plain, change)
    ]
    assert found == [["0", "1"], ["0,0", "0,1"], ["0,0", "0,1"], ["0,0"], ["b0", "a0", "d0", "b1", "a1", "d1"]]
    assert [text.count("data-of=") for text in (strip, matrix, twin, plain, change)] == [1] * 5


def test_an_address_is_escaped_and_nothing_opens_nothing():
    assert number_at("4", "") == "4" and number_at("4", "", strong=True) == "<b>4</b>"
    assert number_at("4", BY_PLACE) == "<u>4</u>"
    assert number_at("4", "<x>") == "<u data-open=&lt;x&gt;>4</u>"
    assert opening_attribute('"') == ' data-of="&quot;"' and opening_attribute("") == ""
    assert letters(q="Q[0,9,*]", k="K[0,*]") == "q=Q[0,9,*] k=K[0,*]"


def numbers_in(markup):
    return read(opened_by_place(markup)).all("b", "u")


def opened_in(markup):
    """Each number that opens, with its address and its text."""
    return Counter((one.attributes["data-open"], one.text) for one in numbers_in(markup) if openable(one))


def openable(one):
    return "data-open" in one.attributes


NAMED: Any = {"row_names": RECORD.query_tokens, "column_names": RECORD.query_dimension_names[H]}
TOKENS: Any = {"query_tokens": RECORD.query_tokens, "key_tokens": RECORD.key_tokens}


@pytest.mark.parametrize(
    "build",
    [
        *(lambda layout, one=one: one(opens=Opens.row(RECORD, H, I), layout=layout) for one in BUILDERS),
        lambda layout: tables.vectors_table(RECORD.Q[H], **NAMED, caption="c", opens="Q[0,*]", layout=layout),
        lambda layout: tables.weights_table(
            RECORD.weights[H], **TOKENS, mask=RECORD.mask, opens="weights[0,*]", layout=layout
        ),
        lambda layout: tables.scores_table(RECORD.scores[H], **TOKENS, caption="c", opens="scores[0,*]", layout=layout),
        lambda layout: heads.matrices(RECORD, layout=layout),
        lambda layout: heads.twin(RECORD, RECORD.weights.mean(axis=0), layout=layout),
        lambda layout: heads.joining(RECORD, I, layout=layout),
    ],
)
def test_a_number_has_the_same_address_in_both_layouts(build):
    rows, columns = (opened_in(build(layout)) for layout in ("rows", "columns"))
    assert sum(rows.values()) > 4 and rows == columns


def test_a_heat_map_says_whose_number_stands_in_a_row_and_a_column_of_its_cells():
    look = {**TOKENS, "theme": "light", "opens": "weights[0,*]"}
    of = {layout: figures.weights_heatmap(RECORD.weights[H], **look, layout=layout) for layout in ("rows", "columns")}
    assert of["rows"].layout.meta["of"] == "weights[0,{row},{column}]"
    assert of["columns"].layout.meta["of"] == "weights[0,{column},{row}]"
    for figure in of.values():
        array, _, place = figure.layout.meta["of"].format(row=1, column=9).rstrip("]").partition("[")
        value = getattr(RECORD, array)[tuple(map(int, place.split(",")))]
        assert (figure.data[0].z[1][9] or 0) == value
    assert "of" not in figures.weights_heatmap(RECORD.weights[H], **TOKENS, theme="light").layout.meta
