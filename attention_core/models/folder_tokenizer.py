"""The tokenizer of a folder in Hugging Face's format."""

import json
from pathlib import Path
from typing import Any

from attention_core.models.package_answer import answer
from attention_core.models.tokenizer import Tokenizer


def tokenizer_of_folder(folder: Path) -> Tokenizer:
    """The tokenizer of a folder in Hugging Face's format, by its tokenizer.json.

    Raises ValueError if there is none or it cannot be read; it goes on from the folder's name.
    """
    from tokenizers import Tokenizer as Inner

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ValueError("the folder must hold tokenizer.json, but has none")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ValueError(f"tokenizer.json cannot be read: {error}") from error
    inner = answer("tokenizer.json cannot be read", Inner.from_str, text)
    inner.no_padding()
    inner.no_truncation()
    return Tokenizer(inner, end=inner.token_to_id(_end_of_folder(folder) or ""))


def _end_of_folder(folder: Path) -> str | None:
    """The token that ends an answer, as tokenizer_config.json names it."""
    try:
        stated: Any = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8")).get("eos_token")
    except (OSError, ValueError, AttributeError, RecursionError):
        return None  # the file is not needed to read a text
    name = stated.get("content") if isinstance(stated, dict) else stated
    return name if isinstance(name, str) else None
