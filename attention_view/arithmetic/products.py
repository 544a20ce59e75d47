"""Vectors multiplied number by number: a token's vector with a matrix, a query with every key."""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_view.layout import Layout, is_turned
from attention_view.numbers import adds_up, number
from attention_view.openable import BY_PLACE, Opens, letters, number_at
from attention_view.shapes import shaped, shaped_mask
from attention_view.table_parts import (
    KEY_HEADING,
    TERMS_HEADING,
    caption_text,
    cell,
    changed_mark,
    heading_row,
    masked,
    plain_names,
    result_cell,
    row,
    row_style,
    table,
    token_names,
)

Projected = Literal["query", "key", "value"]
TURNED = " av-turned"  # the class of a table whose factors stand the other way round
ROUNDED = "≈: numbers shown rounded."
MATRIX = {"query": "W<sub>Q</sub>", "key": "W<sub>K</sub>", "value": "W<sub>V</sub>"}


def projection_steps(
    x: ArrayLike,
    W: ArrayLike,
    result: ArrayLike,
    *,
    input_names: Sequence[str],
    output_names: Sequence[str],
    kind: Projected,
    layout: Layout = "rows",
    opens: Opens | None = None,
) -> str:
    """How a token's vector times a matrix gives its query, key or value: the terms that are not 0.

    x: [d_model]    W: [d_model, d_head]    result: [d_head] = x W
    Where vectors stand in columns the product is written W x, and so is each term.
    opens: the row of the page's record that they belong to

    Raises ValueError if the names do not fit the shapes, an entry is not finite, or the kind or layout is unknown.
    """
    if kind not in MATRIX:
        raise ValueError(f"kind must be one of {', '.join(MATRIX)}, but it is {kind!r}")
    x = shaped("x", x, d_model=len(input_names))
    W = shaped("W", W, d_model=len(input_names), d_head=len(output_names))
    result = shaped("result", result, d_head=len(output_names))
    names, turned = plain_names(input_names), is_turned(layout)
    sums = [_sum(result[place], zip(x, W[:, place], strict=True)) for place in range(len(result))]
    body = (
        row(
            name,
            (
                _nonzero_terms(x, W[:, place], names, column=place if opens else None, turned=turned),
                cell(_opened_sum(sums[place], f"r{place}" if opens else ""), lit=bool(result[place])),
            ),
        )
        for place, name in enumerate(plain_names(output_names))
    )
    matrix = f'<span class="av-{kind}">{MATRIX[kind]}</span>'
    product = f"{matrix} · x" if turned else f"x · {matrix}"
    return table(
        body,
        caption=caption_text(
            f'<span class="av-{kind}">{kind}</span> = {product}', "Terms that are not 0.", _note(sums)
        ),
        head=heading_row([kind, TERMS_HEADING, "sum"]),
        style=f"av-sums av-of-{kind}{TURNED if turned else ''}",
        of=_projected(opens, kind) if opens else "",
    )


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
    layout: Layout = "rows",
    opens: Opens | None = None,
) -> str:
    """How a query meets every key: number times number, added up, divided; a row for each key.

    q: [d_head]    K: [key, d_head]    raw_scores, scores, mask_row: [key]; mask True = may look at
    A score that is not its raw score divided was set by hand; the row says so.
    Where queries stand in columns the key comes first, as in Kᵀ·Q; a key still has a line of its own.
    opens: the row of the page's record that they belong to

    Raises ValueError if the arrays do not fit the tokens and names, an entry is not finite, or the layout is unknown.
    """
    n_keys, d_head = len(key_tokens), len(names)
    q = shaped("q", q, d_head=d_head)
    K = shaped("K", K, key=n_keys, d_head=d_head)
    raw_scores = shaped("raw_scores", raw_scores, key=n_keys)
    scores = shaped("scores", scores, key=n_keys)
    seen = shaped_mask("mask_row", mask_row, key=n_keys)
    turned = is_turned(layout)
    sums = [_sum(raw_scores[j], zip(q, K[j], strict=True)) for j in range(n_keys)]
    body = (
        row(
            name,
            (
                *_terms(q, K[j], open_by_place=opens is not None, turned=turned),
                cell(_opened_sum(sums[j], f"r{j}" if opens else ""), lit=bool(raw_scores[j])),
                _score(scores[j], raw_scores[j] / divisor, at=f"s{j}" if opens else "")
                if seen[j]
                else masked("−∞", at=f"m{j}" if opens else ""),
            ),
            style=row_style(scores, seen, j),
        )
        for j, name in enumerate(token_names(key_tokens))
    )
    factors = '<span class="av-query">query</span>', '<span class="av-key">key</span>'
    product = " · ".join(factors[::-1] if turned else factors)
    divided = number(divisor, whole=True)
    by = number_at(divided, "d" if opens else "")
    return table(
        body,
        caption=caption_text(product, f"Number by number, added up, divided by {divided}.", _note(sums)),
        head=heading_row([KEY_HEADING, *plain_names(names), "sum", f"÷&nbsp;{by}&nbsp;= score"]),
        style=f"av-products av-scored{TURNED if turned else ''}",
        of=_met(opens) if opens else "",
    )


def _projected(opens: Opens, kind: Projected) -> str:
    """Where the numbers of a projection stand: the token's vector, the matrix, and what they come to."""
    array, head = kind[0].upper(), opens.head if kind == "query" else opens.kv_head
    return letters(
        x=opens.at("X", opens.query, "*"),
        w=opens.at(f"W_{array}", head, "*"),
        r=opens.at(array, head, opens.query, "*"),
    )


def _met(opens: Opens) -> str:
    """Where the numbers stand when a query meets the keys."""
    arrays = {"r": "raw_scores", "s": "scores", "m": "masked_scores", "q": "Q"}
    rows = {letter: opens.of_row(array) for letter, array in arrays.items()}
    return letters(**rows, k=opens.at("K", opens.kv_head, "*"), d=opens.at("divisor", "*"))


def _nonzero_terms(x: Array, values: Array, names: Sequence[str], *, column: int | None, turned: bool) -> str:
    """A cell with the terms that are not 0, and how many are left out."""
    places = np.flatnonzero(x * values).tolist()
    ats = {d: ("", "") if column is None else (f"x{d}", f"w{d},{column}") for d in places}
    products = (_product(x[d], values[d], lit=True, turned=turned, ats=ats[d]) for d in places)
    terms = [
        f'<span class="av-term"><small>{names[d]}</small> <span>{product}</span></span>'
        for d, product in zip(places, products, strict=True)
    ]
    left_out = len(x) - len(places)
    if left_out:
        terms.append(f"<small>{left_out} {'terms' if left_out > 1 else 'term'} of 0</small>")
    return f'<td class="av-terms">{" +&nbsp;".join(terms)}</td>'


def _terms(q: Array, k: Array, *, open_by_place: bool, turned: bool) -> list[str]:
    """The cells of the terms. To be opened, a factor needs no address: it has that of its column, and of its row."""
    lit = (q * k != 0).tolist()
    ats = (BY_PLACE, BY_PLACE) if open_by_place else ("", "")
    return [
        cell(f"{'+ ' if d else ''}{_product(q[d], k[d], lit=lit[d], turned=turned, ats=ats)}", lit=lit[d])
        for d in range(len(q))
    ]


def _product(a: float, b: float, *, lit: bool, turned: bool, ats: tuple[str, str]) -> str:
    """Two factors as shown, the second first if turned. Each is in the colour of its kind where the product is lit.

    ats: where a and b stand, if they can be opened
    """
    (first, at), (second, other) = ((b, ats[1]), (a, ats[0])) if turned else ((a, ats[0]), (b, ats[1]))
    left, right = number(first, whole=True), number(second, whole=True)
    if second < 0:
        right = f"({right})"
    return f"{number_at(left, at, strong=lit)} × {number_at(right, other, strong=lit)}"


def _opened_sum(shown: str, at: str) -> str:
    """A sum after its sign, with the number alone to be opened."""
    sign, _, text = shown.partition(" ")
    return f"{sign} {number_at(text, at)}"


def _sum(total: float, terms: Iterable[tuple[float, float]]) -> str:
    """A sum after its sign: "=", or "≈" where the terms as they are shown come to another number."""
    shown = number(total, whole=True)
    exact = adds_up([(number(a, whole=True), number(b, whole=True)) for a, b in terms], shown)
    return f"{'=' if exact else '≈'} {shown}"


def _note(sums: Sequence[str]) -> str:
    """A line for the caption if a sum is not exactly that of its terms as shown."""
    return ROUNDED if any("≈" in total for total in sums) else ""


def _score(score: float, divided: float, *, at: str) -> str:
    """The cell of a score; one that the division does not give was set by hand."""
    shown = number_at(number(score, whole=True), at)
    if np.isclose(score, divided, rtol=1e-6, atol=1e-9):
        return result_cell(f"= {shown}")
    return result_cell(changed_mark(f"<i>changed to </i>{shown}"))
