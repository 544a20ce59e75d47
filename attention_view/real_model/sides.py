"""The toy's head and its twin in the real model, told side by side: every sentence is true of both their weights."""

from typing import NamedTuple

import numpy as np

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_view.numbers import percent
from attention_view.sentences import all_of
from attention_view.tokens import html_text

SAME = 1e-9  # weights closer than this count as equal
TOY, MODEL = "the toy", "SmolLM2"


class Sides(NamedTuple):
    """The two records with the head of each that is shown, and the token that asks in both."""

    toy: AttentionRecord
    model: AttentionRecord
    toy_head: int
    query: int

    def rows(self) -> tuple[Array, Array]:
        """The weights of the token that asks, in the toy and in the model: [key] each."""
        return self.toy.weights[self.toy_head, self.query], self.model.weights[0, self.query]

    def pictures(self) -> tuple[tuple[str, AttentionRecord, int, str], ...]:
        """Of each side: the name under which the page offers its record, the record, its head, and a caption."""
        return (
            ("toy", self.toy, self.toy_head, f"{TOY}, {self.toy.head_names[self.toy_head]} head"),
            ("model", self.model, 0, f"{MODEL}, {self.model.head_names[0]}"),
        )


def sides_note(now: Sides, other: Sides) -> str:
    """What both do with their numbers, and what becomes of it with the other last word.

    other: the same heads and the same place, with the other last word
    """
    return f'<p class="av-note av-sides">{sides_sentence(now)}{swing_sentence(now, other)}</p>'


def sides_sentence(sides: Sides) -> str:
    """What the token that asks looks at most, in the toy and in the model, as HTML."""
    asks = _token(sides.toy, sides.query)
    seen = int(sides.toy.mask[sides.query].sum())
    if seen == 1:
        return f"{asks} may look only at itself, so both give it all their weight."
    rows = sides.rows()
    toy, model = (_favourites(row) for row in rows)
    if len(toy) == seen:
        alike = f"looks equally at {all_of(seen)} words, {percent(rows[0][toy[0]])} each"
        return f"{asks} {alike}, in {TOY}; in {MODEL} it looks most at {_most(sides, rows[1], model)}."
    if len(toy) > 1:
        words = " and ".join(_key(sides, key) for key in toy)
        return (
            f"In {TOY} {asks} looks equally at {words}, {percent(rows[0][toy[0]])} each; in {MODEL} it looks most at "
            f"{_most(sides, rows[1], model)}."
        )
    if toy == model:
        both = f"{percent(rows[0][toy[0]])} in {TOY} and {percent(rows[1][toy[0]])} in {MODEL}"
        return f"In both, {asks} looks most at {_key(sides, toy[0])}: {both}."
    return (
        f"Here they differ: in {TOY} {asks} looks most at {_most(sides, rows[0], toy)}, in {MODEL} at "
        f"{_most(sides, rows[1], model)}."
    )


def swing_sentence(now: Sides, other: Sides) -> str:
    """What becomes of it with the other last word, as HTML; nothing for a token that cannot see that word.

    other: the same heads and the same place, with the other last word
    """
    if now.query != len(now.toy.query_tokens) - 1:
        return ""
    before, after = ([_favourites(row) for row in sides.rows()] for sides in (now, other))
    word = _token(other.toy, other.query)
    swung = [a != b for a, b in zip(before, after, strict=True)]
    if after[0] != after[1] or any(swung) != all(swung):
        return ""
    still = "" if any(swung) else "still "
    return f" With {word} as the last word, both {still}look most at {_key(other, after[0][0])}."


def _favourites(row: Array) -> list[int]:
    """The keys with the largest weight; more than one only if they are equal."""
    return [int(key) for key in np.flatnonzero(row >= row.max() - SAME)]


def _most(sides: Sides, row: Array, keys: list[int]) -> str:
    return f"{' and '.join(_key(sides, key) for key in keys)}, {percent(row[keys[0]])}"


def _key(sides: Sides, key: int) -> str:
    return "itself" if key == sides.query else _token(sides.toy, key)


def _token(record: AttentionRecord, place: int) -> str:
    return f"<em>{html_text(record.query_tokens[place])}</em>"
