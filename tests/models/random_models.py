"""Small models with random numbers of a plain size, held in a dict; sizes differ from each other wherever they may."""

from dataclasses import replace
from typing import Any

import numpy as np

from attention_core.models import Model, Settings
from attention_core.models.rotary_factors import llama3_factors
from attention_core.models.shapes import shapes

SIZES: dict[str, Any] = dict(
    n_layers=2, n_heads=6, d_model=10, d_head=4, d_hidden=14, n_vocabulary=23, longest=150, norm_epsilon=1e-5
)  # fmt: skip
LLAMA = Settings(name="small", family="llama", n_kv_heads=3, rotary_base=1000.0, **SIZES)
SETTINGS = {
    "llama": LLAMA,
    "llama 3": replace(
        LLAMA,
        rotary_base=100.0,
        rotary_scaling=llama3_factors(
            100.0, 4, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_longest=20
        ),
    ),
    "gpt2": Settings(name="small", family="gpt2", n_kv_heads=6, **SIZES),
    "bert": Settings(name="small", family="bert", n_kv_heads=6, **SIZES),
}
WRITERS = ["llama", "llama 3", "gpt2"]
TEXT = [3, 1, 4, 1, 5, 9, 2]


class NumberedTokens:
    """A tokenizer of a vocabulary of numbers."""

    def pieces(self, ids):
        return tuple(f"#{i}" for i in ids)

    def shown(self, ids):
        return tuple(str(i) for i in ids)


def random_tensors(settings):
    """Numbers for every tensor: products of about the size of what goes into them, norms around 1."""
    random = np.random.default_rng(7)
    asked = {name: (2, *s[1:]) if name == "token_types" else s for name, s in shapes(settings).items()}
    tensors = {name: random.normal(size=shape) / np.sqrt(shape[-1]) for name, shape in asked.items()}
    for name in [name for name in tensors if name.split(".")[-1] in ("norm", "norm_1", "norm_2", "embedding_norm")]:
        tensors[name] += 1
    for name in [name for name in tensors if name.endswith((".Q", ".K"))]:
        tensors[name] *= 2  # clear preferences
    return {name: numbers.astype(np.float32) for name, numbers in tensors.items()}


def random_model(name, tensors=None):
    settings = SETTINGS[name]
    return Model(
        settings=settings, tensors=tensors or random_tensors(settings), tokenizer=NumberedTokens(), about="Made up."
    )
