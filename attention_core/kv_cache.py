"""The KV cache: keys and values of earlier tokens stay on a shelf, so that a new token computes only its own."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import causal_mask, masked_scores, softmax
from attention_core.checks import Array, numbers


@dataclass
class Multiplications:
    """Counts the multiplications of the matrix products that it is asked to compute."""

    n: int = 0

    def product(self, A: Array, B: Array) -> Array:
        """A @ B, counted: each entry is a sum of as many terms as A has columns, and each term one multiplication.

        All terms are made first and then added up, for every entry in the same order. So an entry comes out the same
        to the last bit however many rows A has, which a processor's own matrix product does not promise.
        """
        terms = np.multiply(A[..., :, None, :], B.swapaxes(-1, -2)[..., None, :, :], order="C")
        self.n += terms.size
        result: Array = terms.sum(axis=-1)  # [.., row, column, term] -> [.., row, column]
        return result


@dataclass
class KVCache:
    """The shelf: keys and values of the tokens so far, one pair a KV head.

    n_heads query heads share n_kv_heads pairs, in groups of neighbours.
    """

    n_heads: int
    n_kv_heads: int
    d_head: int
    multiplications: Multiplications = field(default_factory=Multiplications)

    def __post_init__(self) -> None:
        if min(self.n_heads, self.n_kv_heads, self.d_head) < 1 or self.n_heads % self.n_kv_heads:
            raise ValueError(
                f"a cache needs sizes of at least 1 and kv heads that divide the heads, but got "
                f"{self.n_heads} heads, {self.n_kv_heads} kv heads, d_head {self.d_head}"
            )
        self.K: Array = np.zeros((self.n_kv_heads, 0, self.d_head))
        self.V: Array = np.zeros((self.n_kv_heads, 0, self.d_head))

    def __len__(self) -> int:
        return int(self.K.shape[1])

    def append(self, K: ArrayLike, V: ArrayLike) -> None:
        """Put the keys and values of new tokens on the shelf.

        K, V: [kv_head, new token, d_head]

        Raises ValueError if a shape does not fit the shelf; then nothing is added.
        """
        K, V = numbers("K", K, "kv_head token d_head"), numbers("V", V, "kv_head token d_head")
        fits = (self.n_kv_heads, K.shape[1], self.d_head)
        if not K.shape == V.shape == fits:
            raise ValueError(f"K and V must both have the shape {fits}, but have {K.shape} and {V.shape}")
        self.K, self.V = np.concatenate([self.K, K], axis=1), np.concatenate([self.V, V], axis=1)

    def attend(self, Q: ArrayLike) -> tuple[Array, Array]:
        """Let the newest tokens ask everything on the shelf up to themselves.

        Q: [head, query, d_head], the queries of the last tokens on the shelf
        returns: weights [head, query, token], outputs [head, query, d_head]

        Raises ValueError if the shape does not fit, or if there are more queries than tokens on the shelf.
        """
        Q = numbers("Q", Q, "head query d_head")
        if Q.shape != (self.n_heads, Q.shape[1], self.d_head):
            raise ValueError(f"Q must have the shape {(self.n_heads, 'queries', self.d_head)}, but has {Q.shape}")
        share = self.n_heads // self.n_kv_heads
        by_group = Q.reshape(self.n_kv_heads, share, *Q.shape[1:])  # [kv_head, heads that share it, query, d_head]
        raw_scores = self.multiplications.product(by_group, self.K[:, None].swapaxes(-1, -2))
        weights = softmax(masked_scores(raw_scores / np.sqrt(self.d_head), causal_mask(Q.shape[1], len(self))))
        outputs = self.multiplications.product(weights, self.V[:, None])
        return weights.reshape(self.n_heads, Q.shape[1], len(self)), outputs.reshape(Q.shape)
