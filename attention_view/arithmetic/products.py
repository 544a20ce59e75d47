"""Vectors multiplied number by number: a token's vector with a matrix, a query with every key."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_view.numbers import adds_up, number
from attention_view.shapes import shaped, shaped_mask
from attention_view.table_parts import (
    KEY_HEADING,
    cell,
    heading_row,
    masked,
    plain_names,
    row,
    table,
    token_names,
)

Projected = Literal["query", "key", "value"]
MATRIX = {"query": "W<sub>Q</sub>", "key": "W<sub>K</sub>", "value": "W<sub>V</sub>"}


def projection_steps(
    x: ArrayLike,
    W: ArrayLike,
    result: ArrayLike,
    *,
    input_names: Sequence[str],
    output_names: Sequence[str],
    kind: Projected,
) -> str:
    """How a token's vector times a matrix gives its query, key or value: the terms that are not 0, then all, folded.

    x: [d_model]    W: [d_model, d_head]    result: [d_head] = x W

    Raises ValueError if the names do not fit the shapes, an entry is not finite, or the kind is unknown.
    """
    if kind not in MATRIX:
        raise ValueError(f"kind must be one of {', '.join(MATRIX)}, but it is {kind!r}")
    x = shaped("x", x, d_model=len(input_names))
    W = shaped("W", W, d_model=len(input_names), d_head=len(output_names))
    result = shaped("result", result, d_head=len(output_names))
    names = plain_names(input_names)
    body = (
        row(name, _sum_of_terms(x, W[:, place], result[place], names))
        for place, name in enumerate(plain_names(output_names))
    )
    product = f'x · <span class="av-{kind}">{MATRIX[kind]}</span>'
    steps = table(
        body,
        caption=f'The <span class="av-{kind}">{kind}</span> = {product}: the terms that are not 0',
        head=heading_row([f"{kind}", "terms, added up", "sum", "terms left out"]),
        style=f"av-sums av-of-{kind}",
    )
    return f'<div class="av-projection">{steps}{_all_products(x, W, result, names, output_names, product)}</div>'


def dot_products(
    q: ArrayLike,
    K: ArrayLike,
    raw_scores: ArrayLike,
    scores: ArrayLike,
    *,
    key_tokens: Sequence[str],
    names: Sequence[str],
    divisor: float,
    mask_row: ArrayLike,
) -> str:
    """How a query meets every key: number times number, added up, divided; a row for each key.

    q: [d_head]    K: [key, d_head]    raw_scores, scores, mask_row: [key]; mask True = may look at
    A score that is not its raw score divided was set by hand; the row says so.

    Raises ValueError if the arrays do not fit the tokens and names, or an entry is not finite.
    """
    n_keys, d_head = len(key_tokens), len(names)
    q = shaped("q", q, d_head=d_head)
    K = shaped("K", K, key=n_keys, d_head=d_head)
    raw_scores = shaped("raw_scores", raw_scores, key=n_keys)
    scores = shaped("scores", scores, key=n_keys)
    seen = shaped_mask("mask_row", mask_row, key=n_keys)
    body = (
        row(
            name,
            (
                *_terms(q, K[j]),
                _total(raw_scores[j], [(q[d], K[j, d]) for d in range(d_head)]),
                _score(scores[j], raw_scores[j] / divisor) if seen[j] else masked("−∞"),
            ),
            style=_style(raw_scores[j], seen=bool(seen[j])),
        )
        for j, name in enumerate(token_names(key_tokens))
    )
    return table(
        body,
        caption='<span class="av-query">query</span> · <span class="av-key">key</span>, number by number',
        head=heading_row([KEY_HEADING, *plain_names(names), "sum", f"÷ {number(divisor, whole=True)} = score"]),
        style="av-products",
    )


def _sum_of_terms(x: Array, column: Array, result: float, names: Sequence[str]) -> tuple[str, str, str]:
    """The cells of one sum: its terms that are not 0, the sum, and how many terms are 0."""
    places = np.flatnonzero(x * column).tolist()
    terms = " + ".join(
        f'<span class="av-term"><small>{names[d]}</small> {_product(x[d], column[d], lit=True)}</span>' for d in places
    )
    left_out = len(x) - len(places)
    return (
        f'<td class="av-terms">{terms or "every term is 0"}</td>',
        _total(result, [(x[d], column[d]) for d in places]),
        cell(f"{left_out} × 0" if left_out else "none"),
    )


def _all_products(
    x: Array, W: Array, result: Array, names: Sequence[str], output_names: Sequence[str], product: str
) -> str:
    """The same sums with every term, folded."""
    body = (
        row(name, (cell(_product(x[d], w), lit=bool(x[d] * w)) for w in W[d]), style="av-lit-row" if x[d] else "")
        for d, name in enumerate(names)
    )
    full = table(
        body,
        caption=f"{product}: every term",
        head=heading_row(["dimension of x", *plain_names(output_names)]),
        foot=row("sum", (cell(number(total, whole=True), lit=True) for total in result)),
        style="av-products",
    )
    return f"<details><summary>All {W.size} terms of {product}</summary>{full}</details>"


def _terms(q: Array, k: Array) -> list[str]:
    return [
        cell(f"{'+ ' if d else ''}{_product(q[d], k[d], lit=bool(q[d] * k[d]))}", lit=bool(q[d] * k[d]))
        for d in range(len(q))
    ]


def _product(a: float, b: float, *, lit: bool = False) -> str:
    """Two factors as shown. The second is in the colour of its kind where the product is lit."""
    left, right = number(a, whole=True), number(b, whole=True)
    if b < 0:
        right = f"({right})"
    return f"<b>{left}</b> × <b>{right}</b>" if lit else f"{left} × {right}"


def _total(total: float, terms: Sequence[tuple[float, float]]) -> str:
    """The cell of a sum; it says "rounded" where the shown terms give another number."""
    shown = number(total, whole=True)
    exact = adds_up([(number(a, whole=True), number(b, whole=True)) for a, b in terms], shown)
    return cell(f"= {shown}{'' if exact else ' <small>rounded</small>'}", lit=bool(total))


def _score(score: float, divided: float) -> str:
    """The cell of a score; one that the division does not give was set by hand."""
    shown = number(score, whole=True)
    if np.isclose(score, divided, rtol=1e-6, atol=1e-9):
        return f'<td class="av-result">= {shown}</td>'
    return f'<td class="av-result"><span class="av-changed">changed to {shown}</span></td>'


def _style(raw_score: float, *, seen: bool) -> str:
    if not seen:
        return "av-hidden"
    return "av-on-row" if raw_score else ""
