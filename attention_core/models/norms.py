"""Norms: each token's vector is brought to a common size before, or after, a step of the model."""

import numpy as np

from attention_core.checks import Array


def rms_norm(X: Array, weight: Array, epsilon: float) -> Array:
    """Each token's vector, divided by the root of its mean square, times a weight a dimension.

    X / sqrt(mean(X²) + epsilon) · weight        (Zhang and Sennrich 2019, "Root Mean Square Layer Normalization")

    X: [token, d_model]    weight: [d_model]    returns: [token, d_model]

    >>> rms_norm(np.array([[3.0, -3.0]]), np.array([1.0, 2.0]), 0.0).tolist()
    [[1.0, -2.0]]
    """
    normed = X / root_mean_square(X, epsilon)
    normed *= weight
    return normed


def layer_norm(X: Array, weight: Array, bias: Array, epsilon: float) -> Array:
    """Each token's vector, moved to mean 0 and spread 1, times a weight plus a bias a dimension.

    (X - mean) / sqrt(variance + epsilon) · weight + bias        (Ba et al. 2016, "Layer Normalization")

    X: [token, d_model]    weight, bias: [d_model]    returns: [token, d_model]

    >>> layer_norm(np.array([[1.0, 3.0]]), np.array([1.0, 2.0]), np.array([0.0, 5.0]), 0.0).tolist()
    [[-1.0, 7.0]]
    """
    normed = centred(X)
    normed /= root_mean_square(normed, epsilon)
    normed *= weight
    normed += bias
    return normed


def centred(X: Array) -> Array:
    """Each token's vector, less its mean: [token, d_model]."""
    less: Array = X - X.mean(axis=-1, keepdims=True)
    return less


def root_mean_square(X: Array, epsilon: float) -> Array:
    """sqrt(mean(X²) + epsilon) of each token's vector: [token, 1]."""
    squares = np.einsum("...d,...d->...", X, X)[..., None] / X.shape[-1]
    root: Array = np.sqrt(squares + X.dtype.type(epsilon))
    return root
