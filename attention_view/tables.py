"""Text twins: the numbers of a picture as plain tables, for eyes, screen readers and the clipboard."""

import html
from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_view.laid_table import laid_table
from attention_view.layout import Layout, is_turned
from attention_view.numbers import adds_up, full, number, percent
from attention_view.openable import number_at
from attention_view.shapes import shaped, shaped_mask, shaped_scores
from attention_view.table_parts import (
    KEY_HEADING,
    QUERY_HEADING,
    caption_text,
    cell,
    heading_row,
    masked,
    plain_names,
    result_cell,
    rounded_note,
    row,
    table,
    token_titles,
)


def weights_table(
    weights: ArrayLike,
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    mask: ArrayLike,
    digits: int | None = 3,
    caption: str = "Weights: how much each query looks at each key",
    layout: Layout = "rows",
    opens: str = "",
) -> str:
    """The table of weights with the sum over the keys of each query. `digits=None` gives every digit.

    weights, mask: [query, key]; mask True = may look at. A masked key with a weight, which leaks, keeps its number.
    opens: where the weights stand in the page's record, as in "weights[0,*]"

    Raises ValueError if an array does not fit the tokens, a weight is not finite, or there is no such layout.
    """
    sizes = {"query": len(query_tokens), "key": len(key_tokens)}
    weights, mask = shaped("weights", weights, **sizes), shaped_mask("mask", mask, **sizes)

    def shown(x: float) -> str:
        return full(x) if digits is None else number(x, digits, whole=True)

    def at(i: int, j: int) -> str:
        return f"{i},{j}" if opens else ""

    sums = [shown(round(float(total), 12)) for total in weights.sum(axis=1)]  # floating point is exact to about 15
    exact = digits is None or all(
        adds_up(((shown(x),) for x in line), total) for line, total in zip(weights, sums, strict=True)
    )
    return laid_table(
        [
            [
                cell(number_at(shown(x), at(i, j)), lit=bool(x)) if seen else masked(shown(x) if x else "", at=at(i, j))
                for j, (x, seen) in enumerate(zip(weights[i], mask[i], strict=True))
            ]
            for i in range(len(query_tokens))
        ],
        line_names=token_titles(query_tokens),
        place_names=token_titles(key_tokens),
        corner=_corner(layout),
        ends=[
            result_cell(total if seen.any() or given.any() else "0: may look at nothing")
            for total, seen, given in zip(sums, mask, weights, strict=True)
        ],
        caption=caption_text(html.escape(caption), rounded_note(exact)),
        style="av-twin",
        layout=layout,
        of=opens,
    )


def scores_table(
    scores: ArrayLike,
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    caption: str,
    digits: int | None = 2,
    layout: Layout = "rows",
    opens: str = "",
) -> str:
    """The table of scores of each query with each key. `digits=None` gives every digit.

    scores: [query, key]; minus infinity, a masked score, is shown as −∞
    opens: where the scores stand in the page's record, as in "scores[0,*]"

    Raises ValueError if the tokens do not fit the shape, an entry is NaN or plus infinity, or there is no such layout.
    """
    scores = shaped_scores("scores", scores, query=len(query_tokens), key=len(key_tokens))
    return laid_table(
        _cells(scores, digits, opens=bool(opens)),
        line_names=token_titles(query_tokens),
        place_names=token_titles(key_tokens),
        corner=_corner(layout),
        caption=html.escape(caption),
        style="av-twin",
        layout=layout,
        of=opens,
    )


def vectors_table(
    values: ArrayLike,
    *,
    row_names: Sequence[str],
    column_names: Sequence[str],
    caption: str,
    digits: int | None = 2,
    columns_are: str = "dimension",
    layout: Layout = "rows",
    opens: str = "",
) -> str:
    """A vector for each token: a row of the table, or a column where queries stand in columns.

    values: [token, dimension]; minus infinity, a masked score, is shown as −∞    digits: None gives every digit
    row_names: the tokens    column_names: the dimensions    columns_are: what a dimension is called, if turned
    opens: where the numbers stand in the page's record, as in "Q[0,*]"

    Raises ValueError if the names do not fit the shape, an entry is NaN or plus infinity, or there is no such layout.
    """
    values = shaped_scores("values", values, token=len(row_names), dimension=len(column_names))
    return laid_table(
        _cells(values, digits, opens=bool(opens)),
        line_names=token_titles(row_names),
        place_names=plain_names(column_names),
        corner=html.escape(columns_are) if is_turned(layout) else "token",
        caption=html.escape(caption),
        style="av-twin",
        layout=layout,
        of=opens,
    )


def row_table(
    scores: ArrayLike,
    weights: ArrayLike,
    *,
    key_tokens: Sequence[str],
    mask_row: ArrayLike,
    caption: str,
) -> str:
    """One row of the tables with every digit: for each key its score, its weight, and the weight in percent.

    scores, weights, mask_row: [key]; a hidden key's score is not read

    Raises ValueError if an array does not fit the tokens, or an entry is NaN or +∞.
    """
    n = len(key_tokens)
    scores = shaped_scores("scores", scores, key=n)
    weights, seen = shaped("weights", weights, key=n), shaped_mask("mask_row", mask_row, key=n)
    body = (
        row(
            name,
            (
                cell(full(scores[j]), lit=True) if seen[j] else masked(),
                cell(full(weights[j]), lit=bool(weights[j])),
                cell(percent(weights[j])),
            ),
        )
        for j, name in enumerate(token_titles(key_tokens))
    )
    head = heading_row(['<span class="av-key">key</span> (is looked at)', "score", "weight", "percent"])
    return table(body, caption=html.escape(caption), head=head, style="av-twin")


def _corner(layout: Layout) -> str:
    """What the headers at the side are, and below it what those on top are."""
    headings = QUERY_HEADING, KEY_HEADING
    down, across = headings[::-1] if is_turned(layout) else headings
    return f"{down} ↓<br>{across} →"


def _cells(values: Array, digits: int | None, *, opens: bool) -> list[list[str]]:
    return [
        [
            cell(
                number_at(full(x) if digits is None else number(x, digits, whole=True), f"{i},{j}" if opens else ""),
                lit=bool(x),
            )
            for j, x in enumerate(line)
        ]
        for i, line in enumerate(values)
    ]
