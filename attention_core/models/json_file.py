"""JSON files of a model's folder: small, sound, and an object at the top."""

import json
from pathlib import Path
from typing import Any

from attention_core.models.refusal import ModelFileError, os_reason

LARGEST = 50_000_000  # bytes


def small_bytes(path: Path) -> bytes:
    """All that a file holds. Raises ModelFileError if that is more than LARGEST, OSError if it cannot be read."""
    if path.stat().st_size > LARGEST:
        raise ModelFileError(path, f"has {path.stat().st_size:,} bytes; {LARGEST:,} are the most that are read")
    return path.read_bytes()


def read_json(path: Path) -> dict[str, Any]:
    """The object that a file holds. Raises ModelFileError."""
    try:
        held = json.loads(small_bytes(path))
    except OSError as error:
        raise ModelFileError(path, os_reason(error)) from None
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, ModelFileError) else ModelFileError(path, "is no sound JSON") from None
    if not isinstance(held, dict):
        raise ModelFileError(path, "must hold a JSON object")
    return held
