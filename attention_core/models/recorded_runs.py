"""Runs in a file: what texts share is kept once, and numbers to 15 bits after the point.

A relative error of at most 2⁻¹⁶ moves no weight by 2e-5.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from attention_core.checks import Array
from attention_core.models.run import Run
from attention_core.models.settings import Settings

SAME = 1e-4  # how far the vectors of equal beginnings may lie apart; a later word changes none in a causal model


def stated(runs: Mapping[str, Run]) -> dict[str, Any]:
    """What is no array in some runs of one model, by name, as JSON takes it."""
    first = next(iter(runs.values()))
    return {
        "settings": asdict(first.settings), "causal": first.causal, "given": first.given, "origin": first.origin,
        "tokens": {name: run.tokens for name, run in runs.items()},
        "pieces": {name: run.pieces for name, run in runs.items()},
    }  # fmt: skip


def arrays(prefix: str, runs: Mapping[str, Run]) -> dict[str, Array]:
    """The queries, keys and values of some runs: the first one whole, of the others what differs from it.

    Raises ValueError if what they share is not the same.
    """
    first = next(iter(runs.values()))
    found = {}
    for name, run in runs.items():
        shared = 0 if run is first else shared_tokens(first, run)
        for kind in "QKV":
            whole: Array = getattr(run, kind)
            if not np.allclose(whole[:, :, :shared], getattr(first, kind)[:, :, :shared], atol=SAME):
                raise ValueError(f"equal beginnings must have equal vectors, but {kind} of {prefix}.{name} differs")
            found[f"{prefix}.{name}.{kind}"] = to_planes(whole[:, :, shared:])
    return found


def runs_of(file: Mapping[str, Array], prefix: str, said: Mapping[str, Any]) -> dict[str, Run]:
    """The runs again, from a file's arrays and from what `stated` told."""
    runs: dict[str, Run] = {}
    for name, tokens in said["tokens"].items():
        kept = {kind: from_planes(file[f"{prefix}.{name}.{kind}"]) for kind in "QKV"}
        if runs:
            first = next(iter(runs.values()))
            shared = len(tokens) - kept["Q"].shape[2]
            kept = {kind: np.concatenate([getattr(first, kind)[:, :, :shared], kept[kind]], axis=2) for kind in kept}
        runs[name] = Run(
            settings=Settings(**said["settings"]), tokens=tuple(tokens), pieces=tuple(said["pieces"][name]),
            causal=said["causal"], given=said["given"], origin=(said["origin"][0], said["origin"][1]), **kept,
        )  # fmt: skip
    return runs


def shared_tokens(one: Run, other: Run) -> int:
    """How many tokens two runs begin with alike, so that their vectors are alike; none where later ones are seen."""
    if not (one.causal and other.causal):
        return 0
    pairs = zip(one.pieces, other.pieces, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(one.n_tokens, other.n_tokens))


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
