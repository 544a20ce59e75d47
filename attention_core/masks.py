"""Masks by their names: none, causal, and a sliding window."""

import re

import numpy as np

from attention_core.attention import causal_mask
from attention_core.checks import Array, quoted

MASKS = ("causal", "none")
WINDOW = re.compile(r"window (\d{1,4})", re.ASCII)


def window_mask(n: int, width: int) -> Array:
    """Each token sees itself and the width - 1 tokens before it: [query, key], True = may look at.

    As in Mistral 7B, whose window is 4,096 tokens wide (Jiang et al. 2023, section 2).

    Raises ValueError if the window is not at least 1 token wide.

    >>> window_mask(3, 2).tolist()
    [[True, False, False], [True, True, False], [False, True, True]]
    """
    if width < 1:
        raise ValueError(f"a window must be at least 1 token wide, but it is {width}")
    mask: Array = causal_mask(n) & ~np.tri(n, n, -width, dtype=bool)
    return mask


def named_mask(name: str, n: int) -> Array:
    """The mask of a name, for n tokens: [query, key], True = may look at.

    Raises ValueError for a name that does not exist, naming those that do.
    """
    if name == "none":
        return np.ones((n, n), dtype=bool)
    if name == "causal":
        return causal_mask(n)
    window = WINDOW.fullmatch(name)
    if not window:
        raise ValueError(f"mask must be causal, none, or a window such as window 3, but it is {quoted(name)}")
    return window_mask(n, int(window[1]))
