"""The models on this machine: those in one folder, listed by what they are, and loaded.

A model is a .gguf file or a folder with config.json. Nothing outside the folder is read: a link that leads out of it is
refused, so that what is shown as being in the folder is there.
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from attention_core.models.folder_tokenizer import tokenizer_of_folder
from attention_core.models.gguf_file import open_gguf
from attention_core.models.gguf_tokenizer import tokenizer_of_gguf
from attention_core.models.held import InFile, bytes_in_memory, read_into_memory
from attention_core.models.hf_folder import CONFIG, open_folder
from attention_core.models.model import Model
from attention_core.models.opened import Opened
from attention_core.models.ordinary import require_ordinary
from attention_core.models.progress import Progress
from attention_core.models.refusal import ModelFileError, os_reason, printable
from attention_core.models.settings import Family
from attention_core.models.stored import FileMark
from attention_core.models.tokenizer import Tokenizer

__all__ = ["Model", "ModelFile", "ModelFileError", "load", "models_folder", "models_in"]

FOLDER = Path(__file__).parents[2] / "models"
MOST_LISTED = 100  # models of the folder
LARGEST_GB = 4.0  # of numbers in memory, unless ATTENTION_MODEL_GB says otherwise


class ModelFile(NamedTuple):
    """A model in the folder, or why it is none."""

    path: Path
    name: str  # as a screen can show it
    size: int  # bytes on disk
    in_memory: int = 0  # bytes, once it is loaded
    family: Family | None = None
    refusal: str | None = None  # why it cannot be loaded: goes on from its name


def models_folder() -> Path:
    """The one folder that models are read from: `models` beside the app, or the one that ATTENTION_MODELS names."""
    return Path(os.environ.get("ATTENTION_MODELS") or FOLDER)


def models_in(folder: Path) -> list[ModelFile]:
    """What lies in the folder, by name; a broken model is listed with its refusal. Hidden names are left out.

    The first MOST_LISTED are listed; that there are more is said by the refusal of the folder itself, which comes last.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith(".") and _looks_like_one(path))
    except FileNotFoundError:
        return []
    except OSError as error:
        return [_refused(folder, os_reason(error))]
    listed = [_listed(path) for path in paths[:MOST_LISTED]]
    if len(paths) > MOST_LISTED:
        more = f"holds {len(paths)} models, of which the first {MOST_LISTED} by name are listed: move some away"
        listed.append(_refused(folder, more))
    return listed


def load(path: Path, *, lazily: bool = False, progress: Progress | None = None) -> Model:
    """Load a model: all its numbers, or, lazily, each when it is used.

    Raises ModelFileError if it cannot be read, is not one that can be run here, or is larger than the limit; what
    `progress` raises passes through.
    """
    opened = opened_model(path)
    if not lazily:
        _require_room(opened)
    tokenizer = _tokenizer(opened)
    try:
        tensors = InFile(opened.stored) if lazily else read_into_memory(opened.stored, progress)
    except MemoryError:
        needed = bytes_in_memory(opened.stored) / 1e9
        raise ModelFileError(path, f"needs {needed:.3g} GB of memory, but this computer has less left") from None
    about = f"The model in {printable(path.name)} computed it."
    return Model(settings=opened.settings, tensors=tensors, tokenizer=tokenizer, about=about)


def opened_model(path: Path) -> Opened:
    """A model's file with its head read and checked. Raises ModelFileError."""
    for file in _files_of(path):
        require_ordinary(file, within=path.parent)
    try:
        return open_folder(path) if path.is_dir() else open_gguf(path)
    except OSError as error:
        raise ModelFileError(path, os_reason(error)) from None


def _tokenizer(opened: Opened) -> Tokenizer:
    try:
        tokenizer = tokenizer_of_gguf(opened.fields) if opened.fields else tokenizer_of_folder(opened.path)
    except ValueError as error:
        raise ModelFileError(opened.path, f"its tokens cannot be read: {error}") from None
    largest, known = tokenizer.largest_id, opened.settings.n_vocabulary - 1
    if largest > known:
        raise ModelFileError(opened.path, f"the ids of its tokens go up to {largest}, but the model knows 0 to {known}")
    return tokenizer


def _require_room(opened: Opened) -> None:
    needed, most = bytes_in_memory(opened.stored) / 1e9, _most_gigabytes()
    if needed > most:
        raise ModelFileError(
            opened.path,
            f"needs {needed:.3g} GB of memory for its numbers, more than the limit of {most:g} GB. Read a layer "
            "at a time it needs less; ATTENTION_MODEL_GB sets another limit",
        )


def _most_gigabytes() -> float:
    """The limit that ATTENTION_MODEL_GB sets, if it is a positive number."""
    try:
        stated = float(os.environ.get("ATTENTION_MODEL_GB", LARGEST_GB))
    except ValueError:
        return LARGEST_GB
    return stated if stated > 0 else LARGEST_GB


def _looks_like_one(path: Path) -> bool:
    return path.suffix.lower() == ".gguf" or os.path.lexists(path / CONFIG)


def _files_of(path: Path) -> list[Path]:
    """The files that make up a model."""
    if not path.is_dir():
        return [path]
    kinds = ("config.json", "tokenizer.json", "tokenizer_config.json", "*.safetensors", "*.safetensors.index.json")
    return sorted(file for kind in kinds for file in path.glob(kind))


def _listed(path: Path) -> ModelFile:
    try:
        marks = tuple(FileMark.of(file) for file in _files_of(path))
    except OSError as error:
        return _refused(path, os_reason(error))
    return _described(path, marks)


def _refused(path: Path, reason: str, size: int = 0) -> ModelFile:
    return ModelFile(path, printable(path.name), size, refusal=printable(reason))


@lru_cache(maxsize=10 * MOST_LISTED)  # a cache smaller than the list would forget each model before it is asked again
def _described(path: Path, marks: tuple[FileMark, ...]) -> ModelFile:
    """A model as it is listed; read again only when its files have changed."""
    size = sum(mark.size for mark in marks)
    try:
        opened = opened_model(path)
    except ModelFileError as error:
        return _refused(path, error.reason_of(path), size)
    except Exception as error:  # whatever a file can bring about: it must not hide the other models
        return _refused(path, f"cannot be read: {type(error).__name__}: {error}", size)
    return ModelFile(path, printable(path.name), size, bytes_in_memory(opened.stored), opened.settings.family)
