"""What must hold of the arrays that a builder of markup is given."""

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array, numbers


def shaped(name: str, given: ArrayLike, **sizes: int) -> Array:
    """Return `given` as an array of numbers with exactly the named axes, as in shaped("K", K, key=10, d_head=4).

    Raises ValueError if the shape is another one or an entry is not finite.
    """
    return _with_shape(name, numbers(name, given, " ".join(sizes)), sizes)


def shaped_scores(name: str, given: ArrayLike, **sizes: int) -> Array:
    """Like `shaped`, but an entry may also be −∞: so a hidden score is written.

    Raises ValueError if the shape is another one or an entry is NaN or +∞.
    """
    return _with_shape(name, numbers(name, given, " ".join(sizes), allow_minus_inf=True), sizes)


def shaped_mask(name: str, given: ArrayLike, **sizes: int) -> Array:
    """Return a mask with exactly the named axes; True = may look at.

    Raises ValueError if it is not boolean or the shape is another one.
    """
    array = np.asarray(given)
    if array.dtype != bool:
        raise ValueError(f"{name} must be boolean (True = may look at), but its type is {array.dtype}")
    return _with_shape(name, array, sizes)


def _with_shape(name: str, array: Array, sizes: dict[str, int]) -> Array:
    must = tuple(sizes.values())
    if array.shape != must:
        raise ValueError(f"{name} must have the shape [{', '.join(sizes)}] = {must}, but its shape is {array.shape}")
    return array
