"""A small Llama whose matrices are random blocks of bytes of one quantised type, the same ones wherever it is made.

The gguf package reads Q4_K, Q5_K and Q6_K but does not write them. It need not: whatever the bytes of a block are, they
stand for numbers. Only its scales, two bytes each, are set here, so that the numbers have a plain size around 0.
"""

import hashlib
from dataclasses import replace
from typing import NamedTuple

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Quantisation

from attention_core.checks import Array
from attention_core.models.settings import Settings
from attention_core.models.shapes import shapes
from tests.models import small_files

SETTINGS: Settings = replace(small_files.SETTINGS["wide"], longest=32)
IDS = np.random.default_rng(0).integers(0, SETTINGS.n_vocabulary, 24).tolist()


class Scales(NamedTuple):
    """Where a block keeps its scale, and how it is set: number = scale · (count of the block) + offset, or − offset."""

    at: int  # the byte where the scale begins; the offset's scale, if there is one, follows it
    offset: float | None  # in scales, so that the numbers lie around 0
    spread: float  # of the numbers, where the scale is 1


SCALES = {
    "Q4_0": Scales(0, None, 4.6), "Q4_1": Scales(0, -7.5, 4.6), "Q5_0": Scales(0, None, 9.2),
    "Q5_1": Scales(0, -15.5, 9.2), "Q8_0": Scales(0, None, 74.0), "Q4_K": Scales(0, 7.5, 258.0),
    "Q5_K": Scales(0, 15.5, 535.0), "Q6_K": Scales(208, None, 1365.0),
}  # fmt: skip


def raw_tensors(kind: str) -> dict[str, Array]:
    """Every tensor by the name used here: matrices as rows of bytes, norms as numbers around 1."""
    draw = np.random.default_rng(11)
    return {
        name: rows_of_blocks(kind, shape, spread_of(name, shape), draw)
        if len(shape) == 2
        else (1 + 0.3 * draw.normal(size=shape)).astype(np.float32)
        for name, shape in shapes(SETTINGS).items()
    }  # fmt: skip


def dequantised(kind: str) -> dict[str, Array]:
    """The same tensors as numbers, as the gguf package reads them."""
    return {
        name: gguf.dequantize(array, Quantisation[kind]) if array.dtype == np.uint8 else array
        for name, array in raw_tensors(kind).items()
    }


def sha256(kind: str) -> str:
    """Of the bytes of all tensors: whether they are those that the reference numbers were computed from."""
    return hashlib.sha256(b"".join(array.tobytes() for array in raw_tensors(kind).values())).hexdigest()


def spread_of(name: str, shape: tuple[int, ...]) -> float:
    """How far the numbers of a matrix lie from 0: what it hands on is about as large as what it is given."""
    if name == "embedding":
        return 1.0
    return (1.25 if name.endswith((".Q", ".K")) else 1.0) / float(np.sqrt(shape[1]))


def rows_of_blocks(kind: str, shape: tuple[int, ...], spread: float, draw: np.random.Generator) -> Array:
    """Random blocks, whose scales differ: [row, byte]."""
    scales, (per_block, n_bytes) = SCALES[kind], gguf.GGML_QUANT_SIZES[Quantisation[kind]]
    blocks = draw.integers(0, 256, (shape[0] * shape[1] // per_block, n_bytes), dtype=np.uint8)
    scale = spread / scales.spread * draw.choice([0.5, 1.0, 1.5], len(blocks))
    both = [scale] if scales.offset is None else [scale, scale * scales.offset]
    for place, one in enumerate(both):
        at = scales.at + 2 * place
        blocks[:, at : at + 2] = one.astype("<f2")[:, None].view(np.uint8)
    return blocks.reshape(shape[0], -1)
