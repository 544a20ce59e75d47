"""Small models with random numbers, written as .gguf files and as Hugging Face folders by names spelled out here."""

import json
from typing import Any

import gguf
import numpy as np
from safetensors.numpy import save_file

from attention_core.models.settings import Settings
from attention_core.models.shapes import shapes
from tests.models import small_vocabulary

N_ROWS = 269  # a few more than the vocabulary has tokens
SIZES: dict[str, Any] = dict(
    n_layers=2, d_model=64, d_head=16, d_hidden=96, n_vocabulary=N_ROWS, longest=11, norm_epsilon=1e-5
)
SETTINGS = {
    "llama": Settings(name="small", family="llama", n_heads=4, n_kv_heads=2, rotary_base=500_000.0, **SIZES),
    "gpt2": Settings(name="small", family="gpt2", n_heads=4, n_kv_heads=4, **SIZES),
    "bert": Settings(name="small", family="bert", n_heads=4, n_kv_heads=4, **SIZES),
    # Q4_K, Q5_K and Q6_K pack 256 numbers of a row together.
    "wide": Settings(
        name="small", family="llama", n_heads=4, n_kv_heads=2, **SIZES | dict(d_model=256, d_head=64, d_hidden=512)
    ),
}


def numbers(size):
    """Random numbers for every tensor, by the names used here."""
    random = np.random.default_rng(len(size))
    asked = {
        name: (2, *shape[1:]) if name == "token_types" else shape for name, shape in shapes(SETTINGS[size]).items()
    }
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in asked.items()}


def interleaved(rows, n_heads):
    """Rows of queries or keys as .gguf files keep them: number e of a head beside number e + d_head / 2."""
    heads = rows.reshape(n_heads, -1, rows.shape[-1])
    half = heads.shape[1] // 2
    return np.stack([head[e + h * half] for head in heads for e in range(half) for h in (0, 1)])


GGUF_NAMES = {
    "embedding": "token_embd", "positions": "position_embd", "token_types": "token_types", "unembedding": "output",
    "embedding_norm": "token_embd_norm", "norm": "output_norm", "Q": "attn_q", "K": "attn_k", "V": "attn_v",
    "O": "attn_output", "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down",
}  # fmt: skip
GGUF_NORMS = {
    "llama": ("attn_norm", "ffn_norm"), "gpt2": ("attn_norm", "ffn_norm"),
    "bert": ("attn_output_norm", "layer_output_norm"),
}  # fmt: skip


def gguf_tensors(size, made):
    """The same numbers under the names and in the order of a .gguf file."""
    settings, family = SETTINGS[size], SETTINGS[size].family
    norms = dict(zip(("norm_1", "norm_2"), GGUF_NORMS[family], strict=True))
    tensors = {}
    for name, array in made.items():
        bare, kind = (name.removesuffix(".bias"), "bias") if name.endswith(".bias") else (name, "weight")
        n, _, part = bare.rpartition(".")
        if family == "gpt2" and part in "QKV":
            joined = [made[name.replace(part, one)] for one in "QKV"]
            tensors[f"blk.{n}.attn_qkv.{kind}"] = np.concatenate(joined)
            continue
        if family == "llama" and part in "QK":
            array = interleaved(array, settings.n_heads if part == "Q" else settings.n_kv_heads)
        tensors[(f"blk.{n}." if n else "") + f"{(GGUF_NAMES | norms)[part]}.{kind}"] = array
    return tensors


def gguf_fields(size, changed):
    """The fields of the file; given ones replace what stands there, None takes it away."""
    settings, family = SETTINGS[size], SETTINGS[size].family
    norm = "attention.layer_norm_rms_epsilon" if family == "llama" else "attention.layer_norm_epsilon"
    stated = {
        "block_count": settings.n_layers, "context_length": settings.longest, "embedding_length": settings.d_model,
        "feed_forward_length": settings.d_hidden, "attention.head_count": settings.n_heads, norm: settings.norm_epsilon,
        "attention.head_count_kv": settings.n_kv_heads,
    }  # fmt: skip
    if family == "llama":
        stated |= {"rope.dimension_count": settings.d_head, "rope.freq_base": settings.rotary_base}
    fields = {f"{family}.{name}": value for name, value in stated.items()} | small_vocabulary.fields()
    return {name: value for name, value in (fields | changed).items() if value is not None}


def write_gguf(path, fields, tensors, *, architecture="llama", kind=None):
    """Write a .gguf file; matrices of bytes are of the quantised kind."""
    writer = gguf.GGUFWriter(path, architecture)
    for name, value in fields.items():
        add = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string}
        add.get(type(value), writer.add_array)(name, value)
    for name, array in tensors.items():
        writer.add_tensor(name, array, raw_dtype=kind if array.dtype == np.uint8 else None)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def small_gguf(path, size="llama", *, changed=None, tensors=None, kind=None, architecture=None):
    """A small model as a .gguf file; changed fields and tensors replace what stands there, None takes it away."""
    made = gguf_tensors(size, numbers(size)) | (tensors or {})
    kept = {name: array for name, array in made.items() if array is not None}
    architecture = architecture or SETTINGS[size].family
    return write_gguf(path, gguf_fields(size, changed or {}), kept, architecture=architecture, kind=kind)


FOLDER_NAMES = {
    "llama": {
        "embedding": "model.embed_tokens", "norm": "model.norm", "unembedding": "lm_head",
        "Q": "model.layers.{}.self_attn.q_proj", "K": "model.layers.{}.self_attn.k_proj",
        "V": "model.layers.{}.self_attn.v_proj", "O": "model.layers.{}.self_attn.o_proj",
        "gate": "model.layers.{}.mlp.gate_proj", "up": "model.layers.{}.mlp.up_proj",
        "down": "model.layers.{}.mlp.down_proj", "norm_1": "model.layers.{}.input_layernorm",
        "norm_2": "model.layers.{}.post_attention_layernorm",
    },
    "gpt2": {
        "embedding": "transformer.wte", "positions": "transformer.wpe", "norm": "transformer.ln_f",
        "unembedding": "lm_head", "QKV": "transformer.h.{}.attn.c_attn", "O": "transformer.h.{}.attn.c_proj",
        "up": "transformer.h.{}.mlp.c_fc", "down": "transformer.h.{}.mlp.c_proj",
        "norm_1": "transformer.h.{}.ln_1", "norm_2": "transformer.h.{}.ln_2",
    },
    "bert": {
        "embedding": "bert.embeddings.word_embeddings", "positions": "bert.embeddings.position_embeddings",
        "token_types": "bert.embeddings.token_type_embeddings", "embedding_norm": "bert.embeddings.LayerNorm",
        "Q": "bert.encoder.layer.{}.attention.self.query", "K": "bert.encoder.layer.{}.attention.self.key",
        "V": "bert.encoder.layer.{}.attention.self.value", "O": "bert.encoder.layer.{}.attention.output.dense",
        "norm_1": "bert.encoder.layer.{}.attention.output.LayerNorm", "up": "bert.encoder.layer.{}.intermediate.dense",
        "down": "bert.encoder.layer.{}.output.dense", "norm_2": "bert.encoder.layer.{}.output.LayerNorm",
    },
}  # fmt: skip


def folder_tensors(family, made):
    """The same numbers under the names and in the order of a Hugging Face folder."""
    names, tensors = FOLDER_NAMES[family], {}
    for name, array in made.items():
        bare, kind = (name.removesuffix(".bias"), "bias") if name.endswith(".bias") else (name, "weight")
        n, _, part = bare.rpartition(".")
        if family == "gpt2" and part in "QKV":
            array, part = np.concatenate([made[name.replace(part, one)] for one in "QKV"]), "QKV"
        if family == "gpt2" and n and not part.startswith("norm"):
            array = array.T  # [in, out]
        tensors[f"{names[part].format(n)}.{kind}"] = np.ascontiguousarray(array)
    return tensors


def config(family, **changed):
    """config.json; given settings replace what stands there, None takes it away."""
    settings = SETTINGS[family]
    by_family = {
        "llama": {
            "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "hidden_size": 64,
            "intermediate_size": 96, "max_position_embeddings": 11, "rms_norm_eps": 1e-5, "rope_theta": 500_000.0,
            "hidden_act": "silu", "tie_word_embeddings": False,
        },
        "gpt2": {
            "n_layer": 2, "n_head": 4, "n_embd": 64, "n_inner": 96, "n_positions": 11, "layer_norm_epsilon": 1e-5,
            "activation_function": "gelu_new", "tie_word_embeddings": False,
        },
        "bert": {
            "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64, "intermediate_size": 96,
            "max_position_embeddings": 11, "layer_norm_eps": 1e-5, "hidden_act": "gelu", "type_vocab_size": 2,
        },
    }  # fmt: skip
    stated = {"model_type": family, "vocab_size": settings.n_vocabulary} | by_family[family] | changed
    return {name: value for name, value in stated.items() if value is not None}


def small_folder(path, family="llama", *, changed=None, tensors=None):
    """A small model as a folder; changed settings and tensors replace what stands there, None takes it away."""
    path.mkdir()
    (path / "config.json").write_text(json.dumps(config(family, **(changed or {}))))
    made = folder_tensors(family, numbers(family)) | (tensors or {})
    save_file({name: array for name, array in made.items() if array is not None}, path / "model.safetensors")
    return path
