"""Random scores of every size: the spread grows with the root of d_head, and so the root of d_head undoes it."""

import numpy as np
import pytest

from attention_core.scaling import DIVISORS, LONGEST, N_HEADS, N_KEYS, random_products, scaled

SIZES = (1, 2, 4, 16, 64, 256, LONGEST)


def by_divisor(d_head):
    return dict(zip(DIVISORS, scaled(d_head), strict=True))


@pytest.mark.parametrize("d_head", SIZES)
def test_the_products_have_mean_0_and_the_variance_d_head(d_head):
    products = random_products(d_head)
    assert products.shape[1] == N_KEYS
    assert abs(products.mean()) < 0.1 * d_head**0.5
    assert products.std() == pytest.approx(d_head**0.5, rel=0.07)


@pytest.mark.parametrize("d_head", SIZES)
def test_the_root_of_d_head_keeps_spread_and_entropy_at_every_size(d_head):
    same = by_divisor(d_head)["√d_head"]
    assert same.divisor == d_head**0.5
    assert same.spread == pytest.approx(1, rel=0.07)
    assert same.entropy_share == pytest.approx(0.84, abs=0.03)


@pytest.mark.parametrize("d_head", SIZES)
def test_the_root_of_d_model_makes_rows_too_even_at_every_size(d_head):
    of = by_divisor(d_head)
    assert of["√d_model"].divisor == pytest.approx((N_HEADS * d_head) ** 0.5)
    assert of["√d_model"].spread == pytest.approx(of["√d_head"].spread / N_HEADS**0.5)
    assert of["√d_model"].entropy_share > of["√d_head"].entropy_share + 0.1


def test_undivided_the_spread_grows_and_one_key_takes_all():
    undivided = [by_divisor(d_head)["nothing"] for d_head in SIZES]
    assert (np.diff([scores.spread for scores in undivided]) > 0).all()
    assert (np.diff([scores.entropy_share for scores in undivided]) < 0).all()
    assert undivided[0].entropy_share > 0.8 and undivided[-1].entropy_share < 0.1
    assert undivided[-1].largest > 0.9


def test_with_one_entry_the_root_changes_nothing():
    of = by_divisor(1)
    np.testing.assert_array_equal(of["nothing"].row, of["√d_head"].row)


def test_the_numbers_are_the_same_at_every_call():
    np.testing.assert_array_equal(random_products(7), random_products(7))
    scaled.cache_clear()
    first = scaled(7)
    scaled.cache_clear()
    assert [one.spread for one in scaled(7)] == [one.spread for one in first]


@pytest.mark.parametrize("d_head", [0, -1, LONGEST + 1])
def test_a_size_that_does_not_exist_is_refused(d_head):
    with pytest.raises(ValueError, match=f"d_head must be from 1 to 512, but it is {d_head}"):
        scaled(d_head)
