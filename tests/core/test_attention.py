"""The functions: hand-worked values, a loop-written oracle, laws, and every refusal."""

import doctest
from math import e

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import attention_core.attention
import attention_core.experiment
from attention_core import (
    attend,
    attention_scores,
    attention_weights,
    causal_mask,
    masked_scores,
    softmax,
    softmax_steps,
)
from tests.core.oracle import loop_attention

small = st.floats(-5, 5, allow_nan=False, width=32).map(float)


def matrix(rows, columns):
    return arrays(float, (rows, columns), elements=small)


@st.composite
def attention_inputs(draw):
    n_queries, n_keys, d_head, d_value = (draw(st.integers(1, top)) for top in (5, 7, 3, 4))
    mask = draw(arrays(bool, (n_queries, n_keys)))
    return draw(matrix(n_queries, d_head)), draw(matrix(n_keys, d_head)), draw(matrix(n_keys, d_value)), mask


# Hand-worked values


def test_two_scores_that_differ_by_two_differ_e_squared_times_in_weight():
    weights = softmax([3.0, 1.0])
    assert weights[0] / weights[1] == pytest.approx(e**2)


def test_softmax_steps_of_zero_and_log_three_are_one_quarter_and_three_quarters():
    steps = softmax_steps([[0.0, np.log(3)]])
    np.testing.assert_allclose(steps.exponentials, [[1, 3]])
    np.testing.assert_allclose(steps.totals, [4])
    np.testing.assert_allclose(steps.weights, [[1 / 4, 3 / 4]])
    assert steps.shift.tolist() == [0]


def test_scores_are_products_divided_by_the_root_of_d_head():
    Q, K = [[1, 2, 3, 4]], [[1, 1, 1, 1], [2, 0, 0, 0], [0, 0, 0, -1]]
    assert attention_scores(Q, K).tolist() == [[5, 1, -2]]
    assert attention_scores(Q, K, divisor=1).tolist() == [[10, 2, -4]]
    assert attention_scores(Q, K, divisor=4).tolist() == [[2.5, 0.5, -1]]


def test_causal_attention_over_one_to_five_with_equal_scores_gives_running_means():
    nothing = np.zeros((5, 1))
    values = np.arange(1.0, 6.0)[:, None]
    assert attend(nothing, nothing, values, causal_mask(5)).ravel().tolist() == pytest.approx([1, 1.5, 2, 2.5, 3])


def test_a_causal_mask_for_fewer_queries_belongs_to_the_last_tokens():
    assert causal_mask(1, 4).tolist() == [[True] * 4]
    np.testing.assert_array_equal(causal_mask(2, 5), causal_mask(5)[-2:])
    assert causal_mask(0, 3).shape == (0, 3)


# Edges


def test_a_masked_weight_is_exactly_zero_and_the_rest_sum_to_one():
    weights = softmax(masked_scores([[700.0, 1.0, 2.0]], [[False, True, True]]))
    assert weights[0, 0] == 0.0
    assert weights[0, 1:].sum() == pytest.approx(1, abs=1e-12)


def test_a_row_that_may_look_at_nothing_gets_zeros_and_never_nan():
    weights = attention_weights(np.ones((2, 3)), np.ones((5, 3)), np.array([[False] * 5, [True] * 5]))
    assert weights[0].tolist() == [0] * 5
    np.testing.assert_allclose(weights[1], 1 / 5)


@pytest.mark.parametrize("size", [1e3, 1e6, 1e300])
def test_very_large_scores_do_not_overflow(size):
    with np.errstate(all="raise", under="ignore"):
        np.testing.assert_allclose(softmax([[size, size, -size]]), [[0.5, 0.5, 0]])
        np.testing.assert_allclose(softmax([[-size, -size]]), [[0.5, 0.5]])


def test_a_shift_is_kept_when_the_scores_are_large():
    steps = softmax_steps([[100.0, 98.0]])
    assert steps.shift.tolist() == [70]
    np.testing.assert_allclose(steps.exponentials, [[e**30, e**28]])


def test_no_keys_at_all_give_an_empty_row():
    assert attend(np.ones((3, 2)), np.ones((0, 2)), np.ones((0, 5))).tolist() == [[0] * 5] * 3


def test_float32_stays_float32():
    Q = np.ones((2, 3), dtype=np.float32)
    assert attend(Q, Q, Q).dtype == np.float32


# The oracle and the laws


@given(attention_inputs())
def test_attention_agrees_with_the_loop_written_oracle(inputs):
    Q, K, V, mask = inputs
    weights, outputs = loop_attention(Q.tolist(), K.tolist(), V.tolist(), mask.tolist())
    np.testing.assert_allclose(attention_weights(Q, K, mask), weights, atol=1e-12)
    np.testing.assert_allclose(attend(Q, K, V, mask), outputs, atol=1e-10)


@given(attention_inputs())
def test_rows_sum_to_one_and_masked_weights_are_exactly_zero(inputs):
    Q, K, _, mask = inputs
    weights = attention_weights(Q, K, mask)
    assert (weights >= 0).all()
    assert (weights[~mask] == 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), mask.any(axis=1).astype(float), atol=1e-12)


@given(matrix(3, 5), st.floats(-1e4, 1e4))
def test_a_constant_added_to_a_row_changes_nothing(scores, constant):
    np.testing.assert_allclose(softmax(scores + constant), softmax(scores), atol=1e-10)


@given(attention_inputs(), st.randoms(use_true_random=False))
def test_permuting_keys_and_values_together_changes_nothing(inputs, random):
    Q, K, V, mask = inputs
    order = list(range(len(K)))
    random.shuffle(order)
    np.testing.assert_allclose(attend(Q, K[order], V[order], mask[:, order]), attend(Q, K, V, mask), atol=1e-10)


@given(attention_inputs())
def test_masking_a_token_is_deleting_its_key(inputs):
    Q, K, V, _ = inputs
    assume(len(K) > 1)
    mask = np.ones((len(Q), len(K)), dtype=bool)
    mask[:, 0] = False
    np.testing.assert_allclose(attend(Q, K, V, mask), attend(Q, K[1:], V[1:]), atol=1e-10)


@given(attention_inputs())
def test_a_full_mask_is_no_mask(inputs):
    Q, K, V, mask = inputs
    np.testing.assert_array_equal(attend(Q, K, V, np.ones_like(mask)), attend(Q, K, V))


def test_heads_in_front_are_computed_each_for_itself():
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 5, 2)), rng.normal(size=(3, 7, 2)), rng.normal(size=(3, 7, 11))
    together = attend(Q, K, V)
    for h in range(3):
        np.testing.assert_allclose(together[h], attend(Q[h], K[h], V[h]), atol=1e-14)


# Refusals


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_is_refused_with_its_place(bad):
    Q = np.zeros((2, 5, 3))
    Q[1, 4, 2] = bad
    with pytest.raises(ValueError, match=f"Q must be finite, but at head 1, query 4, d_head 2 it is {bad}"):
        attention_scores(Q, np.zeros((2, 7, 3)))
    deep = np.zeros((2, 3, 5, 7))
    deep[1, 2, 4, 6] = bad
    with pytest.raises(ValueError, match="scores must be finite, but at axis 0 1, axis 1 2, query 4, key 6"):
        masked_scores(deep, None)


def test_softmax_refuses_plus_infinity_and_nan():
    with pytest.raises(ValueError, match="scores must be finite, but at head 0, key 1 it is inf"):
        softmax([[0.0, np.inf]])
    with pytest.raises(ValueError, match="it is nan"):
        softmax([np.nan])


def test_different_d_heads_are_refused():
    with pytest.raises(ValueError, match=r"same d_head, but Q has 3 \(5, 3\) and K has 2 \(7, 2\)"):
        attention_scores(np.zeros((5, 3)), np.zeros((7, 2)))


def test_too_few_axes_are_refused():
    with pytest.raises(ValueError, match=r"Q must have the axes \[query, d_head\], but its shape is \(3,\)"):
        attention_scores(np.zeros(3), np.zeros((7, 3)))


def test_ragged_lists_and_words_are_refused():
    with pytest.raises(ValueError, match=r"Q must be one array with the axes \[query, d_head\]"):
        attention_scores([[1, 2], [3]], [[1, 2]])
    with pytest.raises(ValueError, match="K must hold numbers, but its entries are of the type"):
        attention_scores([[1, 2]], [["a", "b"]])


@pytest.mark.parametrize("divisor", [0, -1, np.nan, np.inf])
def test_a_divisor_that_is_not_positive_is_refused(divisor):
    with pytest.raises(ValueError, match="divisor must be a positive number"):
        attention_scores([[1.0]], [[1.0]], divisor=divisor)


def test_masks_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"shape of the scores \[query, key\] \(2, 3\), but has \(3, 2\)"):
        masked_scores(np.zeros((2, 3)), np.ones((3, 2), dtype=bool))
    with pytest.raises(ValueError, match="mask must be boolean"):
        masked_scores(np.zeros((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="0 <= queries <= keys, but got 4 queries and 3 keys"):
        causal_mask(4, 3)


def test_keys_without_values_are_refused():
    with pytest.raises(ValueError, match="K and V must have the same keys, but K has 3"):
        attend(np.zeros((1, 2)), np.zeros((3, 2)), np.zeros((4, 2)))


@pytest.mark.parametrize("module", [attention_core.attention, attention_core.experiment])
def test_the_examples_in_the_docstrings_are_true(module):
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def test_half_precision_is_computed_in_full():
    half = np.array([[11.5, 11.5], [60000, 1], [-29, -29]], dtype=np.float16)
    np.testing.assert_allclose(softmax(half), [[0.5, 0.5], [1, 0], [0.5, 0.5]])


def test_products_that_overflow_are_refused_by_name():
    with pytest.raises(ValueError, match="the products of Q and K must stay within what a float can hold"):
        attention_weights([[1e200]], [[1e200]])
    np.testing.assert_array_equal(softmax([1e308, -1e308]), [1, 0])


def test_heads_that_do_not_fit_are_refused_by_name():
    with pytest.raises(ValueError, match=r"heads\) must be the same, but Q has \(3, 2, 4\) and K has \(2, 2, 4\)"):
        attention_scores(np.ones((3, 2, 4)), np.ones((2, 2, 4)))
    with pytest.raises(ValueError, match=r"but weights has \(2, 2, 2\) and V has \(3, 2, 3\)"):
        attend(np.ones((2, 2, 3)), np.ones((2, 2, 3)), np.ones((3, 2, 3)))
    with pytest.raises(ValueError, match=r"but scores has \(2, 2, 4\) and mask has \(3, 2, 4\)"):
        attention_weights(np.ones((2, 2, 3)), np.ones((2, 4, 3)), np.ones((3, 2, 4), dtype=bool))
