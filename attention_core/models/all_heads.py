"""All heads of a model at once: their maps, and how much of their weight rests on the first token."""

from attention_core.attention import attention_weights
from attention_core.checks import Array
from attention_core.models.run import Run


def weights_of_all_heads(run: Run) -> Array:
    """The map of every head: [layer, head, query, key]. For short texts: n² numbers for each head."""
    shared = run.settings.n_heads // run.settings.n_kv_heads
    by_group = run.Q.reshape(len(run.Q), run.settings.n_kv_heads, shared, *run.Q.shape[2:])
    whole: Array = attention_weights(by_group, run.K[:, :, None], run.mask())
    return whole.reshape(*run.Q.shape[:2], run.n_tokens, run.n_tokens)


def share_of_first(weights: Array) -> float:
    """How much of all weight rests on the first token, from 0 to 1: the mean over all heads and all later tokens.

    weights: [layer, head, query, key], of two tokens at least. The first token itself is left out: it may have no
    other to look at.

    Raises ValueError if there is no second token.
    """
    if weights.shape[-2] < 2:
        raise ValueError(f"weights must be of two tokens at least, but their shape is {weights.shape}")
    return float(weights[..., 1:, 0].mean(dtype=float))
