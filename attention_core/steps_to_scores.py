"""How queries and keys become scores: a step for each number up to the masked scores, in every variant."""

import numpy as np

from attention_core.addresses import Address, value_at
from attention_core.in_words import Words
from attention_core.record import AttentionRecord
from attention_core.step import Part, Step, Term, part, terms

Record = AttentionRecord


def divisor(record: Record) -> Step:
    """The square root of a size, so that scores of long vectors do not grow."""
    sizes = {"sqrt d_head": ("d_head", record.Q.shape[-1]), "sqrt d_model": ("d_model", record.X.shape[-1])}
    if record.variant.divide_by == "nothing":
        return Step("given", record.divisor, why="In this variant the scores are not divided: they are divided by 1.")
    name, size = sizes[record.variant.divide_by]
    why = "" if name == "d_head" else "This variant takes the length of a whole token vector for that of a query."
    return Step("root", record.divisor, terms([Part(f"{name}, how many numbers it has", float(size))]), why=why)


def raw_score(record: Record, h: int, i: int, j: int) -> Step:
    """Query times key, number by number, added up."""
    words, g = Words(record), record.kv_head(h)
    products = (
        Term((part(record, "Q", h, i, e), part(record, "K", g, j, e)), words.asks(h, e))
        for e in range(record.Q.shape[-1])
    )
    return Step("sum", _value(record, "raw_scores", h, i, j), tuple(products))


def score(record: Record, h: int, i: int, j: int) -> Step:
    """The raw score divided."""
    raw, below = part(record, "raw_scores", h, i, j), part(record, "divisor")
    return Step("quotient", _value(record, "scores", h, i, j), terms([raw]), terms([below]))


def mask(record: Record, i: int, j: int) -> Step:
    """Given: 1 = may look at, 0 = hidden."""
    words, seen = Words(record), _value(record, "mask", i, j)
    may = "may look at" if seen else "may not look at"
    return Step("given", seen, why=f"{seen:.0f}: {words.query(i)} {may} {words.key(j)}. The mask says so.")


def masked_score(record: Record, h: int, i: int, j: int) -> Step:
    """The score, or what the variant puts in its place where the mask hides the key."""
    value, words = _value(record, "masked_scores", h, i, j), Words(record)
    of_score, seen = part(record, "scores", h, i, j), part(record, "mask", i, j)
    if record.variant.hide.startswith("0 after"):
        return Step("sum", value, terms([of_score]), why="This variant hides nothing before softmax.")
    if seen.value:
        why = f"The mask lets {words.query(i)} see {words.key(j)}: 1 = may look."
        return Step("sum", value, terms([of_score]), why=why, decided_by=(seen,))
    instead = "−∞" if np.isneginf(value) else "In this variant 0"
    why = f"The mask hides {words.key(j)} from {words.query(i)}. {instead} stands in place of the score."
    return Step("sum", value, terms([Part("in place of the score", value)]), why=why, decided_by=(seen, of_score))


def _value(record: Record, array: str, *place: int) -> float:
    return value_at(record, Address(array, place))
