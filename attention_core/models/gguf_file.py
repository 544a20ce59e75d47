"""Models in .gguf files: their settings and tensors under the names used here.

Sources: the names and the order of the rows are those that convert_hf_to_gguf.py of https://github.com/ggml-org/llama.cpp
writes: query and key rows of a Llama model are interleaved, and Llama 3's stretched rotations are a tensor of factors.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import cast, get_args

import numpy as np

from attention_core.checks import Array, quoted
from attention_core.models.gguf_header import Header, read_header
from attention_core.models.gguf_numbers import blocks
from attention_core.models.opened import (
    Opened,
    block_of,
    name_in_file,
    require_all_used,
    require_fitting,
    require_layers,
    require_shape,
    settings_of,
)
from attention_core.models.refusal import ModelFileError, printable
from attention_core.models.rotary_factors import stored_factors
from attention_core.models.settings import Family, Settings
from attention_core.models.shapes import Shape, shapes
from attention_core.models.stated import Stated
from attention_core.models.stored import Block, Stored

FAMILIES = get_args(Family)
TOKENS, FACTORS = "tokenizer.ggml.tokens", "rope_freqs.weight"
OUTER = {
    "embedding": "token_embd", "positions": "position_embd", "token_types": "token_types",
    "embedding_norm": "token_embd_norm", "norm": "output_norm", "unembedding": "output",
}  # fmt: skip
LAYER = {
    "Q": "attn_q", "K": "attn_k", "V": "attn_v", "O": "attn_output", "up": "ffn_up", "down": "ffn_down",
    "gate": "ffn_gate", "norm_1": "attn_norm", "norm_2": "ffn_norm",
}  # fmt: skip
LAYER_OF_BERT = {**LAYER, "norm_1": "attn_output_norm", "norm_2": "layer_output_norm"}
LAYER_OF_GPT2 = {**LAYER, "Q": "attn_qkv", "K": "attn_qkv", "V": "attn_qkv"}
LAYERS = {"llama": LAYER, "gpt2": LAYER_OF_GPT2, "bert": LAYER_OF_BERT}
NOT_FOLLOWED = (  # settings that would change the calculation
    "expert_count", "rope.scale_linear", "attention.sliding_window", "attention.scale", "attention.clamp_kqv",
    "attention.max_alibi_bias", "use_parallel_residual", "logit_scale", "residual_scale", "embedding_scale",
    "attn_logit_softcapping", "final_logit_softcapping",
)  # fmt: skip


def open_gguf(path: Path) -> Opened:
    """Read the head of a .gguf file.

    Raises ModelFileError if it is no model that can be run here.
    """
    header = read_header(path)
    family = _family(header)
    found = blocks(header)
    settings = _settings(header, family, found)
    require_layers(path, settings, found)
    stored = _stored(path, settings, found)
    require_fitting(path, settings, stored)
    require_all_used(path, found, [FACTORS, *(one.block.name for one in stored.values())], settings.family)
    return Opened(path, settings, stored, header.fields)


def _family(header: Header) -> Family:
    architecture = header.fields.get("general.architecture")
    if architecture not in FAMILIES:
        raise ModelFileError(
            header.file.path, f"its architecture is {quoted(architecture)}; {', '.join(FAMILIES)} can be run here"
        )
    if header.fields.get("split.count", 1) not in (0, 1):
        raise ModelFileError(header.file.path, "is one part of a model that is split over several files")
    return cast(Family, architecture)


def _settings(header: Header, family: Family, found: Mapping[str, Block]) -> Settings:
    stated = Stated(header.file.path, header.fields, f"{family}.")
    _require_plain(stated, family)
    n_heads, d_model = stated.whole("attention.head_count"), stated.whole("embedding_length")
    d_head = stated.whole("attention.key_length", default=max(1, d_model // n_heads))
    for name in ("attention.value_length", "rope.dimension_count"):
        stated.require(name, d_head, default=d_head)
    factors = found[FACTORS].rows() if family == "llama" and FACTORS in found else None
    return settings_of(
        header.file.path, name=printable(header.file.path.stem), family=family,
        n_layers=stated.whole("block_count"), n_heads=n_heads,
        n_kv_heads=stated.whole("attention.head_count_kv", default=n_heads), d_model=d_model, d_head=d_head,
        d_hidden=stated.whole("feed_forward_length"), n_vocabulary=_n_vocabulary(header, found),
        longest=stated.whole("context_length"), norm_epsilon=stated.positive(
            "attention.layer_norm_rms_epsilon" if family == "llama" else "attention.layer_norm_epsilon"),
        rotary_base=stated.positive("rope.freq_base", default=10_000.0),
        rotary_scaling=None if factors is None else stored_factors(header.file.path, factors, d_head),
    )  # fmt: skip


def _require_plain(stated: Stated, family: Family) -> None:
    """Refuse what the forward pass would not follow."""
    for name in NOT_FOLLOWED:
        stated.require(name, 0, False, default=0)
    stated.require("rope.scaling.type", "none", default="none")
    for name in ("rope.scaling.factor", "rope.scaling.attn_factor"):  # followed by llama.cpp where no type is stated
        stated.require(name, 0, 1, default=1)
    stated.require("attention.causal", family != "bert", default=family != "bert")


def _n_vocabulary(header: Header, found: Mapping[str, Block]) -> int:
    """As many as the embedding has rows; some files have a few more than tokens."""
    n_rows, tokens = block_of(header.file.path, found, "token_embd.weight").shape[0], header.fields.get(TOKENS)
    if not isinstance(tokens, list) or not 0 < len(tokens) <= n_rows:
        n_tokens = f"{len(tokens)} tokens" if isinstance(tokens, list) else "none"
        raise ModelFileError(
            header.file.path, f"must list the tokens of its {n_rows} embeddings as {TOKENS}, but lists {n_tokens}"
        )
    return n_rows


def _stored(path: Path, settings: Settings, found: Mapping[str, Block]) -> dict[str, Stored]:
    stored: dict[str, Stored] = {}
    for name, shape in shapes(settings).items():
        file_name = name_in_file(name, OUTER, "blk", LAYERS[settings.family])
        if name == "unembedding" and file_name not in found:
            stored[name] = stored["embedding"]
        else:
            stored[name] = _one(block_of(path, found, file_name), name, shape, settings)
    return stored


def _one(block: Block, name: str, shape: Shape, settings: Settings) -> Stored:
    part = name.removesuffix(".bias").rpartition(".")[2]
    if settings.family == "llama" and part in ("Q", "K"):
        n_heads = settings.n_heads if part == "Q" else settings.n_kv_heads
        return Stored(block=block, shape=block.shape, arranged=partial(_halves, n_heads=n_heads))
    if settings.family == "gpt2" and part in ("Q", "K", "V"):  # one matrix holds all three
        require_shape(block, (3 * shape[0], *shape[1:]))
        start = shape[0] * "QKV".index(part)
        return Stored(block=block, start=start, stop=start + shape[0], shape=shape)
    return Stored(block=block, shape=block.shape)


def _halves(rows: Array, n_heads: int) -> Array:
    """Rows in which the two numbers of a rotation are neighbours, put so that one half of a head turns with the other.

    [n_heads · d_head, d_model]
    """
    pairs = rows.reshape(n_heads, -1, 2, rows.shape[-1])
    return np.swapaxes(pairs, 1, 2).reshape(rows.shape)
