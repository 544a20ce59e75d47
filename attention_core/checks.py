"""What must hold of the arrays that a caller hands in, said clearly when it does not."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
LONGEST_ECHO = 60  # characters of what was given that a refusal repeats


def numbers(name: str, given: ArrayLike, axes: str, *, allow_minus_inf: bool = False) -> Array:
    """Return `given` as an array of finite floats whose last axes are `axes`, or refuse it with the place.

    `axes` names the last axes, as in "query d_head". Axes before them are allowed and counted as heads.

    Raises ValueError if there are too few axes, if an entry is no number, NaN or infinite
    (minus infinity passes with `allow_minus_inf`: it is how a hidden score is written).
    """
    try:
        array = np.asarray(given)
    except ValueError as ragged:
        raise ValueError(f"{name} must be one array with the axes [{_listed(axes)}]: {ragged}") from None
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold numbers, but its entries are of the type {array.dtype}")
    if array.ndim < len(axes.split()):
        raise ValueError(f"{name} must have the axes [{_listed(axes)}], but its shape is {array.shape}")
    if array.dtype.kind != "f" or array.dtype.itemsize < 4:  # half precision overflows at e^12
        array = array.astype(float)
    allowed = array < np.inf if allow_minus_inf else np.isfinite(array)
    if not allowed.all():
        place = tuple(int(i) for i in np.argwhere(~allowed)[0])
        raise ValueError(f"{name} must be finite, but at {_place(place, axes)} it is {array[place]}")
    return array


def quoted(given: object) -> str:
    """What was given, as a refusal repeats it: cut where it is long.

    >>> quoted("dog"), len(quoted("dog" * 1000))
    ("'dog'", 60)
    """
    whole = repr(given[: LONGEST_ECHO + 1] if isinstance(given, str | bytes | tuple | list) else given)
    return whole if len(whole) <= LONGEST_ECHO else f"{whole[: LONGEST_ECHO - 1]}…"


def _listed(axes: str) -> str:
    return ", ".join(axes.split())


def _place(place: tuple[int, ...], axes: str) -> str:
    """Name a place in an array: (2, 5) of the axes "query key" is "query 2, key 5"."""
    names = axes.split()
    extra = len(place) - len(names)
    leading = ["head"] if extra == 1 else [f"axis {i}" for i in range(extra)]
    return ", ".join(f"{axis} {i}" for axis, i in zip(leading + names, place, strict=True))
