"""An opened number as the page shows it: redone from its shown numbers, it comes out, or the page says "rounded"."""

import json
import math
import operator
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from attention_core import Edit, Experiment, trace
from attention_core.addresses import ARRAYS, Address, read_address
from attention_core.given_vectors import record_of_vectors
from attention_core.models.entry_origin import Origin
from attention_core.models.token_path import TokenPath
from attention_core.opening import opening
from attention_core.variants import VARIANTS
from attention_view.numbers import read_shown
from attention_view.opening import ROUNDED, crumb, opened, shown_number
from tests.core.test_opening import places
from tests.models.random_models import SETTINGS, TEXT, random_model

LARGEST_MESSAGE = 12_000  # bytes


def read(text):
    """The number that a reader sees, read without the code that wrote it."""
    text = text.replace("−", "-").replace("∞", "Infinity")
    digits, _, power = text.partition("·10")
    up = "".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(sign)) if sign != "⁻" else "-" for sign in power)
    return Decimal(digits).scaleb(int(up or 0))


def added_up(terms):
    signs = (-1 if term.get("minus") else 1 for term in terms)
    products = (math.prod(read(part["text"]) for part in term["parts"]) for term in terms)
    return sum(map(operator.mul, signs, products), Decimal(0))


def comes_out(value, line):
    """Whether a reader who redoes the line with the numbers as shown gets the value as shown."""
    terms = [*line.get("terms", ()), *line.get("zeros", ()), *others(line)]
    match line["kind"]:
        case "given":
            return True
        case "power":
            first, *less = terms
            exponent = added_up([first]) - added_up(less)
            return (exponent == 0 and read(value) == 1) if exponent.is_finite() else read(value) == 0
        case "root":
            return read(value) ** 2 == added_up(terms)
        case "quotient":
            return read(value) * added_up(line["over"]) == added_up(terms)
        case "cosine" | "sine":
            return added_up(terms) == 0 and read(value) == (line["kind"] == "cosine")
    return read(value) == added_up(terms)


def others(line):
    """What a long sum has besides its largest terms, as one term."""
    return [{"parts": [line["others"]]}] if "others" in line else []


def unpacked(others):
    """The smaller terms as the browser unpacks them."""
    return [
        {
            "parts": [
                {**like, "text": text, "name": name.join(like["name"]), "open": at.join(like["open"])}
                for like, (text, name, at) in zip(others["shared"], parts, strict=True)
            ],
            **({"label": label} if label else {}),
        }
        for label, *parts in others["rows"]
    ]


def bounds(text):
    """Between which numbers lies what a text shows: half a unit of its last digit to both sides; whole is exact."""
    shown = read(text)
    if not shown.is_finite():
        return -math.inf, -math.inf
    digits, _, power = text.partition("·10")
    half = Decimal(5).scaleb(-1 - len(digits.partition(".")[2])) if "." in digits else Decimal(0)
    unit = read(f"1·10{power}") if power else 1
    half = half * unit + abs(shown) * Decimal("1e-12")  # a number shown as whole is so but for its last digits
    return float(shown - half), float(shown + half)


def bounds_of_sum(terms):
    """Between which numbers lies a sum of products of shown parts, with what adding up in binary may lose."""
    low = high = lost = 0.0
    for term in terms:
        least, most = 1.0, 1.0
        for part in term["parts"]:
            corners = [a * b for a in (least, most) for b in bounds(part["text"])]
            least, most = min(corners), max(corners)
        least, most = (-most, -least) if term.get("minus") else (least, most)
        low, high = low + least, high + most
        lost += 1e-15 * max(abs(least), abs(most)) if math.isfinite(least) else 0.0
    return low - lost, high + lost


def comes_near(value, line):
    """Whether the value can be what the line says, given that each number stands for all that are shown like it."""
    if line["kind"] == "given":
        return True
    terms = [*line.get("terms", ()), *line.get("zeros", ()), *others(line)]
    low, high = bounds_of_sum(terms)
    match line["kind"]:
        case "power":
            (first_low, first_high), (low, high) = bounds_of_sum(terms[:1]), bounds_of_sum(terms[1:])
            low, high = math.exp(first_low - high), math.exp(first_high - low)
        case "root":
            low, high = math.sqrt(low), math.sqrt(high)
        case "cosine" | "sine":
            of = math.cos if line["kind"] == "cosine" else math.sin
            low, high = of((low + high) / 2) - (high - low), of((low + high) / 2) + (high - low)
        case "quotient":
            below = bounds_of_sum(line["over"])
            assert below[0] > 0
            corners = [a / b for a in (low, high) for b in below]
            low, high = min(corners), max(corners)
    least, most = bounds(value)
    return least <= high * (1 + 1e-12 * (high > 0)) and low * (1 - 1e-12 * (low > 0)) <= most


def check(record, arrays=ARRAYS):
    notes = 0
    for array in arrays:
        for place in places(record, array):
            shown = opened(record, Address(array, place), prefix="after:")
            lines = [(shown["value"], shown["line"])]
            if "otherwise" in shown:
                lines.append((shown["otherwise"]["value"], shown["otherwise"]["line"]))
            assert all(comes_near(*line) for line in lines), (array, place, lines)
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


@pytest.mark.parametrize(
    ("value", "kind", "numbers", "near"),
    [
        ("54.60", "power", ["4"], True),
        ("54.61", "power", ["4"], False),
        ("54.60", "power", ["9"], False),
        ("2.718", "power", ["3.500", "2.500"], True),
        ("2.730", "power", ["3.500", "2.500"], False),
        ("0", "power", ["−∞"], True),
        ("0.001", "power", ["−∞"], False),
        ("1.414", "root", ["2"], True),
        ("1.415", "root", ["2"], False),
        ("0.333", "sum", ["0.167", "0.167"], True),
        ("0.336", "sum", ["0.167", "0.167"], False),
        ("1.23·10⁻⁵", "sum", ["1.23·10⁻⁵"], True),
        ("1.25·10⁻⁵", "sum", ["1.23·10⁻⁵"], False),
    ],
)
def test_a_line_comes_near_only_within_what_rounding_hides(value, kind, numbers, near):
    line = {"kind": kind, "terms": [{"parts": [{"text": text}]} for text in numbers]}
    assert comes_near(value, line) == near


@pytest.mark.parametrize(("value", "near"), [("0.858", True), ("0.859", True), ("0.857", False), ("0.860", False)])
def test_a_quotient_comes_near_only_within_what_rounding_hides(value, near):
    above, below = ([{"parts": [{"text": text}]}] for text in ("54.60", "63.60"))
    assert comes_near(value, {"kind": "quotient", "terms": above, "over": below}) == near


@pytest.mark.parametrize(
    ("array", "place", "rows", "columns", "caption"),
    [
        ("raw_scores", (0, 9, 1), ("query", "key"), ("key", "query"), ("query × key", "key × query")),
        (
            "Q",
            (0, 9, 0),
            ("token vector", "W_Q"),
            ("W_Q", "token vector"),
            ("token vector × W_Q", "W_Q × token vector"),
        ),
        (
            "K",
            (0, 1, 0),
            ("token vector", "W_K"),
            ("W_K", "token vector"),
            ("token vector × W_K", "W_K × token vector"),
        ),
        (
            "V",
            (0, 1, 0),
            ("token vector", "W_V"),
            ("W_V", "token vector"),
            ("token vector × W_V", "W_V × token vector"),
        ),
        ("weighted_values", (0, 9, 1, 0), ("weight", "value"), ("value", "weight"), ("", "")),
        ("output", (9, 0), ("joined", "W_O"), ("W_O", "joined"), ("joined × W_O", "W_O × joined")),
    ],
)
def test_with_queries_in_columns_the_factors_of_a_product_change_places(array, place, rows, columns, caption):
    lines = [opened(trace(Experiment()), Address(array, place), "", layout)["line"] for layout in ("rows", "columns")]
    for line, names, what in zip(lines, (rows, columns), caption, strict=True):
        terms = [*line["terms"], *line.get("zeros", ())]
        assert {tuple(part["short"] for part in term["parts"]) for term in terms} == {names}
        assert line.get("what", "") == (f"{what}, added up" if what else "")
    assert [term["parts"] for term in lines[1]["terms"]] == [term["parts"][::-1] for term in lines[0]["terms"]]


def test_the_caption_of_a_head_output_and_the_way_back_name_the_order_of_the_layout():
    address = Address("head_outputs", (0, 9, 0))
    for layout, words in (("rows", "weight × value"), ("columns", "value × weight")):
        line = opened(trace(Experiment()), address, layout=layout)["line"]
        assert line["what"] == f"{words}, added up"
        assert {part["short"] for part in parts(line)} == {words}
        assert crumb(Address("weighted_values", (0, 9, 1, 0)), layout) == words


def test_what_hides_after_softmax_and_what_is_divided_keeps_its_order_in_both_layouts():
    for variant, address in (("mask_after", Address("weights", (0, 9, 1))), ("right", Address("scores", (0, 9, 1)))):
        record = trace(Experiment(variant=variant))
        assert opened(record, address, layout="columns") == opened(record, address, layout="rows")


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


def test_a_visible_score_says_what_the_mask_lets_through():
    shown = opened(trace(Experiment()), Address("masked_scores", (0, 9, 1)))
    assert shown["why"] == "The mask lets tired see cat: 1 = may look."
    assert [(part["text"], part["short"]) for part in shown["decided_by"]] == [("1", "mask")]


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


def long_record(n_tokens=40, d_head=64, seed=0):
    """A head as large as that of a real model."""
    draw = np.random.default_rng(seed).standard_normal
    tokens = [f"w{n}" for n in range(n_tokens)]
    return record_of_vectors(
        3 * draw((1, n_tokens, d_head)), draw((1, n_tokens, d_head)), draw((1, n_tokens, d_head)),
        mask=np.tri(n_tokens, dtype=bool), query_tokens=tokens, key_tokens=tokens, head_names=["layer 13, head 8"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("array", "place", "n"),
    [("raw_scores", (0, 39, 1), 64), ("totals", (0, 39, 0), 40), ("head_outputs", (0, 39, 5), 40)],
)
def test_a_long_sum_is_told_by_its_largest_terms_and_adds_up(array, place, n):
    record = long_record()
    steps = opening(record, array, place).step
    shown = opened(record, Address(array, place), prefix="model:")
    line = shown["line"]
    sizes = sorted((abs(math.prod(part.value for part in term.parts)) for term in steps.terms), reverse=True)
    at_least = [abs(math.prod(float(read(part["text"])) for part in term["parts"])) for term in line["terms"]]
    assert len(at_least) == 10 and min(at_least) >= sizes[10] * 0.99 - 0.001
    assert line["others"]["n"] == n - 10 == len(unpacked(line["others"]))
    assert comes_near(shown["value"], line) and comes_out(shown["value"], line) == (line["sign"] == "=")
    assert comes_near(line["others"]["text"], {"kind": "sum", "terms": unpacked(line["others"])})
    given = {(str(part.address), part.name) for term in steps.terms for part in term.parts}
    told = [part for term in (*line["terms"], *unpacked(line["others"])) for part in term["parts"]]
    assert {(part["open"].removeprefix("model:"), part["name"]) for part in told} == given
    assert len(json.dumps(shown, ensure_ascii=False).encode()) < LARGEST_MESSAGE


def test_a_sum_of_a_thousand_terms_fits_into_a_message_and_says_how_many_it_does_not_list():
    shown = opened(long_record(1024, 8), Address("totals", (0, 900, 0)))
    line = shown["line"]
    listed = len(line["others"]["rows"])
    assert (10 + listed + line["others"]["beyond"]["n"], line["n_zeros"]) == (901, 123) and "zeros" not in line
    assert comes_near(shown["value"], line)
    rest = [*unpacked(line["others"]), {"parts": [line["others"]["beyond"]]}]
    assert comes_near(line["others"]["text"], {"kind": "sum", "terms": rest})
    assert len(json.dumps(shown, ensure_ascii=False).encode()) < LARGEST_MESSAGE


def test_a_head_that_is_named_by_its_layer_and_number_is_called_so():
    assert opened(long_record(), Address("weights", (0, 9, 1)))["title"] == "weight of w9 on w1, layer 13, head 8"


@pytest.mark.parametrize("family", ["llama 3", "gpt2", "bert"])
def test_an_entry_of_a_model_opens_down_to_the_token_s_vector_in_small_messages(family, monkeypatch):
    """A long sum keeps its bias in sight; what is taken away stands with a minus."""
    monkeypatch.setitem(SETTINGS, family, replace(SETTINGS[family], d_model=600, n_layers=30))
    model = random_model(family)
    run = model.read(TEXT)
    record, origin = run.record(29, [5]), Origin(TokenPath(lambda: model, run, TEXT), 29, 5)
    left, found = [Address(letter, (0, 6, 0)) for letter in "QKV"], {}
    while left:
        address = left.pop()
        if address.array in found:
            continue
        shown = found[address.array] = opened(record, address, "page:", origin=origin)
        line = shown["line"]
        assert len(json.dumps(shown, ensure_ascii=False).encode()) < LARGEST_MESSAGE
        assert comes_near(shown["value"], line), shown
        assert line["kind"] == "given" or comes_out(shown["value"], line) == (line["sign"] == "="), shown
        told = [*line.get("terms", ()), *line.get("over", ()), *(unpacked(line["others"]) if "others" in line else ())]
        for part in (part for term in told for part in term["parts"] if "open" in part):
            left.append(read_address(part["open"].removeprefix("page:"), Origin.arrays))
            crumb(left[-1])
    made = found["Q" if family != "llama 3" else "Q_unturned"]["line"]
    assert len(made["terms"]) == (10 if family == "llama 3" else 11) and made["others"]["n"] == 590
    vector = "token vector" if family == "bert" else "normed vector"
    assert made["what"] == f"{vector} × W_Q, added up{'' if family == 'llama 3' else ', and a bias'}"
    if family == "llama 3":
        assert [term.get("minus") for term in found["Q"]["line"]["terms"]] == [None, True]
        assert {"cosine", "sine", "angle", "frequency", "start", "added"} < set(found)
    assert ("X" in found) and found["X"]["line"]["kind"] == ("given" if family == "bert" else "sum")
