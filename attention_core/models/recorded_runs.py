"""Runs in a file: what texts share is kept once, and numbers as whole steps, so small that no weight moves by 1e-5."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from attention_core.checks import Array
from attention_core.models.recorded_checks import counts, finite, flag, text, texts
from attention_core.models.run import Run
from attention_core.models.settings import Settings

BITS = {"Q": 21, "K": 21, "V": 18}  # of the largest number of a head; with 19 weights would move by 2e-5
MIDDLE = 1 << 23  # what is added so that no count is negative
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
    found: dict[str, Array] = {}
    for name, run in runs.items():
        shared = 0 if run is first else shared_tokens(first, run)
        for kind in "QKV":
            whole: Array = getattr(run, kind)
            if not np.allclose(whole[:, :, :shared], getattr(first, kind)[:, :, :shared], rtol=0, atol=SAME):
                raise ValueError(f"equal beginnings must have equal vectors, but {kind} of {prefix}.{name} differs")
            planes, step = to_planes(whole[:, :, shared:], BITS[kind])
            found |= {f"{prefix}.{name}.{kind}": planes, f"{prefix}.{name}.{kind}.step": step}
    return found


def runs_of(file: Mapping[str, Array], prefix: str, said: Mapping[str, Any]) -> dict[str, Run]:
    """The runs again, from a file's arrays and from what `stated` told.

    Raises ValueError if they do not fit together, naming what does not.
    """
    runs: dict[str, Run] = {}
    settings = Settings(**said["settings"])
    for name, tokens in said["tokens"].items():
        at = f"{prefix}.{name}"
        kept = {kind: from_planes(file[f"{at}.{kind}"], file[f"{at}.{kind}.step"]) for kind in "QKV"}
        if runs:
            first = next(iter(runs.values()))
            shared = len(tokens) - kept["Q"].shape[2]
            kept = {kind: np.concatenate([getattr(first, kind)[:, :, :shared], kept[kind]], axis=2) for kind in kept}
        _require_fitting(at, kept, settings, len(tokens))
        runs[name] = Run(
            settings=settings, tokens=texts(f"tokens of {at}", tokens, len(tokens)),
            pieces=texts(f"pieces of {at}", said["pieces"][name], len(tokens)),
            causal=flag(f"causal of {prefix}", said["causal"]), given=text(f"given of {prefix}", said["given"]),
            origin=counts(f"origin of {prefix}", said["origin"]), **kept,
        )  # fmt: skip
    return runs


def _require_fitting(at: str, kept: Mapping[str, Array], settings: Settings, n_tokens: int) -> None:
    """Refuse vectors of another shape than the sizes and the tokens ask for."""
    for kind, array in kept.items():
        n_heads = settings.n_heads if kind == "Q" else settings.n_kv_heads
        finite(f"{at}.{kind}", array, (settings.n_layers, n_heads, n_tokens, settings.d_head))


def shared_tokens(one: Run, other: Run) -> int:
    """How many tokens two runs begin with alike, so that their vectors are alike; none where later ones are seen."""
    if not (one.causal and other.causal):
        return 0
    pairs = zip(one.pieces, other.pieces, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(one.n_tokens, other.n_tokens))


def to_planes(array: Array, bits: int) -> tuple[Array, Array]:
    """Numbers as three bytes each and the step that they count in, one a head, so that its largest has so many bits.

    array: [layer, head, token, d_head]    returns: [3, layer, head, d_head, token], the most telling byte of all first
    and dimension by dimension, so that they pack well, and [layer, head, 1, 1]
    """
    largest = np.abs(array).max(axis=(2, 3), keepdims=True, initial=0).astype(float)
    step: Array = np.where(largest > 0, largest, 1) / 2**bits
    counted = (np.rint(array / step) + MIDDLE).astype(np.uint32).swapaxes(2, 3)
    return np.stack([(counted >> shift).astype(np.uint8) for shift in (16, 8, 0)]), step


def from_planes(planes: Array, step: Array) -> Array:
    """The numbers again, as float32: [layer, head, token, d_head]"""
    high, middle, low = planes.astype(np.int64)
    numbers: Array = (((high << 16 | middle << 8 | low) - MIDDLE).swapaxes(2, 3) * step).astype(np.float32)
    return numbers
