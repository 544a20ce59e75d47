"""Experiments: frozen, traced by one pure function, written into a link and read back."""

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Edit, Experiment, toy, trace

edits = st.builds(
    Edit,
    st.just("scores"),
    st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)),
    st.floats(-1e6, 1e6, allow_nan=False),
)
experiments = st.builds(
    Experiment,
    ending=st.sampled_from(toy.ENDINGS),
    mask=st.sampled_from(["causal", "none"]),
    head=st.sampled_from(toy.HEAD_NAMES),
    ask=st.integers(0, 9),
    heads=st.lists(st.sampled_from(toy.HEAD_NAMES), unique=True).map(tuple),
    edits=st.lists(edits, max_size=3).map(tuple),
)


@given(experiments)
def test_a_link_restores_the_experiment(experiment):
    assert Experiment.from_link(experiment.link()) == experiment


def test_the_default_experiment_needs_no_link():
    assert Experiment().link() == {}


@given(experiments)
def test_the_same_experiment_always_gives_the_same_numbers(experiment):
    once, again = trace(experiment), trace(experiment)
    for field in fields(once):
        np.testing.assert_array_equal(getattr(once, field.name), getattr(again, field.name))


@given(st.dictionaries(st.sampled_from([f.name for f in fields(Experiment)]), st.text(max_size=20)))
def test_a_link_of_nonsense_never_fails(link):
    trace(Experiment.from_link(link))


@pytest.mark.parametrize(
    "link",
    [
        {"ending": ""},
        {"ending": "dog"},
        {"ask": "0"},
        {"ask": "11"},
        {"ask": "1e1"},
        {"ask": "9" * 5000},
        {"mask": "true"},
        {"heads": "pronoun,nose"},
        {"edits": "scores[0,9,1]"},
        {"edits": "scores[0,9,99]=1"},
        {"edits": "scores[0,9,1]=nan"},
        {"edits": "weights[0,9,1]=1"},
        {"variant": "wrong"},
        {"ending": ["soft"]},
        {"unknown": "x"},
    ],
)
def test_a_bad_part_of_a_link_falls_back_to_its_default_and_the_rest_is_kept(link):
    assert Experiment.from_link(link) == Experiment()
    if "mask" not in link:
        assert Experiment.from_link({**link, "mask": "none"}) == Experiment(mask="none")


def test_heads_are_kept_in_the_order_of_the_record():
    assert Experiment(heads=("sink", "pronoun")).heads == ("pronoun", "sink")
    assert trace(Experiment(heads=("sink", "pronoun"))).heads_on.tolist() == [True, False, True]


def test_an_edit_reaches_the_numbers():
    r = trace(Experiment(edits=(Edit("scores", (0, 9, 5), 4.0),)))
    assert r.weights[0, 9, 5] == r.weights[0, 9, 1]


def test_an_experiment_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Experiment().ending = "soft"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("ending", "dog", "ending must be one of tired, soft, but it is 'dog'"),
        ("mask", "half", "mask must be one of causal, none, but it is 'half'"),
        ("head", "nose", "head must be one of pronoun, previous, sink, but it is 'nose'"),
        ("heads", ("nose",), "heads must be one of pronoun, previous, sink, but it is 'nose'"),
        ("variant", "odd", "variant must be one of right, no_divisor, .*, but it is 'odd'"),
        ("ask", 10, "ask must be a place from 0 to 9, but it is 10"),
        ("ask", 1.5, "ask must be a place from 0 to 9, but it is 1.5"),
        ("edits", (Edit("Q", (0, 0, 0), 1.0),), "the array of an edit must be one of X, W_Q"),
    ],
)
def test_a_field_that_holds_something_unknown_is_refused(field, value, message):
    with pytest.raises(ValueError, match=message):
        Experiment(**{field: value})


def test_edits_are_kept_as_a_tuple_so_that_the_value_stays_frozen():
    edit = Edit("scores", (0, 9, 5), 4.0)
    assert Experiment(edits=[edit]) == Experiment(edits=(edit,))
    assert hash(Experiment(edits=[edit])) == hash(Experiment(edits=(edit,)))
