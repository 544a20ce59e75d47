"""Rows and columns in words: what the sentence claims is what the numbers say."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attention_core import Experiment, trace
from attention_view.sentences import (
    column_sentence,
    column_sentences,
    percent,
    row_sentence,
    row_sentences,
)

LITTLE = 1e-9  # what "or less" may overlook
NAMED = (
    r"(t\d+|itself)(?:,| gets| gives it| and gives it|, which gives it) "
    r"((?:less than |more than )?\d+ percent|nothing)"
)
NAMES = [f"t{place}" for place in range(12)]


def said_of_row(weights, mask=None, itself=None):
    weights = np.array(weights, float)
    mask = np.ones(len(weights), bool) if mask is None else np.array(mask, bool)
    return row_sentence(
        weights,
        mask,
        asks="it",
        key_names=["the", "cat", "mat", "sat", "on", "so"],
        itself=itself,
    )


def said_of_column(weights, mask=None, itself=None):
    weights = np.array(weights, float)
    mask = np.ones(len(weights), bool) if mask is None else np.array(mask, bool)
    return column_sentence(
        weights,
        mask,
        looked_at="cat",
        query_names=["the", "cat", "mat", "sat", "on", "so"],
        itself=itself,
    )


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([0.02, 0.86, 0.12], "it looks mostly at cat, 86 percent; the most another gets is 12 percent."),
        ([0.016, 0.858, 0.016, 0.016], "it looks mostly at cat, 86 percent; the most another gets is 2 percent."),
        (
            [0.03, 0.47, 0.47, 0.03],
            "it looks mostly at cat, 47 percent, and mat, 47 percent; the most another gets is 3 percent.",
        ),
        ([0.736, 0.114, 0.004], "it looks mostly at the, 74 percent; the most another gets is 11 percent."),
        (
            [0.214, 0.214, 0.214, 0.214, 0.144],
            "it spreads its weight over 5 tokens; the most that one gets is 21 percent.",
        ),
        ([1 / 6] * 6, "it looks equally at all 6 tokens it may see, 17 percent each."),
        ([0.5, 0.5], "it looks equally at both tokens it may see, 50 percent each."),
        ([0.2, 0.8], "it looks mostly at cat, 80 percent; the gets 20 percent."),
        ([0.0, 1.0, 0.0], "it looks only at cat, 100 percent; the rest get nothing."),
        ([0.004, 0.994, 0.002], "it looks mostly at cat, 99 percent; the rest get less than 1 percent each."),
        ([0.3, 0.25, 0.25, 0.2], "it looks most at the, 30 percent; the most another gets is 25 percent."),
        ([0.22, 0.22, 0.22, 0.22, 0.12], "it spreads its weight over 5 tokens; the most that one gets is 22 percent."),
        ([0.0, 0.0, 0.0], "it gives no weight to any token it may see."),
    ],
)
def test_a_row_is_told_by_what_stands_out(weights, sentence):
    assert said_of_row(weights) == sentence


def test_a_query_that_may_see_nothing_or_only_itself_is_told_so():
    assert said_of_row([0, 0, 0], mask=[0, 0, 0]) == "it may look at nothing: every token is masked."
    assert said_of_row([1, 0, 0], mask=[1, 0, 0], itself=0) == "it may see only itself and gives it 100 percent."
    assert said_of_row([0, 1, 0], mask=[0, 1, 0]) == "it may see only cat and gives it 100 percent."


def test_masked_keys_are_not_part_of_the_rest():
    assert said_of_row([0.5, 0.5, 0, 0], mask=[1, 1, 0, 0]).startswith("it looks equally at both tokens")


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ([0.1, 0.17, 0.05, 0.95], "cat is looked at most by sat, 95 percent; the most another gives it is 17 percent."),
        (
            [0.9, 0.8, 0.81],
            "cat gets at least half of the weight of all 3 tokens that may see it; "
            "the least that one gives it is 80 percent.",
        ),
        ([0.1, 0.1, 0.1], "cat is looked at equally by all 3 tokens that may see it, 10 percent each."),
        ([0.3, 0.25, 0.2], "cat is looked at most by the, 30 percent; the most another gives it is 25 percent."),
        ([0.3, 0.3, 0.3, 0.3, 0.2], "cat is looked at by 5 tokens; the most that one gives it is 30 percent."),
        ([0.96, 0.86, 0.49], "cat is looked at most by the, 96 percent; the most another gives it is 86 percent."),
        ([0.6, 0.0], "cat is looked at most by the, 60 percent; cat gives it nothing."),
        ([0.0, 0.0], "No token gives any weight to cat."),
    ],
)
def test_a_column_is_told_by_who_looks_most(weights, sentence):
    assert said_of_column(weights) == sentence


def test_a_key_that_none_or_one_may_see_is_told_so():
    assert said_of_column([0, 0], mask=[0, 0]) == "No token may look at cat: it is masked for all."
    told = said_of_column([0, 0.3], mask=[0, 1], itself=1)
    assert told == "cat may be looked at only by itself, which gives it 30 percent."


@pytest.mark.parametrize(("ending", "cause"), [("tired", "cat"), ("soft", "mat")])
def test_the_last_word_of_the_toy_looks_mostly_at_what_it_describes(ending, cause):
    record = trace(Experiment(ending=ending))
    told = row_sentences(
        record.weights[0],
        record.mask,
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
    )
    assert told[-1] == f"{ending} looks mostly at {cause}, 86 percent; the most another gets is 2 percent."
    assert told[0] == "The, token 1 may see only itself and gives it 100 percent."


def test_a_token_is_itself_only_where_queries_and_keys_are_the_same_tokens():
    weights, mask = np.eye(2), np.eye(2, dtype=bool)
    same = column_sentences(weights, mask, query_tokens=["a", "b"], key_tokens=["a", "b"])
    cross = column_sentences(weights, mask, query_tokens=["a", "b"], key_tokens=["x", "y"])
    assert same[0] == "a may be looked at only by itself, which gives it 100 percent."
    assert cross[0] == "x may be looked at only by a, which gives it 100 percent."


@given(st.floats(0, 1))
@example(0.005)
@example(0.995)
def test_a_percentage_is_within_half_a_percent_and_never_a_false_nothing_or_all(weight):
    told = percent(weight)
    if told == "less than 1 percent":
        assert 0 < weight < 0.01
    elif told == "more than 99 percent":
        assert 0.99 < weight < 1
    else:
        number = int(re.fullmatch(r"(\d+) percent", told)[1])
        assert abs(100 * weight - number) <= 0.5 + LITTLE
        assert number > 0 or weight == 0
        assert number < 100 or weight > 1 - 1e-8


@st.composite
def rows(draw):
    """Weights over up to 12 tokens, some masked; sharp, even and tied rows among them."""
    n = draw(st.integers(1, 12))
    mask = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    parts = np.array(
        draw(
            st.lists(
                st.sampled_from([0, 1, 1, 2, 7, 100]) | st.floats(0, 50),
                min_size=n,
                max_size=n,
            )
        )
    )
    parts = np.where(mask, parts, 0.0)
    return (parts / parts.sum() if parts.sum() > 0 else parts), mask


def check_named_weights(sentence, weights, asks):
    """Each "t3, 47 percent" of a sentence names a weight rightly; return the places named."""
    places = []
    for name, told in re.findall(NAMED, sentence):
        place = asks if name == "itself" else int(name[1:])
        assert told == (percent(weights[place]) if weights[place] else "nothing") or told == "0 percent"
        places.append(place)
    return places


def check_bounds(sentence, weights, visible, named):
    """What a sentence claims of the tokens that it does not name holds for each of them."""
    others = [place for place in visible if place not in named]
    if told := re.search(r"the most another (?:gets|gives it) is (.*)\.$", sentence):
        assert told[1] == percent(max(weights[others]))
    elif "less than 1 percent each" in sentence and "rest" in sentence:
        assert all(weights[place] < 0.005 for place in others)
    elif "rest get nothing" in sentence or "rest give it nothing" in sentence:
        assert all(weights[place] == 0 for place in others)
    elif told := re.search(r"the most that one (?:gets|gives it) is (.*)\.$", sentence):
        assert told[1] == percent(max(weights[visible]))
    elif told := re.search(r"gets at least half .*; the least that one gives it is (.*)\.$", sentence):
        assert told[1] == percent(min(weights[visible])) and min(weights[visible]) >= 0.5
    elif told := re.search(r"equally .* tokens .*, (.*) each", sentence):
        assert all(percent(weights[place]) == told[1] for place in visible)
        assert np.ptp(weights[visible]) <= 1e-8
    return others


@given(rows(), st.integers(0, 11))
def test_every_claim_about_a_row_holds(row, asks):
    weights, mask = row
    itself = asks if asks < len(weights) else None
    told = row_sentence(weights, mask, asks="it", key_names=NAMES[: len(weights)], itself=itself)
    visible = np.flatnonzero(mask)
    if "may look at nothing" in told or "no weight" in told:
        assert not weights.any()
        return
    named = check_named_weights(told, weights, itself)
    others = check_bounds(told, weights, visible, named)
    if "mostly" in told or "looks only" in told:
        assert weights[named].sum() > 0.5
    if "looks only" in told:
        assert not weights[others].any()
    if re.search("looks (mostly|most|only) at", told):
        assert min(weights[named]) > max(weights[others], default=-1)
    if "may see only" in told:
        assert len(visible) == 1


@given(rows(), st.integers(0, 11))
def test_every_claim_about_a_column_holds(column, looked_at):
    weights, mask = column
    itself = looked_at if looked_at < len(weights) else None
    told = column_sentence(weights, mask, looked_at="key", query_names=NAMES[: len(weights)], itself=itself)
    visible = np.flatnonzero(mask)
    if told.startswith("No token"):
        assert not weights.any()
        assert ("may look" in told) == (not mask.any())
        return
    named = check_named_weights(told, weights, itself)
    others = check_bounds(told, weights, visible, named)
    if "most by" in told:
        assert min(weights[named]) > max(weights[others], default=-1)
    if "only by" in told:
        assert len(visible) == 1


def test_a_right_to_left_token_leaves_the_words_around_it_in_their_order():
    tokens = ["cat", "ש(1/2)"]
    rows = row_sentences(np.array([[1.0, 0], [0, 1]]), np.tri(2, dtype=bool), query_tokens=tokens, key_tokens=tokens)
    assert rows[0].startswith("cat ")
    assert rows[1].startswith("\u2068ש(1/2)\u2069 ")
