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
        """A @ B, counted: every entry of the result takes one multiplication for each of the inner entries."""
        result: Array = A @ B
        self.n += result.size * A.shape[-1]
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
        by_group = Q.reshape(self.n_kv_heads, -1, *Q.shape[1:])  # [kv_head, heads that share it, query, d_head]
        raw_scores = self.multiplications.product(by_group, self.K[:, None].swapaxes(-1, -2))
        weights = softmax(masked_scores(raw_scores / np.sqrt(self.d_head), causal_mask(Q.shape[1], len(self))))
        outputs = self.multiplications.product(weights, self.V[:, None])
        return weights.reshape(self.n_heads, Q.shape[1], len(self)), outputs.reshape(Q.shape)


@dataclass(frozen=True, eq=False, kw_only=True)
class Step:
    """One step of writing: the newest token asks, and everything before it is on the shelf."""

    place: int  # of the newest token
    query: Array  # [head, d_head] the only query that is needed
    new_key: Array  # [kv_head, d_head] computed in this step
    new_value: Array  # [kv_head, d_head]
    weights: Array  # [head, token so far]
    outputs: Array  # [head, d_head]
    multiplications: int  # in this step, with the cache
    without_cache: int  # in this step, if everything were computed again from the vectors of all tokens so far


def generation(X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike) -> list[Step]:
    """Write the tokens one after the other, with a cache, and count beside it what it costs without one.

    X: [token, d_model]    W_Q: [head, d_model, d_head]    W_K, W_V: [kv_head, d_model, d_head]
    """
    X, W_Q, W_K, W_V = (numbers(n, a, axes) for n, a, axes in (
        ("X", X, "token d_model"), ("W_Q", W_Q, "head d_model d_head"),
        ("W_K", W_K, "kv_head d_model d_head"), ("W_V", W_V, "kv_head d_model d_head"),
    ))  # fmt: skip
    kept = KVCache(len(W_Q), len(W_K), W_Q.shape[-1])
    steps = []
    for place in range(len(X)):
        weights, outputs, query, done = _extend(kept, X[place : place + 1], W_Q, W_K, W_V)
        fresh = KVCache(len(W_Q), len(W_K), W_Q.shape[-1])
        *_, without = _extend(fresh, X[: place + 1], W_Q, W_K, W_V)
        steps.append(
            Step(
                place=place, query=query[:, 0], new_key=kept.K[:, place], new_value=kept.V[:, place],
                weights=weights[:, 0], outputs=outputs[:, 0], multiplications=done, without_cache=without,
            )
        )  # fmt: skip
    return steps


def _extend(cache: KVCache, X: Array, W_Q: Array, W_K: Array, W_V: Array) -> tuple[Array, Array, Array, int]:
    """Project new tokens, put their keys and values on the shelf, and let them ask."""
    count = cache.multiplications
    before = count.n
    Q, K, V = (count.product(X, W) for W in (W_Q, W_K, W_V))
    cache.append(K, V)
    weights, outputs = cache.attend(Q)
    return weights, outputs, Q, count.n - before
