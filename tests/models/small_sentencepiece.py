"""A small vocabulary with scores, as the metadata of a .gguf file, and a small random Llama that has it."""

import json

import numpy as np

from tests.models.references.sentencepiece_ids import FILE
from tests.models.small_files import gguf_tensors, numbers, small_gguf

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
PLAIN = RECORDED["vocabularies"]["as Llama's"]
START, END = 1, 2


def fields(vocabulary=PLAIN, **changed):
    """The metadata; given names (without "tokenizer.ggml.") replace what stands there, None takes it away."""
    stated = {name: vocabulary[name] for name in ("tokens", "scores", "token_type", "add_space_prefix")}
    stated |= {"model": "llama", "bos_token_id": START, "eos_token_id": END, "add_bos_token": False} | changed
    return {f"tokenizer.ggml.{name}": value for name, value in stated.items() if value is not None}


def write_small_sentencepiece(path):
    """Write the model as a .gguf file whose texts begin with <s>: 2 layers with 4 heads of 16 numbers."""
    made = gguf_tensors("llama", numbers("llama"))
    tensors = {name: 1 + array / 10 if array.ndim == 1 else array / 8 for name, array in made.items()}
    shape, draw = (len(PLAIN["tokens"]), 64), np.random.default_rng(7)
    tensors |= {
        "token_embd.weight": draw.normal(size=shape).astype(np.float32),
        "output.weight": draw.normal(size=shape).astype(np.float32) / 8,
    }
    other = {"tokenizer.ggml.merges": None, "tokenizer.ggml.pre": "default", "llama.context_length": 64}
    return small_gguf(path, changed=fields(add_bos_token=True) | other, tensors=tensors)
