"""Dots as a PNG file, for pictures of more cells than an SVG can hold."""

import struct
import zlib

import numpy as np

from attention_core.checks import Array

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def png(dots: Array) -> bytes:
    """The bytes of a PNG (ISO/IEC 15948).

    dots: [row, column, 4], red, green, blue and opacity, each from 0 to 255

    Raises ValueError if the shape or the type is another one, or if there is no dot.
    """
    if dots.ndim != 3 or dots.shape[-1] != 4 or dots.dtype != np.uint8 or not dots.size:
        raise ValueError(f"dots must be [row, column, 4] of the type uint8, but they are {dots.shape} {dots.dtype}")
    height, width, _ = dots.shape
    unfiltered = np.zeros((height, 1 + 4 * width), np.uint8)  # each row begins with its filter: none
    unfiltered[:, 1:] = dots.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)  # 8 bits, RGBA, not interlaced
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(unfiltered.tobytes())), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
