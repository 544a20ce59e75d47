"""The claims that the lesson makes about the toy, each with its bound."""

import numpy as np
import pytest

from attention_core import Experiment, toy, trace

CAT, SAT, MAT, IT, LAST = 1, 2, 5, 7, 9
PRONOUN, PREVIOUS, SINK = range(3)
every_setting = pytest.mark.parametrize(
    ("ending", "mask"), [(ending, mask) for ending in ("tired", "soft") for mask in ("causal", "none")]
)


def record(ending="tired", mask="causal"):
    return trace(Experiment(ending=ending, mask=mask))


@pytest.mark.parametrize("mask", ["causal", "none"])
def test_tired_looks_at_the_cat_and_soft_at_the_mat(mask):
    assert record("tired", mask).weights[PRONOUN, LAST, CAT] >= 0.80
    assert record("soft", mask).weights[PRONOUN, LAST, MAT] >= 0.80


@every_setting
def test_it_looks_at_the_cat_and_at_the_mat(ending, mask):
    weights = record(ending, mask).weights[PRONOUN, IT]
    assert 0.40 <= weights[CAT] <= 0.55
    assert 0.40 <= weights[MAT] <= 0.55


@pytest.mark.parametrize("ending", ["tired", "soft"])
def test_sat_looks_at_its_subject_and_without_the_mask_also_at_the_mat(ending):
    assert record(ending, "causal").weights[PRONOUN, SAT, CAT] >= 0.90
    unmasked = record(ending, "none").weights[PRONOUN, SAT]
    assert 0.40 <= unmasked[CAT] <= 0.50
    assert 0.40 <= unmasked[MAT] <= 0.50


@every_setting
def test_only_the_cat_has_a_key_that_says_alive_and_only_the_mat_one_that_says_thing(ending, mask):
    r = record(ending, mask)
    names = r.query_dimension_names[PRONOUN]
    assert np.flatnonzero(r.K[PRONOUN, :, names.index("alive")]).tolist() == [CAT]
    assert np.flatnonzero(r.K[PRONOUN, :, names.index("thing")]).tolist() == [MAT]


@pytest.mark.parametrize("mask", ["causal", "none"])
def test_the_output_comes_mostly_from_the_word_that_is_meant(mask):
    def shares(ending, query):
        return np.abs(record(ending, mask).weighted_values[PRONOUN, query]).sum(axis=1)

    assert shares("tired", LAST).argmax() == CAT
    assert shares("soft", LAST).argmax() == MAT
    of_it = shares("tired", IT)
    assert sorted(np.argsort(of_it)[-2:]) == [CAT, MAT]
    assert of_it[CAT] == pytest.approx(of_it[MAT], rel=0.05)


@pytest.mark.parametrize("ending", ["tired", "soft"])
def test_the_previous_token_head_looks_one_back(ending):
    weights = record(ending, "causal").weights[PREVIOUS]
    assert (np.diag(weights, -1) >= 0.90).all()
    assert weights[0, 0] == 1.0


@every_setting
def test_the_sink_head_looks_at_the_first_token(ending, mask):
    assert (record(ending, mask).weights[SINK, :, 0] >= 0.80).all()


def test_the_value_of_the_first_token_is_empty_in_the_sink_head():
    assert not record().V[SINK, 0].any()


@every_setting
def test_rows_sum_to_one_and_masked_weights_are_exactly_zero(ending, mask):
    r = record(ending, mask)
    assert (r.weights >= 0).all()
    np.testing.assert_allclose(r.weights.sum(axis=-1), 1, atol=1e-12)
    assert (r.weights[:, ~r.mask] == 0).all()


def test_with_the_mask_the_last_word_changes_no_row_but_the_last():
    tired, soft = record("tired"), record("soft")
    for name in ("weights", "head_outputs", "new_X"):
        np.testing.assert_array_equal(getattr(tired, name)[..., :LAST, :], getattr(soft, name)[..., :LAST, :])
        assert (getattr(tired, name)[..., LAST, :] != getattr(soft, name)[..., LAST, :]).any()


def test_without_the_mask_the_cat_looks_ahead_at_tired():
    assert record("tired", "none").weights[PRONOUN, CAT, LAST] >= 0.80
    assert record("soft", "none").weights[PRONOUN, MAT, LAST] >= 0.80


def test_the_nouns_are_the_cat_and_the_mat_and_the_pronoun_is_it():
    tokens = record().query_tokens
    assert np.flatnonzero(toy.words_with(tokens, "alive", "thing")).tolist() == [CAT, MAT]
    assert np.flatnonzero(toy.words_with(tokens, "pronoun")).tolist() == [IT]


def test_every_weight_matrix_holds_whole_numbers():
    for name in ("W_Q", "W_K", "W_V"):
        matrix = toy.input_matrix(name)
        assert matrix.shape == (3, 12, 4)
        np.testing.assert_array_equal(matrix, matrix.round())
    np.testing.assert_array_equal(toy.output_matrix().sum(axis=1), 1)


def test_position_numbers_are_clock_hands_of_16_and_4_steps():
    positions = toy.position_vectors(17)
    np.testing.assert_allclose(positions[16, 1:], positions[0, 1:], atol=1e-12)
    np.testing.assert_array_equal(positions[:5, 3:], [[0, 1], [1, 0], [0, -1], [-1, 0], [0, 1]])
    assert positions[:, 0].tolist() == [1] + [0] * 16


def test_a_word_without_a_vector_is_refused():
    with pytest.raises(ValueError, match="the toy knows the words The, cat, .* but was given 'dog'"):
        toy.token_vectors(("The", "dog"))
