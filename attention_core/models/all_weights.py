"""All weights of a text at once: n² numbers for every head, so their size is said before they are made."""

import io

import numpy as np

from attention_core.models.run import Run

LIMIT = 200_000_000  # bytes
BYTES = np.dtype(np.float32).itemsize


def n_bytes(run: Run) -> int:
    """How large all weights of a text are: layers × heads × tokens² × 4 bytes."""
    return run.settings.n_layers * run.settings.n_heads * run.n_tokens**2 * BYTES


def all_weights_file(run: Run, limit: int = LIMIT) -> bytes:
    """All weights as the text of a file in NumPy's format .npz: "weights" [layer, head, query, key], and "tokens".

    Raises ValueError if they are larger than the limit.
    """
    if n_bytes(run) > limit:
        raise ValueError(f"all weights must take at most {limit:,} bytes, but of this text they take {n_bytes(run):,}")
    shape = (run.settings.n_layers, run.settings.n_heads, run.n_tokens, run.n_tokens)
    weights = np.empty(shape, dtype=np.float32)
    for layer, head in np.ndindex(shape[:2]):
        weights[layer, head] = run.weights(layer, head)
    file = io.BytesIO()
    np.savez(file, weights=weights, tokens=np.array(run.tokens))
    return file.getvalue()
