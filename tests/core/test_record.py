"""The record of a forward pass: its shapes, its laws, grouped heads, cross-attention, edits and refusals."""

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Edit, attend, attention_record, causal_mask, multi_head_attention

N_QUERIES, N_KEYS, N_HEADS, D_MODEL, D_HEAD = 5, 7, 6, 13, 3  # a different number for every axis


def inputs(n_kv_heads=N_HEADS, seed=0):
    rng = np.random.default_rng(seed)
    shapes = ((N_QUERIES, D_MODEL), (N_HEADS, D_MODEL, D_HEAD), *[(n_kv_heads, D_MODEL, D_HEAD)] * 2)
    return [rng.normal(size=shape) for shape in (*shapes, (N_HEADS * D_HEAD, D_MODEL))]


def keys(seed=1):
    return np.random.default_rng(seed).normal(size=(N_KEYS, D_MODEL))


def test_every_array_has_its_shape_and_is_read_only():
    r = attention_record(*inputs(n_kv_heads=2), X_key=keys())
    assert r.Q.shape == (N_HEADS, N_QUERIES, D_HEAD)
    assert r.K.shape == r.V.shape == (2, N_KEYS, D_HEAD)
    assert r.raw_scores.shape == r.scores.shape == r.weights.shape == (N_HEADS, N_QUERIES, N_KEYS)
    assert r.weighted_values.shape == (N_HEADS, N_QUERIES, N_KEYS, D_HEAD)
    assert r.joined.shape == (N_QUERIES, N_HEADS * D_HEAD)
    assert r.output.shape == r.new_X.shape == (N_QUERIES, D_MODEL)
    for field in fields(r):
        if isinstance(array := getattr(r, field.name), np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    with pytest.raises(FrozenInstanceError):
        r.divisor = 1.0


def test_the_given_arrays_stay_writable():
    given_arrays = inputs()
    mask = causal_mask(N_QUERIES)
    attention_record(*given_arrays, mask=mask)
    assert all(array.flags.writeable for array in (*given_arrays, mask))


@pytest.mark.parametrize("n_kv_heads", [1, 2, 3, 6])
def test_grouped_heads_use_the_key_and_value_head_of_their_group(n_kv_heads):
    X, W_Q, W_K, W_V, W_O = inputs(n_kv_heads)
    r = attention_record(X, W_Q, W_K, W_V, W_O, mask=causal_mask(N_QUERIES))
    for h in range(N_HEADS):
        g = h // (N_HEADS // n_kv_heads)
        assert r.kv_head(h) == g
        expected = attend(X @ W_Q[h], X @ W_K[g], X @ W_V[g], causal_mask(N_QUERIES))
        np.testing.assert_allclose(r.head_outputs[h], expected, atol=1e-12)


def test_multi_head_attention_is_the_heads_joined_times_w_o():
    X, W_Q, W_K, W_V, W_O = inputs()
    heads = [attend(X @ W_Q[h], X @ W_K[h], X @ W_V[h]) for h in range(N_HEADS)]
    output = multi_head_attention(X, W_Q, W_K, W_V, W_O)
    np.testing.assert_allclose(output, np.concatenate(heads, axis=1) @ W_O, atol=1e-12)
    r = attention_record(X, W_Q, W_K, W_V, W_O)
    np.testing.assert_array_equal(r.output, output)
    np.testing.assert_array_equal(r.new_X, X + output)


def test_a_head_switched_off_contributes_nothing():
    arrays = inputs()
    W_O_without = arrays[4].copy()
    W_O_without[2 * D_HEAD : 3 * D_HEAD] = 0
    on = [h != 2 for h in range(N_HEADS)]
    r = attention_record(*arrays, heads_on=on)
    assert not r.joined[:, 2 * D_HEAD : 3 * D_HEAD].any()
    np.testing.assert_allclose(r.output, multi_head_attention(*arrays[:4], W_O_without), atol=1e-12)
    assert r.head_outputs[2].any()


def test_a_row_that_may_look_at_nothing_says_so_and_changes_no_token():
    mask = np.ones((N_QUERIES, N_QUERIES), dtype=bool)
    mask[3] = False
    arrays = inputs()
    r = attention_record(*arrays, mask=mask)
    assert r.empty_rows.tolist() == [False, False, False, True, False]
    assert not r.weights[:, 3].any()
    np.testing.assert_array_equal(r.new_X[3], arrays[0][3])


@pytest.mark.parametrize("n", [0, 1])
def test_no_tokens_and_one_token_work(n):
    arrays = inputs()
    r = attention_record(arrays[0][:n], *arrays[1:], mask=causal_mask(n))
    assert r.weights.shape == (N_HEADS, n, n)
    assert (r.weights == 1).all()


# Edits


@given(
    st.integers(0, N_HEADS - 1),
    st.integers(0, N_QUERIES - 1),
    st.integers(0, N_QUERIES - 1),
    st.floats(-50, 50),
)
def test_an_edited_score_changes_its_own_row_and_no_other(h, i, j, value):
    before = attention_record(*inputs())
    after = attention_record(*inputs(), edits=[Edit("scores", (h, i, j), value)])
    assert after.scores[h, i, j] == value
    np.testing.assert_array_equal(after.raw_scores, before.raw_scores)
    others = np.ones((N_HEADS, N_QUERIES), dtype=bool)
    others[h, i] = False
    np.testing.assert_array_equal(after.weights[others], before.weights[others])


@pytest.mark.parametrize(
    ("array", "place"),
    [("X", (1, 2)), ("W_Q", (1, 2, 0)), ("W_K", (1, 2, 0)), ("W_V", (1, 2, 0)), ("W_O", (4, 2))],
)
def test_an_edited_input_gives_what_the_edited_array_would_have_given(array, place):
    names = ("X", "W_Q", "W_K", "W_V", "W_O")
    arrays = inputs()
    edited = attention_record(*arrays, edits=[Edit(array, place, 4.5)])
    arrays[names.index(array)][place] = 4.5
    direct = attention_record(*arrays)
    np.testing.assert_array_equal(edited.new_X, direct.new_X)
    np.testing.assert_array_equal(edited.weights, direct.weights)


def test_an_edit_and_its_undo_are_nothing():
    arrays = inputs()
    undone = attention_record(*arrays, edits=[Edit("X", (0, 0), 9.0), Edit("X", (0, 0), float(arrays[0][0, 0]))])
    np.testing.assert_array_equal(undone.new_X, attention_record(*arrays).new_X)


@pytest.mark.parametrize("place", [(9, 0), (0,), (-1, 0), (0, 0, 0)])
def test_an_edit_outside_its_array_is_refused(place):
    with pytest.raises(ValueError, match=r"an edit of X must name a place within its shape \(5, 13\)"):
        attention_record(*inputs(), edits=[Edit("X", place, 1.0)])


@pytest.mark.parametrize("value", [np.nan, np.inf, 1.1e6])
def test_an_edit_to_a_senseless_number_is_refused(value):
    with pytest.raises(ValueError, match="must lie within ±1,000,000"):
        attention_record(*inputs(), edits=[Edit("X", (0, 0), value)])


def test_an_edit_of_something_that_is_computed_is_refused():
    with pytest.raises(ValueError, match="an edit must change one of X, W_Q, .* but it names 'weights'"):
        attention_record(*inputs(), edits=[Edit("weights", (0, 0, 0), 1.0)])


# Refusals


def test_shapes_that_do_not_fit_are_refused():
    X, W_Q, W_K, W_V, W_O = inputs()
    with pytest.raises(ValueError, match=r"X must have the shape \(5, 13\) to fit W_Q \(6, 13, 3\), but has \(5, 12\)"):
        attention_record(X[:, :12], W_Q, W_K, W_V, W_O)
    with pytest.raises(ValueError, match=r"W_V must have the shape \(6, 13, 3\)"):
        attention_record(X, W_Q, W_K, W_V[:, :, :2], W_O)
    with pytest.raises(ValueError, match=r"W_O must have the shape \(18, 13\)"):
        attention_record(X, W_Q, W_K, W_V, W_O[1:])
    with pytest.raises(ValueError, match=r"X must have 2 axes \(no batch axis\), but its shape is \(1, 5, 13\)"):
        attention_record(X[None], W_Q, W_K, W_V, W_O)


@pytest.mark.parametrize("n_kv_heads", [4, 0])
def test_kv_heads_that_do_not_divide_the_heads_are_refused(n_kv_heads):
    with pytest.raises(ValueError, match=f"but there are {n_kv_heads} kv heads and 6 heads"):
        attention_record(*inputs(n_kv_heads))


def test_a_switch_for_a_head_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match=r"heads_on must say on or off for each of 6 heads, but has \(2,\)"):
        attention_record(*inputs(), heads_on=[True, False])
