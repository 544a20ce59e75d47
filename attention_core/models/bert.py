"""BERT: reads both ways, a learned vector for each position, and the norm after each step, not before it.

Source: Devlin et al. 2019, "BERT", section 3, and its code, https://github.com/google-research/bert/blob/master/modeling.py
"""

from collections.abc import Sequence

from attention_core.checks import Array
from attention_core.models.activations import gelu
from attention_core.models.norms import layer_norm
from attention_core.models.settings import Settings
from attention_core.models.tensors import Tensors, linear, rows_of


def first_vectors(settings: Settings, tensors: Tensors, ids: Sequence[int], start: int) -> Array:
    """The vectors that go into layer 0: token, position and first-text vectors, added and normed. [token, d_model]"""
    X = rows_of(tensors, "embedding", ids) + rows_of(tensors, "positions", slice(start, start + len(ids)))
    X += rows_of(tensors, "token_types", slice(0, 1))  # the text is the first of the two that BERT can be given
    return _normed(settings, tensors, "embedding_norm", X)


def before_attention(settings: Settings, tensors: Tensors, layer: int, X: Array) -> Array:
    """What W_Q, W_K and W_V of a layer are applied to: the vectors that come to it, as they are. [token, d_model]"""
    return X


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
    """The vectors that leave the layer: what attention mixed is added and normed, then the feed-forward layer's alike.

    X: [token, d_model]    mixed: [token, n_heads · d_head]    returns: [token, d_model]
    """
    X = _normed(settings, tensors, f"{layer}.norm_1", X + linear(mixed, tensors, f"{layer}.O"))
    made = linear(gelu(linear(X, tensors, f"{layer}.up")), tensors, f"{layer}.down")
    return _normed(settings, tensors, f"{layer}.norm_2", X + made)


def last_vectors(settings: Settings, tensors: Tensors, X: Array) -> Array:
    """The vectors that leave the last layer, which are normed already: [token, d_model]."""
    return X


def _normed(settings: Settings, tensors: Tensors, name: str, X: Array) -> Array:
    return layer_norm(X, tensors[name], tensors[f"{name}.bias"], settings.norm_epsilon)
