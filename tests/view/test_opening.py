"""An opened number as the page shows it: redone from its shown numbers, it comes out, or the page says "rounded"."""

import json
import math
from decimal import Decimal

import numpy as np
import pytest

from attention_core import Edit, Experiment, trace
from attention_core.addresses import ARRAYS, Address, read_address
from attention_core.opening import opening
from attention_core.variants import VARIANTS
from attention_view.numbers import read_shown
from attention_view.opening import ROUNDED, opened, shown_number

LARGEST_MESSAGE = 12_000  # bytes


def places(record, array):
    values = record.weights[0] if array == "mean" else getattr(record, array)
    return map(tuple, np.ndindex(*np.shape(values)))


def read(text):
    """The number that a reader sees, read without the code that wrote it."""
    text = text.replace("−", "-").replace("∞", "Infinity")
    digits, _, power = text.partition("·10")
    up = "".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(sign)) if sign != "⁻" else "-" for sign in power)
    return Decimal(digits).scaleb(int(up or 0))


def added_up(terms):
    return sum((math.prod(read(part["text"]) for part in term["parts"]) for term in terms), Decimal(0))


def comes_out(value, line):
    """Whether a reader who redoes the line with the numbers as shown gets the value as shown."""
    terms = [*line.get("terms", ()), *line.get("zeros", ())]
    match line["kind"]:
        case "given":
            return True
        case "power":
            first, *others = terms
            exponent = added_up([first]) - added_up(others)
            return exponent == 0 if exponent.is_finite() else read(value) == 0
        case "root":
            return read(value) ** 2 == added_up(terms)
        case "quotient":
            return read(value) * added_up(line["over"]) == added_up(terms)
    return read(value) == added_up(terms)


def check(record, arrays=ARRAYS):
    notes = 0
    for array in arrays:
        for place in places(record, array):
            shown = opened(record, Address(array, place), prefix="after:")
            lines = [(shown["value"], shown["line"])]
            if "otherwise" in shown:
                lines.append((shown["otherwise"]["value"], shown["otherwise"]["line"]))
            assert all(comes_out(*line) for line in lines) == ("note" not in shown), (array, place)
            for value, line in lines:
                assert line["kind"] == "given" or (line["sign"] == "=") == comes_out(value, line)
                assert (
                    len(line.get("terms", ())) + len(line.get("zeros", ()))
                    == len(opening(record, array, place).step.terms)
                    or "otherwise" in shown
                )
            assert shown.get("note", ROUNDED) == ROUNDED
            assert len(json.dumps(shown, ensure_ascii=False).encode()) < LARGEST_MESSAGE
            notes += "note" in shown
    return notes


@pytest.mark.parametrize("ending", ["tired", "soft"])
@pytest.mark.parametrize("mask", ["causal", "none"])
def test_every_number_of_the_toy_comes_out_as_shown_or_says_that_it_is_rounded(ending, mask):
    assert check(trace(Experiment(ending=ending, mask=mask))) > 100


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "right"])
def test_every_number_of_every_variant_comes_out_as_shown_or_says_so(variant):
    check(trace(Experiment(variant=variant)), ("masked_scores", "exponentials", "totals", "shares", "weights", "W_K"))


def test_what_the_learner_set_is_shown_with_what_would_stand_there():
    shown = opened(trace(Experiment(edits=(Edit("scores", (0, 9, 1), 2.5),))), Address("scores", (0, 9, 1)))
    assert (shown["value"], shown["given"], shown["line"]) == ("2.500", "set by you", {"kind": "given"})
    assert shown["otherwise"]["value"] == "4"
    assert [part["text"] for part in parts(shown["otherwise"]["line"])] == ["8", "2"]


def parts(line):
    return [part for term in (*line["terms"], *line.get("over", ())) for part in term["parts"]]


def test_the_weight_of_tired_on_cat_reads_as_a_quotient():
    shown = opened(trace(Experiment()), Address("weights", (0, 9, 1)))
    assert shown["title"] == "weight of tired on cat, pronoun head"
    assert shown["value"] == "0.858" and shown["line"]["sign"] == "≈" and shown["note"] == ROUNDED
    assert [(part["text"], part["short"], part["open"]) for part in parts(shown["line"])] == [
        ("54.60", "e to the score", "exponentials[0,9,1]"),
        ("63.60", "total", "totals[0,9,0]"),
    ]
    assert shown["full"].startswith("0.8584")


def test_terms_of_0_in_a_long_sum_are_folded_and_still_there():
    shown = opened(trace(Experiment()), Address("Q", (0, 9, 0)))
    (term,) = shown["line"]["terms"]
    assert [part["text"] for part in term["parts"]] == ["1", "4"] and term["label"] == "tired"
    assert len(shown["line"]["zeros"]) == 11
    assert shown["line"]["what"] == "token vector × W_Q, added up"
    assert "zeros" not in opened(trace(Experiment()), Address("raw_scores", (0, 9, 0)))["line"]


def test_a_hidden_score_is_minus_infinity_with_its_reason_and_the_score_behind_it():
    shown = opened(trace(Experiment()), Address("masked_scores", (0, 0, 1)))
    assert shown["value"] == "−∞" and "full" not in shown and "note" not in shown
    assert [part["open"] for part in shown["decided_by"]] == ["mask[0,1]", "scores[0,0,1]"]
    assert "hides cat from The (1)" in shown["why"]


def test_every_address_that_is_shown_can_be_read_behind_its_prefix():
    shown = opened(trace(Experiment()), Address("raw_scores", (0, 9, 1)), prefix="after:")
    for part in parts(shown["line"]):
        record, _, address = part["open"].partition(":")
        assert record == "after" and read_address(address)
    assert {part["hue"] for part in parts(shown["line"])} == {"query", "key"}


def test_unseen_characters_of_a_token_are_shown():
    record = trace(Experiment(words=("a\u202eb", "cat"), meanings=(("a\u202eb", ()),)))
    assert "a[U+202E]b" in opened(record, Address("weights", (0, 1, 0)))["title"]


def test_the_longest_sentence_fits_into_a_message():
    words = tuple(f"{n:02}" + "w" * 38 for n in range(32))
    record = trace(Experiment(words=words, meanings=tuple((word, ()) for word in words), mask="none"))
    for array, place in (("totals", (0, 31, 0)), ("head_outputs", (1, 31, 0)), ("Q", (0, 31, 0))):
        assert len(json.dumps(opened(record, Address(array, place)), ensure_ascii=False).encode()) < LARGEST_MESSAGE


@pytest.mark.parametrize("x", [0.0, 1.0, -2.0, 0.8584, 54.598, 1e-13, -3.14159e9, 1e7, 9999999.0, 0.00049, -math.inf])
def test_a_shown_number_is_read_back_as_it_stands(x):
    text = shown_number(x)
    assert read_shown(text) == read(text)
    assert math.isclose(float(read(text)), x, rel_tol=0.006, abs_tol=5e-4)
