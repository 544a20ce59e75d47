"""Numbers in .safetensors files: one file, or shards with a list of which tensor lies where."""

import json
import math
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from attention_core.checks import Array, quoted
from attention_core.models.json_file import read_json
from attention_core.models.refusal import ModelFileError, os_reason, printable
from attention_core.models.stored import Block, FileMark

ONE_FILE, LIST_OF_SHARDS = "model.safetensors", "model.safetensors.index.json"
BYTES = {"F32": 4, "F16": 2, "BF16": 2}


def blocks_of_folder(folder: Path, ignored: Callable[[str], bool]) -> dict[str, Block]:
    """Every tensor of a folder's model by its own name, but for those that are `ignored`.

    Raises ModelFileError if a file is missing, damaged, or holds a type that is not read.
    """
    if (folder / ONE_FILE).exists():
        return blocks_of_file(folder / ONE_FILE, ignored)
    if not (folder / LIST_OF_SHARDS).exists():
        raise ModelFileError(folder, f"has no {ONE_FILE} and no {LIST_OF_SHARDS}")
    found: dict[str, Block] = {}
    for shard in _shards(folder / LIST_OF_SHARDS):
        found |= blocks_of_file(folder / shard, ignored)
    return found


def _shards(path: Path) -> list[str]:
    """The names of the files that together hold the model."""
    listed = read_json(path).get("weight_map")
    if not isinstance(listed, dict) or not listed or not all(isinstance(name, str) for name in listed.values()):
        raise ModelFileError(path, 'must hold a "weight_map" from tensors to files')
    names = sorted(set(listed.values()))
    for name in names:
        if Path(name).name != name or printable(name) != name or not name.endswith(".safetensors"):
            raise ModelFileError(path, f"names the file {quoted(name)}, which is no .safetensors file in this folder")
    return names


def blocks_of_file(path: Path, ignored: Callable[[str], bool]) -> dict[str, Block]:
    """Every tensor of one file."""
    try:
        mark = FileMark.of(path)
        stated, numbers_at = _header(path)
    except OSError as error:
        raise ModelFileError(path, os_reason(error)) from None
    return {name: _block(mark, name, about, numbers_at) for name, about in stated.items() if not ignored(name)}


def _header(path: Path) -> tuple[dict[str, Any], int]:
    """What the head of a file states, once the safetensors package has found it sound; and where the numbers begin."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "numpy"):
            pass
    except SafetensorError as error:
        raise ModelFileError(path, f"is no sound .safetensors file, or is cut short ({error})") from None
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        stated = json.loads(file.read(length))
    stated.pop("__metadata__", None)
    return stated, 8 + length


def _block(mark: FileMark, name: str, about: dict[str, Any], numbers_at: int) -> Block:
    kind, shape = about["dtype"], tuple(about["shape"])
    if kind not in BYTES:
        raise ModelFileError(mark.path, f"{name} is stored as {kind}; {', '.join(BYTES)} can be read")
    if not shape or min(shape) < 1:
        raise ModelFileError(mark.path, f"{name} has the shape {shape}: it holds no rows of numbers")
    return Block(
        file=mark, name=name, offset=numbers_at + about["data_offsets"][0], shape=shape,
        bytes_per_row=BYTES[kind] * math.prod(shape[1:]), decode=partial(_decoded, kind),
    )  # fmt: skip


def _decoded(kind: str, raw: Array) -> Array:
    flat = raw.reshape(-1)
    if kind == "BF16":  # the upper half of a float32
        return (flat.view("<u2").astype(np.uint32) << 16).view(np.float32)
    return flat.view("<f4" if kind == "F32" else "<f2").astype(np.float32, copy=False)
