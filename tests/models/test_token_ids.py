"""The tokens of real models are those that transformers gives (token_ids.json; token_ids.py made it)."""

import json

import pytest

from attention_core.models.files import opened_model
from attention_core.models.folder_tokenizer import tokenizer_of_folder
from attention_core.models.gguf_tokenizer import tokenizer_of_gguf
from tests.models.present import MINILM, SMOLLM2, needs_minilm, needs_smollm2
from tests.models.token_ids import FILE, TEXTS

TABLE = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def smollm2():
    return tokenizer_of_gguf(opened_model(SMOLLM2).fields)


@pytest.fixture(scope="module")
def minilm():
    return tokenizer_of_folder(MINILM)


def test_the_table_is_of_these_texts():
    assert [row[0] for row in TABLE] == TEXTS


@needs_smollm2
def test_smollm2_has_the_same_tokens(smollm2):
    assert [smollm2.encode(text) for text, _, _ in TABLE] == [ids for _, ids, _ in TABLE]
    assert [smollm2.decode(ids) for _, ids, _ in TABLE] == TEXTS


@needs_minilm
def test_minilm_has_the_same_tokens_uncut_and_unpadded(minilm):
    assert [minilm.encode(text) for text, _, _ in TABLE] == [ids for _, _, ids in TABLE]
    assert len(minilm.encode("cat " * 1000)) == 1002


@needs_minilm
def test_minilm_s_vocabulary_in_the_words_of_a_gguf_file_gives_the_same_tokens(minilm):
    pieces = minilm.pieces(range(minilm.largest_id + 1))
    marked = [piece.startswith("[") and piece.endswith("]") for piece in pieces]
    tokens = [
        piece if mark else piece[2:] if piece.startswith("##") else f"▁{piece}"
        for piece, mark in zip(pieces, marked, strict=True)
    ]
    again = tokenizer_of_gguf({"tokenizer.ggml.model": "bert", "tokenizer.ggml.tokens": tokens})
    assert [again.encode(text) for text, _, _ in TABLE] == [ids for _, _, ids in TABLE]


@needs_smollm2
def test_a_long_text_comes_back(smollm2):
    text = ("The quick brown fox, 2024: naïve 日本語 🙂\n\n    x = 1\n" * 2200)[:100_000]
    ids = smollm2.encode(text)
    assert smollm2.decode(ids) == text
    assert all(smollm2.shown(ids))


@needs_smollm2
def test_marks_are_special_and_an_answer_ends_with_one(smollm2):
    assert smollm2.pieces([smollm2.end]) == ("<|im_end|>",)
    assert {1, 2} <= smollm2.special
