"""Models in Hugging Face folders: the numbers come back under the names used here; what cannot be run is refused."""

import json
import re

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from attention_core.models.files import ModelFileError, opened_model
from attention_core.models.held import InFile, bytes_in_memory, read_into_memory
from attention_core.models.rotary_factors import llama3_factors
from tests.models.present import MINILM, needs_minilm
from tests.models.small_files import SETTINGS, folder_tensors, numbers, small_folder

FAMILIES = ["llama", "gpt2", "bert"]
LLAMA_3 = {
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("held", [InFile, read_into_memory])
def test_every_tensor_and_setting_comes_back(tmp_path, family, held):
    opened = opened_model(small_folder(tmp_path / "small", family))
    assert opened.settings == SETTINGS[family]
    tensors = held(opened.stored)
    for name, array in numbers(family).items():
        np.testing.assert_array_equal(tensors[name], array, strict=True)
        np.testing.assert_array_equal(tensors.rows(name, [1, 0]), array[[1, 0]], strict=True)


@pytest.mark.parametrize("family", FAMILIES)
def test_names_without_prefix_are_the_same_model(tmp_path, family):
    path = small_folder(tmp_path / "small", family)
    prefix = {"llama": "model.", "gpt2": "transformer.", "bert": "bert."}[family]
    bare = {name.removeprefix(prefix): array for name, array in load_file(path / "model.safetensors").items()}
    save_file(bare, path / "model.safetensors")
    np.testing.assert_array_equal(InFile(opened_model(path).stored)["1.down"], numbers(family)["1.down"])


def test_gamma_and_beta_of_older_files_are_weight_and_bias(tmp_path):
    path = small_folder(tmp_path / "small", "bert")
    held = load_file(path / "model.safetensors")
    old = {
        re.sub(r"LayerNorm\.weight", "LayerNorm.gamma", re.sub(r"LayerNorm\.bias", "LayerNorm.beta", name)): array
        for name, array in held.items()
    }
    assert old.keys() != held.keys()
    save_file(old, path / "model.safetensors")
    np.testing.assert_array_equal(InFile(opened_model(path).stored)["1.norm_2"], numbers("bert")["1.norm_2"])


def test_shards_are_one_model(tmp_path):
    path = small_folder(tmp_path / "small")
    held = list(load_file(path / "model.safetensors").items())
    (path / "model.safetensors").unlink()
    parts = {"model-00001-of-00002.safetensors": dict(held[:7]), "model-00002-of-00002.safetensors": dict(held[7:])}
    for name, part in parts.items():
        save_file(part, path / name)
    listed = {tensor: name for name, part in parts.items() for tensor in part}
    (path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": listed}))
    tensors = read_into_memory(opened_model(path).stored)
    for name, array in numbers("llama").items():
        np.testing.assert_array_equal(tensors[name], array)


def test_half_precision_is_read_as_float32(tmp_path):
    half = numbers("llama")["norm"].astype(np.float16)
    path = small_folder(tmp_path / "small", tensors={"model.norm.weight": half})
    np.testing.assert_array_equal(InFile(opened_model(path).stored)["norm"], half.astype(np.float32), strict=True)


def test_bfloat16_is_read_as_float32(tmp_path):
    path = small_folder(tmp_path / "small")
    rounded = {name: as_bfloat16(array) for name, array in folder_tensors("llama", numbers("llama")).items()}
    write_safetensors(path / "model.safetensors", rounded, "BF16")
    expected = (as_bfloat16(numbers("llama")["0.K"]).astype(np.uint32) << 16).view(np.float32)
    np.testing.assert_array_equal(InFile(opened_model(path).stored)["0.K"], expected, strict=True)
    assert np.abs(expected - numbers("llama")["0.K"]).max() < 0.02


def as_bfloat16(array):
    """The upper halves of float32 numbers."""
    return (np.ascontiguousarray(array).view(np.uint32) >> 16).astype(np.uint16)


def write_safetensors(path, tensors, kind):
    """A .safetensors file by hand: types that NumPy does not have."""
    head, at = {}, 0
    for name, array in tensors.items():
        head[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [at, at := at + array.nbytes]}
    text = json.dumps(head).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(map(np.ndarray.tobytes, tensors.values())))


def test_tied_embeddings_are_one_tensor(tmp_path):
    path = small_folder(tmp_path / "small", changed={"tie_word_embeddings": True}, tensors={"lm_head.weight": None})
    tensors = read_into_memory(opened_model(path).stored)
    assert tensors["unembedding"] is tensors["embedding"]


def test_gpt2_is_tied_unless_it_says_otherwise(tmp_path):
    path = small_folder(
        tmp_path / "small", "gpt2", changed={"tie_word_embeddings": None}, tensors={"lm_head.weight": None}
    )
    opened = opened_model(path)
    np.testing.assert_array_equal(InFile(opened.stored)["unembedding"], numbers("gpt2")["embedding"])
    assert bytes_in_memory(opened.stored) == 4 * (sum(a.size for a in numbers("gpt2").values()) - 269 * 64)


def test_llama_is_not_tied_unless_it_says_so(tmp_path):
    """The defaults of LlamaConfig and, in the test above, of GPT2Config in transformers."""
    opened = opened_model(small_folder(tmp_path / "small", changed={"tie_word_embeddings": None}))
    np.testing.assert_array_equal(InFile(opened.stored)["unembedding"], numbers("llama")["unembedding"])


def test_what_attention_does_not_need_may_lie_in_the_file(tmp_path):
    more = {"model.layers.0.self_attn.rotary_emb.inv_freq": np.ones(8, np.float32)}
    assert opened_model(small_folder(tmp_path / "llama", tensors=more)).settings.family == "llama"
    more = {"transformer.h.0.attn.bias": np.ones((1, 1, 11, 11), np.uint8)}
    assert opened_model(small_folder(tmp_path / "gpt2", "gpt2", tensors=more)).settings.family == "gpt2"
    more = {"bert.pooler.dense.bias": np.ones(64), "bert.embeddings.position_ids": np.arange(11)[None]}
    assert opened_model(small_folder(tmp_path / "bert", "bert", tensors=more)).settings.family == "bert"


@pytest.mark.parametrize(
    "stated",
    [
        {"rope_parameters": {"rope_theta": 500_000.0, **LLAMA_3}, "rope_theta": None},
        {"rope_scaling": LLAMA_3},
        {"rope_scaling": {**LLAMA_3, "rope_type": None, "type": "llama3"}},
    ],
    ids=["of today", "older", "oldest"],
)
def test_llama_3_scaling_is_read_from_either_place(tmp_path, stated):
    settings = opened_model(small_folder(tmp_path / "small", changed=stated)).settings
    assert settings.rotary_base == 500_000.0
    assert settings.rotary_scaling == llama3_factors(
        500_000.0, 16, factor=8, low_freq_factor=1, high_freq_factor=4, original_longest=8192
    )


@pytest.mark.parametrize(
    ("stated", "base"),
    [
        ({}, 500_000.0),
        ({"rope_theta": None}, 10_000.0),
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 7}}, 7.0),
    ],
)
def test_plain_rotations_have_a_base_alone(tmp_path, stated, base):
    settings = opened_model(small_folder(tmp_path / "small", changed=stated)).settings
    assert (settings.rotary_base, settings.rotary_scaling) == (base, None)


@pytest.mark.parametrize(
    ("family", "name", "usual"),
    [("llama", "rms_norm_eps", 1e-6), ("gpt2", "layer_norm_epsilon", 1e-5), ("bert", "layer_norm_eps", 1e-12)],
)
def test_an_epsilon_that_is_not_stated_is_the_usual_one_of_the_family(tmp_path, family, name, usual):
    """The defaults of LlamaConfig, GPT2Config and BertConfig in transformers."""
    path = small_folder(tmp_path / "small", family) / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({key: value for key, value in config.items() if key != name}), encoding="utf-8")
    assert opened_model(path.parent).settings.norm_epsilon == usual


def test_the_size_of_a_head_may_be_stated(tmp_path):
    with pytest.raises(
        ModelFileError, match=r"q_proj.weight must give 0.Q the shape \(128, 64\), but gives it \(64, 64\)"
    ):
        opened_model(small_folder(tmp_path / "small", changed={"head_dim": 32}))


@pytest.mark.parametrize(
    ("family", "stated", "reason"),
    [
        ("llama", {"model_type": "mistral"}, "its model_type is 'mistral'; llama, gpt2, bert can be run here"),
        ("llama", {"model_type": None}, "its model_type is None"),
        ("llama", {"rope_scaling": {"type": "linear", "factor": 2.0}}, "scaled by 'linear'; only 'llama3'"),
        ("llama", {"rope_scaling": {"rope_type": "yarn", "factor": 2.0}}, "scaled by 'yarn'"),
        ("llama", {"rope_scaling": "llama3"}, "must be objects"),
        ("llama", {"rope_scaling": {**LLAMA_3, "low_freq_factor": 4.0}}, "must be below high_freq_factor"),
        ("llama", {"rope_scaling": {**LLAMA_3, "factor": None}}, "does not state factor"),
        ("llama", {"partial_rotary_factor": 0.5}, "partial_rotary_factor is 0.5; only 1"),
        ("llama", {"attention_bias": True}, "attention_bias is True; only False can be run here"),
        ("llama", {"mlp_bias": True}, "mlp_bias is True"),
        ("llama", {"hidden_act": "gelu"}, "hidden_act is 'gelu'; only 'silu'"),
        ("llama", {"quantization_config": {"bits": 4}}, "quantization_config"),
        ("llama", {"head_dim": 15}, "must be even, but it is 15"),
        ("llama", {"num_attention_heads": 3}, "cannot share 64 numbers among 3 heads"),
        ("llama", {"num_key_value_heads": 3}, "3 key-and-value heads must divide its 4 heads"),
        ("llama", {"hidden_size": None}, "does not state hidden_size"),
        ("llama", {"hidden_size": "64"}, "hidden_size must be a whole number from 1 to 1000000000, but is '64'"),
        ("llama", {"hidden_size": True}, "hidden_size must be a whole number"),
        ("llama", {"num_hidden_layers": 10**9}, "states 1000000000 layers, but holds 21 tensors"),
        ("llama", {"num_hidden_layers": 10**10}, "num_hidden_layers must be a whole number"),
        ("llama", {"rms_norm_eps": float("nan")}, "rms_norm_eps must be a positive number, but is nan"),
        ("llama", {"num_hidden_layers": 3}, "has no tensor layers.2.self_attn.q_proj.weight"),
        ("llama", {"num_hidden_layers": 1}, "holds layers.1.input_layernorm.weight, which no llama model"),
        ("llama", {"vocab_size": 270}, r"must give embedding the shape \(270, 64\), but gives it \(269, 64\)"),
        ("gpt2", {"activation_function": "relu"}, "activation_function is 'relu'; only 'gelu_new'"),
        ("gpt2", {"scale_attn_weights": False}, "scale_attn_weights is False"),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx is True"),
        ("gpt2", {"add_cross_attention": True}, "add_cross_attention is True"),
        ("gpt2", {"n_positions": 12}, "must give positions the shape"),
        ("bert", {"hidden_act": "gelu_new"}, "hidden_act is 'gelu_new'; only 'gelu'"),
        ("bert", {"position_embedding_type": "relative_key"}, "only 'absolute'"),
        ("bert", {"is_decoder": True}, "is_decoder is True"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_refused(tmp_path, family, stated, reason):
    with pytest.raises(ModelFileError, match=f"^small: .*{reason}"):
        opened_model(small_folder(tmp_path / "small", family, changed=stated))


@pytest.mark.parametrize(
    ("tensors", "reason"),
    [
        ({"model.norm.weight": None}, "small: has no tensor norm.weight"),
        ({"lm_head.weight": None}, "small: has no tensor lm_head.weight"),
        ({"model.layers.0.self_attn.q_proj.bias": np.ones(64)}, "holds layers.0.self_attn.q_proj.bias, which no"),
        ({"model.norm.weight": np.ones(64, np.int32)}, "model.norm.weight is stored as I32; F32, F16, BF16"),
        ({"model.norm.weight": np.float32(1)}, r"model.norm.weight has the shape \(\)"),
        ({"norm.weight": np.ones(64)}, 'holds a tensor twice, with "model." before its name and without'),
    ],
)  # fmt: skip
def test_tensors_that_do_not_make_the_model_are_refused(tmp_path, tensors, reason):
    given = {name: None if array is None else np.asarray(array) for name, array in tensors.items()}
    given = {
        name: array.astype(np.float32) if array is not None and array.dtype == float else array
        for name, array in given.items()
    }
    with pytest.raises(ModelFileError, match=reason):
        opened_model(small_folder(tmp_path / "small", tensors=given))


def test_gpt2s_joined_matrix_must_hold_all_three(tmp_path):
    joined = {"transformer.h.0.attn.c_attn.weight": np.ones((64, 64), np.float32)}
    with pytest.raises(ModelFileError, match=r"c_attn.weight must have the shape \(64, 192\), but has \(64, 64\)"):
        opened_model(small_folder(tmp_path / "small", "gpt2", tensors=joined))


def test_a_number_that_is_none_is_refused_with_its_tensor(tmp_path):
    broken = np.ones((64, 96), np.float32)
    broken[7, 3] = np.nan
    opened = opened_model(small_folder(tmp_path / "small", tensors={"model.layers.1.mlp.down_proj.weight": broken}))
    with pytest.raises(ModelFileError, match=r"down_proj.weight holds a number that is not finite"):
        read_into_memory(opened.stored)
    with pytest.raises(ModelFileError, match=r"not finite"):
        InFile(opened.stored)["1.down"]


@pytest.mark.parametrize(
    ("listed", "reason"),
    [
        ({}, 'index.json: must hold a "weight_map"'),
        ({"weight_map": {"a": 1}}, 'must hold a "weight_map"'),
        ({"weight_map": {"a": "../other.safetensors"}}, "names the file '../other.safetensors', which is no"),
        ({"weight_map": {"a": "config.json"}}, "names the file 'config.json', which is no .safetensors file"),
        ({"weight_map": {"a": "gone.safetensors"}}, "gone.safetensors: is not there any more"),
    ],
)
def test_a_list_of_shards_names_files_of_the_folder(tmp_path, listed, reason):
    path = small_folder(tmp_path / "small")
    (path / "model.safetensors").unlink()
    (path / "model.safetensors.index.json").write_text(json.dumps(listed))
    with pytest.raises(ModelFileError, match=reason):
        opened_model(path)


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"model_type": "llama"', "[" * 100_000, "\udcff"])
def test_a_broken_config_is_refused(tmp_path, text):
    path = small_folder(tmp_path / "small")
    (path / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelFileError, match=r"config.json: (is no sound JSON|must hold a JSON object)"):
        opened_model(path)


def test_a_folder_without_numbers_says_which_file_it_needs(tmp_path):
    path = small_folder(tmp_path / "small")
    (path / "model.safetensors").rename(path / "other.bin")
    with pytest.raises(ModelFileError, match="small: has no model.safetensors and no model.safetensors.index.json"):
        opened_model(path)


def test_a_cut_or_foreign_safetensors_file_is_refused_at_once(tmp_path):
    path = small_folder(tmp_path / "small") / "model.safetensors"
    whole = path.read_bytes()
    for broken in [whole[:n] for n in (0, 4, 8, 100, 5000, len(whole) - 1)] + [
        whole + b"x",
        b"\x89PNG" * 99,
        b"\xff" * 99,
    ]:
        path.write_bytes(broken)
        with pytest.raises(ModelFileError, match=r"model.safetensors: is no sound .safetensors file, or is cut short"):
            opened_model(path.parent)


def test_tensors_over_each_other_in_a_safetensors_file_are_refused(tmp_path):
    path = small_folder(tmp_path / "small") / "model.safetensors"
    content = path.read_bytes()
    end = 8 + int.from_bytes(content[:8], "little")
    head = json.loads(content[8:end])
    one, other = (head[f"model.layers.{layer}.input_layernorm.weight"] for layer in (0, 1))
    other["data_offsets"] = one["data_offsets"]
    text = json.dumps(head).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[end:])
    with pytest.raises(ModelFileError, match=r"model.safetensors: is no sound .safetensors file"):
        opened_model(path.parent)


@needs_minilm
def test_minilm_is_read_as_the_package_reads_it():
    opened = opened_model(MINILM)
    theirs = load_file(MINILM / "model.safetensors")
    tensors = InFile(opened.stored)
    assert (opened.settings.n_layers, opened.settings.n_heads, opened.settings.d_head) == (6, 12, 32)
    np.testing.assert_array_equal(tensors["5.V.bias"], theirs["encoder.layer.5.attention.self.value.bias"])
    np.testing.assert_array_equal(tensors["token_types"], theirs["embeddings.token_type_embeddings.weight"])
