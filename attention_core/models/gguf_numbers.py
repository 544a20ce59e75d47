"""The numbers of a .gguf file: which of its types are read, and how a block of bytes becomes float32."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from attention_core.checks import Array
from attention_core.models.gguf_header import Header, TensorPlace
from attention_core.models.refusal import ModelFileError
from attention_core.models.stored import Block

if TYPE_CHECKING:
    from gguf import GGMLQuantizationType

READ = ("F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K")


def blocks(header: Header) -> dict[str, Block]:
    """Every tensor of the file by its own name, once it is sure that the file holds it.

    Raises ModelFileError for a type that is not read, and for a tensor that is not wholly in the file.
    """
    found = {name: _block(header, place) for name, place in header.tensors.items()}
    end, before = header.numbers_at, "the header"
    for block in sorted(found.values(), key=lambda block: block.offset):
        if block.offset < end:
            raise ModelFileError(header.file.path, f"{block.name} lies over {before}")
        end, before = block.offset + block.shape[0] * block.bytes_per_row, block.name
    return found


def _block(header: Header, place: TensorPlace) -> Block:
    from gguf import GGML_QUANT_SIZES

    path, kind = header.file.path, _type(header, place)
    per_block, bytes_per_block = GGML_QUANT_SIZES[kind]
    if place.shape[-1] % per_block or min(place.shape) < 1:
        raise ModelFileError(path, f"{place.name} has the shape {place.shape}, which the type {kind.name} cannot have")
    numbers_per_row = math.prod(place.shape[1:])
    bytes_per_row = numbers_per_row * bytes_per_block // per_block
    shape: tuple[int, ...] = (place.shape[0], *place.shape[1:])
    if len(shape) == 1 and per_block > 1:
        raise ModelFileError(path, f"{place.name} is one vector: it must be F32, F16 or BF16, but is {kind.name}")
    offset = header.numbers_at + place.offset
    if offset + shape[0] * bytes_per_row > header.file.size:
        raise ModelFileError(path, f"is cut short: {place.name} ends past the end of the file")
    return Block(
        file=header.file, name=place.name, offset=offset, shape=shape, bytes_per_row=bytes_per_row,
        decode=_decoder(kind),
    )  # fmt: skip


def _type(header: Header, place: TensorPlace) -> "GGMLQuantizationType":
    from gguf import GGMLQuantizationType

    known = {kind.value: kind for kind in GGMLQuantizationType}
    kind = known.get(place.type_number)
    if kind is None or kind.name not in READ:
        name = f"the unknown type {place.type_number}" if kind is None else f"the type {kind.name}"
        raise ModelFileError(
            header.file.path, f"{place.name} is stored in {name}; the types {', '.join(READ)} can be read"
        )
    return kind


def _decoder(kind: "GGMLQuantizationType") -> Callable[[Array], Array]:
    """What turns bytes of a type into numbers: one long row at a time, so that the package does not cut it up."""
    from gguf import dequantize

    if kind.name == "F32":
        return lambda raw: raw.reshape(-1).view("<f4")
    if kind.name == "F16":
        return lambda raw: raw.reshape(-1).view("<f2").astype(np.float32)
    return lambda raw: np.asarray(dequantize(raw.reshape(1, -1), kind), dtype=np.float32)
