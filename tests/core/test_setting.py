"""The numbers that a person may change: what a setting refuses, its text forms, and that they lead back to it."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import setting as module
from attention_core.setting import LARGEST, Setting
from attention_core.two_queries import _joined, _parser

numbers = st.floats(-LARGEST, LARGEST)


def vectors(n):
    return st.tuples(*[st.tuples(numbers, numbers)] * n)


settings = st.builds(Setting, Q=vectors(2), K=vectors(3), V=vectors(3), visible=st.tuples(*[st.booleans()] * 3))


@given(settings)
def test_a_link_restores_every_number(setting):
    assert Setting.from_link(setting.link()) == setting


@given(settings)
def test_a_command_holds_every_number(setting):
    options = _parser().parse_args(_joined(setting.command().split()[3:]))
    given = {name: tuple(value) for name, value in vars(options).items() if value is not None}
    assert Setting(**given) == setting


@given(st.dictionaries(st.sampled_from(["q", "k", "v", "visible"]), st.text(max_size=30)))
def test_no_text_in_an_address_is_an_error(link):
    assert isinstance(Setting.from_link(link), Setting)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2,0",
        "2,0;0,2;1,1",
        "nan,0;0,2",
        "inf,0;0,2",
        "1e7,0;0,2",
        "1_0,0;0,2",
        "٣,0;0,2",
        "2,0;0",
        "9" * 5000,
        ["2,0"],
    ],
)
def test_nonsense_in_an_address_falls_back_and_the_rest_is_kept(text):
    assert Setting.from_link({"q": text, "visible": "1,1,1"}) == Setting(visible=(True, True, True))


@pytest.mark.parametrize("text", ["", "1,1", "1,1,2", "1,1,1,1", "true,1,1"])
def test_nonsense_for_the_switches_falls_back(text):
    assert Setting.from_link({"visible": text}) == Setting()


def test_the_lessons_numbers_need_no_link_and_no_option():
    assert Setting().link() == {}
    assert Setting().command() == "python -m attention_core.two_queries"


def test_only_what_was_changed_stands_in_the_link():
    setting = Setting().with_number("K", 2, 1, -0.5)
    assert setting.link() == {"k": "1,0;0,1;1,-0.5"}
    assert setting.command().endswith("--key=1,0 --key=0,1 --key=1,-0.5")
    assert setting.with_number("K", 2, 1, 1) == Setting()


def test_there_is_no_minus_zero():
    assert str(Setting().with_number("Q", 0, 1, -0.0).Q[0][1]) == "0.0"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"Q": ((1, 0),)}, "there must be 2 of Q, but there are 1"),
        ({"visible": (True, True)}, "there must be 3 of visible, but there are 2"),
        ({"visible": (1, 1, 0)}, "visible must hold True or False for each position"),
        ({"V": ((1, 0), (0, 2), (3, float("nan")))}, "V must hold vectors of 2 numbers within ±1,000,000"),
        ({"V": ((1, 0), (0, 2), (3, 1e7))}, "V must hold vectors of 2 numbers within ±1,000,000"),
        ({"V": ((1, 0), (0, 2), (3, 1, 1))}, "V must hold vectors of 2 numbers"),
    ],
)
def test_what_does_not_fit_is_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        Setting(**fields)


@pytest.mark.parametrize(
    ("array", "row", "message"),
    [
        ("W", 0, "must be one of Q, K, V, but it is 'W'"),
        ("Q", 2, "Q has no number at row 2, column 0"),
        ("Q", -1, "Q has no number at row -1"),
    ],
)
def test_a_place_that_does_not_exist_is_refused(array, row, message):
    with pytest.raises(ValueError, match=message):
        Setting().with_number(array, row, 0, 1)


def test_the_examples_in_the_docstrings_are_true():
    assert doctest.testmod(module).failed == 0
