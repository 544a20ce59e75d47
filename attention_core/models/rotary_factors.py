"""By what Llama 3 slows its rotations down for long texts: one factor for each pair of numbers."""

import math
from pathlib import Path

import numpy as np

from attention_core.checks import Array
from attention_core.models.refusal import ModelFileError


def llama3_factors(
    rotary_base: float,
    d_head: int,
    *,
    factor: float,
    low_freq_factor: float,
    high_freq_factor: float,
    original_longest: int,
) -> tuple[float, ...]:
    """The factors of a `rope_scaling` of the type "llama3": slow turns `factor`, quick ones 1, a glide between the two.

    returns: one for each pair of numbers of a head

    Source: apply_scaling in model.py of Meta's llama-models, https://github.com/meta-llama/llama-models
    """
    turns = original_longest * rotary_base ** (-np.arange(0, d_head, 2) / d_head) / (2 * math.pi)  # in so many tokens
    kept = ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clip(0, 1)
    return tuple((1 / ((1 - kept) / factor + kept)).tolist())


def stored_factors(path: Path, factors: Array, d_head: int) -> tuple[float, ...] | None:
    """The factors that a .gguf file holds as they are, whatever settings they were made of; None if all are 1.

    Raises ModelFileError unless there is one for each pair of numbers and none is below 1: rotations are never sped up,
    and what is below 1 may be the rotations themselves.

    Source: rope_freqs in build_llama of llama.cpp, https://github.com/ggml-org/llama.cpp
    """
    if factors.shape != (d_head // 2,) or factors.min() < 1:
        raise ModelFileError(
            path,
            f"its rope_freqs.weight must hold {d_head // 2} factors of at least 1, by which rotations are slowed down, "
            f"but its shape is {factors.shape} and its least number {factors.min():.3g}",
        )
    return None if (factors == 1).all() else tuple(factors.tolist())
