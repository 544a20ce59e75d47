"""The tokenizer of a folder in Hugging Face's format."""

import json
from pathlib import Path
from typing import Any

from attention_core.models.json_file import small_bytes
from attention_core.models.package_answer import answer
from attention_core.models.refusal import ModelFileError
from attention_core.models.tokenizer import Tokenizer


def tokenizer_of_folder(folder: Path) -> Tokenizer:
    """The tokenizer of a folder in Hugging Face's format, by its tokenizer.json.

    Raises ValueError if there is none, it cannot be read or a file is too large; it goes on from the folder's name.
    """
    from tokenizers import Tokenizer as Inner

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ValueError("the folder must hold tokenizer.json, but has none")
    try:
        text = small_bytes(path).decode()
    except ModelFileError:
        raise
    except (OSError, ValueError) as error:
        raise ValueError(f"tokenizer.json cannot be read: {error}") from error
    inner = answer("tokenizer.json cannot be read", Inner.from_str, text)
    inner.no_padding()
    inner.no_truncation()
    return Tokenizer(inner, end=inner.token_to_id(_end_of_folder(folder) or ""))


def _end_of_folder(folder: Path) -> str | None:
    """The token that ends an answer, as tokenizer_config.json names it. Raises ModelFileError if that is too large."""
    try:
        stated: Any = json.loads(small_bytes(folder / "tokenizer_config.json")).get("eos_token")
    except ModelFileError:
        raise
    except (OSError, ValueError, AttributeError, RecursionError):
        return None  # the file is not needed to read a text
    name = stated.get("content") if isinstance(stated, dict) else stated
    return name if isinstance(name, str) else None
