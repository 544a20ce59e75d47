"""The settings of a model as a config.json of Hugging Face states them; what would not be followed is refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast, get_args

from attention_core.checks import quoted
from attention_core.models.opened import settings_of
from attention_core.models.refusal import ModelFileError, printable
from attention_core.models.rotary_factors import llama3_factors
from attention_core.models.settings import Family, Settings
from attention_core.models.stated import Stated


def settings_of_config(path: Path, config: Mapping[str, Any]) -> Settings:
    """The sizes and choices of the model in a folder.

    Raises ModelFileError if one is missing, or cannot be run here.
    """
    family = config.get("model_type")
    if family not in get_args(Family):
        raise ModelFileError(path, f"its model_type is {quoted(family)}; {', '.join(get_args(Family))} can be run here")
    stated = Stated(path, config)
    stated.require("quantization_config", None)
    of_family = {"llama": _llama, "gpt2": _gpt2, "bert": _bert}[cast(Family, family)]
    return settings_of(
        path, name=printable(path.name), family=family, n_vocabulary=stated.whole("vocab_size"), **of_family(stated)
    )


def _llama(stated: Stated) -> dict[str, Any]:
    stated.require("hidden_act", "silu", default="silu")
    for name in ("attention_bias", "mlp_bias"):
        stated.require(name, False, default=False)
    n_heads, d_model = stated.whole("num_attention_heads"), stated.whole("hidden_size")
    d_head = stated.whole("head_dim", default=_share(stated, d_model, n_heads))
    if d_head % 2:
        raise stated.refusal(f"turns pairs of numbers, so the size of a head must be even, but it is {d_head}")
    return dict(
        n_layers=stated.whole("num_hidden_layers"), n_heads=n_heads,
        n_kv_heads=stated.whole("num_key_value_heads", default=n_heads), d_model=d_model, d_head=d_head,
        d_hidden=stated.whole("intermediate_size"), longest=stated.whole("max_position_embeddings"),
        norm_epsilon=stated.positive("rms_norm_eps", default=1e-6), **_rotations(stated, d_head),
    )  # fmt: skip


def _rotations(stated: Stated, d_head: int) -> dict[str, Any]:
    """Base and scaling of the rotations: newer files keep both under one name, older ones under two."""
    both = stated.get("rope_parameters", {})
    scaling = both or stated.get("rope_scaling", {})
    if not isinstance(both, dict) or not isinstance(scaling, dict):
        raise stated.refusal(f"rope_parameters and rope_scaling must be objects, but are {quoted(both or scaling)}")
    rope = Stated(stated.path, {"rope_theta": stated.get("rope_theta")} | scaling)
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind not in ("default", "llama3"):
        raise stated.refusal(f"its rotations are scaled by {quoted(kind)}; only 'llama3' can be run here")
    for place in (stated, rope):
        place.require("partial_rotary_factor", 1, 1.0, default=1)
    base = rope.positive("rope_theta", default=10_000.0)
    return {"rotary_base": base, "rotary_scaling": _llama3(rope, base, d_head) if kind == "llama3" else None}


def _llama3(rope: Stated, base: float, d_head: int) -> tuple[float, ...]:
    low, high = rope.positive("low_freq_factor"), rope.positive("high_freq_factor")
    if low >= high:
        raise rope.refusal(f"low_freq_factor must be below high_freq_factor, but they are {low:g} and {high:g}")
    return llama3_factors(
        base, d_head, factor=rope.positive("factor"), low_freq_factor=low, high_freq_factor=high,
        original_longest=rope.whole("original_max_position_embeddings"),
    )  # fmt: skip


def _gpt2(stated: Stated) -> dict[str, Any]:
    stated.require("activation_function", "gelu_new", "gelu_pytorch_tanh", default="gelu_new")
    stated.require("scale_attn_weights", True, default=True)
    for name in ("scale_attn_by_inverse_layer_idx", "add_cross_attention"):
        stated.require(name, False, default=False)
    n_heads, d_model = stated.whole("n_head", "num_attention_heads"), stated.whole("n_embd", "hidden_size")
    return dict(
        n_layers=stated.whole("n_layer", "num_hidden_layers"), n_heads=n_heads, n_kv_heads=n_heads, d_model=d_model,
        d_head=_share(stated, d_model, n_heads), d_hidden=stated.whole("n_inner", default=4 * d_model),
        longest=stated.whole("n_positions", "max_position_embeddings"),
        norm_epsilon=stated.positive("layer_norm_epsilon", default=1e-5),
    )  # fmt: skip


def _bert(stated: Stated) -> dict[str, Any]:
    stated.require("hidden_act", "gelu", default="gelu")
    stated.require("position_embedding_type", "absolute", default="absolute")
    for name in ("is_decoder", "add_cross_attention"):
        stated.require(name, False, default=False)
    n_heads, d_model = stated.whole("num_attention_heads"), stated.whole("hidden_size")
    return dict(
        n_layers=stated.whole("num_hidden_layers"), n_heads=n_heads, n_kv_heads=n_heads, d_model=d_model,
        d_head=_share(stated, d_model, n_heads), d_hidden=stated.whole("intermediate_size"),
        longest=stated.whole("max_position_embeddings"),
        norm_epsilon=stated.positive("layer_norm_eps", default=1e-12),
    )  # fmt: skip


def _share(stated: Stated, d_model: int, n_heads: int) -> int:
    """The numbers of a vector that each head gets, where the file does not state them."""
    if d_model % n_heads and stated.get("head_dim") is None:
        raise stated.refusal(f"cannot share {d_model} numbers among {n_heads} heads")
    return max(1, d_model // n_heads)
