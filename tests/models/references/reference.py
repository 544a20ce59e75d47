"""One file of reference numbers: what it holds, how it is written and read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attention_core.checks import Array

FOLDER = Path(__file__).parent


@dataclass(frozen=True, eq=False, kw_only=True)
class TextReference:
    """What transformers computed for one text.

    Of a short text all weights are kept, of a long one those of some pairs of tokens and the whole last row; the same
    pairs of every head. Masked pairs are left out.
    """

    text: str
    pieces: tuple[str, ...]
    ids: Array  # [token]
    pairs: Array  # [pair, 2]: query and key
    weights: Array  # [layer, head, pair]
    columns: Array  # [column]: some numbers of the vocabulary, or places in the hidden state
    final: Array  # [token, column]: final scores; of BERT the last hidden state
    top: Array  # [10]: the best of the last token's final scores, best first; empty for BERT
    top_scores: Array  # [10]


@dataclass(frozen=True, eq=False, kw_only=True)
class Reference:
    """The reference numbers of one model."""

    about: Mapping[str, Any]  # model, the files' sha256, versions, date
    texts: Mapping[str, TextReference]


ARRAYS = ("ids", "pairs", "weights", "columns", "final", "top", "top_scores")


def path_of(name: str) -> Path:
    """Where the reference numbers of a model lie."""
    return FOLDER / f"{name}.npz"


def write_reference(path: Path, reference: Reference) -> None:
    """Write reference numbers into one file."""
    texts = {name: {"text": text.text, "pieces": text.pieces} for name, text in reference.texts.items()}
    arrays = {f"{name}.{key}": getattr(text, key) for name, text in reference.texts.items() for key in ARRAYS}
    np.savez_compressed(path, about=np.array(json.dumps({**reference.about, "texts": texts})), **arrays)


def read_reference(name: str) -> Reference:
    """Read the reference numbers of a model."""
    with np.load(path_of(name), allow_pickle=False) as file:
        about = json.loads(str(file["about"]))
        texts = {
            key: TextReference(
                text=text["text"], pieces=tuple(text["pieces"]), **{array: file[f"{key}.{array}"] for array in ARRAYS}
            )
            for key, text in about.pop("texts").items()
        }
    return Reference(about=about, texts=texts)
