"""What may come next: a model's final scores, turned into probabilities by the lesson's softmax."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import softmax
from attention_core.checks import numbers


class Likely(NamedTuple):
    """A token that may come next."""

    token: int  # its number in the vocabulary
    probability: float


def likeliest(final_scores: ArrayLike, n: int = 5) -> list[Likely]:
    """The n likeliest next tokens, the likeliest first; of equal ones the first in the vocabulary.

    probability[t] = e^score[t] / sum over all tokens of e^score

    final_scores: [n_vocabulary]

    >>> [(likely.token, round(likely.probability, 3)) for likely in likeliest([0.0, 2.0], n=1)]
    [(1, 0.881)]

    Raises ValueError if n is less than 1 or a score is not finite.
    """
    scores = numbers("final_scores", final_scores, "token").astype(float)
    if n < 1 or scores.ndim != 1:
        raise ValueError(f"there must be one score a token and n must be 1 or more, but got {scores.shape} and n = {n}")
    probabilities = softmax(scores)
    order = np.argsort(-probabilities, kind="stable")[:n]
    return [Likely(int(token), float(probabilities[token])) for token in order]
