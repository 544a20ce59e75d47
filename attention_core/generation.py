"""Writing a text token by token with a KV cache, and what it would cost to compute everything again each time."""

from dataclasses import dataclass
from typing import NamedTuple

from numpy.typing import ArrayLike

from attention_core.checks import Array, numbers
from attention_core.kv_cache import KVCache


class Reading(NamedTuple):
    """What a cache computes when it reads new tokens."""

    Q: Array  # [head, new token, d_head]
    weights: Array  # [head, new token, token so far]
    outputs: Array  # [head, new token, d_head]
    multiplications: int  # of all products that it took


@dataclass(frozen=True, eq=False, kw_only=True)
class Step:
    """One step of writing: the newest token asks, and everything before it is on the shelf.

    Multiplications are those of the matrix products of all heads: token vectors times W_Q, W_K and W_V, queries times
    keys, weights times values.
    """

    place: int  # of the newest token
    query: Array  # [head, d_head] the only query that is needed
    new_key: Array  # [kv_head, d_head] computed in this step
    new_value: Array  # [kv_head, d_head]
    weights: Array  # [head, token so far]
    outputs: Array  # [head, d_head]
    multiplications: int  # in this step, with the cache
    without_cache: int  # in this step, if everything were computed again from the vectors of all tokens so far
    so_far: int  # multiplications of this step and all before it
    so_far_without_cache: int

    @property
    def times_as_many(self) -> float:
        """How many times as many multiplications this step takes without the cache."""
        return self.without_cache / self.multiplications

    @property
    def times_as_many_so_far(self) -> float:
        """The same for this step and all before it."""
        return self.so_far_without_cache / self.so_far


def generation(X: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike) -> list[Step]:
    """Write the tokens one after the other, with a cache, and beside it without one; count both.

    X: [token, d_model]    W_Q: [head, d_model, d_head]    W_K, W_V: [kv_head, d_model, d_head]
    """
    X, W_Q = numbers("X", X, "token d_model"), numbers("W_Q", W_Q, "head d_model d_head")
    W_K, W_V = (numbers(name, W, "kv_head d_model d_head") for name, W in (("W_K", W_K), ("W_V", W_V)))
    sizes = {"X": X.shape[-1], "W_Q": W_Q.shape[-2], "W_K": W_K.shape[-2], "W_V": W_V.shape[-2]}
    if X.ndim != 2 or len(set(sizes.values())) > 1:
        raise ValueError(f"X must be [token, d_model] and share its d_model with the matrices, but they have {sizes}")
    kept, steps, done, again = _empty(W_Q, W_K), [], 0, 0
    for place in range(len(X)):
        new = read(kept, X[place : place + 1], W_Q, W_K, W_V)
        afresh = read(_empty(W_Q, W_K), X[: place + 1], W_Q, W_K, W_V)
        done, again = done + new.multiplications, again + afresh.multiplications
        steps.append(
            Step(
                place=place, query=new.Q[:, 0], new_key=kept.K[:, place], new_value=kept.V[:, place],
                weights=new.weights[:, 0], outputs=new.outputs[:, 0],
                multiplications=new.multiplications, without_cache=afresh.multiplications,
                so_far=done, so_far_without_cache=again,
            )
        )  # fmt: skip
    return steps


def read(cache: KVCache, X: Array, W_Q: Array, W_K: Array, W_V: Array) -> Reading:
    """Let a cache read new tokens: their keys and values go on the shelf, and their queries ask all that lies there.

    Read into an empty cache, tokens are computed as if there were none. The newest token's row is then the same to the
    last bit as when the tokens were read one by one.

    X: [new token, d_model]    W_Q: [head, d_model, d_head]    W_K, W_V: [kv_head, d_model, d_head]
    """
    count = cache.multiplications
    before = count.n
    Q, K, V = (count.product(X, W) for W in (W_Q, W_K, W_V))
    cache.append(K, V)
    weights, outputs = cache.attend(Q)
    return Reading(Q, weights, outputs, count.n - before)


def _empty(W_Q: Array, W_K: Array) -> KVCache:
    return KVCache(len(W_Q), len(W_K), W_Q.shape[-1])
