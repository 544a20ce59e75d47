"""How far a predicted row of weights is from the real one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Experiment, trace
from attention_core.prediction import misplaced_weight

rows = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any).map(lambda n: [x / sum(n) for x in n])


@pytest.mark.parametrize(
    ("predicted", "weights", "share"),
    [
        ([1, 0, 0], [1, 0, 0], 0),
        ([1, 0, 0], [0, 0, 1], 1),
        ([0.5, 0.5, 0], [1, 0, 0], 0.5),
        ([0.25, 0.25, 0.5], [0.5, 0.25, 0.25], 0.25),
    ],
)
def test_misplaced_weight_worked_by_hand(predicted, weights, share):
    assert misplaced_weight(predicted, weights) == share


def test_all_on_the_cat_misplaces_what_tired_gives_to_others():
    weights = trace(Experiment()).weights[0, 9]
    assert misplaced_weight([0, 1, *[0] * 8], weights) == pytest.approx(1 - weights[1])


@given(rows, rows)
def test_misplaced_weight_is_a_share_and_the_same_both_ways(a, b):
    assert 0 <= misplaced_weight(a, b) <= 1 + 1e-9
    assert misplaced_weight(a, b) == misplaced_weight(b, a)
    assert misplaced_weight(a, a) == 0


@pytest.mark.parametrize(
    ("predicted", "refusal"),
    [
        ([1, 0], "of one length"),
        ([[1], [0], [0]], "of one length"),
        ([0.5, 0, 0], "must sum to 1"),
        ([2, -1, 0], "must not be negative"),
        ([float("nan"), 0, 1], "predicted must be finite"),
    ],
)
def test_what_is_no_row_of_shares_is_refused(predicted, refusal):
    with pytest.raises(ValueError, match=refusal):
        misplaced_weight(predicted, [1, 0, 0])
