"""Llama 3's stretched rotations as .gguf files keep them: one factor for each pair of numbers."""

import math
from pathlib import Path

import numpy as np

from attention_core.checks import Array
from attention_core.models.refusal import ModelFileError
from attention_core.models.settings import Llama3Scaling

# What all published models of Llama 3.1, 3.2 and 3.3 state; their `factor` is 8 or 32.
LOW, HIGH, ORIGINAL_LONGEST = 1.0, 4.0, 8192


def factors_of_scaling(scaling: Llama3Scaling, rotary_base: float, d_head: int) -> Array:
    """By what each pair's rotation is slowed down: [d_head / 2].

    Source: generate_extra_tensors of LlamaModel in convert_hf_to_gguf.py, https://github.com/ggml-org/llama.cpp
    """
    turns = scaling.original_longest * rotary_base ** (-np.arange(0, d_head, 2) / d_head) / (2 * math.pi)
    kept = ((turns - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor)).clip(0, 1)
    factors: Array = 1 / ((1 - kept) / scaling.factor + kept)
    return factors


def scaling_of_factors(path: Path, factors: Array, rotary_base: float, d_head: int) -> Llama3Scaling | None:
    """The scaling that gives these factors; None if they change nothing.

    Raises ModelFileError if they are not those of a Llama 3 model.
    """
    if factors.shape == (d_head // 2,) and (factors == 1).all():
        return None
    if factors.shape == (d_head // 2,) and factors.max() > 1:
        scaling = Llama3Scaling(
            factor=float(factors.max()), low_freq_factor=LOW, high_freq_factor=HIGH, original_longest=ORIGINAL_LONGEST
        )
        if np.allclose(factors_of_scaling(scaling, rotary_base, d_head), factors, rtol=1e-5, atol=0):
            return scaling
    raise ModelFileError(
        path,
        "its rope_freqs.weight must hold the rotation factors of Llama 3 (low 1, high 4, for 8192 tokens at first), "
        "but holds others; such a model can be read as a Hugging Face folder",
    )
