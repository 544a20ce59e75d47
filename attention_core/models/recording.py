"""A recording of a real model: what it computed for the lesson's sentence, so that a page shows it without the model.

The numbers are kept to 15 bits after the point (a relative error of at most 2⁻¹⁶), which moves no weight by 2e-5.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from attention_core.checks import Array
from attention_core.models.run import Run
from attention_core.models.settings import Settings

FILE = Path(__file__).parent / "smollm2-135m.recording.npz"


@dataclass(frozen=True, eq=False, kw_only=True)
class Recording:
    """What was recorded, and of which model."""

    about: Mapping[str, Any]  # model, licence, file, sha256, date, and how it was made
    runs: Mapping[str, Run] = field(default_factory=dict)  # by the ending of the lesson's sentence


def read_recording(path: Path = FILE) -> Recording:
    """Read a recording.

    Raises ValueError if the file is no recording.
    """
    with np.load(path, allow_pickle=False) as file:
        about = json.loads(str(file["about"]))
        settings = Settings(**about["settings"])
        runs: dict[str, Run] = {}
        for ending in about["endings"]:
            arrays = {name: from_planes(file[f"{ending}.{name}"]) for name in "QKV"}
            if ending != about["endings"][0]:  # no later word changes an earlier one: the last word alone is kept
                first = runs[about["endings"][0]]
                arrays = {
                    name: np.concatenate([getattr(first, name)[:, :, :-1], new], axis=2) for name, new in arrays.items()
                }
            runs[ending] = Run(
                settings=settings, tokens=tuple(about["tokens"][ending]), pieces=tuple(about["pieces"][ending]),
                causal=True, given=about["given"], **arrays,
            )  # fmt: skip
    return Recording(about=about, runs=runs)


def to_planes(array: Array) -> Array:
    """Numbers as three bytes each, the most telling byte of all first, so that they pack well: [3, ...]."""
    bits = np.ascontiguousarray(array, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = np.minimum(bits + 0x80, 0xFFFFFFFF).astype(np.uint32)  # to nearest
    return np.stack([(rounded >> shift).astype(np.uint8) for shift in (24, 16, 8)])


def from_planes(planes: Array) -> Array:
    """The numbers again, as float32."""
    high, middle, low = planes.astype(np.uint32)
    numbers: Array = ((high << 24) | (middle << 16) | (low << 8)).astype(np.uint32).view(np.float32)
    return numbers
