"""A long text and weights as heads have them, for the app of the map and for its tests."""

import numpy as np

from attention_core.attention import softmax

TEXT = [
    " The",
    " cat",
    " sat",
    " on",
    " the",
    " mat",
    " because",
    " it",
    " was",
    " inter",
    "national",
    "ization",
    ".\n",
]
ODD = [
    "\n\n",
    " שלום",
    " 猫",
    " <b>x</b>",
    "",
    " 👩‍👩‍👧",
    " *x*",
    " é",
    "\u202e",
    " " + "long" * 50,
    ".",
    " שלום",
    "!",
    " עולם",
]


def long_text(n: int) -> list[str]:
    """The same sentence again and again, and after the third one the odd tokens."""
    return ([*TEXT * 3, *ODD] + TEXT * (n // len(TEXT) + 1))[:n]


def like_a_head(n: int) -> np.ndarray:
    """Causal weights [query, key]: the first token, the one before, an equal one before, and noise."""
    tokens = np.array(long_text(n))
    scores = np.random.default_rng(n).normal(size=(n, n))
    scores += 6 * (tokens[:, None] == tokens) - 20 * np.eye(n) + 5 * np.eye(n, k=-1)
    scores[:, 0] += 8
    return softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf)).astype(np.float32)


def another_head(n: int) -> np.ndarray:
    """Causal weights [query, key]: each query looks at all keys alike."""
    return (np.tri(n) / np.arange(1, n + 1)[:, None]).astype(np.float32)
