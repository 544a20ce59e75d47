"""What stands at the head of a .gguf file: its fields, and where each tensor lies. Nothing is believed before it fits.

The gguf package reads this too, but takes two seconds for it and believes the lengths that a file states.

Source of the layout: "GGUF", docs/gguf.md of https://github.com/ggml-org/ggml
"""

import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from attention_core.models.refusal import ModelFileError, os_reason
from attention_core.models.stored import FileMark

MAGIC = b"GGUF"
VERSIONS = (2, 3)
OTHER_KINDS = {
    b"\x89PNG": "a PNG picture", b"\xff\xd8\xff": "a JPEG picture", b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive", b"%PDF": "a PDF", b"<": "a web page",
    b"version https://git-lfs": "a Git LFS pointer",
    b"ggml": "a file of the time before GGUF", b"lmgg": "a file of the time before GGUF",
    b"tjgg": "a file of the time before GGUF", b"fmgg": "a file of the time before GGUF",
}  # fmt: skip
LONGEST_NAME = 65_535  # bytes
LONGEST_TEXT = 10_000_000  # bytes
LONGEST_LIST = 2_000_000  # entries
MOST_ENTRIES = 100_000  # fields, and tensors
MOST_AXES = 4
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, LIST, UNSIGNED_32 = 8, 9, 4
ALIGNMENT = "general.alignment"


class TensorPlace(NamedTuple):
    """Where a tensor lies, as the header states it."""

    name: str
    shape: tuple[int, ...]  # rows first, as in NumPy
    type_number: int
    offset: int  # bytes, from the beginning of the numbers


class Header(NamedTuple):
    """The head of a file."""

    file: FileMark
    fields: dict[str, Any]
    tensors: dict[str, TensorPlace]
    numbers_at: int  # bytes


def read_header(path: Path) -> Header:
    """The fields of a .gguf file, and the places of its tensors.

    Raises ModelFileError if it is no such file, is cut short, or states what cannot be.
    """
    try:
        with open(path, "rb") as file:
            return _Reader(file, path).header()
    except OSError as error:
        raise ModelFileError(path, os_reason(error)) from None


class _Reader:
    """Goes through a header from its beginning, and never beyond the end of the file."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        about = os.fstat(file.fileno())
        self.file, self.path, self.left = file, path, about.st_size
        self.mark = FileMark(path, about.st_size, about.st_mtime_ns)

    def header(self) -> Header:
        self._require_kind()
        n_tensors, n_fields = self._count("tensors"), self._count("fields")
        fields = self._by_name(n_fields, self._field, "field")
        tensors = self._by_name(n_tensors, self._tensor, "tensor")
        alignment = fields.get(ALIGNMENT, 32)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
            raise self._refusal(f"{ALIGNMENT} must be a power of two, but is {alignment!r}")
        return Header(self.mark, fields, tensors, -(-self.file.tell() // alignment) * alignment)

    def _require_kind(self) -> None:
        begin = self._bytes(min(self.left, 24))
        if not begin:
            raise self._refusal("is empty")
        if not begin.startswith(MAGIC):
            kind = next((f", but {kind}" for start, kind in OTHER_KINDS.items() if begin.startswith(start)), "")
            raise self._refusal(f"is no GGUF file{kind}")
        self.file.seek(len(MAGIC))
        self.left = self.mark.size - len(MAGIC)
        version = self._scalar(UNSIGNED_32)
        if version and version & 0xFFFF == 0:
            raise self._refusal("is written for big-endian machines; only little-endian GGUF files can be read")
        if version not in VERSIONS:
            raise self._refusal(f"is GGUF version {version}; versions 2 and 3 can be read")

    def _by_name(self, count: int, read: Callable[[], tuple[str, Any]], kind: str) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for _ in range(count):
            name, entry = read()
            if name in entries:
                raise self._refusal(f"has two {kind}s of the name {name!r}")
            entries[name] = entry
        return entries

    def _field(self) -> tuple[str, Any]:
        name = self._text(LONGEST_NAME)
        return name, self._value(self._scalar(UNSIGNED_32), name)

    def _value(self, kind: int, name: str) -> Any:
        if kind in SCALARS:
            return self._scalar(kind)
        if kind == TEXT:
            return self._text(LONGEST_TEXT)
        if kind == LIST:
            return self._list(name)
        raise self._refusal(f"the field {name!r} is of the kind {kind}, which GGUF does not have")

    def _list(self, name: str) -> list[Any]:
        kind, count = self._scalar(UNSIGNED_32), self._scalar(10)
        if count > LONGEST_LIST:
            raise self._refusal(f"the list {name!r} states {count} entries; {LONGEST_LIST} are the most that are read")
        if kind == TEXT:
            return [self._text(LONGEST_TEXT) for _ in range(count)]
        if kind not in SCALARS:
            raise self._refusal(f"the list {name!r} holds entries of the kind {kind}: only numbers and texts are read")
        form = f"<{count}{SCALARS[kind]}"
        return list(struct.unpack(form, self._bytes(struct.calcsize(form))))

    def _tensor(self) -> tuple[str, TensorPlace]:
        name, n_axes = self._text(LONGEST_NAME), self._scalar(UNSIGNED_32)
        if not 1 <= n_axes <= MOST_AXES:
            raise self._refusal(f"the tensor {name!r} has {n_axes} axes; it must have 1 to {MOST_AXES}")
        lengths = struct.unpack(f"<{n_axes}Q", self._bytes(8 * n_axes))
        type_number, offset = struct.unpack("<IQ", self._bytes(12))
        return name, TensorPlace(name, lengths[::-1], type_number, offset)

    def _count(self, what: str) -> int:
        count: int = self._scalar(10)
        if count > MOST_ENTRIES:
            raise self._refusal(f"states {count} {what}; {MOST_ENTRIES} are the most that are read")
        return count

    def _text(self, longest: int) -> str:
        length = self._scalar(10)
        if length > min(longest, self.left):
            self._require_left(length)
            raise self._refusal(f"holds a text of {length} bytes in its header, more than the {longest} that fit there")
        return self._bytes(length).decode("utf-8", "replace")

    def _scalar(self, kind: int) -> Any:
        form = "<" + SCALARS[kind]
        return struct.unpack(form, self._bytes(struct.calcsize(form)))[0]

    def _bytes(self, count: int) -> bytes:
        self._require_left(count)
        self.left -= count
        return self.file.read(count)

    def _require_left(self, count: int) -> None:
        if count > self.left:
            raise self._refusal("is cut short or damaged: its header states more than the file holds")

    def _refusal(self, reason: str) -> ModelFileError:
        return ModelFileError(self.path, reason)
