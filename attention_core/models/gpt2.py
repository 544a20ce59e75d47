"""GPT-2: norm first, a learned vector for each position, and the vocabulary's own rows for the final scores.

Source: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.3.
"""

from collections.abc import Sequence

from attention_core.checks import Array
from attention_core.models.activations import gelu_by_tanh
from attention_core.models.norms import layer_norm
from attention_core.models.settings import Settings
from attention_core.models.tensors import Tensors, linear, rows_of


def first_vectors(settings: Settings, tensors: Tensors, ids: Sequence[int], start: int) -> Array:
    """The vectors that go into layer 0: each token's row of the vocabulary plus its position's. [token, d_model]"""
    return rows_of(tensors, "embedding", ids) + rows_of(tensors, "positions", slice(start, start + len(ids)))


def before_attention(settings: Settings, tensors: Tensors, layer: int, X: Array) -> Array:
    """What W_Q, W_K and W_V of a layer are applied to: the vectors that come to it, normed. [token, d_model]"""
    return _normed(settings, tensors, f"{layer}.norm_1", X)


def queries_keys_values(
    settings: Settings, tensors: Tensors, layer: int, X: Array, start: int
) -> tuple[Array, Array, Array]:
    """What each token asks, offers and hands over.

    X: [token, d_model]    returns: three times [token, head, d_head]
    """
    normed = before_attention(settings, tensors, layer, X)
    Q, K, V = (linear(normed, tensors, f"{layer}.{name}").reshape(len(X), -1, settings.d_head) for name in "QKV")
    return Q, K, V


def after_attention(settings: Settings, tensors: Tensors, layer: int, X: Array, mixed: Array) -> Array:
    """The vectors that leave the layer: what attention mixed is added, then what the feed-forward layer makes of it.

    X: [token, d_model]    mixed: [token, n_heads · d_head]    returns: [token, d_model]
    """
    X = X + linear(mixed, tensors, f"{layer}.O")
    normed = _normed(settings, tensors, f"{layer}.norm_2", X)
    X += linear(gelu_by_tanh(linear(normed, tensors, f"{layer}.up")), tensors, f"{layer}.down")
    return X


def last_vectors(settings: Settings, tensors: Tensors, X: Array) -> Array:
    """The vectors that final scores are made from: [token, d_model]."""
    return _normed(settings, tensors, "norm", X)


def _normed(settings: Settings, tensors: Tensors, name: str, X: Array) -> Array:
    return layer_norm(X, tensors[name], tensors[f"{name}.bias"], settings.norm_epsilon)
