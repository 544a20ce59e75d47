"""`python -m tests.models.references [NAME …]` records reference numbers from transformers, beside this file.

It needs what requirements-bench.txt lists, and the models that `make model` and `make model-minilm` fetch.
The small random models are written anew as well, with the same numbers as long as torch draws the same.
"""

import argparse
import hashlib
import sys
from datetime import date
from pathlib import Path

import numpy as np

from attention_core.checks import Array
from tests.models.references.reference import (
    FOLDER,
    Reference,
    TextReference,
    path_of,
    read_reference,
    write_reference,
)
from tests.models.references.texts import FOR_SMALL, LONG, TEXTS

try:
    import torch
    import transformers
    from transformers.utils import logging

    from tests.models.references import small_models
    from tests.models.references.quantised import quantised_reference
    from tests.models.references.with_transformers import WithTransformers
except ImportError as missing:
    sys.exit(f"{missing}. Install what recording needs: python -m pip install -r requirements-bench.txt")

SEED = 7
ENOUGH = 40_000  # weights: of a text that has no more all are kept
N_PAIRS, N_COLUMNS, N_TOP = 64, 64, 10


def pairs_of(n_tokens: int, n_heads: int, causal: bool, draw: np.random.Generator) -> Array:
    """The pairs of query and key whose weights are kept: all of a short text, else some and the whole last row."""
    queries, keys = np.tril_indices(n_tokens) if causal else np.indices((n_tokens, n_tokens)).reshape(2, -1)
    pairs = np.stack([queries, keys], axis=1).astype(np.uint16)
    if len(pairs) * n_heads <= ENOUGH:
        return pairs
    last = pairs[:, 0] == n_tokens - 1
    some = draw.choice(np.flatnonzero(~last), N_PAIRS, replace=False)
    kept: Array = np.concatenate([pairs[np.sort(some)], pairs[last]])
    return kept


def reference_of(model: WithTransformers, text: str, draw: np.random.Generator) -> TextReference:
    """What a model computes for one text, as far as it is kept."""
    ids = model.ids(text)
    weights, final = model.run(ids)
    n_heads = weights.shape[0] * weights.shape[1]  # of all layers together
    pairs = pairs_of(len(ids), n_heads, model.writes, draw)
    columns = np.sort(draw.choice(final.shape[1], min(N_COLUMNS, final.shape[1]), replace=False)).astype(np.uint32)
    top = np.argsort(-final[-1], kind="stable")[: N_TOP if model.writes else 0]
    return TextReference(
        text=text, ids=np.array(ids, dtype=np.uint32), pieces=model.pieces(ids),
        pairs=pairs, weights=weights[:, :, pairs[:, 0], pairs[:, 1]],
        columns=columns, final=final[:, columns], top=top.astype(np.uint32), top_scores=final[-1, top],
    )  # fmt: skip


def files_of(path: Path) -> dict[str, str]:
    """The sha256 of a model's files, by name."""
    names = ("config.json", "model.safetensors", "tokenizer.json")
    files = [path / name for name in names] if path.is_dir() else [path]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def record(name: str, path: Path) -> None:
    """Record the reference numbers of one model."""
    draw = np.random.default_rng(SEED)
    model = WithTransformers(path)
    texts = {**TEXTS, "long": FOR_SMALL if name in small_models.SMALL_MODELS else LONG}
    reference = Reference(
        about={
            "model": name, "sha256": files_of(path), "torch": torch.__version__, "date": date.today().isoformat(),
            "transformers": transformers.__version__, "how": "eager attention, float32, output_attentions",
        },
        texts={key: reference_of(model, text, draw) for key, text in texts.items()},
    )  # fmt: skip
    keep(name, reference)


def keep(name: str, reference: Reference) -> None:
    """Write the reference numbers of one model, and say how large they are."""
    write_reference(path_of(name), reference)
    lengths = ", ".join(f"{key} {len(text.ids)}" for key, text in read_reference(name).texts.items())
    print(f"{path_of(name).name}: {path_of(name).stat().st_size:,} bytes; tokens: {lengths}", flush=True)


def main() -> None:
    """Make the small models, then record all models or those that are named."""
    names = ("small_gpt2", "small_llama", "quantised_llama", "smollm2", "minilm")
    parser = argparse.ArgumentParser(prog="python -m tests.models.references", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)} (default: all)")
    parser.add_argument("--smollm2", type=Path, metavar="FILE", help="the .gguf file (default: as fetched)")
    parser.add_argument("--minilm", type=Path, metavar="FOLDER", help="the model's folder (default: as fetched)")
    options = parser.parse_args()
    logging.disable_progress_bar()
    for name in options.names or names:
        if name == "quantised_llama":
            keep(name, quantised_reference())
            continue
        path = getattr(options, name, None) or FOLDER / name
        if name in small_models.SMALL_MODELS:
            small_models.make(name, path)
        record(name, path)


main()
