"""Text twins: the numbers of a picture as plain tables, for eyes, screen readers and the clipboard."""

import html
from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_view.numbers import adds_up, full, number, percent
from attention_view.shapes import shaped, shaped_mask, shaped_scores
from attention_view.table_parts import (
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
) -> str:
    """The table of weights with the sum of each row. `digits=None` gives every digit.

    weights, mask: [query, key]; mask True = may look at

    Raises ValueError if an array does not fit the tokens or a weight is not finite.
    """
    sizes = {"query": len(query_tokens), "key": len(key_tokens)}
    weights, mask = shaped("weights", weights, **sizes), shaped_mask("mask", mask, **sizes)

    def shown(x: float) -> str:
        return full(x) if digits is None else number(x, digits, whole=True)

    sums = [shown(round(float(total), 12)) for total in weights.sum(axis=1)]  # floating point is exact to about 15
    exact = digits is None or all(
        adds_up(((shown(x),) for x in line), total) for line, total in zip(weights, sums, strict=True)
    )
    body = (
        row(
            name,
            (
                *(
                    cell(shown(x), lit=bool(x)) if seen else masked()
                    for x, seen in zip(weights[i], mask[i], strict=True)
                ),
                result_cell(sums[i] if mask[i].any() else "0: may look at nothing"),
            ),
        )
        for i, name in enumerate(token_titles(query_tokens))
    )
    corner = '<span class="av-query">query</span> (asks) ↓<br><span class="av-key">key</span> (is looked at) →'
    return table(
        body,
        caption=caption_text(html.escape(caption), rounded_note(exact)),
        head=heading_row([corner, *token_titles(key_tokens), "sum"]),
        style="av-twin",
    )


def vectors_table(
    values: ArrayLike,
    *,
    row_names: Sequence[str],
    column_names: Sequence[str],
    caption: str,
    digits: int | None = 2,
) -> str:
    """A vector for each token as a row of a table. `digits=None` gives every digit.

    values: [token, dimension]; minus infinity, a masked score, is shown as −∞

    Raises ValueError if the names do not fit the shape or an entry is NaN or plus infinity.
    """
    values = shaped_scores("values", values, token=len(row_names), dimension=len(column_names))
    body = (
        row(name, (cell(full(x) if digits is None else number(x, digits, whole=True), lit=bool(x)) for x in values[i]))
        for i, name in enumerate(token_titles(row_names))
    )
    return table(
        body,
        caption=html.escape(caption),
        head=heading_row(["token", *plain_names(column_names)]),
        style="av-twin",
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
