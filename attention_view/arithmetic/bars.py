"""One row of numbers as bars."""

import html
from collections.abc import Sequence
from typing import Literal

from numpy.typing import ArrayLike

from attention_view.numbers import number
from attention_view.openable import number_at
from attention_view.shapes import shaped_mask, shaped_scores
from attention_view.table_parts import BAR_HEADING, KEY_HEADING, bar, cell, heading_row, masked, row, table, token_names


def row_bars(
    values: ArrayLike,
    *,
    key_tokens: Sequence[str],
    mask_row: ArrayLike,
    kind: Literal["weight", "score"],
    title: str,
    opens: str = "",
) -> str:
    """One row of weights (from 0 to 1) or of scores (on both sides of 0) as bars, each with its number.

    values, mask_row: [key]; a hidden key's number is not read
    opens: where the values stand in the page's record, as in "mean[9,*]"

    Raises ValueError if an array does not fit the tokens, an entry is NaN or +∞, or the kind is unknown.
    """
    if kind not in ("weight", "score"):
        raise ValueError(f"kind must be weight or score, but it is {kind!r}")
    n = len(key_tokens)
    values, seen = shaped_scores("values", values, key=n), shaped_mask("mask_row", mask_row, key=n)
    shown = values[seen]
    low = min(0.0, float(shown.min(initial=0.0)))
    high = 1.0 if kind == "weight" else max(0.0, float(shown.max(initial=0.0)))
    span = (high - low) or 1.0
    digits = 3 if kind == "weight" else 2
    body = (
        row(
            name,
            (
                cell(number_at(number(x, digits, whole=True), j if opens else ""), lit=bool(x)),
                bar(-low / span, (x - low) / span),
            ),
        )
        if visible
        else row(name, (masked(), "<td></td>"), style="av-hidden")
        for j, (name, x, visible) in enumerate(zip(token_names(key_tokens), values, seen, strict=True))
    )
    return table(
        body,
        caption=html.escape(title),
        head=heading_row([KEY_HEADING, kind, BAR_HEADING]),
        style="av-row-bars",
        zero=-low / span,
        of=opens,
    )
