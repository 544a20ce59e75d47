"""Tables of numbers: the browser is told little, and what it tells of typed numbers is not trusted."""

import json
import math
import re

import numpy as np
import pytest

from attention_view.number_table.edits import NumberEdit, new_steps, rules_of
from attention_view.number_table.plain import plain_table
from attention_view.number_table.table import NumberTable, laid, table_message
from attention_view.numbers import in_full


def table(name="Q", *, values=((1, 2), (3, 4)), **fields):
    n_rows, n_columns = np.shape(values)
    names = {"row_names": [f"r{n}" for n in range(n_rows)], "column_names": [f"c{n}" for n in range(n_columns)]}
    return NumberTable(name, "Title", **{"kind": "plain", "values": values, "defaults": values, **names, **fields})


TABLES = [
    table("Q"),
    table("mask", kind="mask", values=((1, 0),)),
    table("divisor", values=((2,),), minimum_exclusive=0),
    table("seen only", frozen=True),
]
MEMORY = {"session": "s", "seen": 4, "rules": rules_of(TABLES)}


def told(*steps, session="s"):
    return {"session": session, "steps": list(steps)}


def test_a_table_laid_the_other_way_round_is_edited_at_the_places_it_was_given():
    given = table("Q", values=((1, 2, 3), (4, 5, 6)), overridden=((False, True, False), (False, False, False)))
    given = given._replace(opens="Q[0,{row},{column}]", row_heading="query (asks)")
    assert laid(given, "rows") is given
    turned = laid(given, "columns")
    assert np.asarray(turned.values).tolist() == [[1, 4], [2, 5], [3, 6]]
    assert turned.row_names == given.column_names and turned.column_heading == "query (asks)"
    assert turned.opens == "Q[0,{column},{row}]"
    assert table_message(turned)["overridden"] == [[1, 0]]
    assert NumberEdit(turned.name, 2, 1, 9.0).as_given() == NumberEdit("Q", 1, 2, 9.0)
    assert NumberEdit("Q", 1, 2, 9.0).as_given() == NumberEdit("Q", 1, 2, 9.0)


def test_new_steps_come_in_the_order_in_which_they_were_done():
    message = told([6, [["Q", 0, 1, 7]]], [5, [["Q", 1, 0, -0.5], ["mask", 0, 0, 0]]])
    assert list(new_steps(message, MEMORY).items()) == [
        (5, [NumberEdit("Q", 1, 0, -0.5), NumberEdit("mask", 0, 0, 0.0)]),
        (6, [NumberEdit("Q", 0, 1, 7.0)]),
    ]


def test_a_step_that_was_seen_is_not_taken_twice():
    assert new_steps(told([4, [["Q", 0, 1, 7]]], [3, [["Q", 0, 0, 7]]]), MEMORY) == {}


def test_putting_a_number_back_is_an_edit_without_a_value():
    assert new_steps(told([5, [["mask", 0, 1, None]]]), MEMORY) == {5: [NumberEdit("mask", 0, 1, None)]}


@pytest.mark.parametrize(
    "edit",
    [
        ["W", 0, 0, 1],
        ["Q", 2, 0, 1],
        ["Q", 0, 2, 1],
        ["Q", -1, 0, 1],
        ["Q", 0.0, 0, 1],
        ["Q", True, 0, 1],
        ["Q", 0, 0, "1"],
        ["Q", 0, 0, True],
        ["Q", 0, 0, math.nan],
        ["Q", 0, 0, math.inf],
        ["Q", 0, 0, 1e7],
        ["Q", 0, 0, 10**400],
        ["Q", 0, 0],
        ["Q", 9, 9, None],
        [["Q"], 0, 0, 1],
        ["mask", 0, 0, 0.5],
        ["mask", 0, 0, 2],
        ["divisor", 0, 0, 0],
        ["divisor", 0, 0, -2],
        ["divisor", 0, 0, math.nan],
        ["seen only", 0, 0, 1],
        ["seen only", 0, 0, None],
        "Q",
        None,
    ],
)
def test_a_step_with_nonsense_in_it_changes_nothing_and_what_is_valid_beside_it_is_taken(edit):
    message = told([5, [["Q", 1, 1, 8], edit]], [9, [["Q", 0, 0, 3]]])
    assert new_steps(message, MEMORY) == {5: [], 9: [NumberEdit("Q", 0, 0, 3.0)]}


@pytest.mark.parametrize(
    "step", [None, "x", [], [5], [5, None], ["5", []], [True, []], [2**53, []], [5.5, []], [5, {}]]
)
def test_what_is_no_step_is_passed_over(step):
    assert new_steps(told(step, [9, [["Q", 0, 0, 3]]]), MEMORY) == {9: [NumberEdit("Q", 0, 0, 3.0)]}


@pytest.mark.parametrize("message", [None, "x", told([5, [["Q", 0, 0, 1]]], session="other"), {"session": "s"}])
def test_a_message_of_another_visit_or_without_steps_changes_nothing(message):
    assert new_steps(message, MEMORY) == {}


def test_only_numbers_that_differ_from_the_first_ones_are_told_twice():
    message = table_message(table(values=((1.0, 2.5), (3.0, -0.0)), defaults=((1, 2), (3, 0))))
    assert message["values"] == [[1, 2.5], [3, 0]]
    assert message["defaults"] == [[0, 1, 2]]
    assert message["overridden"] is None
    assert table_message(table(overridden=[[False, True], [False, False]]))["overridden"] == [[0, 1]]
    assert table_message(table(overridden=np.zeros((2, 2), dtype=bool)))["overridden"] == []


def test_the_message_of_the_largest_table_stays_small():
    scores = np.random.default_rng(0).normal(size=(32, 32))
    message = table_message(table(values=scores, overridden=scores > 9))
    assert len(json.dumps(message, separators=(",", ":"))) < 24_000
    assert len(json.dumps(table_message(table(values=np.tri(32))), separators=(",", ":"))) < 3_000


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"values": ((1, math.nan),)}, "values"),
        ({"defaults": ((1, 2, 3),)}, "defaults must have the shape"),
        ({"overridden": ((0, 1), (1, 0))}, "overridden must be boolean"),
        ({"overridden": ((True,),)}, "overridden must have the shape"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        table_message(table(**fields))


def as_plain(**changed):
    """The cells of the plain table of two rows and two columns."""
    given = {
        "name": "t", "title": "<T>", "kind": "score", "values": [[1, 2.125], [-3, 0.001]],
        "defaults": [[1, 2.125], [-3, 0.001]], "row_names": ["a", "<b>"], "column_names": ["x", "y"],
    }  # fmt: skip
    markup = plain_table(NumberTable(**{**given, **changed}))
    return markup, re.findall(r"<td.*?</td>", markup)


def test_a_plain_table_shows_the_numbers_and_marks_what_is_changed_or_held():
    markup, cells = as_plain()
    assert [re.sub("<[^>]*>", "", cell) for cell in cells] == ["1", "2.12", "−3", "0.001"]
    assert "&lt;T&gt;" in markup and "&lt;b&gt;" in markup and "changed" not in markup
    markup, cells = as_plain(defaults=[[1, -4], [-3, 0.001]], overridden=[[False, True], [False, True]])
    assert [("av-was-now" in cell) for cell in cells] == [False, True, False, True]
    assert "−4</s>" in cells[1] and "<b>2.12</b>" in cells[1]
    assert "<s>" not in cells[3] and "set by hand" in cells[3]
    assert "2 of 4 changed." in markup


def test_a_plain_mask_is_in_words_and_hatched():
    mask = {"kind": "mask", "values": [[1, 0], [1, 1]], "row_heading": "query (asks)", "column_heading": "key"}
    markup, cells = as_plain(**mask, defaults=[[1, 0], [0, 1]])
    assert "query (asks) ↓<br>key →" in markup
    assert "seen" in cells[0] and "av-masked" in cells[1]
    assert "masked</s>" in cells[2] and "<b>seen</b>" in cells[2]


def test_a_plain_table_has_every_digit_where_it_is_kept():
    with in_full():
        assert "0.3333333333333333" in as_plain(values=[[1 / 3, 0], [0, 0]])[0]
