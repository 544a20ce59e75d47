"""A row or a column of weights in words, for eyes and for screen readers. Every sentence is true of its numbers."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attention_view.tokens import distinct_names, isolated

SAME = 1e-9  # weights closer than this count as equal: floating point leaves about 1e-16
MOST = 3  # at most so many tokens are named


def row_sentences(
    weights: NDArray[np.floating],
    mask: NDArray[np.bool_],
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
) -> list[str]:
    """What each query looks at, one sentence a row. weights, mask: [query, key]; mask True = may look at.

    Weight that leaks to masked keys gets a sentence of its own.
    """
    queries, keys, same = _names(query_tokens, key_tokens)
    return [
        row_sentence(weights[i], mask[i], asks=name, key_names=keys, itself=i if same else None)
        + _leak_sentence(weights[i], mask[i], "goes to", "it may not see")
        for i, name in enumerate(queries)
    ]


def column_sentences(
    weights: NDArray[np.floating],
    mask: NDArray[np.bool_],
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
) -> list[str]:
    """Who looks at each key, one sentence a column. weights, mask: [query, key]; mask True = may look at."""
    queries, keys, same = _names(query_tokens, key_tokens)
    return [
        column_sentence(
            weights[:, j],
            mask[:, j],
            looked_at=name,
            query_names=queries,
            itself=j if same else None,
        )
        + _leak_sentence(weights[:, j], mask[:, j], "comes from", "may not see it")
        for j, name in enumerate(keys)
    ]


def _names(query_tokens: Sequence[str], key_tokens: Sequence[str]) -> tuple[list[str], list[str], bool]:
    """The names of the queries and of the keys, apart from the words around them, and whether both are the same."""
    queries, keys = ([*map(isolated, distinct_names(tokens))] for tokens in (query_tokens, key_tokens))
    return queries, keys, [*query_tokens] == [*key_tokens]


def row_sentence(
    weights: NDArray[np.floating],
    mask: NDArray[np.bool_],
    *,
    asks: str,
    key_names: Sequence[str],
    itself: int | None = None,
) -> str:
    """What one query looks at: "tired looks mostly at cat, 86 percent; the most another gets is 2 percent."

    weights, mask: [key]. `itself` is the place of the query among the keys, if it has one.
    """
    names = _with_itself(key_names, itself)
    order = _strongest_first(weights, mask)
    if not order:
        return f"{asks} may look at nothing: every token is masked."
    top, low = weights[order[0]], weights[order[-1]]
    if top == 0:
        return f"{asks} gives no weight to any token it may see."
    if len(order) == 1:
        return f"{asks} may see only {names[order[0]]} and gives it {percent(top)}."
    if top - low <= SAME:
        return f"{asks} looks equally at {all_of(len(order))} tokens it may see, {percent(top)} each."
    leaders = _leaders(weights, order)
    if not leaders:
        return f"{asks} spreads its weight over {len(order)} tokens; the most that one gets is {percent(top)}."
    how = "only" if weights[order[1]] == 0 else "mostly" if weights[leaders].sum() > 0.5 else "most"
    return f"{asks} looks {how} at {_listed(weights, leaders, names)}; {_rest(weights, order, leaders, names)}."


def column_sentence(
    weights: NDArray[np.floating],
    mask: NDArray[np.bool_],
    *,
    looked_at: str,
    query_names: Sequence[str],
    itself: int | None = None,
) -> str:
    """Who looks at one key: "cat is looked at most by sat, 95 percent; the most another gives it is 17 percent."

    weights, mask: [query]; each weight is a share of that query's row, so they need not sum to 1.
    """
    names = _with_itself(query_names, itself)
    order = _strongest_first(weights, mask)
    if not order:
        return f"No token may look at {looked_at}: it is masked for all."
    top, low = weights[order[0]], weights[order[-1]]
    if top == 0:
        return f"No token gives any weight to {looked_at}."
    if len(order) == 1:
        return f"{looked_at} may be looked at only by {names[order[0]]}, which gives it {percent(top)}."
    if top - low <= SAME:
        return f"{looked_at} is looked at equally by {all_of(len(order))} tokens that may see it, {percent(top)} each."
    if low >= 0.5:
        many = f"{all_of(len(order))} tokens that may see it"
        return f"{looked_at} gets at least half of the weight of {many}; the least that one gives it is {percent(low)}."
    leaders = _leaders(weights, order)
    if not leaders:
        return f"{looked_at} is looked at by {len(order)} tokens; the most that one gives it is {percent(top)}."
    rest = _rest(weights, order, leaders, names).replace(" gets", " gives it").replace(" get", " give it")
    return f"{looked_at} is looked at most by {_listed(weights, leaders, names)}; {rest}."


def _leak_sentence(weights: NDArray[np.floating], mask: NDArray[np.bool_], way: str, who: str) -> str:
    """What leaks past the mask, with a blank before it, or nothing.

    A row's leak is a share of one whole; weights of a column are shares of different wholes, so their sum is no share.
    """
    leaking = ~mask & (weights != 0)
    if not leaking.any():
        return ""
    tokens = f"{leaking.sum()} token{'s' if leaking.sum() > 1 else ''}"
    if way == "goes to":
        return f" It leaks: {percent(float(weights[leaking].sum()))} {way} {tokens} that {who}."
    return f" It leaks: weight also {way} {tokens} that {who}."


def percent(weight: float) -> str:
    """A weight in words, to the nearest whole percent; never "0 percent" or "100 percent" for what is not.

    >>> percent(0.858), percent(0.001), percent(0.999)
    ('86 percent', 'less than 1 percent', 'more than 99 percent')
    """
    number = math.floor(100 * weight + 0.5)  # halves go up, as in the browser
    if number == 0 and weight > 0:
        return "less than 1 percent"
    if number == 100 and weight < 1 - SAME:
        return "more than 99 percent"
    return f"{number} percent"


def _with_itself(names: Sequence[str], itself: int | None) -> list[str]:
    return ["itself" if place == itself else name for place, name in enumerate(names)]


def _strongest_first(weights: NDArray[np.floating], mask: NDArray[np.bool_]) -> list[int]:
    """The places that are not masked, by falling weight; equal weights keep their order."""
    return [int(place) for place in np.argsort(-weights, kind="stable") if mask[place]]


def _leaders(weights: NDArray[np.floating], order: list[int]) -> list[int]:
    """The few strongest places: where the next weight is at most half, else where it is less at all; none if tied."""
    counts = range(1, min(MOST, len(order) - 1) + 1)
    clear = [n for n in counts if weights[order[n]] <= weights[order[n - 1]] / 2]
    strict = [n for n in counts if weights[order[n]] < weights[order[n - 1]] - SAME]
    return order[: (clear or strict or [0])[0]]


def _listed(weights: NDArray[np.floating], places: list[int], names: Sequence[str]) -> str:
    """The named places with their weights: "cat, 47 percent, and mat, 47 percent"."""
    parts = [f"{names[place]}, {percent(weights[place])}" for place in places]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _rest(
    weights: NDArray[np.floating],
    order: list[int],
    leaders: list[int],
    names: Sequence[str],
) -> str:
    """What the others get: the most of them, rounded as it is shown beside the sentence."""
    rest = order[len(leaders) :]
    top = weights[rest[0]]
    if len(rest) == 1:
        return f"{names[rest[0]]} gets {percent(top) if top else 'nothing'}"
    if top == 0:
        return "the rest get nothing"
    return "the rest get less than 1 percent each" if top < 0.005 else f"the most another gets is {percent(top)}"


def all_of(n: int) -> str:
    """All of so many: "both" or "all 3"."""
    return "both" if n == 2 else f"all {n}"
