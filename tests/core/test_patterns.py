"""Pattern scores against the baseline of a head without preference."""

import numpy as np
import pytest

from attention_core import Experiment, causal_mask, toy, trace
from attention_core.patterns import pattern_scores


def is_named(name):
    return np.array([toy.VOCABULARY[token][toy.WORD_DIMENSIONS.index(name)] > 0 for token in Experiment().tokens])


def toy_scores(head, mask="causal"):
    record = trace(Experiment(mask=mask))
    nouns = is_named("alive") | is_named("thing")
    weights = record.weights[toy.HEAD_NAMES.index(head)]
    return pattern_scores(weights, record.mask, pronouns=is_named("pronoun"), nouns=nouns)


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
