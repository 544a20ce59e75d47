"""The bend in a feed-forward layer, number by number. Each works in few passes, for these tables are large."""

import math

import numpy as np

from attention_core.checks import Array

# Of X, X³, X⁵ … X¹³ in artanh(erf(X / sqrt(2))).
TERMS = (0.797884216, 0.0363342835, -3.31299941e-05, -5.52401584e-05, 3.96910945e-06, -1.33446409e-07, 1.80561641e-09)


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
    """X · (1 + erf(X / sqrt(2))) / 2, as in BERT (Hendrycks and Gimpel 2016, section 2), to within 3e-7.

    >>> gelu(np.array([0.0, 9.0], dtype=np.float32)).tolist()
    [0.0, 9.0]
    """
    return _gate(X, erf_of_root_half(X))


def erf_of_root_half(X: Array) -> Array:
    """The error function of X / sqrt(2), to within 3e-7: NumPy has none.

    tanh of an odd polynomial, as in GPT-2's form, but with seven terms. They were fitted to artanh(erf(X / sqrt(2)))
    by least squares, weighted so that the largest error of gelu becomes least. Past 5.8 it is 1 in single precision.

    >>> round(float(erf_of_root_half(np.array([1.0]))[0]), 5)  # how much of a bell curve lies within one deviation
    0.68269
    """
    squares = X * X
    np.minimum(squares, 5.8**2, out=squares)
    series = squares * TERMS[-1]
    for term in TERMS[-2:0:-1]:
        series += term
        series *= squares
    series += TERMS[0]
    series *= X
    return np.tanh(series, out=series)


def _gate(X: Array, bend: Array) -> Array:
    """X · (1 + bend) / 2, in the place of bend."""
    bend += 1
    bend *= X
    bend *= 0.5
    return bend
