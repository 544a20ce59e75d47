"""The measures that give a mistake away, by hand-worked values and on the toy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Edit, Experiment, trace
from attention_core.telltales import (
    ROUNDING,
    asymmetry,
    dimensions_read,
    entropy_share_of,
    followed_the_last_word,
    largest_difference,
    leaks,
    moved_weights,
    other_last_word,
    seeded_order,
    slice_names,
)
from attention_core.toy import ENDINGS

OWN = ("cat", "sat", "it", "tired")
PRONOUN, PREVIOUS, SINK = range(3)


def record(**fields):
    return trace(Experiment(**fields))


def test_only_a_mask_of_zeros_leaks_and_the_first_word_leaks_all_but_its_tenth():
    assert not leaks(record()).any()
    assert not leaks(record(variant="mask_after")).any()
    leaked = leaks(record(variant="mask_as_zero"))
    assert leaked[PRONOUN, 0] == pytest.approx(9 / 10)
    assert (leaked[:, -1] == 0).all()


def test_asymmetry_is_the_largest_difference_of_a_mirrored_pair():
    assert asymmetry([[1, 2], [2, 1]]) == 0
    assert asymmetry([[1, 2], [7, 1]]) == 5
    assert asymmetry(np.zeros((0, 0))) == 0


def test_one_matrix_for_both_makes_the_toys_scores_symmetric_and_leaves_the_weights_uneven():
    one = record(variant="one_matrix", mask="none")
    assert all(asymmetry(scores) <= ROUNDING for scores in one.scores)
    assert asymmetry(one.weights[PRONOUN]) > 0.1
    assert asymmetry(record().scores[PRONOUN]) == 4


def test_largest_difference_looks_at_every_place():
    assert largest_difference([[1, 2], [3, 4]], [[1, 2], [3, 4.5]]) == 0.5
    assert largest_difference([], []) == 0


def test_the_entropy_share_is_one_for_an_even_row_and_zero_for_a_sure_one():
    assert entropy_share_of([0.25] * 4) == pytest.approx(1)
    assert entropy_share_of([0, 1, 0]) == 0
    assert entropy_share_of([0.5, 0.5, 0, 0]) == pytest.approx(0.5)
    assert entropy_share_of([1.0]) is None


def test_the_other_last_word_is_the_other_ending_and_its_twin_leads_back():
    assert other_last_word(Experiment()) == Experiment(ending="soft")
    assert other_last_word(Experiment(words=OWN)).words == (*OWN[:-1], "soft")
    assert other_last_word(Experiment(words=("cat",))).words == ("tired",)
    for experiment in (Experiment(), Experiment(words=OWN)):
        assert other_last_word(other_last_word(experiment)) == experiment


@pytest.mark.parametrize("ending", ENDINGS)
def test_over_the_wrong_axis_earlier_rows_follow_the_last_word_and_else_they_do_not(ending):
    right, wrong = (followed_the_last_word(Experiment(ending=ending, variant=v)) for v in ("right", "wrong_axis"))
    assert right[:, :-1].max() <= ROUNDING < right[PRONOUN, -1]
    assert wrong[PRONOUN, :-1].max() > 0.4


@given(st.integers(0, 40), st.integers(0, 10_000))
def test_a_seeded_order_names_each_place_once_and_is_the_same_again(n, seed):
    order = seeded_order(n, seed)
    assert sorted(order) == list(range(n))
    assert order == seeded_order(n, seed)
    assert (order == list(range(n))) == (seed == 0 or n < 2)


@given(st.integers(0, 500))
def test_without_positions_and_mask_every_weight_moves_along_with_its_words(seed):
    experiment = Experiment(mask="none", variant="no_positions")
    moved = moved_weights(experiment, seeded_order(10, seed))
    assert np.abs(moved).max() <= ROUNDING


def test_with_positions_the_heads_that_read_places_change_and_the_pronoun_head_does_not():
    moved = np.abs(moved_weights(Experiment(mask="none"), seeded_order(10, 1)))
    assert moved[PRONOUN].max() <= ROUNDING
    assert (moved[PREVIOUS] > ROUNDING).all()
    assert moved[SINK].max() > 0.8


def test_moved_weights_compare_the_same_two_words():
    order = [1, 0, *range(2, 10)]
    moved = moved_weights(Experiment(mask="none"), order)
    before = record(mask="none").weights[PREVIOUS]
    after = trace(Experiment(mask="none", words=("cat", "The", *Experiment().tokens[2:]))).weights[PREVIOUS]
    assert moved[PREVIOUS, 0, 1] == pytest.approx(after[0, 1] - before[1, 0])


def test_a_head_reads_what_its_matrices_have_numbers_for():
    right, cut = record(), record(variant="cut_first")
    assert dimensions_read(right, SINK) == ("alive", "thing", "action", "pronoun", "always 1", "first")
    assert slice_names(right, PRONOUN) == ("alive", "thing", "action", "pronoun")
    assert set(dimensions_read(cut, PRONOUN)) <= set(slice_names(cut, PRONOUN))
    assert set(dimensions_read(right, PRONOUN)) - set(slice_names(right, PRONOUN)) == {"tired", "soft"}


def test_an_edited_matrix_adds_what_a_head_reads():
    assert "was" not in dimensions_read(record(), SINK)
    assert "cos 4" in dimensions_read(record(edits=(Edit("W_Q", (SINK, 11, 0), 1.0),)), SINK)


def test_minus_infinity_bears_a_hidden_score_that_renormalising_does_not():
    """A very large hidden score leaves nothing of the weights that are to be divided again."""
    huge = (Edit("scores", (PRONOUN, 0, 9), 1000.0),)
    assert record(edits=huge).weights[PRONOUN, 0, 0] == 1
    assert record(edits=huge, variant="mask_after_renormalised").weights[PRONOUN, 0, 0] == 0
