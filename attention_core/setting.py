"""What a person may change about two queries by hand: one small frozen value, with a text form for an address."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

LARGEST = 1e6
LONGEST_LINK_VALUE = 400
ARRAYS = ("Q", "K", "V")
SIZES = {"Q": 2, "K": 3, "V": 3, "visible": 3}  # so many vectors, so many switches
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)

Vectors = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Setting:
    """Two queries, and three positions with a key, a value and a switch each. As it stands: the numbers of the lesson.

    Raises ValueError if there are more or fewer numbers, or one is not within ±1,000,000.
    """

    Q: Vectors = ((2.0, 0.0), (0.0, 2.0))
    K: Vectors = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
    V: Vectors = ((1.0, 0.0), (0.0, 2.0), (3.0, 3.0))
    visible: tuple[bool, ...] = (True, True, False)

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            checked: Any = _switches(given) if field.name == "visible" else _vectors(field.name, given)
            if len(checked) != SIZES[field.name]:
                raise ValueError(f"there must be {SIZES[field.name]} of {field.name}, but there are {len(checked)}")
            object.__setattr__(self, field.name, checked)

    def with_number(self, array: str, row: int, column: int, value: float) -> "Setting":
        """The same with one number changed: array "Q", "K" or "V", row and column from 0.

        Raises ValueError if there is no such place or the number is not within ±1,000,000.
        """
        if array not in ARRAYS:
            raise ValueError(f"an array to change must be one of {', '.join(ARRAYS)}, but it is {array!r}")
        changed = [list(vector) for vector in getattr(self, array)]
        if not (0 <= row < len(changed) and 0 <= column < len(changed[row])):
            raise ValueError(f"{array} has no number at row {row}, column {column}")
        changed[row][column] = value
        edited: Any = {array: changed}
        return replace(self, **edited)

    def link(self) -> dict[str, str]:
        """The text form for an address: only what differs from the lesson's numbers.

        >>> Setting(visible=(True, True, True)).link()
        {'visible': '1,1,1'}
        """
        return {
            name.lower(): ";".join(vectors) if name in ARRAYS else vectors[0]
            for name, vectors in self._changed_texts().items()
        }

    @classmethod
    def from_link(cls, link: Mapping[str, str]) -> "Setting":
        """Read the text form. What is missing or broken falls back to the lesson's numbers; other names are ignored.

        >>> Setting.from_link({"q": "5,0;0,2", "k": "nonsense"}).Q
        ((5.0, 0.0), (0.0, 2.0))
        """
        setting = cls()
        for field in fields(cls):
            text = link.get(field.name.lower())
            if not isinstance(text, str) or len(text) > LONGEST_LINK_VALUE:
                continue
            try:
                read: Any = read_switches(text) if field.name == "visible" else list(map(read_vector, text.split(";")))
                setting = replace(setting, **{field.name: read})
            except ValueError:
                continue
        return setting

    def command(self) -> str:
        """The command that prints this in a terminal.

        >>> Setting(visible=(True, True, True)).command()
        'python -m attention_core.two_queries --visible=1,1,1'
        """
        options = {"Q": "--query", "K": "--key", "V": "--value", "visible": "--visible"}
        words = [f"{options[name]}={text}" for name, texts in self._changed_texts().items() for text in texts]
        return " ".join(["python -m attention_core.two_queries", *words])

    def _changed_texts(self) -> dict[str, list[str]]:
        """What differs from the lesson's numbers: a text for each vector, and one for all switches."""
        return {
            field.name: [shown(vector) for vector in (value if field.name in ARRAYS else [value])]
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        }


def shown(values: Sequence[float]) -> str:
    """Numbers with commas between, each with the digits it needs: "2,0.25"."""
    return ",".join(repr(float(value)).removesuffix(".0") for value in values)


def read_vector(text: str) -> tuple[float, ...]:
    """Read two numbers, as in "2,0".

    Raises ValueError if they are something else, or not within ±1,000,000.
    """
    parts = [part.strip() for part in text.split(",")]
    values = tuple(float(part) for part in parts if NUMBER.fullmatch(part))
    if not len(values) == len(parts) == 2 or any(abs(value) > LARGEST for value in values):
        raise ValueError(f"must be 2 numbers within ±1,000,000, with commas between, but is {text!r}")
    return values


def read_switches(text: str) -> tuple[bool, ...]:
    """Read three switches, as in "1,1,0".

    Raises ValueError if they are something else.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3 or not set(parts) <= {"0", "1"}:
        raise ValueError(f"must be 3 switches, 0 or 1, with commas between, but is {text!r}")
    return tuple(part == "1" for part in parts)


def _vectors(name: str, given: Sequence[Sequence[float]]) -> Vectors:
    vectors = tuple(tuple(float(x) + 0.0 for x in vector) for vector in given)  # + 0.0: there is no −0
    for vector in vectors:
        if len(vector) != 2 or not all(math.isfinite(x) and abs(x) <= LARGEST for x in vector):
            raise ValueError(f"{name} must hold vectors of 2 numbers within ±1,000,000, but one is {vector}")
    return vectors


def _switches(given: Sequence[bool]) -> tuple[bool, ...]:
    if not all(type(switch) is bool for switch in given):
        raise ValueError(f"visible must hold True or False for each position, but it is {given!r}")
    return tuple(given)
