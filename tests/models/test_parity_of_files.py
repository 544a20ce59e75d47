"""The same model from different files gives the same numbers."""

import json

import numpy as np
import pytest
from gguf import GGMLQuantizationType as Quantisation
from safetensors.numpy import load_file, save_file

from attention_core.models.files import load
from tests.models.references.reference import FOLDER, read_reference
from tests.models.small_gguf import write_gguf, write_rounded
from tests.models.test_parity import WEIGHTS, apart, apart_in_weights, weights_at

SMALL = ("small_gpt2", "small_llama")
SAME = 1e-6  # the same numbers, perhaps added in another order
QUANTISATIONS = ("F32", "F16", "BF16", "Q8_0", "Q5_1", "Q5_0", "Q4_1", "Q4_0")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("quantisation", QUANTISATIONS)
@pytest.mark.parametrize("lazily", [False, True])
def test_a_gguf_file_gives_the_weights_of_its_dequantised_numbers(name, quantisation, lazily, tmp_path):
    kind, text = Quantisation[quantisation], read_reference(name).texts["long"]
    write_gguf(FOLDER / name, tmp_path / "small.gguf", kind)
    write_rounded(FOLDER / name, tmp_path / "rounded", kind)
    quantised, rounded = load(tmp_path / "small.gguf", lazily=lazily), load(tmp_path / "rounded")
    assert (quantised.settings.rotary_scaling is not None) == (name == "small_llama")
    ids = quantised.tokenizer.encode(text.text)
    assert ids == text.ids.tolist()
    ours, theirs = quantised.read(ids), rounded.read(ids)
    in_weights = apart(weights_at(ours, text.pairs), weights_at(theirs, text.pairs))
    in_scores = apart(quantised.final_scores(ours), rounded.final_scores(theirs))
    print(f"{name} as {quantisation}: weights {in_weights:.1e}, final {in_scores:.1e}")
    assert in_weights <= SAME
    assert in_scores <= 100 * SAME  # scores are up to 30


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("quantisation", ["F32", "F16"])
def test_a_model_from_a_gguf_file_is_the_one_of_transformers(name, quantisation, tmp_path):
    """F16 rounds each number by 2⁻¹¹ of it at most, which moves a weight by a few thousandths."""
    write_gguf(FOLDER / name, tmp_path / "small.gguf", Quantisation[quantisation])
    text = read_reference(name).texts["long"]
    furthest = apart_in_weights(load(tmp_path / "small.gguf"), text)
    assert furthest <= WEIGHTS if quantisation == "F32" else WEIGHTS < furthest < 1e-2


@pytest.mark.parametrize("name", SMALL)
def test_a_lazy_model_gives_the_same_numbers(name):
    text = read_reference(name).texts["english"]
    assert apart_in_weights(load(FOLDER / name, lazily=True), text) <= WEIGHTS


def test_llama_settings_as_older_files_write_them_give_the_same_numbers(tmp_path):
    """Before version 5, transformers wrote rope_theta beside rope_scaling."""
    folder = FOLDER / "small_llama"
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    scaling = config.pop("rope_parameters")
    config |= {"rope_theta": scaling.pop("rope_theta"), "rope_scaling": scaling}
    for name in ("model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert apart_in_weights(load(tmp_path), read_reference("small_llama").texts["english"]) <= WEIGHTS


def test_gpt2_names_without_their_first_part_give_the_same_numbers(tmp_path):
    """The published GPT-2 says h.0… where transformers now writes transformer.h.0…, and holds each layer's mask."""
    folder = FOLDER / "small_gpt2"
    tensors = load_file(folder / "model.safetensors")
    bare = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items()}
    masks = {f"h.{layer}.attn.bias": np.tril(np.ones((1, 1, 192, 192), dtype=np.float32)) for layer in range(2)}
    save_file({**bare, **masks}, tmp_path / "model.safetensors")
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert apart_in_weights(load(tmp_path), read_reference("small_gpt2").texts["english"]) <= WEIGHTS
