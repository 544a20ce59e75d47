"""`python -m tests.models.references.sentencepiece_ids` writes sentencepiece_ids.json beside this file.

It trains small vocabularies with the sentencepiece package and asks it for the tokens of each text. The package is
needed for this alone: python -m pip install sentencepiece==0.2.3
"""

import io
import json
from datetime import date
from pathlib import Path
from typing import Any

from tests.models.references.texts import LONG, TEXTS
from tests.models.token_ids import TEXTS as MORE_TEXTS

FILE = Path(__file__).with_suffix(".json")
OWN_TEXTS = [
    "a", "  a", "     a", "the cat", "cat", "猫", "é", "\n", "a\n\n\n\n    b", "if x:\n        return  1\n", " " * 23,
    "x" + " " * 17 + "y", "=" * 37, "abababa banana", "a<think>b", "The <think> cat", "The▁cat", "00 000 0000 10000",
]  # fmt: skip
# What Llama's vocabulary was trained with: every text is kept as it is, digits stand alone.
PLAIN = dict(
    model_type="bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False,
    split_digits=True, allow_whitespace_only_pieces=True, character_coverage=0.98, num_threads=1, minloglevel=2,
)  # fmt: skip
VOCABULARIES: dict[str, dict[str, Any]] = {
    "as Llama's": dict(vocab_size=520),
    "no blank before the text, a mark within": dict(
        vocab_size=440, add_dummy_prefix=False, user_defined_symbols=["<think>"], split_digits=False
    ),
}


def texts() -> list[str]:
    """The texts that are compared; none holds the name of a mark, which the package takes for plain text."""
    return [*TEXTS.values(), LONG, *MORE_TEXTS, *OWN_TEXTS]


def trained(settings: dict[str, Any]) -> Any:
    """A vocabulary of the texts' most frequent pairs; the lines with code are doubled, so that runs of blanks count."""
    import sentencepiece

    lines = [line for text in (LONG, *TEXTS.values(), *OWN_TEXTS * 2) for line in text.splitlines()]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model, **PLAIN | settings)
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def kind(model: Any, i: int) -> int:
    """The type of a token, as .gguf files number them."""
    asked = {2: model.is_unknown, 3: model.is_control, 5: model.is_unused, 6: model.is_byte}
    named = 4 if model.id_to_piece(i) == "<think>" else 1  # the package does not tell what was defined by hand
    return next((number for number, holds in asked.items() if holds(i)), named)


def written(settings: dict[str, Any]) -> dict[str, Any]:
    """A vocabulary as a .gguf file states it, and the ids of each text."""
    model = trained(settings)
    every = range(model.get_piece_size())
    return {
        "add_space_prefix": settings.get("add_dummy_prefix", True),
        "tokens": [model.id_to_piece(i) for i in every],
        "scores": [model.get_score(i) for i in every],
        "token_type": [kind(model, i) for i in every],
        "ids": [model.encode(text) for text in texts()],
    }


def main() -> None:
    """Write the vocabularies and the ids of all texts by each."""
    import sentencepiece

    found = {
        "about": {"sentencepiece": sentencepiece.__version__, "date": date.today().isoformat()},
        "texts": texts(),
        "vocabularies": {name: written(settings) for name, settings in VOCABULARIES.items()},
    }
    FILE.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
