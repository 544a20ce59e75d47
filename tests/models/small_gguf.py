"""The small random models as .gguf files, written by the gguf package, the way llama.cpp's converter arranges them."""

import json
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Quantisation
from safetensors.numpy import load_file, save_file

from attention_core.checks import Array

END = 279  # the special token of the small vocabulary


def write_rounded(folder: Path, to: Path, quantisation: Quantisation) -> None:
    """The same model as a folder, each matrix rounded as the quantisation does it: quantised and read back by gguf."""
    config, tensors = read(folder)
    to.mkdir()
    (to / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (to / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    rounded = {name: turned(name, stored(name, turned(name, tensor), quantisation)) for name, tensor in tensors.items()}
    save_file({name: np.ascontiguousarray(tensor) for name, tensor in rounded.items()}, to / "model.safetensors")


def write_gguf(folder: Path, path: Path, quantisation: Quantisation) -> None:
    """The same model as a .gguf file."""
    config, tensors = read(folder)
    kind = config["model_type"]
    writer = gguf.GGUFWriter(path, kind)
    {"gpt2": add_gpt2_settings, "llama": add_llama_settings}[kind](writer, config)
    add_vocabulary(writer, json.loads((folder / "tokenizer.json").read_text(encoding="utf-8")))
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH[kind.upper()], 3)
    for name, tensor in tensors.items():
        arranged = interleaved(name, turned(name, tensor), config)
        its = quantisation if is_quantised(name, tensor) else Quantisation.F32
        to = str(names.get_name(name, try_suffixes=(".weight", ".bias")))
        writer.add_tensor(to, gguf.quantize(arranged, its), raw_dtype=its)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read(folder: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The settings and numbers of a small model."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return config, load_file(folder / "model.safetensors")


def is_quantised(name: str, tensor: Array) -> bool:
    """Matrices are; norms, biases and positions stay float32."""
    return tensor.ndim == 2 and not name.endswith("wpe.weight")


def stored(name: str, tensor: Array, quantisation: Quantisation) -> Array:
    """The numbers that are left of a tensor once it has been quantised."""
    if not is_quantised(name, tensor):
        return tensor
    left: Array = gguf.dequantize(gguf.quantize(tensor, quantisation), quantisation)
    return left


def turned(name: str, tensor: Array) -> Array:
    """[out, in] for the [in, out] of GPT-2's matrices, and back."""
    is_turned = ".h." in name and tensor.ndim == 2
    return np.ascontiguousarray(tensor.T) if is_turned else tensor


def interleaved(name: str, rows: Array, config: dict[str, Any]) -> Array:
    """Llama's query and key rows, the two numbers of a rotation side by side."""
    heads = {"q_proj": "num_attention_heads", "k_proj": "num_key_value_heads"}.get(name.split(".")[-2])
    if heads is None:
        return rows
    return np.swapaxes(rows.reshape(config[heads], 2, -1, rows.shape[1]), 1, 2).reshape(rows.shape)


def add_gpt2_settings(writer: gguf.GGUFWriter, config: dict[str, Any]) -> None:
    writer.add_context_length(config["n_positions"])
    writer.add_embedding_length(config["n_embd"])
    writer.add_feed_forward_length(config["n_inner"])
    writer.add_block_count(config["n_layer"])
    writer.add_head_count(config["n_head"])
    writer.add_layer_norm_eps(config["layer_norm_epsilon"])


def add_llama_settings(writer: gguf.GGUFWriter, config: dict[str, Any]) -> None:
    rope = config["rope_parameters"]
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_dimension_count(config["head_dim"])
    writer.add_rope_freq_base(rope["rope_theta"])
    # Short waves are kept, long ones stretched by the factor, a glide between.
    waves = 2 * np.pi * rope["rope_theta"] ** (np.arange(0, config["head_dim"], 2) / config["head_dim"])
    low, high = rope["low_freq_factor"], rope["high_freq_factor"]
    glide = ((rope["original_max_position_embeddings"] / waves - low) / (high - low)).clip(0, 1)
    writer.add_tensor("rope_freqs.weight", (1 / ((1 - glide) / rope["factor"] + glide)).astype(np.float32))


def add_vocabulary(writer: gguf.GGUFWriter, tokenizer: dict[str, Any]) -> None:
    vocabulary = {
        **tokenizer["model"]["vocab"],
        **{token["content"]: token["id"] for token in tokenizer["added_tokens"]},
    }
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.CONTROL if i == END else gguf.TokenType.NORMAL for i in range(len(tokens))])
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_bos_token_id(END)
    writer.add_eos_token_id(END)
    writer.add_add_bos_token(False)
