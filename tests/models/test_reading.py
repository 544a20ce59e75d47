"""A model reads as the plain oracle does, in every family; masks, blocks, refusals, and what it keeps in memory."""

import weakref

import numpy as np
import pytest

from attention_core.models import Stopped, reading
from tests.models.oracle import oracle
from tests.models.random_models import SETTINGS, TEXT, random_model, random_tensors

CLOSE = 1e-5


def all_weights(run):
    layers, heads = range(run.settings.n_layers), range(run.settings.n_heads)
    return np.array([[run.weights(layer, head) for head in heads] for layer in layers])


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("block", [3, 128])
def test_a_model_reads_as_the_oracle_does(name, causal, block, monkeypatch):
    monkeypatch.setattr(reading, "BLOCK", block)
    model = random_model(name)
    run = model.read(TEXT, causal=causal)
    weights, last = oracle(model.settings, model.tensors, TEXT, causal=causal)
    np.testing.assert_allclose(all_weights(run), weights, atol=CLOSE)
    np.testing.assert_allclose(run.hidden, last, atol=CLOSE)
    assert run.Q.dtype == run.K.dtype == run.V.dtype == run.hidden.dtype == np.float32
    assert run.causal == causal and run.given == "Made up."
    assert run.tokens[:2] == ("3", "1") and run.pieces[:2] == ("#3", "#1")


@pytest.mark.parametrize("name", SETTINGS)
def test_a_model_runs_as_it_was_trained_unless_told(name):
    assert random_model(name).read(TEXT).causal == (name != "bert")


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("causal", [True, False])
def test_a_later_token_changes_earlier_rows_only_without_the_mask(name, causal):
    model = random_model(name)
    one, other = (model.read([*TEXT[:-1], last], causal=causal) for last in (2, 22))
    moved = np.abs(one.hidden - other.hidden).max(axis=-1)
    assert (moved[:-1] < CLOSE).all() if causal else (moved[:-1] > 1e-4).all()
    assert moved[-1] > 1e-2


def test_a_text_longer_than_a_block_reads_like_one_in_small_blocks(monkeypatch):
    text = np.random.default_rng(0).integers(0, 23, size=150).tolist()
    whole = random_model("llama").read(text)
    monkeypatch.setattr(reading, "BLOCK", 7)
    np.testing.assert_allclose(random_model("llama").read(text).hidden, whole.hidden, atol=CLOSE)


@pytest.mark.parametrize("n", [2, 130])
def test_of_a_last_block_of_two_tokens_the_first_does_not_look_ahead(n):
    """A block has 128 tokens. What the first of the last two received shows in the layers after."""
    text = np.random.default_rng(0).integers(0, 23, size=n).tolist()
    whole, shorter = random_model("llama").read(text), random_model("llama").read(text[:-1])
    np.testing.assert_allclose(whole.K[:, :, :-1], shorter.K, atol=CLOSE)
    np.testing.assert_allclose(whole.hidden[:-1], shorter.hidden, atol=CLOSE)


@pytest.mark.parametrize(
    "ids, message",
    [
        ([], "a text must have at least one token, but it is empty"),
        ([1, 23], "an id must be from 0 to 22, but token 1 has 23"),
        ([-1], "an id must be from 0 to 22, but token 0 has -1"),
        ([1] * 151, "small reads at most 150 tokens, but the text has 151"),
    ],
)
def test_a_text_that_the_model_cannot_read_is_refused(ids, message):
    with pytest.raises(ValueError, match=message):
        random_model("gpt2").read(ids)


@pytest.mark.parametrize(
    "tensor, place, message",
    [
        ("1.Q", (9, 0), "every query must be finite numbers, but at layer 1, head 2, query 0 one is not"),
        ("0.K", (11, 3), "every key must be finite numbers, but at layer 0, kv head 2, key 0 one is not"),
        ("0.V", (0, 0), "every value must be finite numbers, but at layer 0, kv head 0, value 0 one is not"),
        ("embedding", (5, 0), "every query must be finite numbers, but at layer 0, head 0, query 4 one is not"),
        ("1.down", (0, 0), "layer 1, token 0: the last vector must be finite, but it is not"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(tensor, place, message):
    tensors = random_tensors(SETTINGS["llama"])
    tensors[tensor][place] = np.nan
    with pytest.raises(ValueError, match=message):
        random_model("llama", tensors).read(TEXT)


def test_scores_that_overflow_are_refused_with_their_layer():
    tensors = random_tensors(SETTINGS["llama"])
    for name in ("1.Q", "1.K"):
        tensors[name] *= 1e20
    with pytest.raises(ValueError, match=r"^layer 1: the products of Q and K must stay within"):
        random_model("llama", tensors).read(TEXT)


def test_progress_goes_from_0_to_1():
    told = []
    random_model("llama").read(TEXT, progress=told.append)
    assert told == [0.0, 0.5, 1.0]


def test_progress_may_stop_the_reading():
    def stop(fraction):
        raise Stopped

    with pytest.raises(Stopped):
        random_model("llama").read(TEXT, progress=stop)


class Lazy:
    """Tensors that are made when they are asked for, and watched: how many of them are held at a time?"""

    def __init__(self, tensors):
        self.tensors, self.given, self.most_held = tensors, [], 0

    def __getitem__(self, name):
        made = self.tensors[name].copy()
        self.given = [known for known in self.given if known() is not None] + [weakref.ref(made)]
        self.most_held = max(self.most_held, len(self.given))
        return made

    def __contains__(self, name):
        return name in self.tensors


@pytest.mark.parametrize("name", SETTINGS)
def test_a_lazy_source_holds_no_tensor_longer_than_it_is_used(name):
    tensors = Lazy(random_tensors(SETTINGS[name]))
    random_model(name, tensors).read(TEXT)
    assert tensors.most_held <= 2  # a norm's weight and its bias
