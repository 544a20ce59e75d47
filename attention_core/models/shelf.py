"""The shelf: queries, keys and values of every layer for the tokens read so far, with room for more.

Keys and values are the KV cache; queries are kept so that any earlier row can still be asked for.
"""

import numpy as np

from attention_core.checks import Array
from attention_core.models.settings import Settings


class Shelf:
    """What a model keeps of the tokens it has read. What lies on it never changes; it only grows."""

    def __init__(self, settings: Settings, room: int) -> None:
        layers, size = settings.n_layers, (room, settings.d_head)
        self.Q = np.empty((layers, settings.n_heads, *size), dtype=np.float32)  # [layer, head, token, d_head]
        self.K = np.empty((layers, settings.n_kv_heads, *size), dtype=np.float32)  # [layer, kv_head, token, d_head]
        self.V = np.empty_like(self.K)
        self.hidden = np.empty((room, settings.d_model), dtype=np.float32)  # [token, d_model]
        self.n_tokens = 0

    def make_room(self, n_new: int) -> None:
        """See that `n_new` tokens more have room: half as much again at a time, so that growing stays cheap."""
        needed, room = self.n_tokens + n_new, len(self.hidden)
        if needed > room:
            more = max(needed, room + room // 2) - room
            self.Q, self.K, self.V = (_grown(table, more, axis=2) for table in (self.Q, self.K, self.V))
            self.hidden = _grown(self.hidden, more, axis=0)

    def put(self, layer: int, Q: Array, K: Array, V: Array) -> tuple[Array, Array, Array]:
        """Put the next tokens' vectors of a layer on the shelf; its new queries, and all its keys and values.

        Q: [token, head, d_head]    K, V: [token, kv_head, d_head]    returns: each [head, token, d_head]
        """
        start, stop = self.n_tokens, self.n_tokens + len(Q)
        for table, new in ((self.Q, Q), (self.K, K), (self.V, V)):
            table[layer, :, start:stop] = new.swapaxes(0, 1)
        return self.Q[layer, :, start:stop], self.K[layer, :, :stop], self.V[layer, :, :stop]

    def vectors(self) -> dict[str, Array]:
        """What was put there for the tokens read so far, by the names of a run."""
        n = self.n_tokens
        return {
            "Q": self.Q[:, :, :n], "K": self.K[:, :, :n], "V": self.V[:, :, :n], "hidden": self.hidden[:n],
        }  # fmt: skip

    def finish(self, hidden: Array) -> None:
        """Put the last vectors of the tokens beside what the layers put there: they count as read now."""
        self.hidden[self.n_tokens : self.n_tokens + len(hidden)] = hidden
        self.n_tokens += len(hidden)


def _grown(table: Array, more: int, *, axis: int) -> Array:
    """The same numbers with room for more along an axis."""
    room = [(0, more if i == axis else 0) for i in range(table.ndim)]
    return np.pad(table, room)
