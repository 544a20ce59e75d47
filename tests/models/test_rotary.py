"""Rotary positions: values worked by hand, and the laws of a rotation."""

import math
from dataclasses import replace

import numpy as np
import pytest

from attention_core.models.rotary import frequencies, rotated
from attention_core.models.rotary_factors import llama3_factors
from tests.models.random_models import LLAMA

FOUR = replace(LLAMA, d_head=4, rotary_base=100.0)  # turns by 1 and by 1/10 radian a token


def test_a_pair_is_two_numbers_half_a_vector_apart():
    X = np.array([[[1.0, 0.0, 0.0, 0.0]], [[1.0, 0.0, 0.0, 0.0]], [[0.0, 2.0, 0.0, 0.0]]])
    expected = [
        [1, 0, 0, 0],
        [math.cos(1), 0, math.sin(1), 0],
        [0, 2 * math.cos(0.2), 0, 2 * math.sin(0.2)],
    ]
    np.testing.assert_allclose(rotated(X, FOUR, 0)[:, 0], expected, atol=1e-6)


def test_a_rotation_keeps_every_length():
    X = np.random.default_rng(1).normal(size=(50, 3, 4))
    np.testing.assert_allclose(np.linalg.norm(rotated(X, FOUR, 9), axis=-1), np.linalg.norm(X, axis=-1), rtol=1e-6)


def test_a_score_depends_on_the_distance_alone():
    query, key = np.random.default_rng(2).normal(size=(2, 1, 1, 4))
    scores = [float((rotated(query, FOUR, start + 3) * rotated(key, FOUR, start)).sum()) for start in (0, 1, 40, 1000)]
    np.testing.assert_allclose(scores, scores[0], atol=1e-4)
    other = float((rotated(query, FOUR, 4) * rotated(key, FOUR, 0)).sum())
    assert abs(other - scores[0]) > 1e-2


def test_positions_go_on_where_the_text_before_ended():
    X = np.random.default_rng(3).normal(size=(5, 2, 4))
    np.testing.assert_array_equal(rotated(X, FOUR, 0)[2:], rotated(X[2:], FOUR, 2))


def test_frequencies_fall_from_one():
    np.testing.assert_allclose(frequencies(FOUR), [1.0, 0.1], rtol=1e-6)


def test_factors_slow_the_rotations_down():
    np.testing.assert_allclose(frequencies(replace(FOUR, rotary_scaling=(1.0, 8.0))), [1.0, 0.1 / 8], rtol=1e-6)


@pytest.mark.parametrize(
    "turns, slowed_by",
    [
        (8.0, 1.0),  # quick: kept
        (4.0, 1.0),
        (2.5, 1 / (0.5 / 8 + 0.5)),  # halfway between 1 and 4 turns: half of each
        (1.0, 8.0),  # slow: slowed wholly
        (0.1, 8.0),
    ],
)
def test_llama_3_slows_the_slow_turns(turns, slowed_by):
    """The second of two pairs makes so many turns in the 100 tokens of the first training."""
    base = (turns * 2 * math.pi / 100) ** -2
    factors = llama3_factors(base, 4, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_longest=100)
    assert factors == (1.0, pytest.approx(slowed_by))


@pytest.mark.parametrize("base", [1000.0, 500_000.0])
@pytest.mark.parametrize("longest", [64, 4096, 8192])
@pytest.mark.parametrize(("factor", "low", "high"), [(8.0, 1.0, 4.0), (32.0, 1.0, 4.0), (3.0, 0.5, 2.0)])
def test_the_factors_of_llama_3_are_those_of_its_rule_in_three_cases(base, longest, factor, low, high):
    factors = llama3_factors(
        base, 64, factor=factor, low_freq_factor=low, high_freq_factor=high, original_longest=longest
    )
    angles = [base ** (-e / 64) for e in range(0, 64, 2)]
    by_rule = [slowed(angle, factor, low, high, longest) for angle in angles]
    np.testing.assert_allclose(np.array(angles) / factors, by_rule, rtol=1e-12)


def slowed(angle, factor, low, high, longest):
    """Llama 3's rule, in three cases by the length of a whole turn."""
    tokens_a_turn = 2 * math.pi / angle
    if tokens_a_turn > longest / low:
        return angle / factor
    if tokens_a_turn < longest / high:
        return angle
    smooth = (longest / tokens_a_turn - low) / (high - low)
    return (1 - smooth) * angle / factor + smooth * angle
