"""What a browser tells of typed numbers is not trusted."""

import math

import pytest

from attention_view.number_table import NumberEdit, new_edits

MEMORY = {"session": "s", "seen": 4, "shapes": {"Q": (2, 2)}}


def test_new_edits_come_in_the_order_in_which_they_were_typed():
    told = {"session": "s", "edits": [["Q", 0, 1, 7, 6], ["Q", 1, 0, -0.5, 5]]}
    assert new_edits(told, MEMORY) == [(NumberEdit("Q", 1, 0, -0.5), 5), (NumberEdit("Q", 0, 1, 7.0), 6)]


def test_an_edit_that_was_seen_is_not_taken_twice():
    assert new_edits({"session": "s", "edits": [["Q", 0, 1, 7, 4]]}, MEMORY) == []


@pytest.mark.parametrize(
    "edit",
    [
        ["W", 0, 0, 1, 5],
        ["Q", 2, 0, 1, 5],
        ["Q", -1, 0, 1, 5],
        ["Q", 0, 0, "1", 5],
        ["Q", 0, 0, True, 5],
        ["Q", 0, 0, math.nan, 5],
        ["Q", 0, 0, math.inf, 5],
        ["Q", 0, 0, 1e7, 5],
        ["Q", 0, 0, None, 5],
        ["Q", 0, 0, 1],
        "Q",
        None,
    ],
)
def test_nonsense_is_passed_over_and_what_is_valid_beside_it_is_taken(edit):
    told = {"session": "s", "edits": [edit, ["Q", 0, 0, 3, 9]]}
    assert new_edits(told, MEMORY) == [(NumberEdit("Q", 0, 0, 3.0), 9)]


@pytest.mark.parametrize("told", [None, "x", {"session": "other", "edits": [["Q", 0, 0, 1, 5]]}, {"session": "s"}])
def test_a_message_of_another_visit_or_without_edits_changes_nothing(told):
    assert new_edits(told, MEMORY) == []
