"""The toy: one sentence, twelve named dimensions, three hand-made heads. Every number of it stands in this file.

A head is four small tables. Each line of W_Q, W_K and W_V says what one dimension of a token vector adds to the
query, key or value, in the order of the columns above it; a dimension without a line adds nothing.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from attention_core.checks import Array, quoted

ENDINGS = ("tired", "soft")
SENTENCE = ("The", "cat", "sat", "on", "the", "mat", "because", "it", "was")  # and then the ending

WORD_DIMENSIONS = ("alive", "thing", "action", "pronoun", "tired", "soft", "always 1")
POSITION_DIMENSIONS = ("first", "sin 16", "cos 16", "sin 4", "cos 4")
LONGEST, LONGEST_WORD = 32, 40  # tokens in a sentence of one's own, characters in a word
DIMENSIONS = WORD_DIMENSIONS + POSITION_DIMENSIONS

VOCABULARY = {
    #          alive thing action pronoun tired soft always 1
    "The":     (0, 0, 0, 0, 0, 0, 1),
    "cat":     (1, 0, 0, 0, 0, 0, 1),
    "sat":     (0, 0, 1, 0, 0, 0, 1),
    "on":      (0, 0, 0, 0, 0, 0, 1),
    "the":     (0, 0, 0, 0, 0, 0, 1),
    "mat":     (0, 1, 0, 0, 0, 0, 1),
    "because": (0, 0, 0, 0, 0, 0, 1),
    "it":      (0, 0, 0, 1, 0, 0, 1),
    "was":     (0, 0, 0, 0, 0, 0, 1),
    "tired":   (0, 0, 0, 0, 1, 0, 1),
    "soft":    (0, 0, 0, 0, 0, 1, 1),
}  # fmt: skip


class Head(NamedTuple):
    """One head as it is written down: column names, and for each table the lines that are not all 0."""

    asks: tuple[str, ...]  # the d_head columns of W_Q and W_K
    hands_over: tuple[str, ...]  # the d_head columns of W_V; each is added to the dimension of the same name by W_O
    W_Q: dict[str, tuple[int, ...]]
    W_K: dict[str, tuple[int, ...]]
    W_V: dict[str, tuple[int, ...]]


HEADS = {
    # What does this word need? "tired" needs something alive, "soft" a thing, a verb or a pronoun either of them;
    # the cat and the mat would like to know how they are, but that word comes later.
    "pronoun": Head(
        asks=("alive", "thing", "tired", "soft"),
        hands_over=("alive", "thing", "tired", "soft"),
        W_Q={
            "alive":   (0, 0, 4, 0),
            "thing":   (0, 0, 0, 4),
            "action":  (4, 4, 0, 0),
            "pronoun": (4, 4, 0, 0),
            "tired":   (4, 0, 0, 0),
            "soft":    (0, 4, 0, 0),
        },
        W_K={
            "alive": (2, 0, 0, 0),
            "thing": (0, 2, 0, 0),
            "tired": (0, 0, 2, 0),
            "soft":  (0, 0, 0, 2),
        },
        W_V={
            "alive": (1, 0, 0, 0),
            "thing": (0, 1, 0, 0),
            "tired": (0, 0, 1, 0),
            "soft":  (0, 0, 0, 1),
        },
    ),
    # Which word came just before? The query is the token's position turned back by one step: exactly for the period
    # of 4 (a quarter turn); for the period of 16 by the whole numbers 5 and 2 (21.8 degrees, one step is 22.5).
    "previous": Head(
        asks=("sin 16", "cos 16", "sin 4", "cos 4"),
        hands_over=("alive", "thing", "action", "pronoun"),
        W_Q={
            "sin 16": (5, 2, 0, 0),
            "cos 16": (-2, 5, 0, 0),
            "sin 4":  (0, 0, 0, 4),
            "cos 4":  (0, 0, -4, 0),
        },
        W_K={
            "sin 16": (2, 0, 0, 0),
            "cos 16": (0, 2, 0, 0),
            "sin 4":  (0, 0, 2, 0),
            "cos 4":  (0, 0, 0, 2),
        },
        W_V={
            "alive":   (1, 0, 0, 0),
            "thing":   (0, 1, 0, 0),
            "action":  (0, 0, 1, 0),
            "pronoun": (0, 0, 0, 1),
        },
    ),
    # Nothing to look for: every token parks its weight on the first one, whose value here is empty.
    "sink": Head(
        asks=("first", "unused 2", "unused 3", "unused 4"),
        hands_over=("alive", "thing", "action", "pronoun"),
        W_Q={"always 1": (4, 0, 0, 0)},
        W_K={"first": (2, 0, 0, 0)},
        W_V={
            "alive":   (1, 0, 0, 0),
            "thing":   (0, 1, 0, 0),
            "action":  (0, 0, 1, 0),
            "pronoun": (0, 0, 0, 1),
        },
    ),
}  # fmt: skip
HEAD_NAMES = tuple(HEADS)
D_HEAD = 4


def sentence(ending: str) -> tuple[str, ...]:
    """The ten tokens of the toy sentence with its last word."""
    return (*SENTENCE, ending)


def position_vectors(n_tokens: int) -> Array:
    """What each place in the sentence adds to the token there: is it the first, and two clock hands.

    The hands turn once in 16 and once in 4 tokens: sin and cos of 2π·position/period (Vaswani et al. 2017, section 3.5,
    which uses many more periods). Rounded to 12 decimals, so that half a turn is 0 exactly.

    returns: [token, 5], in the order of POSITION_DIMENSIONS
    """
    position = np.arange(n_tokens)
    turns = [wave(2 * np.pi * position / period) for period in (16, 4) for wave in (np.sin, np.cos)]
    return np.round(np.stack([position == 0, *turns], axis=1).astype(float), 12) + 0.0  # + 0.0: no minus zero


def token_vectors(
    tokens: Sequence[str], *, meanings: Mapping[str, Sequence[str]] | None = None, positions: bool = True
) -> Array:
    """What goes in: for each token the numbers of its word, then those of its place (0 without positions).

    meanings: for a word that the toy does not know, the names of the dimensions that are 1; "always 1" is so anyway
    returns: [token, d_model], in the order of DIMENSIONS

    Raises ValueError for a sentence that `require_sentence` refuses.
    """
    meanings = meanings or {}
    require_sentence(tokens, meanings)
    words = np.array([_word_vector(token, meanings) for token in tokens], dtype=float)
    return np.concatenate([words, position_vectors(len(tokens)) * positions], axis=1)


def words_with(tokens: tuple[str, ...], *dimensions: str) -> Array:
    """Which tokens are words that have one of the named dimensions: "alive" or "thing" make a noun.

    returns: [token], boolean

    >>> words_with(("The", "cat", "it"), "alive", "thing").tolist()
    [False, True, False]
    """
    columns = [DIMENSIONS.index(name) for name in dimensions]
    return np.asarray((token_vectors(tokens)[:, columns] > 0).any(axis=1))


def require_sentence(tokens: Sequence[str], meanings: Mapping[str, Sequence[str]]) -> None:
    """Refuse what is no sentence for the toy.

    Raises ValueError if there is no token or more than LONGEST, if a token is empty, too long or has no numbers, or if
    a meaning names a dimension that words do not have.
    """
    if not 1 <= len(tokens) <= LONGEST:
        raise ValueError(f"a sentence must have 1 to {LONGEST} words, but it has {len(tokens)}")
    for token in (*tokens, *meanings):
        if not token or len(token) > LONGEST_WORD or token.split() != [token]:
            raise ValueError(
                f"a word must have 1 to {LONGEST_WORD} characters and no blank in it, but it is {quoted(token)}"
            )
    for word, names in meanings.items():
        for name in names:
            if name not in WORD_DIMENSIONS:
                known = ", ".join(WORD_DIMENSIONS)
                raise ValueError(f"the dimensions of {quoted(word)} must be among {known}, but one is {quoted(name)}")
    unknown = [token for token in tokens if token not in VOCABULARY and token not in meanings]
    if unknown:
        known = ", ".join(VOCABULARY)
        raise ValueError(f"the toy knows the words {known}, but was given {quoted(unknown[0])} without a meaning")


def _word_vector(token: str, meanings: Mapping[str, Sequence[str]]) -> tuple[int, ...]:
    """The numbers of a word: those of the vocabulary, else 1 where its meaning says so."""
    if token in VOCABULARY:
        return VOCABULARY[token]
    return tuple(int(name in (*meanings[token], "always 1")) for name in WORD_DIMENSIONS)


def input_matrix(name: str) -> Array:
    """W_Q, W_K or W_V of all heads, by its name.

    returns: [head, d_model, d_head]
    """
    matrix = np.zeros((len(HEADS), len(DIMENSIONS), D_HEAD))
    for h, head in enumerate(HEADS.values()):
        for dimension, line in getattr(head, name).items():
            matrix[h, DIMENSIONS.index(dimension)] = line
    return matrix


def output_matrix() -> Array:
    """W_O: adds what each head hands over to the dimension of the same name.

    returns: [head · d_head, d_model]
    """
    columns = [DIMENSIONS.index(name) for head in HEADS.values() for name in head.hands_over]
    return np.eye(len(DIMENSIONS))[columns]
