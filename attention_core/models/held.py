"""A model's tensors in memory, or left in the file until they are used."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np

from attention_core.checks import Array
from attention_core.models.progress import Progress
from attention_core.models.stored import Stored

MOST_THREADS = 4
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
    return BYTES_PER_NUMBER * sum(int(np.prod(tensor.shape)) for tensor in set(stored.values()))


def read_into_memory(stored: Mapping[str, Stored], progress: Progress | None = None) -> InMemory:
    """Read and dequantise every tensor, several at a time.

    Raises ModelFileError, and whatever `progress` raises to stop the work.
    """
    report = progress or (lambda fraction: None)
    tensors = sorted(set(stored.values()), key=lambda tensor: -np.prod(tensor.shape))
    total, done, arrays = bytes_in_memory(stored), 0, {}
    report(0.0)
    with ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1)) as pool:
        try:
            waiting = {pool.submit(tensor.whole): tensor for tensor in tensors}
            for future in as_completed(waiting):
                arrays[waiting[future]] = future.result()
                done += arrays[waiting[future]].nbytes
                report(done / total)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return InMemory({name: arrays[tensor] for name, tensor in stored.items()})
