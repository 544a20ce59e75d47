"""A record as a file: .npz for NumPy, JSON for everything else. Both hold every number in full precision."""

import io
import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from attention_core.text_forms import edit_text

ABOUT = "about"  # the key of the JSON file that says how to read it
HOW_TO_READ = "every intermediate by its name, as in the formula; null is minus infinity, the score of a masked key"


def record_npz(record: Any) -> bytes:
    """A record as the bytes of an .npz file: an array for each field, names as arrays of text.

    A field with fields of its own gives one array for each of them, as in "steps.totals"; edits are written as they
    stand in a link, as in "scores[0,9,1]=2.5". `np.load` reads it with `allow_pickle=False`.

    record: an AttentionRecord, or another frozen dataclass of arrays, numbers and names
    """
    file = io.BytesIO()
    np.savez(file, **dict(_arrays(record)))
    return file.getvalue()


def record_json(record: Any) -> str:
    """A record as JSON text, a line for each field; minus infinity is written as null, as its first line says.

    record: an AttentionRecord, or another frozen dataclass of arrays, numbers and names
    """
    lines = {name: json.dumps(value, allow_nan=False) for name, value in record_as_json(record).items()}
    return "{" + ",\n ".join(f'"{name}": {text}' for name, text in lines.items()) + "}"


def record_as_json(record: Any) -> dict[str, Any]:
    """Every field of a record by its name, as lists, numbers and texts; minus infinity as None."""
    return {ABOUT: HOW_TO_READ} | {name: _plain(value) for name, value in _named(record)}


def _named(record: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a record, or of one of its fields that has names of its own."""
    names = [field.name for field in fields(record)] if is_dataclass(record) else record._fields
    return ((name, getattr(record, name)) for name in names)


def _has_names(value: Any) -> bool:
    return is_dataclass(value) or hasattr(value, "_fields")


def _plain(value: Any) -> Any:
    """A value as JSON knows it: arrays and tuples as lists, named fields as an object."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if _has_names(value):
        return {name: _plain(part) for name, part in _named(value)}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and value == -np.inf else value


def _arrays(record: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every field as an array without Python objects in it."""
    for name, value in _named(record):
        if name == "edits":
            yield before + name, np.array([edit_text(edit) for edit in value], dtype=str)
        elif _has_names(value):
            yield from _arrays(value, f"{before}{name}.")
        else:
            yield before + name, np.asarray(value)
