"""Activations and norms: values worked by hand, the exact formulas of Python's math, and both ends of the floats."""

import math

import numpy as np
import pytest

from attention_core.models.activations import erf_of_root_half, gelu, gelu_by_tanh, silu
from attention_core.models.norms import layer_norm, rms_norm

NUMBERS = np.linspace(-12, 12, 4801, dtype=np.float32)


def tanh_form(x):
    return x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2


def test_erf_is_that_of_the_standard_library():
    expected = [math.erf(x / math.sqrt(2)) for x in NUMBERS.tolist()]
    np.testing.assert_allclose(erf_of_root_half(NUMBERS), expected, atol=3e-7, rtol=0)
    assert erf_of_root_half(NUMBERS).dtype == np.float32


@pytest.mark.parametrize(
    "ours, exact",
    [
        (silu, lambda x: x / (1 + math.exp(-x))),
        (gelu, lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2),
        (gelu_by_tanh, tanh_form),
    ],
)
def test_an_activation_is_its_formula(ours, exact):
    before = NUMBERS.copy()
    np.testing.assert_allclose(ours(NUMBERS), [exact(x) for x in NUMBERS.tolist()], atol=3e-7, rtol=3e-7)
    np.testing.assert_array_equal(NUMBERS, before)
    assert ours(NUMBERS).dtype == np.float32


@pytest.mark.parametrize("activation", [silu, gelu, gelu_by_tanh])
def test_far_from_zero_a_number_stays_or_vanishes(activation):
    np.testing.assert_array_equal(activation(np.array([1e4, -1e4], dtype=np.float32)), [1e4, 0])


def test_the_two_forms_of_gelu_are_not_the_same():
    assert np.abs(gelu(NUMBERS) - gelu_by_tanh(NUMBERS)).max() > 1e-4


def test_rms_norm_by_hand():
    X = np.array([[1.0, 7.0, 1.0, 7.0]], dtype=np.float32)  # mean square 25
    np.testing.assert_allclose(rms_norm(X, np.array([1.0, 1.0, 10.0, 0.0]), 0.0), [[0.2, 1.4, 2.0, 0.0]], rtol=1e-6)
    np.testing.assert_allclose(rms_norm(X, np.ones(4), 11.0), X / 6, rtol=1e-6)


def test_layer_norm_by_hand():
    X = np.array([[1.0, 5.0], [0.0, 0.0]])  # mean 3, spread 2; and nothing at all
    normed = layer_norm(X, np.array([1.0, 2.0]), np.array([0.5, 0.0]), 1e-12)
    np.testing.assert_allclose(normed, [[-0.5, 2.0], [0.5, 0.0]], rtol=1e-9)
    np.testing.assert_array_equal(X, [[1.0, 5.0], [0.0, 0.0]])


def test_layer_norm_forgets_a_constant_and_a_factor():
    X = np.random.default_rng(4).normal(size=(3, 8))
    one, other = (layer_norm(Y, np.ones(8), np.zeros(8), 0.0) for Y in (X, 5 * X + 100))
    np.testing.assert_allclose(one, other, atol=1e-9)
