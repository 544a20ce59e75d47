"""The bend in a feed-forward layer, number by number. Each works in few passes, for these tables are large."""

import math

import numpy as np

from attention_core.checks import Array


def silu(X: Array) -> Array:
    """X · sigmoid(X), as in the Llama family (Elfwing et al. 2018; Shazeer 2020, "GLU Variants Improve Transformer").

    >>> silu(np.array([0.0, -1e4])).tolist()
    [0.0, -0.0]
    """
    with np.errstate(over="ignore"):  # e^10000 is infinite, and a number divided by it is 0
        bent = np.exp(-X)
    bent += 1
    np.divide(X, bent, out=bent)
    return bent


def gelu_by_tanh(X: Array) -> Array:
    """X · (1 + tanh(sqrt(2/π) · (X + 0.044715 X³))) / 2, as in GPT-2 (Hendrycks and Gimpel 2016, section 2).

    >>> gelu_by_tanh(np.array([0.0, 9.0])).tolist()
    [0.0, 9.0]
    """
    bent = X * X
    bent *= 0.044715
    bent += 1
    bent *= X
    bent *= math.sqrt(2 / math.pi)
    return _gate(X, np.tanh(bent, out=bent))


def gelu(X: Array) -> Array:
    """X · (1 + erf(X / sqrt(2))) / 2, as in BERT (Hendrycks and Gimpel 2016, section 2).

    >>> gelu(np.array([0.0, 9.0])).tolist()
    [0.0, 9.0]
    """
    return _gate(X, erf(X / X.dtype.type(math.sqrt(2))))


def erf(X: Array) -> Array:
    """The error function, 2/sqrt(π) · ∫ e^(-t²) dt from 0 to X, to within 2e-7.

    Source: Abramowitz and Stegun 1964, "Handbook of Mathematical Functions", formula 7.1.26.

    >>> round(float(erf(np.array([0.5]))[0]), 6)
    0.5205
    """
    size = np.abs(X)
    t = 1 / (1 + 0.3275911 * size)
    series = t * 1.061405429
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series += coefficient
        series *= t
    np.multiply(size, size, out=size)
    series *= np.exp(np.negative(size, out=size), out=size)
    return np.copysign(1 - series, X)


def _gate(X: Array, bend: Array) -> Array:
    """X · (1 + bend) / 2, in the place of bend."""
    bend += 1
    bend *= X
    bend *= 0.5
    return bend
