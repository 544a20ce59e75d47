"""What a model computed when it read a text: queries and keys of every head, from which any map follows on demand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from attention_core.attention import attention_weights
from attention_core.checks import Array
from attention_core.given_vectors import record_of_vectors
from attention_core.models.places import require_place, whole_numbers
from attention_core.models.settings import Settings
from attention_core.record import AttentionRecord


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """The queries, keys and values of every layer for one text, as the layer's attention used them: after rotation.

    Weights are not kept: n² numbers a head would take gigabytes for a long text. Any map is computed from Q and K when
    it is asked for, by the lesson's own functions.
    """

    settings: Settings
    tokens: tuple[str, ...]  # as shown
    pieces: tuple[str, ...]  # as the vocabulary writes them
    Q: Array  # [layer, head, token, d_head]
    K: Array  # [layer, kv_head, token, d_head]
    V: Array  # [layer, kv_head, token, d_head]
    causal: bool  # whether the model ran with the causal mask
    given: str  # where the numbers come from, in one sentence
    hidden: Array | None = None  # [token, d_model], after the last norm, what final scores are made of; not recorded
    origin: tuple[int, int] = (0, 0)  # the layer and head of the model that are layer 0 and head 0 here

    def __post_init__(self) -> None:
        for array in (self.Q, self.K, self.V, self.hidden):
            if array is not None:
                array.flags.writeable = False

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)

    def kv_head(self, head: int) -> int:
        """The key-and-value head that a query head uses."""
        return head * self.settings.n_kv_heads // self.settings.n_heads

    def mask(self, queries: slice = slice(None)) -> Array:
        """Which tokens each query may look at: [query, key], True = may look at."""
        keys = np.arange(self.n_tokens)
        asked = keys[queries, None]
        seen: Array = keys <= (asked if self.causal else np.full_like(asked, self.n_tokens))
        return seen

    def weights(self, layer: int, head: int) -> Array:
        """The map of one head: [query, key]; every row sums to 1.

        Raises ValueError if there is no such head.
        """
        self._require(layer, head)
        return attention_weights(self.Q[layer, head], self.K[layer, self.kv_head(head)], self.mask())

    def weights_of(self, query: int) -> Array:
        """The row of one query in every head: [layer, head, key].

        Raises ValueError if there is no such query.
        """
        row = self._row(query)
        return weights_of_heads(self.Q[:, :, query], self.K, self.mask(row)[0])

    def record(self, layer: int, heads: Sequence[int], *, query: int | None = None) -> AttentionRecord:
        """The record of some heads of a layer, in double precision: of all queries, or of one alone.

        A record holds every weighted value, n² · d_head numbers a head: of a long text take one query.

        Raises ValueError if there is no such head or query.
        """
        heads = whole_numbers("head", heads)
        self._require(layer, *heads)
        rows = slice(None) if query is None else self._row(query)
        kv_heads = [self.kv_head(head) for head in heads]
        return record_of_vectors(
            self.Q[layer, heads, rows],
            self.K[layer, kv_heads],
            self.V[layer, kv_heads],
            mask=self.mask(rows),
            query_tokens=self.tokens[rows],
            key_tokens=self.tokens,
            head_names=tuple(f"layer {self.origin[0] + layer}, head {self.origin[1] + head}" for head in heads),
            given=self.given,
        )

    def excerpt(self, layer: int, head: int) -> "Run":
        """One head alone, as a run of one layer with one head; its record is called as in the whole model.

        Raises ValueError if there is no such head.
        """
        self._require(layer, head)
        kv = self.kv_head(head)
        return Run(
            settings=replace(self.settings, n_layers=1, n_heads=1, n_kv_heads=1), tokens=self.tokens,
            pieces=self.pieces, causal=self.causal, given=self.given, origin=(layer, head),
            Q=self.Q[layer : layer + 1, head : head + 1], K=self.K[layer : layer + 1, kv : kv + 1],
            V=self.V[layer : layer + 1, kv : kv + 1],
        )  # fmt: skip

    def _require(self, layer: int, *heads: int) -> None:
        """Refuse a layer or heads that are not there."""
        require_place("layer", layer, self.Q.shape[0])
        for head in heads:
            require_place("head", head, self.Q.shape[1])

    def _row(self, query: int) -> slice:
        """The one row of a query, as a slice."""
        require_place("a query", query, self.n_tokens)
        return slice(query, query + 1)


def weights_of_heads(Q: Array, K: Array, seen: Array | None = None) -> Array:
    """The rows of one query in every head; heads that share keys ask them together.

    Q: [layer, head, d_head]    K: [layer, kv_head, key, d_head]    seen: [key], True = may look at
    returns: [layer, head, key]
    """
    together = Q.reshape(*K.shape[:2], -1, Q.shape[-1])  # [layer, kv_head, head of the group, d_head]
    mask = None if seen is None else np.tile(seen, (together.shape[2], 1))
    return attention_weights(together, K, mask).reshape(*Q.shape[:2], -1)
