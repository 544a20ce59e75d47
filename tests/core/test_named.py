"""Entries by their names, and conditions on them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Experiment, attention_record, toy, trace
from attention_core.conditions import comparisons
from attention_core.named import AXES, named

RECORD = trace(Experiment())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X[it, pronoun]", 1),
        ("Q[pronoun, tired, alive]", 4),
        ("K[pronoun,cat,alive]", 2),
        ("raw_scores[pronoun, tired, cat]", 8),
        ("scores[pronoun, last, cat]", 4),
        ("weights[pronoun, cat, last]", 0),
        ("weights[pronoun, #4, #1]", 0.25),
        ("W_V[pronoun, alive, alive]", 1),
        ("W_O[sink action, action]", 1),
        ("heads_on[previous]", 1),
        ("mask[The, cat]", 0),
        ("K[sink, #1, first]", 2),
    ],
)
def test_an_entry_is_read_by_its_names(text, value):
    assert named(RECORD, text).values == value


def test_a_star_opens_one_axis_and_brings_its_names():
    row = named(RECORD, "weights[pronoun, it, *]")
    assert (row.axis, row.along) == ("key", RECORD.key_tokens)
    assert (row.values == RECORD.weights[0, 7]).all()
    assert (row.names, row.places) == (("pronoun", "it", "*"), (0, 7, None))
    assert named(RECORD, "weights[pronoun, *, cat]").values[2] == RECORD.weights[0, 2, 1]
    assert named(RECORD, "Q[previous, it, *]").along == ("sin 16", "cos 16", "sin 4", "cos 4")


def test_a_word_can_stand_for_a_name():
    assert named(RECORD, "weights[shown, it, The]", called={"shown": "sink"}).names == ("sink", "it", "The")


def test_last_follows_the_sentence():
    soft = trace(Experiment(ending="soft"))
    assert named(soft, "weights[pronoun, last, mat]").names == ("pronoun", "soft", "mat")


def test_equal_tokens_are_told_apart_by_their_place():
    twice = attention_record(np.eye(2), *[np.ones((1, 2, 2))] * 3, np.ones((2, 2)))
    twice = replace(twice, query_tokens=("a", "a"), key_tokens=("a", "b"))
    with pytest.raises(ValueError, match="'a' names 2 tokens: say #1 or #2"):
        named(twice, "weights[0, a, b]")
    assert named(twice, "weights[0, #2, b]").values == 0.5


def test_query_heads_that_share_a_key_head_read_the_same_keys():
    shared = attention_record(np.eye(2), np.ones((2, 2, 2)), np.ones((1, 2, 2)), np.ones((1, 2, 2)), np.ones((4, 2)))
    assert (named(shared, "K[0, 1, *]").values == named(shared, "K[1, 1, *]").values).all()


@pytest.mark.parametrize("array", AXES)
def test_every_array_is_read_at_every_place_with_the_axes_that_it_has(array):
    axes = AXES[array].split()
    values = getattr(RECORD, array)
    assert values.ndim == len(axes)
    names = ["pronoun" if "head" in axis else "#1" for axis in axes]
    assert named(RECORD, f"{array}[{', '.join(names)}]").values == values[(0,) * values.ndim]


@given(st.data())
def test_every_entry_of_the_weights_is_found_by_its_names(data):
    h, i, j = (data.draw(st.integers(0, n - 1)) for n in RECORD.weights.shape)
    text = f"weights[{RECORD.head_names[h]}, {RECORD.query_tokens[i]}, {RECORD.key_tokens[j]}]"
    assert named(RECORD, text).values == RECORD.weights[h, i, j]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("weights", "must read like weights"),
        ("weights[[1]]", "must read like"),
        ("wieghts[pronoun, it, cat]", "must be of one of X, .*, but it is of 'wieghts'"),
        ("weights[it, cat]", r"given as weights\[head, token that asks, token that is looked at\]"),
        ("weights[pronoun, dog, cat]", "token that asks must be one of The, cat, .*, or last, but it is 'dog'"),
        ("weights[nose, it, cat]", "head must be one of pronoun, previous, sink, but it is 'nose'"),
        ("K[pronoun, cat, pronoun]", "dimension must be one of alive, thing, tired, soft, but it is 'pronoun'"),
        ("weights[pronoun, #11, cat]", "but it is '#11'"),
        ("weights[pronoun, *, *]", r"\* may stand once"),
        ("weights[*, it, cat]", "not for the head"),
        ("X[it, last]", "dimension must be one of"),
        ("__class__[it]", "must be of one of"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(text, refusal):
    with pytest.raises(ValueError, match=refusal):
        named(RECORD, text)


@given(st.text(max_size=40))
def test_no_text_gives_anything_but_a_number_or_a_clear_refusal(text):
    for read in (named, comparisons):
        try:
            read(RECORD, text)
        except ValueError as refusal:
            assert "must" in str(refusal) or "may" in str(refusal)


def holds(condition, **settings):
    return all(part.holds for part in comparisons(trace(Experiment(**settings)), condition))


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("weights[pronoun, last, cat] > 0.8", True),
        ("weights[pronoun, last, cat]>0.8", True),
        ("weights[pronoun, last, cat] < .8", False),
        ("weights[pronoun, it, cat] = weights[pronoun, it, mat]", True),
        ("weights[pronoun, cat, last] = 0 and weights[pronoun, it, cat] >= 0.4", True),
        ("weights[pronoun, cat, last] = 0 and weights[pronoun, it, cat] >= 0.5", False),
        ("masked_scores[pronoun, cat, last] = -inf", True),
        ("X[it, sin 4] = -1", True),
        ("0.3 <= weights[pronoun, it, cat]", True),
        ("X[it, pronoun] <= 1.", True),
    ],
)
def test_a_condition_compares_the_numbers(condition, true):
    assert holds(condition) is true


def test_equal_means_within_a_billionth():
    assert holds("weights[pronoun, on, cat] = 0.2500000001")
    assert not holds("weights[pronoun, on, cat] = 0.2501")


def test_a_condition_is_judged_anew_in_every_experiment():
    condition = "weights[pronoun, last, mat] > 0.8"
    assert not holds(condition)
    assert holds(condition, ending="soft")


def test_a_comparison_brings_its_numbers_and_their_full_names():
    (part,) = comparisons(RECORD, "weights[shown, last, cat] > 0.8", called={"shown": "pronoun"})
    assert part.left.entry.names == ("pronoun", "tired", "cat")
    assert part.left.value == RECORD.weights[0, 9, 1]
    assert (part.sign, part.right.value, part.right.entry) == (">", 0.8, None)


@pytest.mark.parametrize(
    "condition",
    ["", "and", "weights[pronoun, it, cat]", "X[it, alive] == 1", "X[it, alive] = 1 and", "1 < 2 < 3", "1 < 2 or 3 < 4",
     "X[it, alive] = nan", "X[it, alive] = __import__('os')", "1 <"],
)  # fmt: skip
def test_a_condition_of_another_form_is_refused_with_the_form(condition):
    with pytest.raises(ValueError, match="a condition must read like"):
        comparisons(RECORD, condition)


def test_a_condition_does_not_compare_rows():
    with pytest.raises(ValueError, match=r"no \* may stand in it"):
        comparisons(RECORD, "weights[pronoun, it, *] > 0.4")


def test_every_dimension_of_the_toy_has_a_name_that_can_be_written():
    for name in toy.DIMENSIONS:
        assert named(RECORD, f"X[cat, {name}]").values == RECORD.X[1, toy.DIMENSIONS.index(name)]
