"""What a model's file states about itself, taken out one by one: each of the right kind, or refused by its name."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attention_core.checks import quoted
from attention_core.models.refusal import ModelFileError

LARGEST = 10**9


class Stated:
    """The settings in a file by their names; `before` stands in front of each name."""

    def __init__(self, path: Path, values: Mapping[str, Any], before: str = "") -> None:
        self.path, self.before = path, before
        self._values = values

    def get(self, name: str, default: Any = None) -> Any:
        """A setting as it stands there; null counts as not stated."""
        value = self._values.get(self.before + name)
        return default if value is None else value

    def whole(self, *names: str, default: int | None = None) -> int:
        """A whole number from 1, by the first of these names that the file has."""
        name, value = self._first(names, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST:
            raise self.refusal(f"{name} must be a whole number from 1 to {LARGEST}, but is {quoted(value)}")
        return value

    def positive(self, *names: str, default: float | None = None) -> float:
        """A positive number."""
        name, value = self._first(names, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= sys.float_info.max:
            raise self.refusal(f"{name} must be a positive number, but is {quoted(value)}")
        return float(value)

    def require(self, name: str, *allowed: Any, default: Any = None) -> None:
        """Refuse the file unless a setting is one of those that can be run here; a missing one is `default`."""
        value = self.get(name, default)
        if not any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in allowed):
            can = " or ".join(repr(one) for one in allowed)
            raise self.refusal(f"{self.before}{name} is {quoted(value)}; only {can} can be run here")

    def refusal(self, reason: str) -> ModelFileError:
        return ModelFileError(self.path, reason)

    def _first(self, names: tuple[str, ...], default: Any) -> tuple[str, Any]:
        name = next((name for name in names if self.get(name) is not None), names[0])
        value = self.get(name, default)
        if value is None:
            raise self.refusal(f"does not state {self.before}{name}")
        return self.before + name, value
