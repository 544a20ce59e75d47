"""What must hold of the fields of a recording, so that a damaged one is refused by the name of the field."""

from typing import Any

import numpy as np

from attention_core.checks import Array, quoted


def text(name: str, given: Any) -> str:
    """A text. Raises ValueError."""
    if not isinstance(given, str):
        raise ValueError(f"{name} must be a text, but it is {quoted(given)}")
    return given


def texts(name: str, given: Any, n: int) -> tuple[str, ...]:
    """So many texts. Raises ValueError."""
    if not isinstance(given, list | tuple) or len(given) != n or not all(isinstance(one, str) for one in given):
        raise ValueError(f"{name} must be {n} texts, but it is {quoted(given)}")
    return tuple(given)


def flag(name: str, given: Any) -> bool:
    """True or False. Raises ValueError."""
    if not isinstance(given, bool):
        raise ValueError(f"{name} must be true or false, but it is {quoted(given)}")
    return given


def counts(name: str, given: Any) -> tuple[int, int]:
    """Two whole numbers from 0. Raises ValueError."""
    whole = isinstance(given, list | tuple) and len(given) == 2 and all(type(one) is int and one >= 0 for one in given)
    if not whole:
        raise ValueError(f"{name} must be two whole numbers from 0, but it is {quoted(given)}")
    return given[0], given[1]


def chances(name: str, given: Any) -> tuple[tuple[str, float], ...]:
    """Tokens with their probabilities. Raises ValueError."""
    for one in given if isinstance(given, list) and given else [given]:
        is_pair = isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and type(one[1]) in (int, float)
        if not is_pair or not 0 <= one[1] <= 1:
            raise ValueError(f"{name} must be tokens with probabilities from 0 to 1, but there is {quoted(one)}")
    return tuple((token, float(chance)) for token, chance in given)


def finite(name: str, given: Array, shape: tuple[int, ...]) -> Array:
    """Finite numbers of this shape. Raises ValueError."""
    if given.shape != shape or given.dtype.kind != "f" or not np.isfinite(given).all():
        found = f"{given.dtype} {given.shape}" + (" with NaN or infinity" if given.shape == shape else "")
        raise ValueError(f"{name} must be finite numbers of the shape {shape}, but it is {found}")
    return given
