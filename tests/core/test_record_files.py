"""A record as .npz and as JSON: read back, every number, name and choice is the same."""

import io
import json
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from attention_core import AttentionRecord, Edit, Experiment, attention_record, trace
from attention_core.record import Names
from attention_core.record_files import record_json, record_npz
from attention_core.two_queries import two_queries
from attention_core.variants import Variant

ODD = ("</script>", "[empty] ", "שלום", "🦀", '"quoted"\\', "\udc80", "NaN", "=1+1", "null", "x" * 300)
RECORDS = {
    "toy": trace(Experiment()),
    "no mask": trace(Experiment(mask="none", heads=("sink",))),
    "edited": trace(Experiment(edits=(Edit("scores", (0, 9, 1), 0.1), Edit("mask", (2, 1), 0.0)))),
    "variant": trace(Experiment(variant="wrong_axis")),
    "odd tokens": attention_record(
        np.eye(10),
        *np.random.default_rng(0).normal(size=(3, 2, 10, 5)),  # type: ignore[misc]
        np.eye(10),
        mask=np.tri(10, k=-1, dtype=bool),  # the first query may look at nothing
        names=Names.numbered(np.eye(10), np.eye(10), np.zeros((2, 10, 5)))._replace(query_tokens=ODD, key_tokens=ODD),
    ),
}


def read_json(text):
    """The fields of a record, from its JSON alone."""
    given = json.loads(text, parse_constant=pytest.fail)  # NaN and Infinity are no JSON
    assert "null is minus infinity" in given.pop("about")
    return {name: _read(name, value) for name, value in given.items()}


def _read(name, value):
    if name == "variant":
        return Variant(**value)
    if name == "edits":
        return tuple(Edit(edit["array"], tuple(edit["place"]), edit["value"]) for edit in value)
    if name == "given":
        return value
    if name == "unedited":
        return tuple(value)
    if name.endswith(("names", "tokens")):
        return tuple(tuple(entry) if isinstance(entry, list) else entry for entry in value)
    array = np.array(value, dtype=object)
    return np.where(array == None, -np.inf, array).astype(bool if isinstance(_last(value), bool) else float)  # noqa: E711


def _last(value):
    while isinstance(value, list):
        value = value[-1]
    return value


@pytest.mark.parametrize("name", RECORDS)
def test_json_read_back_is_the_record(name):
    record, read = RECORDS[name], read_json(record_json(RECORDS[name]))
    assert list(read) == [field.name for field in fields(AttentionRecord)]
    for field, value in read.items():
        given = getattr(record, field)
        if isinstance(given, np.ndarray):
            np.testing.assert_array_equal(value, given, strict=True)
        else:
            assert value == given


@pytest.mark.parametrize("name", RECORDS)
def test_npz_read_back_without_pickle_is_the_record(name):
    record = RECORDS[name]
    with np.load(io.BytesIO(record_npz(record)), allow_pickle=False) as read:
        assert "variant.divide_by" in read
        for field in fields(AttentionRecord):
            given = getattr(record, field.name)
            if is_dataclass(given):
                parts = {part.name: str(read[f"{field.name}.{part.name}"]) for part in fields(given)}
                assert parts == {name: str(value) for name, value in vars(given).items()}
            elif field.name != "edits":
                np.testing.assert_array_equal(read[field.name], np.asarray(given), strict=True)


def test_edits_are_written_as_in_a_link():
    with np.load(io.BytesIO(record_npz(RECORDS["edited"])), allow_pickle=False) as read:
        assert (
            ";".join(read["edits"])
            == Experiment.link(Experiment(edits=(Edit("scores", (0, 9, 1), 0.1), Edit("mask", (2, 1), 0.0))))["edits"]
        )


def test_a_masked_score_is_null_and_minus_infinity():
    record = RECORDS["toy"]
    assert json.loads(record_json(record))["masked_scores"][0][0][1] is None
    with np.load(io.BytesIO(record_npz(record)), allow_pickle=False) as read:
        assert read["masked_scores"][0, 0, 1] == -np.inf


def test_the_calculation_by_hand_is_a_file_too():
    record = two_queries()
    with np.load(io.BytesIO(record_npz(record)), allow_pickle=False) as read:
        np.testing.assert_array_equal(read["steps.weights"], record.weights)
        np.testing.assert_array_equal(read["visible"], record.visible)
    assert json.loads(record_json(record))["steps"]["weights"] == record.weights.tolist()
    assert json.loads(record_json(record))["masked_scores"][0][2] is None
