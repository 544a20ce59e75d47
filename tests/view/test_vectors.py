"""Strips, matrices and a token before and after: the cells say what the arrays hold."""

import re

import numpy as np
import pytest

from attention_view.vectors import before_after, matrix_table, vector_strip
from tests.view.read_html import read, rows

NAMES = ["alive", "thing", "tired"]


def strip(values, names=NAMES, **options):
    return read(vector_strip(values, names, **{"kind": "query", "title": "query of it: what it looks for", **options}))


def shade(cell):
    return float(re.fullmatch(r"--shade:(\d+)%", cell.attributes["style"])[1])


def place(bar):
    """Where a bar starts and ends, in percent of its cell."""
    style = dict(part.split(":") for part in bar.attributes["style"].split(";"))
    left, width = (float(style.get(name, "0%").rstrip("%")) for name in ("left", "width"))
    return left, left + width


def test_a_strip_names_each_dimension_beside_its_number():
    cells = strip([4, 0, -1.5]).one("dl").all("div")
    assert [(cell.one("dt").text, cell.one("dd").text) for cell in cells] == [
        ("alive", "4"),
        ("thing", "0"),
        ("tired", "−1.50"),
    ]


def test_a_strip_is_darker_further_from_zero_and_quiet_at_zero():
    four, zero, minus = strip([4, 0, -1], kind="token").one("dl").all("div")
    assert shade(four) == 100 > shade(minus) > 0
    assert (zero.classes, zero.attributes) == ([], {})
    assert "av-minus" in minus.classes
    assert "av-minus" not in four.classes


def test_a_strip_of_zeros_has_no_shade():
    assert all(not cell.attributes for cell in strip([0, 0, 0]).one("dl").all("div"))


def test_a_strip_says_its_title_and_its_kind():
    figure = strip([1, 2, 3]).one("figure")
    assert "av-of-query" in figure.classes
    assert figure.one("figcaption").text == "query of it what it looks for"
    assert figure.one("figcaption").one("small").text == "what it looks for"


def test_changed_and_marked_places_are_said_and_not_only_coloured():
    cells = strip([1, 2, 0], changed=[2], marks=[0]).one("dl").all("div")
    assert [cell.one("dd").text for cell in cells] == ["1, marked", "2", "0, changed"]


def test_names_and_titles_are_never_read_as_markup():
    tree = strip([1], names=["<b>&x"], title='"<i>: </figcaption>')
    assert tree.one("dt").text == "<b>&x"
    assert tree.one("figcaption").text == '"<i> </figcaption>'


def test_a_matrix_has_a_row_for_each_name_and_lights_those_that_x_picks_out():
    markup = matrix_table(
        [[0, 4], [2.5, 0], [0, 0]],
        row_names=NAMES,
        column_names=["a", "b"],
        kind="key",
        title="W_K",
        lit_rows=np.array([1]),
    )
    assert rows(markup) == {"alive": ["0", "4"], "thing": ["2.50", "0"], "tired": ["0", "0"]}
    table = read(markup).one("table")
    assert [head.text for head in table.one("thead").all("th")] == ["dimension of x", "a", "b"]
    assert [line.one("th").text for line in table.all("tr", having="av-lit-row")] == ["thing"]
    assert [cell.text for cell in table.all("td", having="av-on")] == ["4", "2.50"]


def test_a_matrix_explains_its_marked_rows_only_if_it_has_any():
    look = {"row_names": ["r"], "column_names": ["c"], "kind": "value", "title": "W_V"}
    assert "Marked rows" not in matrix_table([[1]], **look)
    assert "Marked rows" in matrix_table([[1]], **look, lit_rows=[0])


def test_before_and_after_stand_beside_their_difference():
    assert {
        name: cells[:3] for name, cells in rows(before_after([1, 0, 2], [1, 0.466, 1], NAMES, title="it")).items()
    } == {
        "alive": ["1", "1", "0"],
        "thing": ["0", "0.47", "+0.47"],
        "tired": ["2", "1", "−1"],
    }


def test_the_bars_of_before_and_after_run_from_zero_to_the_old_and_on_to_the_new_number():
    table = read(before_after([-1, 2], [0.5, 3], ["a", "b"], title="it"))
    assert table.one("div", having="av-before-after").attributes["style"] == "--zero:25%"  # from -1 to 3
    first, second = table.all("td", having="av-bar")
    assert place(first.one("div", having="av-was")) == pytest.approx((0, 25))
    assert place(first.one("div", having="av-added")) == pytest.approx((0, 37.5), abs=0.01)
    assert place(second.one("div", having="av-was")) == pytest.approx((25, 75))
    assert place(second.one("div", having="av-added")) == pytest.approx((75, 100))


def test_what_does_not_change_has_no_difference_bar():
    table = read(before_after([1, 0], [1, 0], ["a", "b"], title="it"))
    assert table.all("div", having="av-added") == table.all("tr", having="av-moved") == []
    assert len(table.all("div", having="av-was")) == 1


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: strip([1, 2]), r"values must have the shape \[dimension\] = \(3,\), but its shape is \(2,\)"),
        (lambda: strip([[1, 2, 3]]), r"values must have the shape .* its shape is \(1, 3\)"),
        (lambda: strip([1, np.nan, 3]), "values must be finite, but at dimension 1 it is nan"),
        (lambda: strip([1, 2, 3], kind="rainbow"), "kind must be one of query, key, value, token, but it is 'rainbow'"),
        (
            lambda: matrix_table([[1, 2]], row_names=["r"], column_names=["c"], kind="key", title=""),
            r"values must have the shape \[row, column\] = \(1, 1\), but its shape is \(1, 2\)",
        ),
        (lambda: before_after([1], [1, 2], ["a"], title=""), r"after must have the shape .* its shape is \(2,\)"),
        (lambda: before_after([1, 2], [1], ["a"], title=""), r"before must have the shape .* its shape is \(2,\)"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(build, message):
    with pytest.raises(ValueError, match=message):
        build()
