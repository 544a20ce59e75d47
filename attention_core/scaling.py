"""Why scores are divided by a root, and by which: random queries and keys of any length."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from attention_core.attention import softmax
from attention_core.checks import Array
from attention_core.telltales import entropy_share_of

LONGEST = 512  # entries in a query or key
N_HEADS = 8  # as in the base model of Vaswani et al. 2017, where d_model = 8 · 64: so √d_model is √8 times √d_head
N_KEYS = 10  # as many as the toy has tokens
N_QUERIES = 200  # each with keys of its own
SEED = 2017
DIVISORS = ("√d_head", "√d_model", "nothing")


class Scaled(NamedTuple):
    """What dividing the same scores by one divisor gives."""

    by: str  # one of DIVISORS
    divisor: float
    spread: float  # standard deviation of the scores
    entropy_share: float  # of a row of weights, as a share of an even row's; the mean of all rows
    largest: float  # weight of a row; the mean of all rows
    row: Array  # [key] the weights of the first row


def random_products(d_head: int) -> Array:
    """q·k for random queries and keys whose entries are independent, with mean 0 and variance 1.

    Each product is a sum of d_head terms with mean 0 and variance 1, so its variance is d_head (Vaswani et al. 2017,
    footnote 4). The first d_head entries of the same long vectors are used for every size.

    returns: [query, key]

    Raises ValueError if d_head is not from 1 to LONGEST.
    """
    if not 1 <= d_head <= LONGEST:
        raise ValueError(f"d_head must be from 1 to {LONGEST}, but it is {d_head}")
    queries, keys = _random_vectors()
    products: Array = np.einsum("qd,qkd->qk", queries[:, :d_head], keys[:, :, :d_head])
    return products


@lru_cache(maxsize=LONGEST)
def scaled(d_head: int) -> tuple[Scaled, ...]:
    """The same products divided by √d_head, by √d_model = √(N_HEADS · d_head), and by nothing.

    Raises ValueError if d_head is not from 1 to LONGEST.
    """
    products = random_products(d_head)
    divisors = (np.sqrt(d_head), np.sqrt(N_HEADS * d_head), 1.0)
    return tuple(_scaled(by, float(divisor), products) for by, divisor in zip(DIVISORS, divisors, strict=True))


def _scaled(by: str, divisor: float, products: Array) -> Scaled:
    weights = softmax(products / divisor)
    entropies = [entropy_share_of(row) or 0.0 for row in weights]
    return Scaled(
        by=by,
        divisor=divisor,
        spread=float((products / divisor).std()),
        entropy_share=float(np.mean(entropies)),
        largest=float(weights.max(axis=-1).mean()),
        row=weights[0],
    )


@lru_cache(maxsize=1)
def _random_vectors() -> tuple[Array, Array]:
    """Queries [query, d_head] and keys [query, key, d_head]."""
    dice = np.random.default_rng(SEED)
    return dice.normal(size=(N_QUERIES, LONGEST)), dice.normal(size=(N_QUERIES, N_KEYS, LONGEST))
