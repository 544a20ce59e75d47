"""A new token leaves earlier rows alone with the mask on, and changes them with the mask off."""

import numpy as np
import pytest

from attention_core import Experiment, attention_record, trace
from attention_core.earlier_rows import ROUNDING, earlier_rows

PRONOUN = 0
CAT, IT, LAST = 1, 7, 9


@pytest.mark.parametrize("newest", range(10))
@pytest.mark.parametrize("ending", ["tired", "soft"])
def test_with_the_mask_no_earlier_row_changes(ending, newest):
    rows = earlier_rows(trace(Experiment(ending=ending)), newest, causal=True)
    assert len(rows.changed) == newest
    assert not rows.changed.any()
    assert (rows.to_newest == 0).all()


@pytest.mark.parametrize("newest", range(10))
def test_without_the_mask_every_earlier_row_changes_but_no_key_and_no_value(newest):
    rows = earlier_rows(trace(Experiment()), newest, causal=False)
    assert len(rows.changed) == newest
    assert rows.changed.all()
    assert (rows.keys_and_values <= ROUNDING).all()
    assert (rows.to_newest > 0).all()


def test_two_tokens_by_hand():
    zeros = np.zeros((1, 2, 1))
    record = attention_record(np.eye(2), zeros, zeros, [[[4.0], [10.0]]], [[1.0, 0.0]])
    rows = earlier_rows(record, 1, causal=False)
    assert rows.weights.tolist() == [0.5]  # from 1 on itself to a half on both
    assert rows.to_newest.tolist() == [[0.5]]
    assert rows.vectors.tolist() == [3.0]  # it received 4 and now receives the mean of 4 and 10
    assert earlier_rows(record, 1, causal=True).vectors.tolist() == [0.0]


def test_it_is_the_record_of_the_whole_sentence_once_the_last_word_stands():
    whole = trace(Experiment(mask="none"))
    rows = earlier_rows(whole, LAST, causal=False)
    np.testing.assert_array_equal(rows.to_newest, whole.weights[:, :LAST, LAST])
    assert rows.to_newest[PRONOUN, CAT] > 0.8


def test_a_head_that_is_switched_off_changes_no_vector():
    record = trace(Experiment(heads=()))
    rows = earlier_rows(record, IT, causal=False)
    assert (rows.vectors == 0).all()
    assert rows.changed.all()  # the weights are still others


@pytest.mark.parametrize("newest", [-1, 10])
def test_a_token_that_does_not_exist_is_refused(newest):
    with pytest.raises(ValueError, match=f"the place of a token, 0 to 9, but it is {newest}"):
        earlier_rows(trace(Experiment()), newest, causal=True)
