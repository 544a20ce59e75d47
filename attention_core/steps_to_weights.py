"""How scores become weights: a step for each number that softmax computes, and for the weights, in every variant."""

from attention_core.addresses import MEAN, Address, value_at
from attention_core.in_words import Words
from attention_core.record import AttentionRecord
from attention_core.step import Part, Step, Term, part, terms

Record = AttentionRecord
NOTHING_TO_SHARE = "The total is 0: there is nothing to share out, so nothing is divided."


def shift(record: Record, h: int, i: int, j: int) -> Step:
    """What is taken off all scores that softmax takes together, so that the powers stay of a safe size; often 0."""
    value = _value(record, "shift", h, i, j)
    places = _line(record, i, j)
    largest = max(places, key=lambda place: float(record.masked_scores[(h, *place)]))
    if value == 0:
        return Step("given", value, why="The scores are small: nothing is taken off.")
    edge = float(record.masked_scores[(h, *largest)]) - value
    why = "It moves the largest score to a safe size. The same number off every score changes no weight."
    kept = (part(record, "masked_scores", h, *largest), Part("the safe size, taken off", -edge))
    return Step("sum", value, terms(kept), why=why)


def exponential(record: Record, h: int, i: int, j: int) -> Step:
    """e to the masked score, less the shift if there is one."""
    off = part(record, "shift", h, *_first(record, i, j))
    exponent = [part(record, "masked_scores", h, i, j), *([off] if off.value else [])]
    return Step("power", _value(record, "exponentials", h, i, j), terms(exponent))


def total(record: Record, h: int, i: int, j: int) -> Step:
    """The exponentials of one query added up; those of one key in the variant that mistakes the axis."""
    words, over_queries = Words(record), record.variant.shares_of == "column"
    addends = (
        Term((part(record, "exponentials", h, *place),), words.query(place[0]) if over_queries else words.key(place[1]))
        for place in _line(record, i, j)
    )
    why = (
        "This variant adds up the other axis: over all who look at one key. "
        "It should add up over the keys of the one who asks."
    )
    return Step("sum", _value(record, "totals", h, i, j), tuple(addends), why=why if over_queries else "")


def share(record: Record, h: int, i: int, j: int) -> Step:
    """The exponential divided by the total that it is part of."""
    return _share(record, _value(record, "shares", h, i, j), h, i, j)


def weight(record: Record, h: int, i: int, j: int) -> Step:
    """The share, unless the variant changes it after softmax."""
    value, variant = _value(record, "weights", h, i, j), record.variant
    if variant.weights_of == "the mean of all heads":
        return _mean_of_shares(record, value, i, j)
    if not variant.hide.startswith("0 after"):
        return _share(record, value, h, i, j)
    words, masked = Words(record), (Term((part(record, "shares", h, i, j), part(record, "mask", i, j))),)
    if not variant.hide.endswith("renormalised"):
        left = f"the weights of {words.query(i)} no longer add up to 1"
        left = f"here {words.query(i)} may look at all keys" if record.mask[i].all() else left
        return Step("sum", value, masked, why=f"This variant hides after softmax: {left}.")
    seen = tuple(
        Term((part(record, "shares", h, i, k),), words.key(k)) for k in range(len(record.X_key)) if record.mask[i, k]
    )
    if not sum(term.parts[0].value for term in seen):
        return Step("sum", value, masked, why=NOTHING_TO_SHARE)
    why = f"This variant hides after softmax and then divides by what is left of the shares of {words.query(i)}."
    return Step("quotient", value, masked, seen, why=why)


def mean(record: Record, i: int, j: int) -> Step:
    """The mean of the heads that are on, which the layer itself never uses."""
    words = Words(record)
    on = [h for h in range(len(record.weights)) if record.heads_on[h]]
    addends = tuple(Term((part(record, "weights", h, i, j),), words.head(h)) for h in on)
    count = terms([Part("heads that are on", float(len(on)))])
    return Step("quotient", value_at(record, Address(MEAN, (i, j))), addends, count)


def _share(record: Record, value: float, h: int, i: int, j: int) -> Step:
    above, below = part(record, "exponentials", h, i, j), part(record, "totals", h, *_first(record, i, j))
    if below.value == 0:
        return Step("sum", value, terms([above]), why=NOTHING_TO_SHARE, decided_by=(below,))
    return Step("quotient", value, terms([above]), terms([below]))


def _mean_of_shares(record: Record, value: float, i: int, j: int) -> Step:
    """In the variant in which every head gets the mean."""
    if record.variant.hide.startswith("0 after"):
        raise ValueError(f"a variant must change the weights in one way, but it does so in two: {record.variant}")
    words, n = Words(record), len(record.shares)
    addends = tuple(Term((part(record, "shares", h, i, j),), words.head(h)) for h in range(n))
    why = "In this variant every head uses the mean of all heads."
    return Step("quotient", value, addends, terms([Part("heads", float(n))]), why=why)


def _line(record: Record, i: int, j: int) -> list[tuple[int, int]]:
    """The places that softmax shares one whole among."""
    if record.variant.shares_of == "column":
        return [(q, j) for q in range(len(record.X))]
    return [(i, k) for k in range(len(record.X_key))]


def _first(record: Record, i: int, j: int) -> tuple[int, int]:
    """Where the total and the shift of a cell stand."""
    return (0, j) if record.variant.shares_of == "column" else (i, 0)


def _value(record: Record, array: str, *place: int) -> float:
    return value_at(record, Address(array, place))
