"""What gives a mistake away: measures of one record, or of two that should be the same.

Where two arrays are compared, what differs by ROUNDING or less counts as equal.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from attention_core import toy
from attention_core.checks import Array
from attention_core.experiment import Experiment, shuffled, trace
from attention_core.record import AttentionRecord

ROUNDING = 1e-12  # floating point leaves about 1e-16 of what is the same number


def leaks(record: AttentionRecord) -> Array:
    """How much of its weight each query gives to keys that it may not see: [head, query]; 0 in the right layer."""
    leaked: Array = np.where(record.mask, 0.0, record.weights).sum(axis=-1)
    return leaked


def asymmetry(table: ArrayLike) -> float:
    """The largest difference between an entry of a square table and the one with row and column exchanged.

    >>> asymmetry([[1, 2], [5, 1]])
    3.0
    """
    table = np.asarray(table, dtype=float)
    return float(np.abs(table - table.T).max(initial=0.0))


def largest_difference(one: ArrayLike, other: ArrayLike) -> float:
    """The largest difference between entries at the same place.

    >>> largest_difference([1, 2], [1, 5])
    3.0
    """
    return float(np.abs(np.asarray(one) - np.asarray(other)).max(initial=0.0))


def entropy_share_of(row: ArrayLike) -> float | None:
    """The entropy of one row of weights as a share of the most it could be: 1 is an even row, 0 all on one key.

    -sum over j of w[j] log w[j], divided by log(number of keys)

    row: [key], the weights on the keys that compete, which sum to 1    returns: None for fewer than two keys

    >>> entropy_share_of([0.5, 0.5]), entropy_share_of([1.0, 0.0]), entropy_share_of([1.0])
    (1.0, 0.0, None)
    """
    row = np.asarray(row, dtype=float)
    if len(row) < 2:
        return None
    entropy = -(row * np.log(np.where(row > 0, row, 1.0))).sum()
    return float(entropy / np.log(len(row))) + 0.0  # + 0.0: there is no −0


def other_last_word(experiment: Experiment) -> Experiment:
    """The same sentence with another last word: the toy's other ending; of one's own sentence, tired or else soft."""
    tired, soft = toy.ENDINGS
    if not experiment.words:
        return replace(experiment, ending=soft if experiment.ending == tired else tired)
    word = soft if experiment.words[-1] == tired else tired
    return replace(experiment, words=(*experiment.words[:-1], word))


def followed_the_last_word(experiment: Experiment) -> Array:
    """By how much each row changes when the last word becomes another: [head, query], the largest change of a weight.

    With the causal mask the rows before the last are to stay as they are: what changes there has seen the future.
    """
    one, other = trace(experiment), trace(other_last_word(experiment))
    change: Array = np.abs(one.weights - other.weights).max(axis=-1, initial=0.0)
    return change


def seeded_order(n: int, seed: int) -> list[int]:
    """An order of n places, for each new place the old one; 0 is the order as it was. The same seed, the same order.

    With two places or more every other seed moves at least two of them.
    """
    if seed == 0 or n < 2:
        return list(range(n))
    dice = np.random.default_rng(seed)
    order = dice.permutation(n)
    while (order == np.arange(n)).all():
        order = dice.permutation(n)
    return [int(place) for place in order]


def moved_weights(experiment: Experiment, order: Sequence[int]) -> Array:
    """How the weights change when the words change places, each weight compared with that of the same two words.

    experiment: without edits, which name places    order: as for `shuffled`
    returns: [head, query, key] differences, in the new order
    """
    before, after = trace(experiment).weights, trace(shuffled(experiment, order)).weights
    difference: Array = after - before[:, order][:, :, order]
    return difference


def dimensions_read(record: AttentionRecord, head: int) -> tuple[str, ...]:
    """The dimensions of a token's vector that a head's query, key or value depends on."""
    g = record.kv_head(head)
    read = record.W_Q[head].any(axis=1) | record.W_K[g].any(axis=1) | record.W_V[g].any(axis=1)
    return tuple(name for name, is_read in zip(record.dimension_names, read, strict=True) if is_read)


def slice_names(record: AttentionRecord, head: int) -> tuple[str, ...]:
    """The dimensions in a head's own slice when the vector is cut into as many pieces as there are heads."""
    width = len(record.dimension_names) // len(record.W_Q)
    return record.dimension_names[head * width : (head + 1) * width]
