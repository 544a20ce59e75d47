"""Models in folders as Hugging Face has them: config.json and .safetensors, under the names used here.

Sources: configuration_*.py and modeling_*.py of llama, gpt2 and bert in https://github.com/huggingface/transformers
"""

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from attention_core.checks import Array
from attention_core.models.hf_config import settings_of_config
from attention_core.models.json_file import read_json
from attention_core.models.opened import (
    Opened,
    block_of,
    name_in_file,
    require_all_used,
    require_fitting,
    require_layers,
    require_shape,
)
from attention_core.models.refusal import ModelFileError
from attention_core.models.safetensors_file import blocks_of_folder
from attention_core.models.settings import Family, Settings
from attention_core.models.shapes import Shape, shapes
from attention_core.models.stored import Block, Stored

CONFIG = "config.json"
BEFORE = {"llama": "model.", "gpt2": "transformer.", "bert": "bert."}  # which some files put before each name
# What a file may hold besides: masks and positions that follow from the sizes, and BERT's heads for other tasks.
IGNORED = {
    "llama": r".*rotary_emb\.inv_freq",
    "gpt2": r"h\.\d+\.attn\.(bias|masked_bias)",
    "bert": r"embeddings\.position_ids|pooler\..*|cls\..*|classifier\..*|dropout\..*",
}
OUTER = {
    "llama": {"embedding": "embed_tokens", "norm": "norm", "unembedding": "lm_head"},
    "gpt2": {"embedding": "wte", "positions": "wpe", "norm": "ln_f", "unembedding": "lm_head"},
    "bert": {
        "embedding": "embeddings.word_embeddings", "positions": "embeddings.position_embeddings",
        "token_types": "embeddings.token_type_embeddings", "embedding_norm": "embeddings.LayerNorm",
    },
}  # fmt: skip
LAYER = {
    "llama": {
        "Q": "self_attn.q_proj", "K": "self_attn.k_proj", "V": "self_attn.v_proj", "O": "self_attn.o_proj",
        "gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj",
        "norm_1": "input_layernorm", "norm_2": "post_attention_layernorm",
    },
    "gpt2": {
        "Q": "attn.c_attn", "K": "attn.c_attn", "V": "attn.c_attn", "O": "attn.c_proj",
        "up": "mlp.c_fc", "down": "mlp.c_proj", "norm_1": "ln_1", "norm_2": "ln_2",
    },
    "bert": {
        "Q": "attention.self.query", "K": "attention.self.key", "V": "attention.self.value",
        "O": "attention.output.dense", "norm_1": "attention.output.LayerNorm",
        "up": "intermediate.dense", "down": "output.dense", "norm_2": "output.LayerNorm",
    },
}  # fmt: skip
LAYERS = {"llama": "layers", "gpt2": "h", "bert": "encoder.layer"}


def open_folder(path: Path) -> Opened:
    """Read config.json and the heads of the .safetensors files.

    Raises ModelFileError if it is no model that can be run here.
    """
    config = read_json(path / CONFIG)
    settings = settings_of_config(path, config)
    family = settings.family
    found = _by_short_name(path, blocks_of_folder(path, partial(_ignored, family)), BEFORE[family])
    require_layers(path, settings, found)
    file_names = _file_names(settings, tied=bool(config.get("tie_word_embeddings", family == "gpt2")))
    stored = _stored(path, settings, file_names, found)
    require_fitting(path, settings, stored)
    require_all_used(path, found, ["lm_head.weight", *file_names.values()], family)
    return Opened(path, settings, stored, {})


def _ignored(family: Family, name: str) -> bool:
    return re.fullmatch(IGNORED[family], name.removeprefix(BEFORE[family])) is not None


def _by_short_name(path: Path, found: Mapping[str, Block], before: str) -> dict[str, Block]:
    """The tensors without the prefix, and with the names of today where a file still says gamma and beta."""
    short = {
        re.sub(r"LayerNorm\.(gamma|beta)$", _name_of_today, name.removeprefix(before)): block
        for name, block in found.items()
    }
    if len(short) != len(found):
        raise ModelFileError(path, f'holds a tensor twice, with "{before}" before its name and without')
    return short


def _name_of_today(old: re.Match[str]) -> str:
    return "LayerNorm." + {"gamma": "weight", "beta": "bias"}[old[1]]


def _file_names(settings: Settings, *, tied: bool) -> dict[str, str]:
    """The name in the file for each name here: "3.Q.bias" of BERT is "encoder.layer.3.attention.self.query.bias"."""
    family = settings.family
    names = {name: name_in_file(name, OUTER[family], LAYERS[family], LAYER[family]) for name in shapes(settings)}
    if tied and "unembedding" in names:
        names["unembedding"] = names["embedding"]
    return names


def _stored(
    path: Path, settings: Settings, file_names: Mapping[str, str], found: Mapping[str, Block]
) -> dict[str, Stored]:
    asked = shapes(settings)
    return {
        name: _one(block_of(path, found, file_name), name, asked[name], settings.family)
        for name, file_name in file_names.items()
    }


def _one(block: Block, name: str, shape: Shape, family: Family) -> Stored:
    """A tensor from its block. GPT-2's matrices in the layers are [in, out], and one holds Q, K and V side by side."""
    part = name.removesuffix(".bias").rpartition(".")[2]
    if family != "gpt2" or part not in ("Q", "K", "V", "O", "up", "down"):
        return Stored(block=block, shape=block.shape)
    n_joined = 3 if part in ("Q", "K", "V") else 1
    require_shape(block, (*shape[1:], n_joined * shape[0]))
    start = shape[0] * "QKV".index(part) if n_joined > 1 else 0
    return Stored(block=block, shape=shape, arranged=partial(_columns, start=start, stop=start + shape[0]))


def _columns(rows: Array, start: int, stop: int) -> Array:
    """Columns of a matrix [in, out] as rows: [out, in]; of a vector, its part."""
    part: Array = rows[..., start:stop].T
    return part
