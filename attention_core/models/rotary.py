"""Rotary positions: each query and key is turned by its token's position, so that a score depends on the distance.

Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
"""

import math
from functools import lru_cache

import numpy as np

from attention_core.checks import Array
from attention_core.models.settings import Llama3Scaling, Settings


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

    angle = position · base^(-2 pair / d_head), in single precision like the models' own code. Kept for the next layer.
    """
    angles = np.arange(start, stop, dtype=np.float32)[:, None] * frequencies(settings)
    return np.cos(angles), np.sin(angles)


def frequencies(settings: Settings) -> Array:
    """By how many radians each pair of numbers turns from one token to the next: [d_head / 2]."""
    plain = settings.rotary_base ** (-np.arange(0, settings.d_head, 2) / settings.d_head)
    scaled = plain if settings.rotary_scaling is None else stretched(plain, settings.rotary_scaling)
    return scaled.astype(np.float32)


def stretched(plain: Array, scaling: Llama3Scaling) -> Array:
    """The frequencies of Llama 3: slow turns slower by `factor`, quick ones as they were, a glide between the two.

    Source: apply_scaling in model.py of Meta's llama-models, https://github.com/meta-llama/llama-models
    """
    turns_made = scaling.original_longest * plain / (2 * math.pi)  # over the longest text of the first training
    slow, quick = scaling.low_freq_factor, scaling.high_freq_factor
    kept = ((turns_made - slow) / (quick - slow)).clip(0, 1)
    glided: Array = (1 - kept) * plain / scaling.factor + kept * plain
    return glided
