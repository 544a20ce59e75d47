"""Small pictures of few colours as PNG, for pictures made of many cells."""

import base64
import struct
import zlib
from collections.abc import Sequence

import numpy as np

from attention_core.checks import Array

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def indexed_png(places: Array, colours: Sequence[str]) -> bytes:
    """A picture whose dots are places in a list of colours, "#RRGGBB"; a dot beyond the list is clear.

    places: [row, column] from 0    colours: at most 255; those that are not used are left out

    Source: Portable Network Graphics specification, third edition.
    """
    height, width = places.shape
    used, dots = np.unique(places.clip(0, len(colours)), return_inverse=True)
    palette = b"".join(bytes.fromhex([*colours, "#000000"][place][1:]) for place in used)
    opaque = bytes(255 * (place < len(colours)) for place in used)
    dots = dots.reshape(places.shape).astype(np.uint8)
    lines = b"".join(b"\0" + line.tobytes() for line in dots)  # each with the filter "none"
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),  # 8 bits a dot, from a palette
        b"PLTE": palette,
        b"tRNS": opaque,
        b"IDAT": zlib.compress(lines, 9),
        b"IEND": b"",
    }
    return SIGNATURE + b"".join(_chunk(kind, content) for kind, content in chunks.items())


def data_address(png: bytes) -> str:
    """A PNG as an address that holds it whole."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
