"""The numbers of a model, under one set of names for all files and families.

A matrix is [out, in], so that a layer computes x·Wᵀ (+ bias). Per layer n, from 0:

  "n.Q" [n_heads · d_head, d_model]   "n.K", "n.V" [n_kv_heads · d_head, d_model]   "n.O" [d_model, n_heads · d_head]
  "n.norm_1", "n.norm_2" [d_model]    "n.up" [d_hidden, d_model]   "n.down" [d_model, d_hidden]
  Llama besides "n.gate" [d_hidden, d_model]; GPT-2 and BERT besides a "….bias" for each of these.

For the whole model: "embedding" [n_vocabulary, d_model]; "norm" [d_model] (Llama, GPT-2; GPT-2 with "norm.bias");
"unembedding" [n_vocabulary, d_model] (the embedding itself where the file has no other); "positions" [longest, d_model]
(GPT-2, BERT); "token_types" [.., d_model], "embedding_norm", "embedding_norm.bias" (BERT).

Queries and keys of Llama models are in the order of Hugging Face's files: number e turns with number e + d_head / 2.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from attention_core.checks import Array


class Tensors(Protocol):
    """Where a model's numbers come from, by the names above; all float32."""

    def __getitem__(self, name: str) -> Array:
        """The numbers of one tensor; a lazy source reads and dequantises them at this moment.

        Raises KeyError if the model has no such tensor.
        """
        ...

    def __contains__(self, name: object) -> bool: ...


@runtime_checkable
class ByRows(Protocol):
    """A source that can read some rows of a matrix without reading all of it."""

    def rows(self, name: str, rows: Sequence[int] | slice) -> Array:
        """The named rows, in the order asked for."""
        ...


def rows_of(tensors: Tensors, name: str, rows: Sequence[int] | slice) -> Array:
    """Some rows of a matrix, read alone where the source can do so: a large vocabulary need not be held."""
    if isinstance(tensors, ByRows):
        return tensors.rows(name, rows)
    found: Array = tensors[name][rows]
    return found


def linear(X: Array, tensors: Tensors, name: str) -> Array:
    """X·Wᵀ + bias, the bias where the model has one.

    X: [token, in]    W: [out, in]    returns: [token, out]
    """
    out: Array = X @ tensors[name].T
    if f"{name}.bias" in tensors:
        out += tensors[f"{name}.bias"]
    return out
