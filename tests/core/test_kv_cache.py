"""The KV cache gives what the full computation gives, and counts what it multiplies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Experiment, attend, attention_record, causal_mask, trace
from attention_core.generation import generation, read
from attention_core.kv_cache import KVCache, Multiplications

N_TOKENS, N_HEADS, D_MODEL, D_HEAD = 7, 6, 11, 5


def inputs(n_kv_heads, seed=0, n_tokens=N_TOKENS):
    rng = np.random.default_rng(seed)
    shapes = ((n_tokens, D_MODEL), (N_HEADS, D_MODEL, D_HEAD), *[(n_kv_heads, D_MODEL, D_HEAD)] * 2)
    return [rng.normal(size=shape) for shape in shapes]


def whole_inputs(n_kv_heads, seed=0):
    return [np.round(3 * array) for array in inputs(n_kv_heads, seed)]


@given(st.sampled_from([1, 2, 3, 6]), st.integers(0, 1000))
def test_writing_with_the_cache_gives_the_rows_of_the_full_computation(n_kv_heads, seed):
    X, W_Q, W_K, W_V = inputs(n_kv_heads, seed)
    full = attention_record(X, W_Q, W_K, W_V, np.zeros((N_HEADS * D_HEAD, D_MODEL)), mask=causal_mask(N_TOKENS))
    for i, step in enumerate(generation(X, W_Q, W_K, W_V)):
        np.testing.assert_allclose(step.weights, full.weights[:, i, : i + 1], atol=1e-12)
        np.testing.assert_allclose(step.outputs, full.head_outputs[:, i], atol=1e-12)


@given(st.sampled_from([1, 2, 3, 6]), st.integers(0, 1000))
def test_with_the_cache_and_without_it_the_newest_row_is_the_same_to_the_last_bit(n_kv_heads, seed):
    X, W_Q, W_K, W_V = inputs(n_kv_heads, seed, n_tokens=13)
    for i, step in enumerate(generation(X, W_Q, W_K, W_V)):
        cache = KVCache(N_HEADS, n_kv_heads, D_HEAD)
        again = read(cache, X[: i + 1], W_Q, W_K, W_V)
        np.testing.assert_array_equal(step.query, again.Q[:, i])
        np.testing.assert_array_equal(step.new_key, cache.K[:, i])
        np.testing.assert_array_equal(step.new_value, cache.V[:, i])
        np.testing.assert_array_equal(step.weights, again.weights[:, i])
        np.testing.assert_array_equal(step.outputs, again.outputs[:, i])


def test_on_whole_numbers_keys_values_and_weights_are_equal_to_the_last_bit():
    X, W_Q, W_K, W_V = whole_inputs(2)
    full = attention_record(X, W_Q, W_K, W_V, np.zeros((N_HEADS * D_HEAD, D_MODEL)), mask=causal_mask(N_TOKENS))
    for i, step in enumerate(generation(X, W_Q, W_K, W_V)):
        np.testing.assert_array_equal(step.new_key, full.K[:, i])
        np.testing.assert_array_equal(step.new_value, full.V[:, i])
        np.testing.assert_array_equal(step.weights, full.weights[:, i, : i + 1])


def test_the_toy_written_step_by_step_is_the_toy():
    record = trace(Experiment())
    for i, step in enumerate(generation(record.X, record.W_Q, record.W_K, record.W_V)):
        np.testing.assert_allclose(step.weights, record.weights[:, i, : i + 1], atol=1e-14)
        np.testing.assert_allclose(step.outputs, record.head_outputs[:, i], atol=1e-14)


def test_products_are_counted_one_multiplication_for_each_inner_entry():
    count = Multiplications()
    result = count.product(np.ones((2, 3)), np.ones((3, 5)))
    assert result.tolist() == [[3] * 5] * 2
    assert count.n == 2 * 3 * 5


def test_a_step_with_the_cache_costs_one_projection_and_one_row():
    X, W_Q, W_K, W_V = inputs(2)
    for i, step in enumerate(generation(X, W_Q, W_K, W_V)):
        projections = (N_HEADS + 2 + 2) * D_MODEL * D_HEAD
        row = 2 * N_HEADS * (i + 1) * D_HEAD
        assert step.multiplications == projections + row
        assert step.without_cache == (i + 1) * (projections + row)


def test_the_running_totals_add_the_steps_up():
    steps = generation(*inputs(2))
    assert [step.so_far for step in steps] == np.cumsum([step.multiplications for step in steps]).tolist()
    assert [step.so_far_without_cache for step in steps] == np.cumsum([step.without_cache for step in steps]).tolist()


def test_one_head_of_one_number_written_by_hand():
    first, second = generation([[1.0], [3.0]], [[[0.0]]], [[[2.0]]], [[[5.0]]])
    assert first.new_key.tolist() == [[2]]
    assert first.outputs.tolist() == [[5]]
    assert second.weights.tolist() == [[0.5, 0.5]]  # the query is 0, so it has no preference
    assert second.outputs.tolist() == [[10]]  # the mean of 5 and 15
    assert (first.multiplications, first.without_cache) == (5, 5)  # q, k, v, one score, one share
    assert (second.multiplications, second.without_cache) == (7, 14)  # 3 + 2 + 2; 6 + 4 + 4
    assert (second.so_far, second.so_far_without_cache) == (12, 19)
    assert second.times_as_many == 2
    assert second.times_as_many_so_far == 19 / 12


def test_several_tokens_may_be_read_at_once():
    rng = np.random.default_rng(3)
    Q, K, V = rng.normal(size=(4, 5, 3)), rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 5, 3))
    cache = KVCache(4, 2, 3)
    cache.append(K[:, :2], V[:, :2])
    cache.append(K[:, 2:], V[:, 2:])
    assert len(cache) == 5
    _, outputs = cache.attend(Q[:, 3:])
    for h in range(4):
        expected = attend(Q[h], K[h // 2], V[h // 2], causal_mask(5))[3:]
        np.testing.assert_allclose(outputs[h], expected, atol=1e-14)


def test_what_does_not_fit_the_shelf_is_refused_and_nothing_is_added():
    cache = KVCache(4, 2, 3)
    with pytest.raises(ValueError, match=r"must both have the shape \(2, 1, 3\), but have \(2, 1, 3\) and \(2, 2, 3\)"):
        cache.append(np.zeros((2, 1, 3)), np.zeros((2, 2, 3)))
    with pytest.raises(ValueError, match="K must be finite"):
        cache.append(np.full((2, 1, 3), np.nan), np.zeros((2, 1, 3)))
    assert len(cache) == 0
    with pytest.raises(ValueError, match="Q must have the shape"):
        cache.attend(np.zeros((3, 1, 3)))
    with pytest.raises(ValueError, match="0 <= queries <= keys"):
        cache.attend(np.zeros((4, 1, 3)))


@pytest.mark.parametrize("sizes", [(4, 3, 2), (0, 1, 1), (2, 1, 0)])
def test_impossible_sizes_are_refused(sizes):
    with pytest.raises(ValueError, match="a cache needs sizes of at least 1 and kv heads that divide the heads"):
        KVCache(*sizes)


def test_nobody_who_asks_gets_nothing():
    cache = KVCache(4, 2, 3)
    weights, outputs = cache.attend(np.zeros((4, 0, 3)))
    assert weights.shape == (4, 0, 0)
    assert outputs.shape == (4, 0, 3)


def test_matrices_of_another_d_model_are_refused():
    X, W_Q, W_K, W_V = inputs(2)
    with pytest.raises(ValueError, match="share its d_model with the matrices, but they have {'X': 11, 'W_Q': 1"):
        generation(X, W_Q[:, :1], W_K, W_V)
