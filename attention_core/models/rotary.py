"""Rotary positions: each query and key is turned by its token's position, so that a score depends on the distance.

Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
"""

from functools import lru_cache

import numpy as np

from attention_core.checks import Array
from attention_core.models.settings import Settings


def rotated(X: Array, settings: Settings, start: int) -> Array:
    """Each token's vectors, turned by its position: number e with number e + d_head / 2.

    X: [token, head, d_head], of the positions from `start` on    returns: the same shape
    """
    cosine, sine = (part[:, None] for part in turns(settings, start, start + len(X)))
    half = X.shape[-1] // 2
    first, second = X[..., :half], X[..., half:]
    return np.concatenate([first * cosine - second * sine, second * cosine + first * sine], axis=-1)


@lru_cache(maxsize=2)
def turns(settings: Settings, start: int, stop: int) -> tuple[Array, Array]:
    """Cosine and sine of the angle by which each pair of numbers is turned at each position: [token, d_head / 2] each.

    angle = position · base^(-2 pair / d_head), slowed down by the pair's factor where there is one; in single precision
    like the models' own code. Kept for the next layer.
    """
    angles = np.arange(start, stop, dtype=np.float32)[:, None] * frequencies(settings)
    return np.cos(angles), np.sin(angles)


def frequencies(settings: Settings) -> Array:
    """By how many radians each pair of numbers turns from one token to the next: [d_head / 2]."""
    plain = settings.rotary_base ** (-np.arange(0, settings.d_head, 2) / settings.d_head)
    slowed_by = 1.0 if settings.rotary_scaling is None else np.array(settings.rotary_scaling)
    return (plain / slowed_by).astype(np.float32)
