"""Each common mistake differs from the right layer in one choice, and shows its tell-tale."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Edit, Experiment, attention_record, causal_mask, trace
from attention_core.variants import RIGHT, VARIANTS, may_leak

N_TOKENS, N_HEADS, D_MODEL, D_HEAD = 7, 3, 12, 5
LAST = 9


def inputs(seed=0):
    rng = np.random.default_rng(seed)
    shapes = ((N_TOKENS, D_MODEL), *[(N_HEADS, D_MODEL, D_HEAD)] * 3, (N_HEADS * D_HEAD, D_MODEL))
    return [rng.normal(size=shape) for shape in shapes]


def records(name, seed=0, **more):
    """The right layer and a variant on the same random numbers."""
    mask = causal_mask(N_TOKENS)
    return [attention_record(*inputs(seed), mask=mask, variant=v, **more) for v in (RIGHT, VARIANTS[name])]


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "right"])
def test_a_variant_differs_from_the_right_layer_in_one_choice_and_in_its_numbers(name):
    variant = VARIANTS[name]
    assert sum(getattr(variant, f.name) != getattr(RIGHT, f.name) for f in fields(variant)) == 1
    right, wrong = trace(Experiment()), trace(Experiment(variant=name))
    changed = any(
        not np.allclose(getattr(right, name), getattr(wrong, name), atol=1e-9) for name in ("Q", "scores", "weights")
    )
    assert changed == (name != "mask_after_renormalised")


def test_without_a_divisor_the_scores_are_the_raw_scores():
    right, wrong = records("no_divisor")
    np.testing.assert_array_equal(wrong.scores, right.raw_scores)
    assert wrong.divisor == 1


def test_the_root_of_the_wrong_size_divides_by_more_and_flattens_the_rows():
    right, wrong = records("sqrt_d_model")
    assert wrong.divisor == pytest.approx(12**0.5)
    assert (wrong.weights.max(axis=-1) <= right.weights.max(axis=-1)).all()


def test_over_the_wrong_axis_the_columns_sum_to_one_and_the_rows_do_not():
    _, wrong = records("wrong_axis")
    np.testing.assert_allclose(wrong.weights.sum(axis=-2), 1)
    assert abs(wrong.weights.sum(axis=-1) - 1).max() > 0.1
    np.testing.assert_allclose(wrong.exponentials / wrong.totals, wrong.weights)
    assert wrong.totals.shape == wrong.shift.shape == (N_HEADS, 1, N_TOKENS)


def test_over_the_wrong_axis_the_future_leaks_through_the_mask():
    def earlier_rows(variant, ending):
        return trace(Experiment(ending=ending, variant=variant)).weights[0, :LAST]

    np.testing.assert_array_equal(earlier_rows("right", "tired"), earlier_rows("right", "soft"))
    leak = np.abs(earlier_rows("wrong_axis", "tired") - earlier_rows("wrong_axis", "soft"))
    assert leak.max() > 0.05


def test_a_masked_score_of_zero_leaks():
    _, wrong = records("mask_as_zero")
    hidden = ~causal_mask(N_TOKENS)
    assert (wrong.masked_scores[:, hidden] == 0).all()
    assert (wrong.weights[:, hidden] > 0).all()
    np.testing.assert_allclose(wrong.weights.sum(axis=-1), 1)


def test_hidden_after_softmax_the_rows_sum_to_less_than_one():
    _, wrong = records("mask_after")
    assert (wrong.weights[:, ~causal_mask(N_TOKENS)] == 0).all()
    sums = wrong.weights.sum(axis=-1)
    assert (sums[:, :-1] < 1).all()
    np.testing.assert_allclose(sums[:, -1], 1)


@given(st.integers(0, 1000))
def test_hidden_after_softmax_and_renormalised_is_the_same_as_minus_infinity(seed):
    right, other = records("mask_after_renormalised", seed)
    np.testing.assert_allclose(other.weights, right.weights, atol=1e-12)
    assert not np.allclose(other.shares, other.weights)


def test_one_matrix_for_both_makes_the_scores_symmetric_and_not_the_weights():
    right, wrong = records("one_matrix")
    np.testing.assert_allclose(wrong.scores, wrong.scores.swapaxes(-1, -2), atol=1e-12)
    assert not np.allclose(right.scores, right.scores.swapaxes(-1, -2))
    seen_by_all = attention_record(*inputs(), variant=VARIANTS["one_matrix"]).weights
    assert not np.allclose(seen_by_all, seen_by_all.swapaxes(-1, -2))


def test_without_positions_the_place_numbers_are_zero_and_the_words_stay():
    right, wrong = trace(Experiment()), trace(Experiment(variant="no_positions"))
    assert not wrong.X[:, 7:].any()
    np.testing.assert_array_equal(wrong.X[:, :7], right.X[:, :7])


def test_cut_first_a_head_sees_its_own_slice_alone():
    X, *rest = inputs()
    _, cut = records("cut_first")
    elsewhere = X.copy()
    elsewhere[:, 4:] += 1  # the slice of head 0 is the first four numbers
    moved = attention_record(elsewhere, *rest, variant=VARIANTS["cut_first"])
    np.testing.assert_array_equal(moved.Q[0], cut.Q[0])
    assert not np.allclose(moved.Q[1], cut.Q[1])
    np.testing.assert_allclose(cut.Q[2], X[:, 8:] @ rest[0][2, 8:])


def test_the_mean_of_heads_gives_every_head_the_same_weights():
    right, wrong = records("mean_of_heads")
    for weights in wrong.weights:
        np.testing.assert_allclose(weights, right.weights.mean(axis=0))
    np.testing.assert_allclose(wrong.shares, right.weights)


@pytest.mark.parametrize("name", VARIANTS)
def test_what_follows_the_weights_follows_them_in_every_variant(name):
    r = trace(Experiment(variant=name))
    np.testing.assert_allclose(r.head_outputs, r.weights @ r.V, atol=1e-12)
    np.testing.assert_allclose(r.shares, r.exponentials / np.where(r.totals == 0, 1, r.totals), atol=1e-15)
    np.testing.assert_allclose(r.new_X, r.X + r.joined @ r.W_O, atol=1e-12)


def test_shared_key_heads_cannot_be_made_with_w_q():
    X, W_Q, W_K, W_V, W_O = inputs()
    with pytest.raises(ValueError, match="W_K can be W_Q only if each head has its own keys, but got 1 for 3"):
        attention_record(X, W_Q, W_K[:1], W_V[:1], W_O, variant=VARIANTS["one_matrix"])


def test_a_vector_that_the_heads_do_not_divide_cannot_be_cut():
    X, W_Q, W_K, W_V, W_O = inputs()
    with pytest.raises(ValueError, match="cut into heads only if they divide it, but 3 do not divide 11"):
        attention_record(X[:, :11], W_Q[:, :11], W_K[:, :11], W_V[:, :11], W_O[:, :11], variant=VARIANTS["cut_first"])


# Edits of what variants and masks are about


def test_an_edited_divisor_divides_every_score():
    r = trace(Experiment(edits=(Edit("divisor", (), 4.0),)))
    np.testing.assert_array_equal(r.scores, r.raw_scores / 4)


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_a_divisor_that_is_not_positive_is_refused(value):
    with pytest.raises(ValueError, match="the divisor must be more than 0, but it is"):
        trace(Experiment(edits=(Edit("divisor", (), value),)))


def test_an_edited_cell_of_the_mask_hides_one_key_from_one_query():
    before, after = trace(Experiment()), trace(Experiment(edits=(Edit("mask", (9, 1), 0),)))
    assert not after.mask[9, 1]
    assert (after.weights[:, 9, 1] == 0).all()
    np.testing.assert_array_equal(after.weights[:, :9], before.weights[:, :9])


def test_a_mask_that_is_neither_on_nor_off_is_refused():
    with pytest.raises(ValueError, match=r"an edit of the mask must be 1 \(may look at\) or 0 \(may not\), but is 0.5"):
        trace(Experiment(edits=(Edit("mask", (9, 1), 0.5),)))


def test_an_edited_value_no_longer_depends_on_its_matrix():
    r = trace(Experiment(edits=(Edit("V", (0, 1, 0), 5.0), Edit("W_V", (0, 0, 0), 9.0))))
    assert r.V[0, 1, 0] == 5
    assert r.weighted_values[0, 9, 1, 0] == pytest.approx(5 * r.weights[0, 9, 1])


@pytest.mark.parametrize("name", VARIANTS)
def test_only_a_variant_that_may_leak_gives_hidden_keys_a_weight(name):
    r = trace(Experiment(variant=name))
    assert bool((r.weights[:, ~r.mask] != 0).any()) == may_leak(VARIANTS[name])


def test_a_divisor_too_small_for_the_scores_is_named_and_warns_of_nothing():
    words = r"within what a float can hold, but raw scores up to \d+\.?\d* divided by 1e-320 do not"
    with pytest.raises(ValueError, match=words.replace("1e-320", "9.99989e-321")):
        trace(Experiment(edits=(Edit("divisor", (), 1e-320),)))
