"""Edits: single numbers that the learner set."""

from collections.abc import Sequence
from typing import NamedTuple

from attention_core.checks import Array, quoted

EDITABLE = ("X", "W_Q", "W_K", "W_V", "W_O", "V", "divisor", "scores", "mask")
LARGEST_EDIT = 1e6


class Edit(NamedTuple):
    """One number that the learner set: an entry of a named array.

    An edited score no longer depends on Q and K, an edited value no longer on W_V. In the mask 1 is True, 0 False.
    """

    array: str  # one of EDITABLE
    place: tuple[int, ...]  # one index for each axis of the array; none for the divisor
    value: float


class Editor:
    """Sets in each array what the edits of its name say, and keeps what stood there.

    Raises ValueError if an edit names no array that can be edited.
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self.edits = tuple(Edit(array, tuple(place), value) for array, place, value in edits)
        self._before: dict[tuple[str, tuple[int, ...]], float] = {}
        for edit in self.edits:
            if edit.array not in EDITABLE:
                raise ValueError(f"an edit must change one of {', '.join(EDITABLE)}, but it names {quoted(edit.array)}")

    def __call__(self, name: str, array: Array) -> Array:
        """A copy of the array of a name, with its edits.

        Raises ValueError if an edit names no place of the array, or a number that may not stand there.
        """
        array = array.copy()
        for _, place, value in (edit for edit in self.edits if edit.array == name):
            if len(place) != array.ndim or not all(0 <= i < n for i, n in zip(place, array.shape, strict=True)):
                raise ValueError(
                    f"an edit of {name} must name a place within its shape {array.shape}, but names {quoted(place)}"
                )
            if not abs(value) <= LARGEST_EDIT:  # also refuses NaN
                raise ValueError(f"an edited number must lie within ±{LARGEST_EDIT:,.0f}, but is {quoted(value)}")
            if name == "mask" and value not in (0, 1):
                raise ValueError(f"an edit of the mask must be 1 (may look at) or 0 (may not), but is {value}")
            self._before.setdefault((name, place), float(array[place]))
            array[place] = value
        return array

    @property
    def unedited(self) -> tuple[float, ...]:
        """For each edit the number that stood at its place."""
        return tuple(self._before[edit.array, edit.place] for edit in self.edits)
