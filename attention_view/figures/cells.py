"""What a heat map shows, decided before anything is drawn: which cells have a colour, and the words for them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array, numbers
from attention_view.colours import Scale, colour_at
from attention_view.layout import Layout, is_turned, words
from attention_view.numbers import full, number
from attention_view.tokens import distinct_names, plotly_text


class Look(NamedTuple):
    """How numbers turn into colours and text."""

    low: float
    high: float
    scale: Scale
    digits: int
    whole: bool = False  # whole numbers without digits: an exact 0 or 1 can be told from a rounded one

    def colour(self, x: float) -> str:
        """The colour of a number."""
        return colour_at(self.scale, (x - self.low) / (self.high - self.low))

    def is_nothing(self, x: float) -> bool:
        """Whether a number is 0 or rounded to it."""
        return round(x, self.digits) == 0

    def text(self, x: float) -> str:
        """A number as it stands in its cell."""
        return number(x, self.digits, whole=self.whole)


class Side(NamedTuple):
    """The tokens along one side of a heat map, and what they do."""

    tokens: Sequence[str]
    title: str
    meaning: str  # the colour
    strong: int | None  # the place of the framed one


class Cells(NamedTuple):
    """The numbers of each query with each key. Hidden cells have no colour and set no limit."""

    name: str
    given: Array  # [query, key]
    hidden: Array  # [query, key] boolean: masked
    query_tokens: Sequence[str]
    key_tokens: Sequence[str]
    ask: int | None
    layout: Layout = "rows"

    def laid(self, array: Array) -> Array:
        """An array [query, key] as it is drawn: [down, across]."""
        return array.T if is_turned(self.layout) else array

    @property
    def sides(self) -> tuple[Side, Side]:
        """What runs down and what runs across."""
        queries = Side(self.query_tokens, "query (asks)", "query", self.ask)
        keys = Side(self.key_tokens, "key (is looked at)", "key", None)
        return (keys, queries) if is_turned(self.layout) else (queries, keys)

    @property
    def shown(self) -> Array:
        """The numbers that get a colour, NaN where hidden: [query, key]."""
        return np.where(self.hidden, np.nan, self.given)

    @property
    def visible(self) -> Array:
        """The numbers that get a colour, end to end."""
        return self.given[~self.hidden]

    def each(self, write: Callable[[float, bool], str]) -> Array:
        """A text for every cell, written from its number and whether it is hidden: [query, key]."""
        texts = [write(x, hidden) for x, hidden in zip(self.given.flat, self.hidden.flat, strict=True)]
        return np.array(texts).reshape(self.given.shape)

    def hovers(self) -> Array:
        """For each cell both tokens with their places, counted from 1, and the number in full: [query, key]."""
        queries, keys = (
            [f"{plotly_text(token)} ({place})" for place, token in enumerate(tokens, start=1)]
            for tokens in (self.query_tokens, self.key_tokens)
        )
        said = self.each(lambda x, hidden: f"masked: {full(x)}" if hidden and x else "masked" if hidden else full(x))
        return np.array(
            [
                [f"{query} looks at {key}<br>{text}" for key, text in zip(keys, row, strict=True)]
                for query, row in zip(queries, said, strict=True)
            ]
        )

    def in_words(self, digits: int) -> str:
        """The picture for those who cannot see it."""
        n_queries, n_keys = self.given.shape
        line, across = words(self.layout).line, words(self.layout).across
        text = (
            f"Heat map of {self.name}: {n_queries} queries that ask, in {line}s; {n_keys} keys looked at, in {across}s."
        )
        if self.hidden.any():
            text += f" Masked cells: {self.hidden.sum()} of {self.hidden.size}."
        if self.visible.size:
            low, high = number(self.visible.min(), digits), number(self.visible.max(), digits)
            text += f" The visible {self.name} run from {low} to {high}."
        return text if self.ask is None else f"{text} {self._asked_in_words(self.ask, digits)}"

    def _asked_in_words(self, i: int, digits: int) -> str:
        line = words(self.layout).line
        query = distinct_names(self.query_tokens)[i]
        seen = np.flatnonzero(~self.hidden[i])
        if not seen.size:
            return f"The framed {line}, {query}, may look at nothing."
        row = self.given[i, seen]
        largest = seen[np.isclose(row, row.max(), rtol=0, atol=1e-9)]
        names = distinct_names(self.key_tokens)
        keys = " and ".join(names[j] for j in largest) if largest.size <= 3 else f"{largest.size} keys"
        return f"The framed {line}, {query}, is largest at {keys}: {number(row.max(), digits)}."


def read_cells(
    name: str,
    given: ArrayLike,
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    mask: ArrayLike | None = None,
    ask: int | None = None,
    allow_minus_inf: bool = False,
    layout: Layout = "rows",
) -> Cells:
    """Check what a builder was handed, and find the hidden cells: those that the mask hides, and those of −∞.

    given: [query, key]    mask: [query, key], True = may look at    ask: a query

    Raises ValueError if tokens, numbers and mask do not fit each other, if a number is NaN or infinite, if it is −∞
    where the mask lets the query look, or if there is no row `ask` or no such layout.
    """
    words(layout)
    shape = len(query_tokens), len(key_tokens)
    if 0 in shape:
        raise ValueError(f"{name} need a query and a key, but there are {shape[0]} query and {shape[1]} key tokens")
    array = numbers(name, given, "query key", allow_minus_inf=allow_minus_inf)
    if array.shape != shape:
        raise ValueError(f"{name} must have a row a query and a column a key {shape}, but its shape is {array.shape}")
    if ask is not None and not 0 <= ask < shape[0]:
        raise ValueError(f"ask must be a row from 0 to {shape[0] - 1}, but it is {ask}")
    hidden = np.isneginf(array)
    if mask is not None:
        hidden = _hidden_by(mask, name, unseen=hidden)
    return Cells(name, array, hidden, query_tokens, key_tokens, ask, layout)


def _hidden_by(mask: ArrayLike, name: str, *, unseen: Array) -> Array:
    look = np.asarray(mask)
    if look.dtype != bool or look.shape != unseen.shape:
        raise ValueError(
            f"mask must be boolean, True = may look at, and have the shape of the {name} {unseen.shape}, "
            f"but it is {look.dtype} with the shape {look.shape}"
        )
    for i, j in np.argwhere(unseen & look):
        raise ValueError(f"{name} may be −∞ only where the mask hides the key, but query {i} may look at key {j}")
    return ~look
