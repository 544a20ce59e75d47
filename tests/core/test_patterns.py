"""Pattern scores against the baseline of a head without preference."""

import doctest

import numpy as np
import pytest

from attention_core import Experiment, causal_mask, patterns, toy, trace
from attention_core.patterns import even_weights, mean_of_heads, pattern_scores


def toy_scores(head, mask="causal"):
    record = trace(Experiment(mask=mask))
    nouns, pronouns = (toy.words_with(record.query_tokens, *names) for names in (("alive", "thing"), ("pronoun",)))
    return pattern_scores(record.weights[toy.HEAD_NAMES.index(head)], record.mask, pronouns=pronouns, nouns=nouns)


@pytest.mark.parametrize("n", range(1, 201))
def test_uniform_causal_attention_is_no_pattern_at_any_length(n):
    mask = causal_mask(n)
    words = np.arange(n) % 3 == 0
    scores = pattern_scores(mask / mask.sum(axis=1, keepdims=True), mask, pronouns=words, nouns=~words)
    for score in (scores.previous, scores.sink, scores.self, scores.pronoun_to_noun):
        assert score is None or abs(score) < 1e-9
    assert scores.entropy_share is None or scores.entropy_share == pytest.approx(1)
    assert scores.pattern is None


@pytest.mark.parametrize("head", ["pronoun", "previous", "sink"])
def test_each_head_of_the_toy_follows_its_own_pattern_and_no_other(head):
    scores = toy_scores(head)
    assert scores.pattern == head
    by_name = {"pronoun": scores.pronoun_to_noun, "previous": scores.previous, "sink": scores.sink, "self": scores.self}
    assert by_name.pop(head) > 0.75
    assert max(by_name.values()) < 0.5


def test_a_perfect_previous_token_head_scores_one():
    weights = np.eye(5, k=-1)
    weights[0, 0] = 1
    scores = pattern_scores(weights, causal_mask(5))
    assert scores.previous == 1
    assert scores.entropy_share == 0
    assert scores.pronoun_to_noun is None


def test_a_score_worked_by_hand():
    weights = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.5, 0.25]])
    scores = pattern_scores(weights, causal_mask(3))
    assert scores.previous == pytest.approx(((0.5 - 1 / 2) / (1 / 2) + (0.5 - 1 / 3) / (2 / 3)) / 2)
    assert scores.sink == pytest.approx((0.25 - 1 / 3) / (2 / 3))


def test_rows_that_see_nothing_are_left_out():
    mask = np.zeros((3, 3), dtype=bool)
    assert pattern_scores(np.zeros((3, 3)), mask).previous is None


def test_shapes_that_disagree_are_refused():
    with pytest.raises(ValueError, match=r"must be \[token, token\], but their shapes are \(2, 3\), \(2, 3\)"):
        pattern_scores(np.zeros((2, 3)), np.ones((2, 3)))


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_causal_row_without_preference_gives_each_token_it_sees_one_of_i_plus_1(n):
    np.testing.assert_array_equal(even_weights(causal_mask(n)), np.tri(n) / np.arange(1, n + 1)[:, None])


def test_a_row_that_sees_nothing_has_no_even_weights():
    assert even_weights(np.zeros((2, 3), dtype=bool)).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_the_mean_of_two_sharp_heads_is_neither_of_them():
    sharp = [[[1, 0], [1, 0]], [[1, 0], [0, 1]]]
    assert mean_of_heads(sharp).tolist() == [[1, 0], [0.5, 0.5]]


def test_the_mean_leaves_out_heads_that_are_off():
    heads = [[[1.0, 0.0]], [[0.0, 1.0]], [[0.5, 0.5]]]
    assert mean_of_heads(heads, [True, False, True]).tolist() == [[0.75, 0.25]]
    assert mean_of_heads(heads, [False, True, False]).tolist() == [[0, 1]]


def test_no_head_has_no_mean():
    with pytest.raises(ValueError, match="needs at least one head that is on, but all 2 are off"):
        mean_of_heads(np.ones((2, 1, 1)), [False, False])


@pytest.mark.parametrize("weights", [np.ones((2, 2, 3, 4)), np.ones((3, 2, 1))])
def test_a_mean_of_what_are_not_these_heads_is_refused(weights):
    with pytest.raises(ValueError, match=r"must be \[head, query, key\] and heads_on \[head\], but their shapes are"):
        mean_of_heads(weights, [True, False])


@pytest.mark.parametrize("module", [patterns, toy])
def test_the_examples_in_the_docstrings_are_true(module):
    results = doctest.testmod(module)
    assert results.attempted and not results.failed


def test_weights_that_are_none_and_marks_that_do_not_fit_are_refused():
    mask = causal_mask(3)
    for weights in (-np.eye(3), 2 * np.eye(3)):
        with pytest.raises(ValueError, match="weights must not be negative, and each row must sum to 1 at most"):
            pattern_scores(weights, mask)
    for pronouns in (True, [True], [0, 1, 0]):
        with pytest.raises(ValueError, match="pronouns must be true or false for each of 3 tokens"):
            pattern_scores(np.eye(3), mask, pronouns=pronouns)
