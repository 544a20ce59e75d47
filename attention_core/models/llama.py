"""The Llama family: norm first, rotary positions, query heads that share keys and values, a gated feed-forward layer.

Sources: Touvron et al. 2023, "LLaMA", section 2.2; Ainslie et al. 2023, "GQA"; Shazeer 2020, "GLU Variants".
"""

from collections.abc import Sequence

from attention_core.checks import Array
from attention_core.models.activations import silu
from attention_core.models.norms import rms_norm
from attention_core.models.rotary import rotated
from attention_core.models.settings import Settings
from attention_core.models.tensors import Tensors, linear, rows_of


def first_vectors(settings: Settings, tensors: Tensors, ids: Sequence[int], start: int) -> Array:
    """The vectors that go into layer 0: each token's row of the vocabulary. [token, d_model]"""
    return rows_of(tensors, "embedding", ids)


def before_attention(settings: Settings, tensors: Tensors, layer: int, X: Array) -> Array:
    """What W_Q, W_K and W_V of a layer are applied to: the vectors that come to it, normed. [token, d_model]"""
    return rms_norm(X, tensors[f"{layer}.norm_1"], settings.norm_epsilon)


def queries_keys_values(
    settings: Settings, tensors: Tensors, layer: int, X: Array, start: int
) -> tuple[Array, Array, Array]:
    """What each token asks, offers and hands over; queries and keys are turned by position, from `start` on.

    X: [token, d_model]    returns: [token, head, d_head], and twice [token, kv_head, d_head]
    """
    normed = before_attention(settings, tensors, layer, X)
    Q, K, V = (linear(normed, tensors, f"{layer}.{name}").reshape(len(X), -1, settings.d_head) for name in "QKV")
    return rotated(Q, settings, start), rotated(K, settings, start), V


def after_attention(settings: Settings, tensors: Tensors, layer: int, X: Array, mixed: Array) -> Array:
    """The vectors that leave the layer: what attention mixed is added, then what the feed-forward layer makes of it.

    X: [token, d_model]    mixed: [token, n_heads · d_head]    returns: [token, d_model]
    """
    X = X + linear(mixed, tensors, f"{layer}.O")
    normed = rms_norm(X, tensors[f"{layer}.norm_2"], settings.norm_epsilon)
    hidden = silu(linear(normed, tensors, f"{layer}.gate"))
    hidden *= linear(normed, tensors, f"{layer}.up")
    X += linear(hidden, tensors, f"{layer}.down")
    return X


def last_vectors(settings: Settings, tensors: Tensors, X: Array) -> Array:
    """The vectors that final scores are made from: [token, d_model]."""
    return rms_norm(X, tensors["norm"], settings.norm_epsilon)
