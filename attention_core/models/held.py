"""A model's tensors in memory, or left in the file until they are used."""

import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from threading import Lock
from typing import Literal

import numpy as np

from attention_core.checks import Array
from attention_core.models.progress import Progress, Stopped
from attention_core.models.stored import Stored

MOST_THREADS = 4
SECONDS_BETWEEN_REPORTS = 0.05
BYTES_PER_NUMBER = 4  # float32


class InMemory:
    """Every tensor as an array that nobody may write to."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._arrays = dict(arrays)
        for array in self._arrays.values():
            array.flags.writeable = False

    def __getitem__(self, name: str) -> Array:
        return self._arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self._arrays

    def rows(self, name: str, rows: Sequence[int] | slice) -> Array:
        """Some rows of a tensor, as in `tensors[name][rows]`."""
        found: Array = self._arrays[name][rows]
        return found


class InFile:
    """Every tensor left in the file: read and dequantised when it is asked for, and not kept."""

    def __init__(self, stored: Mapping[str, Stored]) -> None:
        self._stored = dict(stored)

    def __getitem__(self, name: str) -> Array:
        return self._stored[name].whole()

    def __contains__(self, name: object) -> bool:
        return name in self._stored

    def rows(self, name: str, rows: Sequence[int] | slice) -> Array:
        """Some rows of a tensor; no others are read."""
        return self._stored[name].rows(rows)


def bytes_in_memory(stored: Mapping[str, Stored]) -> int:
    """How many bytes the tensors take once they are read; one that has two names counts once."""
    return BYTES_PER_NUMBER * sum(math.prod(tensor.shape) for tensor in set(stored.values()))


def read_into_memory(stored: Mapping[str, Stored], progress: Progress | None = None) -> InMemory:
    """Read and dequantise every tensor, several at a time.

    A layer's matrices lie in memory column by column: a product X·Wᵀ of few tokens is a third quicker so. The
    vocabulary's lies row by row, for its rows are asked for.

    Raises ModelFileError, and whatever `progress` raises to stop the work.
    """
    by_columns = {tensor for name, tensor in stored.items() if name[0].isdigit()}
    tensors = sorted(set(stored.values()), key=lambda tensor: -math.prod(tensor.shape))
    tally = _Tally(sum(tensor.numbers_read for tensor in tensors))
    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as pool:
        reading = {
            tensor: pool.submit(_read, tensor, "F" if tensor in by_columns else "C", tally) for tensor in tensors
        }
        try:
            _watch(list(reading.values()), tally, progress or (lambda fraction: None))
        except BaseException:
            tally.stopped = True
            pool.shutdown(cancel_futures=True)
            raise
    return InMemory({name: reading[tensor].result() for name, tensor in stored.items()})


class _Tally:
    """How many numbers have been read, by all threads together."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.stopped, self._lock = total, 0, False, Lock()

    def add(self, n_numbers: int) -> None:
        if self.stopped:
            raise Stopped
        with self._lock:
            self.done += n_numbers


def _read(tensor: Stored, order: Literal["C", "F"], tally: _Tally) -> Array:
    """All numbers of a tensor, row by row ("C") or column by column ("F")."""
    return np.asarray(tensor.whole(tally.add), order=order)


def _watch(reading: list[Future[Array]], tally: _Tally, progress: Progress) -> None:
    """Report until all is read, or raise what stopped one of them."""
    left = set(reading)
    while left:
        progress(tally.done / tally.total)
        finished, left = wait(left, timeout=SECONDS_BETWEEN_REPORTS, return_when=FIRST_EXCEPTION)
        for future in finished:
            future.result()
    progress(1.0)
