"""How much a head's weights follow a pattern, measured against a head that has no preference.

A row without a preference spreads its weight evenly: 1 / (number of keys it may see) on each. So a score is

    (weight on the pattern's keys - what an even row would put there) / (1 - what an even row would put there)

averaged over the rows in which the pattern has something to choose: 1 = all weight follows it, 0 = no preference,
below 0 = it is avoided.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array, numbers

CLEAR = 0.5  # a head whose score reaches this is said to follow the pattern


@dataclass(frozen=True, kw_only=True)
class PatternScores:
    """The scores of one head; None where no row of the sentence has the pattern to choose."""

    previous: float | None  # the token just before
    sink: float | None  # the first token, from the third token on (before, it is also the previous token or itself)
    pronoun_to_noun: float | None  # a noun, for rows of pronouns
    self: float | None  # the token itself
    entropy_share: float | None  # entropy of a row as a share of its maximum: 1 = even, 0 = all on one key

    @property
    def pattern(self) -> str | None:
        """The name of the pattern that the head follows clearly, if there is one."""
        scores = {"previous": self.previous, "sink": self.sink, "pronoun": self.pronoun_to_noun, "self": self.self}
        name = max(scores, key=lambda name: scores[name] or 0.0)
        return name if (scores[name] or 0.0) >= CLEAR else None


def pattern_scores(
    weights: ArrayLike, mask: ArrayLike, *, pronouns: ArrayLike | None = None, nouns: ArrayLike | None = None
) -> PatternScores:
    """Score the patterns of one head.

    weights, mask: [token, token]; each row of weights sums to 1, or is 0 where the mask lets it see nothing
    pronouns, nouns: [token] boolean; none unless told

    Raises ValueError if shapes disagree or an entry is not finite.
    """
    weights = numbers("weights", weights, "query key")
    n = len(weights)
    seen = np.asarray(mask, dtype=bool)
    if weights.shape != (n, n) or seen.shape != (n, n):
        raise ValueError(f"weights and mask must be [token, token], but their shapes are {weights.shape}, {seen.shape}")
    if (weights < 0).any() or (weights.sum(axis=1) > 1 + 1e-6).any():
        raise ValueError("weights must not be negative, and each row must sum to 1 at most")
    is_pronoun, is_noun = _marks("pronouns", pronouns, n), _marks("nouns", nouns, n)
    first = np.zeros((n, n), dtype=bool)
    first[2:, :1] = True
    return PatternScores(
        previous=pattern_score(weights, seen, np.eye(n, k=-1, dtype=bool)),
        sink=pattern_score(weights, seen, first),
        pronoun_to_noun=pattern_score(weights, seen, is_pronoun[:, None] & is_noun[None, :]),
        self=pattern_score(weights, seen, np.eye(n, dtype=bool)),
        entropy_share=entropy_share(weights, seen),
    )


def _marks(name: str, given: ArrayLike | None, n: int) -> Array:
    """Which tokens are meant: [token] boolean; none unless told."""
    marks = np.zeros(n, dtype=bool) if given is None else np.asarray(given)
    if marks.shape != (n,) or marks.dtype != bool:
        raise ValueError(f"{name} must be true or false for each of {n} tokens, but has {marks.shape}, {marks.dtype}")
    return marks


def pattern_score(weights: Array, mask: Array, targets: Array) -> float | None:
    """How much of the weight follows a pattern, beyond what a row without preference would do.

    weights: [query, key]    mask, targets: [query, key] boolean    returns: at most 1; None if no row has a choice
    """
    visible = mask.sum(axis=1)
    wanted = (targets & mask).sum(axis=1)
    rows = (wanted > 0) & (wanted < visible)
    if not rows.any():
        return None
    even = wanted[rows] / visible[rows]
    on_targets = np.where(targets & mask, weights, 0)[rows].sum(axis=1)
    return float(((on_targets - even) / (1 - even)).mean())


def even_weights(mask: ArrayLike) -> Array:
    """The baseline: the weights of a head without preference, the same on every key that a row may see.

    weights[i, j] = 1 / (number of keys that query i may see); with the causal mask 1 / (i + 1), i from 0

    mask: [query, key], True = may look at    returns: [query, key]; a row that sees nothing is 0

    >>> even_weights([[True, False], [True, True]]).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    seen = np.asarray(mask, dtype=bool)
    even: Array = seen / np.maximum(seen.sum(axis=-1, keepdims=True), 1)
    return even


def mean_of_heads(weights: ArrayLike, heads_on: ArrayLike | None = None) -> Array:
    """The weights averaged over the heads that are switched on, all of them unless told.

    No head looks like this, and no later step uses it: W_O mixes what the heads hand over, not their weights.

    weights: [head, query, key]    heads_on: [head] boolean    returns: [query, key]

    Raises ValueError if shapes disagree, an entry is not finite, or no head is on.
    """
    weights = numbers("weights", weights, "head query key")
    on = np.ones(len(weights), dtype=bool) if heads_on is None else np.asarray(heads_on, dtype=bool)
    if weights.ndim != 3 or on.shape != weights.shape[:1]:
        raise ValueError(
            f"weights must be [head, query, key] and heads_on [head], but their shapes are {weights.shape}, {on.shape}"
        )
    if not on.any():
        raise ValueError(f"a mean needs at least one head that is on, but all {len(on)} are off")
    mean: Array = weights[on].mean(axis=0)
    return mean


def entropy_share(weights: Array, mask: Array) -> float | None:
    """The entropy of a row as a share of the most it could be, averaged over rows that see at least two keys.

    -sum over j of w[j] log w[j], divided by log(number of visible keys)
    """
    visible = mask.sum(axis=1)
    rows = visible >= 2
    if not rows.any():
        return None
    logs = np.log(np.where(weights > 0, weights, 1.0))
    entropy = -(weights * logs).sum(axis=1)
    return float((entropy[rows] / np.log(visible[rows])).mean())
