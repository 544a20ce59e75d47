"""An experiment as a file: read back exactly, and refused with the place where something is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Edit, Experiment
from attention_core.experiment_file import LARGEST_FILE, experiment_json, read_experiment
from tests.core.test_experiment import experiments, own_sentences


@given(st.one_of(experiments, own_sentences()))
def test_a_file_restores_the_experiment(experiment):
    assert read_experiment(experiment_json(experiment)) == experiment


def whole(**changes):
    file = json.loads(experiment_json(Experiment(edits=(Edit("X", (1, 0), 2.0), Edit("scores", (0, 9, 1), 2.5)))))
    file["experiment"].update(changes)
    return file


def with_edit(**changes):
    file = whole()
    file["experiment"]["edits"][1].update(changes)
    return json.dumps(file)


def test_what_is_left_out_has_its_default():
    assert read_experiment('{"format": "attention experiment", "version": 1, "experiment": {}}') == Experiment()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"line 1, column 1: this is no JSON"),
        ('{"format": ', "line 1, column 12: this is no JSON"),
        ("[" * 100_000, "this is no JSON of an experiment"),
        ("1" * 5_000, "this is no JSON of an experiment: a number in it has too many digits$"),
        ('{"format": "attention experiment", "version": true}', "version: it must be 1, but it is 'true'"),
        ('{"format": "attention experiment", "version": 1.0}', "version: it must be 1, but it is '1.0'"),
        (json.dumps(whole(ask=99)), "^experiment.ask must be a place from 0 to 9, but it is 99"),
        (json.dumps(whole(**{"a b": 1})), "experiment.'a b': there is no such setting"),
        ("x" * (LARGEST_FILE + 1), "at most 1,000,000 characters, but it has 1,000,001"),
        ("[]", 'format: it must be "attention experiment"; this is another kind of file'),
        ('{"format": "attention experiment", "version": 2}', "version: it must be 1, but it is '2'"),
        (
            '{"format": "attention experiment", "version": 1}',
            "experiment: names and values must stand here, but .*null",
        ),
        (json.dumps(whole(colour="red")), "experiment.colour: there is no such setting; there are ending, mask"),
        (json.dumps(whole(ending=3)), "experiment.ending: a text must stand here, but it is '3'"),
        (json.dumps(whole(ending="dog")), "experiment: ending must be one of tired, soft, but it is 'dog'"),
        (json.dumps(whole(ask=1.5)), "experiment.ask: a whole number must stand here, but it is '1.5'"),
        (json.dumps(whole(ask=True)), "experiment.ask: a whole number must stand here, but it is 'true'"),
        (json.dumps(whole(heads="sink")), "experiment.heads: a list must stand here, but it is 'sink'"),
        (json.dumps(whole(heads=["nose"])), "experiment: heads must be one of pronoun, .* but it is 'nose'"),
        (json.dumps(whole(words=["cat", 7])), r"experiment.words\[1\]: a text must stand here, but it is '7'"),
        (json.dumps(whole(words=["dog"])), "experiment: the toy knows .* but was given 'dog' without a meaning"),
        (json.dumps(whole(meanings={"dog": [1]})), r"experiment.meanings.dog\[0\]: a text must stand here"),
        (with_edit(value="abc"), r"experiment.edits\[1\].value: a number from −1,000,000 to .*, but it is 'abc'"),
        (with_edit(value=float("nan")), r"experiment.edits\[1\].value: a number .* but it is 'NaN'"),
        (with_edit(value=10**400), r"experiment.edits\[1\].value: a number from"),
        (with_edit(value=2e6), r"experiment.edits\[1\].value: a number from"),
        (with_edit(array="weights"), r"experiment.edits\[1\].array: it must be one of X, .* but it is 'weights'"),
        (with_edit(place=[0, 9]), r"experiment.edits\[1\]: an edit of scores must name a place within its shape"),
        (with_edit(place=[0, 9, 99]), r"experiment.edits\[1\]: an edit of scores must name a place"),
        (with_edit(place=[0, 9, "1"]), r"experiment.edits\[1\].place\[2\]: a whole number must stand here"),
        (json.dumps(whole(edits=[{"array": "X", "place": [0, 0]}])), r"experiment.edits\[0\].value: it is missing"),
        (json.dumps(whole(edits=[5])), r"experiment.edits\[0\]: names and values must stand here"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(text, message):
    with pytest.raises(ValueError, match=message):
        read_experiment(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_no_value_breaks_the_reader(value):
    for file in (value, {"format": "attention experiment", "version": 1, "experiment": value}, whole(edits=[value])):
        try:
            read_experiment(json.dumps(file))
        except ValueError as refusal:
            assert str(refusal)


@pytest.mark.parametrize(
    "changes",
    [
        *({name: "q" * 3000} for name in ("ending", "mask", "head", "ask", "edits", "variant", "words", "q" * 3000)),
        {"words": ["q" * 3000]},
        {"heads": ["q" * 3000]},
        {"ask": 10**3000},
        {"words": ["dog"], "meanings": {"dog": ["q" * 3000]}},
        {"edits": [{"array": "q" * 3000, "place": [], "value": 1}]},
        {"edits": [{"array": "X", "place": [7] * 3000, "value": 1}]},
        {"edits": [{"array": "X", "place": [10**3000], "value": 1}]},
        {"edits": [{"array": "X", "place": [0, 0], "value": "\0" * 3000}]},
    ],
)
def test_no_refusal_repeats_more_than_60_characters_of_a_file(changes):
    with pytest.raises(ValueError, match="experiment") as caught:
        read_experiment(json.dumps(whole(**changes)))
    assert len(str(caught.value)) < 300
    assert "q" * 60 not in str(caught.value)
