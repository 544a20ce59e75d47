"""Numbers as they are shown: signs, zeros, percentages, and sums that agree with their parts."""

import doctest
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_view import numbers
from attention_view.numbers import GAP, MINUS, adds_up, full, number, percent, read_shown, signed

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-9.9e8, max_value=9.9e8)


def back(text):
    return float(text.replace(MINUS, "-"))


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(numbers).failed == 0
    assert doctest.testmod(numbers).attempted > 4


@given(FINITE, st.integers(0, 6))
def test_a_shown_number_is_within_half_of_its_last_digit_and_never_minus_zero(x, digits):
    text = number(x, digits)
    assert "-" not in text
    assert abs(back(text) - x) <= 0.5 * 10**-digits * (1 + 1e-6) + abs(x) * 1e-15
    assert not (text.startswith(MINUS) and back(text) == 0)


@given(st.integers(-(10**6), 10**6))
def test_whole_numbers_are_shown_whole_where_asked(n):
    assert number(float(n), whole=True) == str(n).replace("-", MINUS)
    assert number(float(n)).endswith(".00")


def test_a_number_that_is_only_near_a_whole_one_keeps_its_decimals():
    assert number(0.999, whole=True) == "1.00"
    assert number(1e-10, whole=True) == "0.00"
    assert number(math.sqrt(2) ** 2, whole=True) == "2"


def test_infinity_has_a_sign_of_its_own():
    assert (number(-math.inf), number(math.inf), full(-math.inf)) == ("−∞", "∞", "−∞")


def test_nan_is_refused():
    with pytest.raises(ValueError, match="must not be NaN"):
        number(math.nan)


@given(FINITE)
def test_a_sign_stands_before_every_difference_that_is_shown_as_one(x):
    text = signed(x)
    assert text.lstrip(f"+{MINUS}") == number(abs(x))
    assert (text[0] in f"+{MINUS}") == (back(text) != 0)
    assert back(text) == 0 or (back(text) > 0) == (x > 0)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_full_precision_gives_the_number_back_exactly(x):
    assert back(full(x)) == x


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_full_precision_of_a_float32_shows_no_digits_that_it_does_not_have(x):
    assert np.float32(back(full(np.float32(x)))) == np.float32(x)
    assert len(full(np.float32(0.1))) == len("0.1")


@given(st.floats(0, 1))
def test_a_percentage_is_true_of_its_weight(weight):
    text = percent(weight).removesuffix(f"{GAP}%")
    if text == "<1":
        assert 0 < weight < 0.005
    elif text == ">99":
        assert 0.995 <= weight < 1
    else:
        assert abs(int(text) - 100 * weight) <= 0.5 + 1e-9
        assert (text == "0") == (weight == 0)


@pytest.mark.parametrize(
    ("parts", "total", "agrees"),
    [
        ([("4", "2"), ("0", "0")], "8", True),
        ([(f"{MINUS}0.38", "2"), ("1",)], "0.24", True),
        ([("0.33",), ("0.33",), ("0.33",)], "1", False),
        ([], "0", True),
        ([("0.1",), ("0.2",)], "0.3", True),
    ],
)
def test_parts_add_up_as_they_are_shown(parts, total, agrees):
    assert adds_up(parts, total) is agrees


@given(st.lists(FINITE.map(lambda x: round(x, 2)), max_size=6))
def test_whole_cents_always_add_up(parts):
    shown = [number(x) for x in parts]
    total = sum((Decimal(text.replace(MINUS, "-")) for text in shown), Decimal(0))
    assert adds_up([(text,) for text in shown], f"{total:.2f}".replace("-", MINUS))
    assert not adds_up([(text,) for text in shown], f"{total + 1:.2f}".replace("-", MINUS))


@given(st.floats(1e9, allow_infinity=False), st.sampled_from([1, -1]), st.integers(0, 6), st.booleans())
def test_a_huge_number_is_short_and_reads_back_near_itself(size, sign, digits, whole):
    text = number(sign * size, digits, whole=whole)
    assert len(text) <= len("−8.00·10³⁰⁰")
    assert math.isclose(read_shown(text), sign * size, rel_tol=0.006) or size > 1.79e308
    assert signed(size) == f"+{number(size)}"


def test_a_sum_with_a_huge_number_is_rounded():
    assert not adds_up([("8.00·10³⁰⁰",), ("1",)], "8.00·10³⁰⁰")
    assert not adds_up([("1",)], "8.00·10³⁰⁰")
