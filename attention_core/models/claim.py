"""A folder of its own for work that only one may do at a time; it is gone when the work is, however it ends."""

import atexit
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from attention_core.models.refusal import FetchError

SILENT = 60.0  # seconds without a sign of life, after which a claim counts as left behind


@contextmanager
def claimed(folder: Path, name: str) -> Iterator[Path]:
    """A new folder of this name, as long as nobody else has it. Give signs of life by `alive`.

    Raises FetchError if somebody else has it.
    """
    place = folder / name
    _clear_if_left_behind(place)
    try:
        place.mkdir()
    except FileExistsError:
        raise FetchError(
            f"This model is being fetched already. Wait until that is done; if it was ended by force, "
            f"try again in {SILENT:.0f} seconds."
        ) from None
    clear = partial(shutil.rmtree, place, ignore_errors=True)
    atexit.register(clear)  # for a program that ends while one of its threads is at work here
    try:
        yield place
    finally:
        clear()
        atexit.unregister(clear)


def alive(place: Path) -> None:
    """A sign of life of whoever works in a claimed folder."""
    os.utime(place)


def _clear_if_left_behind(place: Path) -> None:
    try:
        silent = abs(time.time() - place.lstat().st_mtime)  # the clock may have been set back meanwhile
    except FileNotFoundError:
        return
    if silent > SILENT:
        old = place.with_name(f"{place.name}-{uuid.uuid4().hex}")
        place.rename(old)  # of two who come at once, one alone can do this
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.unlink()
