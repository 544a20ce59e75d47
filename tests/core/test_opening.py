"""Opening numbers: every step, redone with plain numbers, gives the number that it opens, in every variant."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from attention_core import Edit, Experiment, attention_record, trace
from attention_core.addresses import ARRAYS as ALL
from attention_core.addresses import Address, read_address, value_at
from attention_core.opening import opening
from attention_core.two_queries import as_record, two_queries
from attention_core.variants import VARIANTS, Variant

ARRAYS = [name for name in ALL if name != "X_key"]


def redone(step):
    """The step's value from its parts, with Python's own numbers."""
    total = sum(math.prod(part.value for part in term.parts) for term in step.terms)
    if step.kind == "given":
        return step.value
    if step.kind == "power":
        first, *others = (math.prod(part.value for part in term.parts) for term in step.terms)
        return math.exp(first - sum(others))
    if step.kind == "root":
        return math.sqrt(total)
    if step.kind == "quotient":
        return total / sum(math.prod(part.value for part in term.parts) for term in step.over)
    return total


def places(record, array):
    values = record.weights[0] if array == "mean" else getattr(record, array)
    return map(tuple, np.ndindex(*np.shape(values)))


def parts_of(step):
    return [part for term in (*step.terms, *step.over) for part in term.parts] + [*step.decided_by]


def check_every_cell(record, arrays=ARRAYS):
    n = 0
    for array in arrays:
        for place in places(record, array):
            opened = opening(record, array, place)
            assert opened.value == value_at(record, Address(array, place))
            for step in filter(None, (opened.step, opened.otherwise)):
                again = redone(step)
                assert again == step.value or math.isclose(again, step.value, rel_tol=1e-12, abs_tol=1e-12), opened
                for part in parts_of(step):
                    assert part.address is None or part.value == value_at(record, part.address)
                    assert part.name
            n += 1
    return n


@pytest.mark.parametrize("ending", ["tired", "soft"])
@pytest.mark.parametrize("mask", ["causal", "none"])
def test_every_number_of_the_toy_is_what_its_step_gives(ending, mask):
    assert check_every_cell(trace(Experiment(ending=ending, mask=mask))) == 4_800


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "right"])
def test_every_number_of_every_variant_is_what_its_step_gives(variant):
    check_every_cell(trace(Experiment(variant=variant, heads=("pronoun", "sink"))))


@pytest.mark.parametrize("visible", [(True, True, False), (True, True, True), (False, False, False)])
def test_every_number_of_the_two_queries_is_what_its_step_gives_down_to_what_is_given(visible):
    by_hand = two_queries(Q=((2.5, -1), (0, 2)), visible=visible)
    record = as_record(by_hand, query_names=("q1", "q2"), key_names=("k1", "k2", "k3"))
    check_every_cell(record)
    np.testing.assert_array_equal(record.weights[0], by_hand.weights)
    np.testing.assert_array_equal(record.head_outputs[0], by_hand.output)
    assert opening(record, "Q", (0, 0, 0)).step.why == "It is given: no token vector stands before it."


def test_heads_that_share_keys_and_keys_of_other_tokens_open_too():
    rng = np.random.default_rng(0)
    shapes = ((3, 5), (4, 5, 2), (2, 5, 2), (2, 5, 2), (8, 5))
    record = attention_record(*(40 * rng.normal(size=shape) for shape in shapes), X_key=rng.normal(size=(4, 5)))
    assert record.shift.any()
    check_every_cell(record, [*ARRAYS, "X_key"])
    assert opening(record, "K", (1, 2, 0)).step.terms[0].parts[0].address == Address("X_key", (2, 0))
    assert {term.parts[1].address.place[0] for term in opening(record, "raw_scores", (3, 0, 0)).step.terms} == {1}
    assert opening(record, "weights", (3, 0, 1)).name == "weight of token 0 on token 1, head 3"
    assert "head 3" in opening(record, "V", (1, 2, 0)).name or "heads 2 to 3" in opening(record, "V", (1, 2, 0)).name


def test_a_row_that_may_look_at_nothing_has_nothing_to_share():
    mask = [[0, 0], [1, 1]]
    record = attention_record(*(np.ones(s) for s in ((2, 2), (1, 2, 1), (1, 2, 1), (1, 2, 1), (1, 2))),
                              mask=np.array(mask, bool))  # fmt: skip
    check_every_cell(record)
    assert "nothing to share" in opening(record, "weights", (0, 0, 1)).step.why


def test_from_a_weight_the_way_leads_to_the_token_vectors_and_the_matrices():
    record = trace(Experiment())
    seen, to_open = set(), [Address("weights", (0, 9, 1))]
    while to_open:
        address = to_open.pop()
        seen.add(address)
        parts = parts_of(opening(record, *address).step)
        to_open += [part.address for part in parts if part.address and part.address not in seen]
    reached = {address.array for address in seen}
    assert reached == {"weights", "exponentials", "totals", "masked_scores", "mask", "scores", "raw_scores", "divisor",
                       "Q", "K", "X", "W_Q", "W_K"}  # fmt: skip
    assert Address("X", (9, 4)) in seen and Address("X", (1, 0)) in seen


def test_the_weight_of_tired_on_cat_is_54_6_of_63_6():
    step = opening(trace(Experiment()), "weights", (0, 9, 1)).step
    above, below = step.terms[0].parts[0], step.over[0].parts[0]
    assert step.kind == "quotient"
    assert (round(above.value, 1), round(below.value, 1), round(step.value, 3)) == (54.6, 63.6, 0.858)
    assert above.name == "exponential of tired on cat, pronoun head"


@pytest.mark.parametrize(
    ("array", "place", "value", "before"),
    [
        ("scores", (0, 9, 1), 2.5, 4.0),
        ("V", (0, 1, 0), 7.0, 1.0),
        ("divisor", (), 3.0, 2.0),
        ("mask", (9, 1), 0.0, 1.0),
        ("mask", (9, 1), 1.0, 1.0),
        ("X", (9, 4), 0.0, 1.0),
        ("W_Q", (0, 4, 0), 1.0, 4.0),
        ("W_O", (0, 0), 1.5, 1.0),
    ],
)
def test_a_number_that_the_learner_set_says_so_and_what_it_would_be(array, place, value, before):
    record = trace(Experiment(edits=(Edit(array, place, value),)))
    check_every_cell(record)
    opened = opening(record, array, place)
    assert opened.step.kind == "given" and opened.step.why.startswith("You set it.") and opened.value == value
    assert opened.otherwise.value == before
    assert ("no longer" in opened.step.why) == (array in ("scores", "V", "divisor"))
    neighbour = opening(record, "scores", (0, 9, 2))
    assert neighbour.otherwise is None


def test_what_would_stand_there_is_what_stood_there_before_all_edits():
    edits = (Edit("scores", (0, 9, 1), 1.0), Edit("scores", (0, 9, 1), 2.0))
    record = trace(Experiment(edits=edits))
    assert (opening(record, "scores", (0, 9, 1)).value, opening(record, "scores", (0, 9, 1)).otherwise.value) == (2, 4)
    assert opening(replace(record, unedited=()), "scores", (0, 9, 1)).otherwise is None


@pytest.mark.parametrize(
    ("variant", "array", "place"), [("one_matrix", "W_K", (0, 4, 0)), ("cut_first", "W_Q", (0, 4, 0))]
)
def test_an_edit_that_the_variant_does_not_use_is_not_shown_as_set(variant, array, place):
    opened = opening(trace(Experiment(variant=variant, edits=(Edit(array, place, 9.0),))), array, place)
    assert "You set it" not in opened.step.why and opened.value != 9


@pytest.mark.parametrize("dimension", range(12))
def test_an_entry_of_a_token_vector_says_where_it_comes_from(dimension):
    why = opening(trace(Experiment()), "X", (9, dimension)).step.why
    assert ("with the word: tired" in why) == (dimension < 7)
    assert ("from the place" in why) == (dimension >= 7)
    assert "leaves out" in opening(trace(Experiment(variant="no_positions")), "X", (9, 11)).step.why


def test_a_hidden_score_shows_the_mask_and_the_score_that_it_hides():
    step = opening(trace(Experiment()), "masked_scores", (0, 1, 9)).step
    assert step.value == -math.inf and "hides tired from cat" in step.why
    assert [part.address.array for part in step.decided_by] == ["mask", "scores"]


def test_the_mean_of_heads_leaves_out_those_that_are_off():
    record = trace(Experiment(heads=("pronoun", "previous")))
    step = opening(record, "mean", (9, 1)).step
    assert [term.label for term in step.terms] == ["pronoun head", "previous head"]
    assert step.over[0].parts[0].value == 2
    with pytest.raises(ValueError, match=r"mean\[9,1\] must name a place"):
        opening(trace(Experiment(heads=())), "mean", (9, 1))


def test_a_variant_that_changes_the_weights_twice_is_refused():
    record = replace(trace(Experiment()), variant=Variant(hide="0 after softmax", weights_of="the mean of all heads"))
    with pytest.raises(ValueError, match="in one way"):
        opening(record, "weights", (0, 9, 1))


@pytest.mark.parametrize("text", ["weights[0,9,1]", "divisor[]", "X[0,11]", "weighted_values[0,9,1,3]"])
def test_an_address_is_written_as_it_is_read(text):
    assert str(read_address(text)) == text


@pytest.mark.parametrize(
    "text", ["", "weights", "weights[]x", "weights[0, 9]", "weights[-1]", "w[1,2,3,4,5]", "x" * 99]
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ValueError, match="an address must read like"):
        read_address(text)


def test_an_address_of_no_array_or_no_place_is_refused():
    with pytest.raises(ValueError, match="must name one of X, "):
        read_address("empty_rows[0]")
    with pytest.raises(ValueError, match="must name one of X, "):
        opening(trace(Experiment()), "nonsense", ())
    for place in ((0, 9), (0, 9, 10), (0, 9, 1, 0)):
        with pytest.raises(ValueError, match="must name a place within"):
            opening(trace(Experiment()), "weights", place)


def test_tokens_that_sound_alike_carry_their_place():
    assert opening(trace(Experiment()), "weights", (0, 4, 0)).name == "weight of the (5) on The (1), pronoun head"


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_sentence_says_how_the_tables_lie(variant):
    record = trace(Experiment(variant=variant, heads=("pronoun", "sink")))
    for array in ARRAYS:
        for place in places(record, array):
            opened = opening(record, array, place)
            said = " ".join((opened.name, opened.step.why, *(part.name for part in parts_of(opened.step))))
            assert not re.search(r"\b(rows?|columns?)\b", said), said


@pytest.mark.parametrize(
    ("variant", "array", "place", "name", "why"),
    [
        ("right", "totals", (0, 9, 0), "total over all keys that tired may look at, pronoun head", ""),
        (
            "mask_as_zero", "totals", (0, 9, 0), "total over all keys for tired, hidden or not, pronoun head", "",
        ),
        (
            "wrong_axis", "totals", (0, 0, 8), "total over all who look at was, pronoun head",
            "This variant adds up the other axis: over all who look at one key. "
            "It should add up over the keys of the one who asks.",
        ),
        (
            "wrong_axis", "shift", (0, 0, 8), "shift of the scores on was, pronoun head",
            "The scores are small: nothing is taken off.",
        ),
        (
            "mask_after", "weights", (0, 1, 0), "weight of cat on The (1), pronoun head",
            "This variant hides after softmax: the weights of cat no longer add up to 1.",
        ),
        (
            "mask_after", "weights", (0, 9, 0), "weight of tired on The (1), pronoun head",
            "This variant hides after softmax: here tired may look at all keys.",
        ),
        (
            "mask_after_renormalised", "weights", (0, 1, 0), "weight of cat on The (1), pronoun head",
            "This variant hides after softmax and then divides by what is left of the shares of cat.",
        ),
        (
            "right", "masked_scores", (0, 9, 1), "masked score of tired on cat, pronoun head",
            "The mask lets tired see cat: 1 = may look.",
        ),
        (
            "right", "joined", (9, 0), "joined outputs for tired: pronoun head, alive",
            "The pronoun head is on, so its output is copied: 1 = on.",
        ),
        (
            "right", "weighted_values", (0, 9, 1, 0), "what cat hands to tired: alive, pronoun head", "",
        ),
        (
            "right", "W_K", (2, 9, 1), "W_K: cos 16 → unused 2, sink head",
            "Written down by hand: this is the toy. In a real model training finds such numbers.",
        ),
    ],
)  # fmt: skip
def test_a_number_is_called_and_explained_like_this(variant, array, place, name, why):
    opened = opening(trace(Experiment(variant=variant)), array, place)
    assert (opened.name, opened.step.why) == (name, why)


SENTENCE = ["The (1)", "cat", "sat", "on", "the (5)", "mat", "because", "it", "was", "tired"]


@pytest.mark.parametrize(
    ("variant", "array", "place", "labels"),
    [
        ("right", "raw_scores", (1, 9, 1), ["sin 16", "cos 16", "sin 4", "cos 4"]),  # of the head that looks back
        ("right", "head_outputs", (0, 9, 0), SENTENCE),  # the keys
        ("right", "totals", (0, 9, 0), SENTENCE),
        ("wrong_axis", "totals", (0, 0, 8), SENTENCE),  # the queries
    ],
)
def test_the_terms_of_a_sum_are_told_apart_by_their_names(variant, array, place, labels):
    assert [term.label for term in opening(trace(Experiment(variant=variant)), array, place).step.terms] == labels


def test_the_total_of_the_wrong_axis_names_the_queries_even_where_they_are_other_tokens():
    rng = np.random.default_rng(0)
    shapes = ((2, 2), (1, 2, 2), (1, 2, 2), (1, 2, 2), (2, 2))
    arrays = (rng.normal(size=shape) for shape in shapes)
    record = attention_record(*arrays, X_key=rng.normal(size=(3, 2)), variant=VARIANTS["wrong_axis"])
    record = replace(record, query_tokens=("ask", "beg"), key_tokens=("one", "two", "three"))
    total = opening(record, "totals", (0, 0, 2))
    assert total.name == "total over all who look at three, head 0"
    assert [term.label for term in total.step.terms] == ["ask", "beg"]
