"""Numbers as they lie in a file: read by rows, a piece at a time, and only where the file holds what it states.

Files are read, not mapped into memory: a mapped file that is cut short by somebody else ends the whole program.
"""

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attention_core.checks import Array
from attention_core.models.refusal import ModelFileError, os_reason

NUMBERS_AT_ONCE = 1 << 18  # decoded at a time: they stay in the processor's cache


class FileMark(NamedTuple):
    """What tells a file from another one that took its place."""

    path: Path
    size: int  # bytes
    changed: int  # ns

    @classmethod
    def of(cls, path: Path) -> "FileMark":
        """The mark of a file as it is now. Raises OSError."""
        about = os.stat(path)
        return cls(path, about.st_size, about.st_mtime_ns)


@dataclass(frozen=True, kw_only=True)
class Block:
    """Rows of numbers that lie one after the other in a file. A vector is one row for each of its numbers."""

    file: FileMark
    name: str  # as the file calls it
    offset: int  # bytes
    shape: tuple[int, ...]
    bytes_per_row: int
    decode: Callable[[Array], Array]  # bytes [rows, bytes_per_row] → float32 [rows, ...]

    def rows(self, start: int = 0, stop: int | None = None, done: Callable[[int], None] | None = None) -> Array:
        """The rows from `start` until before `stop`, as float32.

        done: told how many numbers each piece held, once it is read; it may raise to stop

        Raises ModelFileError if the file changed or vanished, or if a number in it is none.
        """
        stop = self.shape[0] if stop is None else stop
        numbers = np.empty((stop - start, *self.shape[1:]), dtype=np.float32)
        at_once = max(1, NUMBERS_AT_ONCE // max(1, math.prod(self.shape[1:])))
        try:
            with open(self.file.path, "rb", buffering=0) as file:
                self._require_the_same(os.fstat(file.fileno()))
                file.seek(self.offset + start * self.bytes_per_row)
                for first in range(0, stop - start, at_once):
                    piece = numbers[first : first + at_once]
                    piece[...] = self._decoded(file, len(piece)).reshape(piece.shape)
                    if done is not None:
                        done(piece.size)
        except OSError as error:
            raise ModelFileError(self.file.path, os_reason(error)) from None
        return numbers

    def picked(self, ids: Array) -> Array:
        """Some rows in any order, each read for itself."""
        return np.concatenate([self.rows(row, row + 1) for row in ids.tolist()] or [self.rows(0, 0)])

    def _decoded(self, file: FileIO, n_rows: int) -> Array:
        raw = np.empty((n_rows, self.bytes_per_row), dtype=np.uint8)
        if file.readinto(raw.data) != raw.size:
            raise ModelFileError(self.file.path, f"ends within {self.name}")
        with np.errstate(all="ignore"):
            numbers = self.decode(raw)
            finite = np.isfinite(numbers.sum()) or np.isfinite(numbers).all()
        if not finite:
            raise ModelFileError(self.file.path, f"{self.name} holds a number that is not finite (NaN or infinity)")
        return numbers

    def _require_the_same(self, now: os.stat_result) -> None:
        if (now.st_size, now.st_mtime_ns) != (self.file.size, self.file.changed):
            raise ModelFileError(self.file.path, "has changed since it was opened: load it again")


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A tensor of a model: which rows of a block it is, and how they are put in order."""

    block: Block
    start: int = 0
    stop: int | None = None  # rows of the block
    arranged: Callable[[Array], Array] | None = None  # what is done to the whole, once it is read
    shape: tuple[int, ...]

    @property
    def numbers_read(self) -> int:
        """How many numbers are read for it, those that are left out again with them."""
        stop = self.block.shape[0] if self.stop is None else self.stop
        return (stop - self.start) * math.prod(self.block.shape[1:])

    def whole(self, done: Callable[[int], None] | None = None) -> Array:
        """All its numbers, float32."""
        numbers = self.block.rows(self.start, self.stop, done)
        return numbers if self.arranged is None else np.ascontiguousarray(self.arranged(numbers))

    def rows(self, which: slice | Sequence[int]) -> Array:
        """Some of its rows: a range is read at once, others one by one.

        Raises IndexError if there is no such row.
        """
        if self.arranged is not None:
            return self.whole()[which]
        places = np.arange(self.shape[0])[which]
        if places.size > 1 and (np.diff(places) == 1).all():
            return self.block.rows(self.start + int(places[0]), self.start + int(places[-1]) + 1)
        return self.block.picked(self.start + places)
