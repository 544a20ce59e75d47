"""One head of a real model opened: the products of a query and a key, the row of weights, the mix of values."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attention_core import AttentionRecord
from attention_core.long_sums import shortened, value_of
from attention_core.opening import Term, opening
from attention_view.arithmetic import softmax_steps
from attention_view.layout import Layout, is_turned
from attention_view.numbers import adds_up, number
from attention_view.openable import Opens, letters, number_at
from attention_view.pictures.in_app import in_app
from attention_view.real_model.many import Vector, vectors_picture
from attention_view.table_parts import (
    caption_text,
    cell,
    heading_row,
    masked,
    rounded_note,
    row,
    table,
    token_names,
)

LARGEST = 5  # so many products are written out
LONG, MOST_KEYS = 32, 20  # of a text with more tokens, so many keys have a line of their own
STEPS = ("score", "weight", "output")  # of the arithmetic; one is shown at a time
QUERY, KEY = '<span class="av-query">query</span>', '<span class="av-key">key</span>'
BARS_OPEN = "; each opens, a product as part of the raw score"
FACTORS = {"rows": (QUERY, KEY), "columns": (KEY, QUERY)}


class Place(NamedTuple):
    """A query and a key of a record with one head, which the page offers under this name."""

    record: AttentionRecord
    query: int
    key: int
    name: str
    layout: Layout = "rows"
    after: int = 0  # of a long text: how many of the largest weights are passed over

    @property
    def opens(self) -> Opens:
        return Opens.row(self.record, 0, self.query, name=self.name)

    @property
    def asks(self) -> str:
        """The token that asks, as HTML."""
        return _token(self.record.query_tokens, self.query)

    @property
    def looked_at(self) -> str:
        return _token(self.record.key_tokens, self.key)


def opened_step(place: Place, step: str) -> str:
    """One step of the arithmetic.

    Raises ValueError if there is no such step.
    """
    if step not in STEPS:
        raise ValueError(f"step must be one of {', '.join(STEPS)}, but it is {step!r}")
    return {"score": score_step, "weight": weight_step, "output": output_step}[step](place)


def score_step(place: Place) -> str:
    """Query times key, number by number, as bars; the largest products; the raw score divided, and the mask."""
    terms = opening(place.record, "raw_scores", (0, place.query, place.key)).step.terms
    return products_picture(place, terms) + score_table(place, terms)


def products_picture(place: Place, terms: Sequence[Term]) -> str:
    """The query, the key, and their product at each number, below each other. terms: of the raw score"""
    record, opens = place.record, place.opens
    q, k = record.Q[0, place.query], record.K[0, place.key]
    vectors = [
        Vector(f"query of {place.asks}", q, "av-of-query", "q"),
        Vector(f"key of {place.looked_at}", k, "av-of-key", "k"),
    ]
    product = " · ".join(FACTORS[place.layout])
    if is_turned(place.layout):
        vectors.reverse()
    return vectors_picture(
        [*vectors, Vector("multiplied", [value_of(term) for term in terms], "av-of-score", "r")],
        title=f"{product}: {place.asks} asks, {place.looked_at} is looked at",
        note=f"{len(q)} numbers each, bars up from 0 and down{in_app(BARS_OPEN)}.",
        of=letters(
            q=opens.of_row("Q"),
            k=opens.at("K", opens.kv_head, place.key, "*"),
            r=opens.at("raw_scores", 0, place.query, place.key),
        ),
    )


def score_table(place: Place, terms: Sequence[Term]) -> str:
    """The largest products, what the others come to, the raw score; and from there to what goes into softmax.

    terms: of the raw score
    """
    record, i, j = place.record, place.query, place.key
    whole = shortened(terms, LARGEST)
    by_size = sorted(whole.largest, key=lambda term: -abs(value_of(term)))
    products = [number(value_of(term)) for term in by_size]
    rest = number(whole.others_sum)
    body = [
        row(term.label, (cell(_product(term, place), lit=True), cell(f"= {text}", lit=True)))
        for term, text in zip(by_size, products, strict=True)
    ]
    body.append(row(f"the other {len(whole.others)}", (cell("added up"), cell(rest, lit=True))))
    raw, score = (number(float(array[0, i, j])) for array in (record.raw_scores, record.scores))
    divisor = number(record.divisor, whole=True)
    sums = adds_up([*((text,) for text in products), (rest,)], raw) and adds_up([(score, divisor)], raw)
    exact = sums and all(map(_comes_out, by_size, products))
    root = f"÷ {number_at(divisor, 'd')} = √{record.Q.shape[-1]}"
    seen = bool(record.mask[i, j])
    said = number_at("may look" if seen else "hidden", "m")
    opens = place.opens
    return table(
        body,
        caption=caption_text(f"The {LARGEST} largest products, {record.head_names[0]}", rounded_note(exact)),
        head=heading_row(["number", " × ".join(FACTORS[place.layout]), "product"]),
        foot=row("raw score", ("<td></td>", cell(number_at(raw, "r"))))
        + row("score", (cell(root), cell(number_at(score, "s"))))
        + row("after the mask", (cell(said), cell(number_at(score, "x")) if seen else masked("−∞", at="x"))),
        style="av-largest",
        of=letters(
            q=opens.of_row("Q"),
            k=opens.at("K", opens.kv_head, j, "*"),
            r=opens.at("raw_scores", 0, i, j),
            d=opens.at("divisor"),
            s=opens.at("scores", 0, i, j),
            m=opens.at("mask", i, j),
            x=opens.at("masked_scores", 0, i, j),
        ),
    )


def weight_step(place: Place) -> str:
    """Softmax over all keys of the token that asks."""
    record, i = place.record, place.query
    return softmax_steps(
        record.masked_scores[0, i],
        record.exponentials[0, i],
        float(record.totals[0, i, 0]),
        record.weights[0, i],
        key_tokens=record.key_tokens,
        mask_row=record.mask[i],
        shift=float(record.shift[0, i, 0]),
        layout=place.layout,
        opens=place.opens,
        whose=f"{place.record.query_tokens[i]}, {record.head_names[0]}",
        most=MOST_KEYS if len(record.key_tokens) > LONG else None,
        after=place.after,
        asked=place.key,
    )


def output_step(place: Place) -> str:
    """What the key hands over: its value, times its weight; and what all keys hand over, added up."""
    record, opens, i, j = place.record, place.opens, place.query, place.key
    weight = number(float(record.weights[0, i, j]), 3, whole=True)
    factors = (f"weight {weight}", "value")
    times = " × ".join(factors[::-1] if is_turned(place.layout) else factors)
    n = int(record.mask[i].sum())
    return vectors_picture(
        [
            Vector(f"value of {place.looked_at}", record.V[0, j], "av-of-value", "v", "value"),
            Vector(times, record.weighted_values[0, i, j], "av-of-value", "w", "value"),
            Vector(f"all {n} tokens, added up" if n > 1 else "all of it", record.head_outputs[0, i],
                   "av-of-value", "o", "value"),
        ],
        title=f"What {place.looked_at} hands to {place.asks}",
        note=f"{record.V.shape[-1]} numbers each, all on one scale. The last line is the output of the head.",
        of=letters(
            v=opens.at("V", opens.kv_head, j, "*"),
            w=opens.at("weighted_values", 0, i, j, "*"),
            o=opens.of_row("head_outputs"),
        ),
    )  # fmt: skip


def most_looked_at(record: AttentionRecord, query: int) -> int:
    """The place of the key that a query looks at most."""
    return int(np.argmax(record.weights[0, query]))


def _token(tokens: tuple[str, ...], place: int) -> str:
    return f"<em>{token_names(tokens)[place]}</em>"


def _factors(term: Term) -> tuple[float, float]:
    query, key = (part.value for part in term.parts)
    return query, key


def _comes_out(term: Term, product: str) -> bool:
    """Whether query times key, both as shown, is the product as shown."""
    query, key = map(number, _factors(term))
    return adds_up([(query, key)], product)


def _product(term: Term, place: Place) -> str:
    """Query times key, each to be opened, in the order of the layout."""
    ends = [str(part.address.place[-1]) for part in term.parts if part.address]
    shown = [
        number_at(f"({number(x)})" if x < 0 and order else number(x), f"{letter}{end}", strong=True)
        for order, (x, letter, end) in enumerate(_ordered(place, _factors(term), ends))
    ]
    return " × ".join(shown)


def _ordered(place: Place, factors: tuple[float, float], ends: list[str]) -> list[tuple[float, str, str]]:
    both = [*zip(factors, "qk", ends, strict=True)]
    return both[::-1] if is_turned(place.layout) else both
