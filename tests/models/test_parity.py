"""The core computes what transformers computes: the same tokens, attention weights and final scores.

The reference numbers lie in references/. Run with `-s` to see the largest differences.
"""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from attention_core.models import gpt2
from attention_core.models.activations import gelu
from attention_core.models.files import load
from attention_core.models.rotary_factors import llama3_factors
from tests.models.present import MINILM, SMOLLM2, needs_minilm, needs_smollm2
from tests.models.references.reference import FOLDER, read_reference

WEIGHTS, SCORES = 2e-5, 5e-4  # how far weights and final scores may lie apart
CACHED = 1e-5  # how far weights with a KV cache may lie from those of the full run
CLEARLY = 50 * WEIGHTS  # how far a mistake must move a weight

PLACES = {
    "small_gpt2": FOLDER / "small_gpt2", "small_llama": FOLDER / "small_llama", "smollm2": SMOLLM2, "minilm": MINILM,
}  # fmt: skip
MODELS = [
    "small_gpt2", "small_llama",
    pytest.param("smollm2", marks=needs_smollm2), pytest.param("minilm", marks=needs_minilm),
]  # fmt: skip
WRITERS = MODELS[:3]


@pytest.fixture(scope="module")
def loaded():
    """Models by name, each loaded once."""
    models = {}

    def load_once(name):
        if name not in models:
            models[name] = load(PLACES[name])
        return models[name]

    return load_once


def weights_at(run, pairs):
    """The weights of some pairs of query and key, as the reference keeps them: [layer, head, pair]."""
    heads = range(run.settings.n_heads)
    queries, keys = pairs.T
    return np.stack(
        [[run.weights(layer, head)[queries, keys] for head in heads] for layer in range(run.settings.n_layers)]
    )


def apart(ours, theirs):
    return float(np.abs(ours - theirs).max())


def apart_in_weights(model, text):
    return apart(weights_at(model.read(text.ids.tolist()), text.pairs), text.weights)


@pytest.mark.parametrize("name", MODELS)
def test_the_reference_was_recorded_from_this_very_model(name):
    place = PLACES[name]
    for file, sha256 in read_reference(name).about["sha256"].items():
        content = (place / file if place.is_dir() else place).read_bytes()
        assert hashlib.sha256(content).hexdigest() == sha256, file


@pytest.mark.parametrize("name", MODELS)
def test_there_are_five_short_texts_and_a_long_one(name):
    lengths = {text: len(reference.ids) for text, reference in read_reference(name).texts.items()}
    assert set(lengths) >= {"english", "code", "accents", "cjk", "emoji", "long"}
    assert lengths["long"] >= 128


@pytest.mark.parametrize("name", MODELS)
def test_a_text_is_cut_into_the_same_tokens(name, loaded):
    tokenizer = loaded(name).tokenizer
    for text in read_reference(name).texts.values():
        assert tokenizer.encode(text.text) == text.ids.tolist()
        assert tokenizer.pieces(text.ids.tolist()) == text.pieces


@pytest.mark.parametrize("name", MODELS)
def test_weights_and_final_scores_are_those_of_transformers(name, loaded):
    model = loaded(name)
    for key, text in read_reference(name).texts.items():
        run = model.read(text.ids.tolist())
        final = run.hidden if name == "minilm" else model.final_scores(run, slice(None))
        in_weights = apart(weights_at(run, text.pairs), text.weights)
        in_final = apart(final[:, text.columns], text.final)
        print(f"{name}, {key}, {run.n_tokens} tokens: weights {in_weights:.1e}, final {in_final:.1e}")
        assert in_weights <= WEIGHTS
        assert in_final <= SCORES
        if name != "minilm":
            assert apart(final[-1, text.top], text.top_scores) <= SCORES
            assert np.all(np.delete(final[-1], text.top) <= text.top_scores.min() + 2 * SCORES)  # no other is better


@pytest.mark.parametrize("name", WRITERS)
def test_no_token_looks_ahead(name, loaded):
    text = read_reference(name).texts["english"]
    run = loaded(name).read(text.ids.tolist())
    assert all(np.all(np.triu(run.weights(layer, 0), 1) == 0) for layer in range(run.settings.n_layers))


@pytest.mark.parametrize("name", WRITERS)
def test_writing_with_a_cache_gives_the_weights_of_the_full_run(name, loaded):
    model, start = loaded(name), read_reference(name).texts["english"].ids.tolist()
    steps = list(model.write(start, 12))
    whole = model.read([*start, *(step.id for step in steps[:-1])])
    furthest = max(
        apart(step.weights(), whole.weights_of(step.run.n_tokens - 1)[..., : step.run.n_tokens]) for step in steps
    )
    print(f"{name}, 12 tokens written: weights {furthest:.1e}")
    assert furthest <= CACHED
    best = model.final_scores(whole, slice(len(start) - 1, None)).argmax(axis=-1)
    assert [step.id for step in steps] == best.tolist()


# The small models' numbers are such that each mistake that is easily made moves some weight far.


class Changed:
    """A model's tensors, some of them changed."""

    def __init__(self, tensors, changes):
        self.tensors, self.changes = tensors, changes

    def __contains__(self, name):
        return name in self.tensors

    def __getitem__(self, name):
        change = self.changes.get(name.partition(".")[2] if name[0].isdigit() else name)
        return self.tensors[name] if change is None else change(self.tensors[name])


def interleaved(rows):
    """Rows of heads of 8 numbers, left as a .gguf file keeps them."""
    return np.swapaxes(rows.reshape(-1, 2, 4, rows.shape[1]), 1, 2).reshape(rows.shape)


def swapped(rows):
    """The rows of two kv heads, each in the other's place."""
    return np.concatenate([rows[len(rows) // 2 :], rows[: len(rows) // 2]])


def moved(rows):
    """Each position's vector at the next one."""
    return np.roll(rows, 1, axis=0)


TENSOR_MISTAKES = {
    "small_llama": {
        "queries and keys left interleaved": {"Q": interleaved, "K": interleaved},
        "kv heads swapped": {"K": swapped, "V": swapped},
        "values alone swapped": {"V": swapped},
        "no weights in the norms": {"norm_1": np.ones_like},
        "no weights in the second norms": {"norm_2": np.ones_like},
        "gate and up mixed up": {"gate": np.negative, "up": np.negative},
    },
    "small_gpt2": {
        **{
            f"no bias in {part}": {f"{part}.bias": np.zeros_like}
            for part in ("Q", "V", "O", "up", "down", "norm_1", "norm_2")
        },
        "positions from 1": {"positions": moved},
        "no positions": {"positions": np.zeros_like},
    },
}


@pytest.mark.parametrize(("name", "mistake"), [(name, key) for name, keys in TENSOR_MISTAKES.items() for key in keys])
def test_a_mistake_in_the_tensors_moves_the_weights(name, mistake, loaded):
    model = loaded(name)
    model = replace(model, tensors=Changed(model.tensors, TENSOR_MISTAKES[name][mistake]))
    assert apart_in_weights(model, read_reference(name).texts["english"]) > CLEARLY


SETTING_MISTAKES = {
    "another rotary base": ("small_llama", {"rotary_base": 10_000.0}),
    "no scaling": ("small_llama", {"rotary_scaling": None}),
    "another epsilon": ("small_llama", {"norm_epsilon": 1e-2}),
}


@pytest.mark.parametrize("mistake", SETTING_MISTAKES)
def test_a_mistake_in_the_settings_moves_the_weights(mistake, loaded):
    name, changes = SETTING_MISTAKES[mistake]
    model = replace(loaded(name), settings=replace(loaded(name).settings, **changes))
    assert apart_in_weights(model, read_reference(name).texts["english"]) > CLEARLY


SCALING = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_longest": 64}  # of the small Llama


@pytest.mark.parametrize("part", SCALING)
def test_a_mistake_in_the_scaling_moves_the_weights(part, loaded):
    model = loaded("small_llama")
    base, d_head = model.settings.rotary_base, model.settings.d_head
    assert llama3_factors(base, d_head, **SCALING) == model.settings.rotary_scaling
    changed = llama3_factors(base, d_head, **SCALING | {part: 2 * SCALING[part]})
    model = replace(model, settings=replace(model.settings, rotary_scaling=changed))
    assert apart_in_weights(model, read_reference("small_llama").texts["long"]) > CLEARLY


def test_the_wrong_bend_moves_the_weights(loaded, monkeypatch):
    monkeypatch.setattr(gpt2, "gelu_by_tanh", gelu)
    assert apart_in_weights(loaded("small_gpt2"), read_reference("small_gpt2").texts["emoji"]) > 10 * WEIGHTS


def test_the_wrong_mask_moves_the_weights(loaded):
    text = read_reference("small_gpt2").texts["english"]
    run = loaded("small_gpt2").read(text.ids.tolist(), causal=False)
    assert apart(weights_at(run, text.pairs), text.weights) > CLEARLY
