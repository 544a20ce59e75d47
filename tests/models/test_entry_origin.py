"""Entries of queries, keys and values, opened down to the token's vector: each step gives the model's own number."""

import math

import numpy as np
import pytest

from attention_core.addresses import Address
from attention_core.long_sums import value_of
from attention_core.models.entry_origin import Origin
from attention_core.models.files import load
from attention_core.models.token_path import TokenPath
from tests.models.present import MINILM, SMOLLM2, needs_minilm, needs_smollm2
from tests.models.random_models import SETTINGS, TEXT, random_model

NORM = {"total", "mean_entry", "centred", "squares", "mean_square", "root", "standard", "normed", "gain", "norm_bias"}
SUM = {"start", "embedding", "position", "added"}
TURNED = {"Q_unturned", "K_unturned", "angle", "cosine", "sine", "frequency"}
BIASED = {"bias_Q", "bias_K", "bias_V", "norm_bias"}
MISSING = {  # what a family has no number of
    "llama": BIASED | {"embedding", "position", "total", "mean_entry", "centred"},
    "gpt2": TURNED,
    "bert": TURNED | NORM | SUM,
}


def origin_of(model, ids, layer, head, *, first_query=0):
    return Origin(TokenPath(lambda: model, model.read(ids), ids), layer, head, first_query=first_query)


def redone(step):
    """The value of a step from its parts, and the size of what is added up: rounding grows with it."""
    above = [value_of(term) for term in step.terms]
    size = sum(map(abs, above))
    match step.kind:
        case "given":
            return step.value, 0.0
        case "root":
            return math.sqrt(sum(above)), size
        case "cosine":
            return math.cos(sum(above)), 1.0
        case "sine":
            return math.sin(sum(above)), 1.0
        case "quotient":
            below = sum(map(value_of, step.over))
            return sum(above) / below, size / abs(below)
    return sum(above), size


def walked(origin, *begin):
    """Every address that some numbers lead to, each with its opening, checked on the way."""
    found, left = {}, [*begin]
    while left:
        address = left.pop()
        if address in found:
            continue
        opened = found[address] = origin.opening(address)
        again, size = redone(opened.step)
        assert abs(again - opened.value) <= 2e-6 * max(size, 1.0) + abs(opened.value) * 1e-6, opened
        for part in (part for term in (*opened.step.terms, *opened.step.over) for part in term.parts):
            if part.address:
                left.append(part.address)
                assert part.name
                assert part.address not in found or part.value == found[part.address].value
        assert opened.step.kind != "given" or opened.step.why
    return found


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("layer", [0, 1])
def test_every_step_from_an_entry_down_gives_the_model_s_own_number(name, layer):
    model = random_model(name)
    run = model.read(TEXT)
    origin = Origin(TokenPath(lambda: model, run, TEXT), layer, 5)
    kv_head = run.kv_head(5)
    entries = {
        Address(letter, (0, t, e)): float(table[layer, head, t, e])
        for letter, table, head in (("Q", run.Q, 5), ("K", run.K, kv_head), ("V", run.V, kv_head))
        for t in (0, 6)
        for e in range(4)
    }
    found = walked(origin, *entries)
    for address, value in entries.items():
        assert found[address].value == value
    missing = MISSING[model.settings.family] | ({"added"} if layer == 0 else set())
    assert {address.array for address in found} == set(Origin.arrays) - missing


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("causal", [True, False])
def test_a_token_s_own_way_through_the_layers_is_that_of_the_whole_text(name, causal):
    """Also with the mask that the model was not trained with."""
    model = random_model(name)
    run = model.read(TEXT, causal=causal)
    path = TokenPath(lambda: model, run, TEXT)
    for token in (6, 0, 3):
        for layer in (1, 0):
            origin = Origin(path, layer, 3)
            opened = origin.opening(Address("Q", (0, token, 1)))
            again, size = redone(opened.step)
            assert opened.value == float(run.Q[layer, 3, token, 1])
            assert abs(again - opened.value) <= 2e-6 * max(size, 1.0)


def test_of_a_long_text_the_only_query_of_the_record_is_the_one_that_asks():
    model = random_model("llama")
    one, all_of_it = (origin_of(model, TEXT, 1, 2, first_query=first) for first in (4, 0))
    alone, among = one.opening(Address("Q", (0, 0, 3))), all_of_it.opening(Address("Q", (0, 4, 3)))
    assert (alone.name, alone.value, alone.step) == (among.name, among.value, among.step)
    assert one.opening(Address("K", (0, 4, 3))).step == all_of_it.opening(Address("K", (0, 4, 3))).step


def test_a_rotation_takes_away_in_the_first_half_and_adds_in_the_second():
    origin = origin_of(random_model("llama"), TEXT, 0, 0)
    first, second = (origin.opening(Address("K", (0, 2, e))).step for e in (1, 3))
    assert [[part.address.array for part in term.parts] for term in first.terms] == [
        ["K_unturned", "cosine"],
        ["K_unturned", "sine"],
    ]
    assert [term.parts[0].address.place for term in (*first.terms, *second.terms)] == [(2, 1), (2, 3), (2, 3), (2, 1)]
    assert [term.minus for term in (*first.terms, *second.terms)] == [False, True, False, False]
    assert origin.opening(Address("V", (0, 2, 1))).step.terms[0].parts[1].address == Address("W_V", (0, 1))


def test_names_and_sentences_say_whose_a_number_is():
    llama, bert, gpt2 = (origin_of(random_model(name), TEXT, 1, 5) for name in ("llama", "bert", "gpt2"))
    key = llama.opening(Address("K_unturned", (1, 0)))
    assert key.name == "key of token 1 before its place turns it: number 1, layer 1, head 5"
    assert key.step.why == "The heads 4 to 5 share this key: KV head 2 makes it."
    assert key.step.terms[9].label == "dimension 10"
    assert key.step.terms[0].parts[1].name == "W_K: dimension 1 → number 1, layer 1, KV head 2"
    assert llama.opening(Address("Q_unturned", (0, 0))).step.why == ""
    turned = llama.opening(Address("Q", (0, 6, 2))).step.why
    assert "the numbers 1 and 3 turn together" in turned and "This is place 6, counted from 0." in turned
    assert "all that they added" in llama.opening(Address("X", (0, 0))).step.why
    assert (
        "nothing has been added yet"
        in origin_of(random_model("llama"), TEXT, 0, 0).opening(Address("X", (0, 0))).step.why
    )
    assert "normed after each of them. The opening ends here." in bert.opening(Address("X", (0, 0))).step.why
    assert bert.opening(Address("V", (0, 0, 0))).step.terms[-1].label == "bias"
    assert gpt2.opening(Address("X", (0, 3))).step.terms[1].label == "layer 0"


@pytest.mark.parametrize(
    "address",
    [
        Address("Q", (0, 7, 0)), Address("Q", (1, 0, 0)), Address("X", (0, 10)), Address("X", (7, 0)),
        Address("X", (0,)),
        Address("bias_Q", (0,)), Address("weights", (0, 0, 0)), Address("added", (0, 1, 0)), Address("X"),
    ],
)  # fmt: skip
def test_a_number_that_is_not_there_is_refused(address):
    origin = origin_of(random_model("llama"), TEXT, 1, 0)
    for ask in (origin.opening, origin.require):
        with pytest.raises(ValueError, match="must name a number of layer 1, head 0, but there is none"):
            ask(address)


def test_a_place_that_is_not_there_and_a_model_that_is_gone_are_refused():
    model = random_model("llama")
    path = TokenPath(lambda: model, model.read(TEXT), TEXT)
    with pytest.raises(ValueError, match="layer must be from 0 to 1, but it is 2"):
        Origin(path, 2, 0)
    with pytest.raises(ValueError, match="head must be from 0 to 5, but it is 6"):
        Origin(path, 0, 6)
    with pytest.raises(ValueError, match="a token must be from 0 to 6, but it is 7"):
        path.before(7, 0)
    with pytest.raises(ValueError, match="layer must be from 0 to 1, but it is -1"):
        path.before(0, -1)

    def gone():
        raise ValueError("The model is not in memory any more")

    with pytest.raises(ValueError, match="not in memory any more"):
        Origin(TokenPath(gone, path.run, TEXT), 0, 0).opening(Address("Q", (0, 0, 0)))


@pytest.mark.parametrize(
    ("place", "layer", "head"),
    [pytest.param(SMOLLM2, 13, 8, marks=needs_smollm2), pytest.param(MINILM, 3, 1, marks=needs_minilm)],
)
def test_in_a_fetched_model_the_way_comes_out_from_an_entry_to_the_token_s_vector(place, layer, head):
    model = load(place)
    ids = model.tokenizer.encode("The cat sat on the mat because it was tired")
    origin = origin_of(model, ids, layer, head)
    begin = Address("K", (0, 1, 7))
    way = [origin.opening(begin)]
    while way[-1].step.kind != "given":
        again, size = redone(way[-1].step)
        assert abs(again - way[-1].value) <= 3e-6 * max(size, 1.0), way[-1]
        term = max(way[-1].step.terms, key=lambda term: abs(value_of(term)))
        way.append(origin.opening(next(part.address for part in term.parts if part.address)))
    arrays = [opened.address.array for opened in way]
    assert arrays == (["K", "K_unturned", "normed", "standard", "X", "added"] if place == SMOLLM2 else ["K", "X"]), (
        arrays
    )
    assert np.isfinite([opened.value for opened in way]).all()
