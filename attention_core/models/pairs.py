"""Sentences like the lesson's, whose last word fits one of two nouns: where does a head look from that word?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attention_core.checks import Array
from attention_core.models.run import Run


@dataclass(frozen=True)
class Pair:
    """One sentence with two endings: the first fits the first noun, the second fits the second noun."""

    before: str  # "The cat sat on the mat because it was"
    nouns: tuple[str, str]  # ("cat", "mat")
    endings: tuple[str, str]  # ("tired", "soft")

    def text(self, ending: int) -> str:
        return f"{self.before} {self.endings[ending]}"


def _pair(subject: str, verb: str, place: str, *endings: str) -> Pair:
    first, second = endings
    return Pair(f"The {subject} {verb} the {place} because it was", (subject, place), (first, second))


# Written down before any was measured, and all kept.
PAIRS = (
    _pair("dog", "lay on", "rug", "sleepy", "fluffy"),
    _pair("bird", "sat on", "branch", "hungry", "sturdy"),
    _pair("child", "hid behind", "curtain", "scared", "thick"),
    _pair("horse", "stopped at", "river", "thirsty", "deep"),
    _pair("baby", "slept in", "cradle", "exhausted", "comfortable"),
    _pair("trophy", "fell off", "shelf", "heavy", "crooked"),
    _pair("truck", "slid on", "road", "overloaded", "icy"),
    _pair("fish", "hid under", "stone", "frightened", "flat"),
    _pair("mouse", "ran into", "hole", "afraid", "dark"),
    _pair("knife", "cut through", "bread", "sharp", "fresh"),
    _pair("ball", "rolled down", "hill", "round", "steep"),
    _pair("ship", "sank in", "storm", "old", "violent"),
    _pair("letter", "fit into", "envelope", "folded", "large"),
    _pair("wolf", "waited by", "lake", "patient", "frozen"),
    _pair("cow", "slept in", "barn", "tired", "warm"),
    _pair("robot", "walked across", "floor", "curious", "slippery"),
)


def places(tokens: Sequence[str], word: str) -> tuple[int, ...]:
    """Which tokens write a word, the first time that it stands there; blanks around tokens do not count.

    Raises ValueError if no tokens write it.
    """
    bare = [token.strip().removeprefix("‿") for token in tokens]
    for start in range(len(bare)):
        for stop in range(start + 1, len(bare) + 1):
            if "".join(bare[start:stop]) == word:
                return tuple(range(start, stop))
    raise ValueError(f'the sentence must hold the word "{word}", but its tokens are {list(tokens)}')


def weight_on_nouns(run: Run, nouns: Sequence[str], layer: int, head: int) -> Array:
    """What the last token of a sentence gives to each of some nouns, with all the tokens of a noun: [noun]"""
    row = run.weights(layer, head)[-1]
    return np.array([row[list(places(run.tokens, noun))].sum() for noun in nouns])


def fits_both_times(weights: Sequence[Array]) -> bool:
    """Whether with each ending the noun that fits gets more weight than the other. weights: [ending][noun]"""
    return bool(weights[0][0] > weights[0][1] and weights[1][1] > weights[1][0])


def moves_the_fitting_way(weights: Sequence[Array]) -> bool:
    """Whether of what the nouns get together, each gets a larger part with the ending that fits it.

    It may be a small step: a head that stays on the first noun both times can still move. weights: [ending][noun]
    """
    first, second = (row[0] / row.sum() for row in weights)
    return bool(first > second)
