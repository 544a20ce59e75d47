"""Shares of one whole: scores to weights, weights times values."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_view.numbers import adds_up, number, percent
from attention_view.shapes import shaped, shaped_mask, shaped_scores
from attention_view.table_parts import (
    KEY_HEADING,
    bar,
    cell,
    heading_row,
    masked,
    plain_names,
    row,
    table,
    token_names,
)

NOTHING_TO_SEE = (
    '<p class="av-note"><strong>This token may look at nothing:</strong> every key is masked. '
    "There is no score to share out, so every weight is 0 and nothing is handed over.</p>"
)


def softmax_steps(
    masked_scores: ArrayLike,
    exponentials: ArrayLike,
    total: float,
    weights: ArrayLike,
    *,
    key_tokens: Sequence[str],
    mask_row: ArrayLike,
    shift: float = 0.0,
    changed: int | None = None,
) -> str:
    """How one row of scores becomes weights: e to the power of each score, divided by their sum; a row for each key.

    masked_scores, exponentials, weights, mask_row: [key]; −∞ where the mask is False    total: sum of exponentials
    shift: what was taken off every score first    changed: the place of a score that the learner moved

    Raises ValueError if an array does not fit the tokens, or an entry is NaN or +∞.
    """
    n = len(key_tokens)
    masked_scores = shaped_scores("masked_scores", masked_scores, key=n)
    exponentials, weights = shaped("exponentials", exponentials, key=n), shaped("weights", weights, key=n)
    seen = shaped_mask("mask_row", mask_row, key=n)
    if not seen.any():
        return NOTHING_TO_SEE
    sum_shown = number(total)
    body = (
        row(
            name + (_CHANGED if j == changed else ""),
            (
                cell(number(masked_scores[j], whole=True), lit=True) if seen[j] else masked("−∞"),
                cell(number(exponentials[j], whole=not seen[j]), lit=bool(seen[j])),
                cell(f"÷ {sum_shown}"),
                f'<td class="av-result">= {number(weights[j], 3, whole=True)}</td>',
                cell(percent(weights[j])),
                bar(0, weights[j]),
            ),
            style=_style(weights, seen, j),
        )
        for j, name in enumerate(token_names(key_tokens))
    )
    exponent = "score" if shift == 0 else f"score − {number(shift, whole=True)}"
    sums = (
        cell(""),
        _sum_cell([number(x) for x in exponentials], sum_shown),
        cell(""),
        _sum_cell([number(x, 3, whole=True) for x in weights], number(weights.sum(), 3, whole=True)),
        cell("", span=2),
    )
    return table(
        body,
        caption="From scores to weights" + _shift_note(shift),
        head=heading_row([KEY_HEADING, "score", f"e<sup>{exponent}</sup>", "÷ sum", "weight", "percent", "as a bar"]),
        foot=row("sum", sums),
        style="av-softmax",
    )


def weighted_sum(
    weights: ArrayLike,
    V: ArrayLike,
    weighted_values: ArrayLike,
    output: ArrayLike,
    *,
    key_tokens: Sequence[str],
    names: Sequence[str],
    mask_row: ArrayLike,
) -> str:
    """What each key hands over: its weight times its value, and the sum of all; the largest share is lit.

    weights, mask_row: [key]    V, weighted_values: [key, d_head]    output: [d_head]

    Raises ValueError if an array does not fit the tokens and names, or an entry is not finite.
    """
    n, d_head = len(key_tokens), len(names)
    weights, output = shaped("weights", weights, key=n), shaped("output", output, d_head=d_head)
    V = shaped("V", V, key=n, d_head=d_head)
    weighted_values = shaped("weighted_values", weighted_values, key=n, d_head=d_head)
    seen = shaped_mask("mask_row", mask_row, key=n)
    if not seen.any():
        return NOTHING_TO_SEE
    sizes = np.abs(weighted_values).sum(axis=1)
    body = (
        row(
            name,
            (
                f'<td class="av-result">{number(weights[j], 3, whole=True)}</td>' if seen[j] else masked("0"),
                cell("×"),
                *(cell(number(x, whole=True), lit=bool(x and seen[j])) for x in V[j]),
                cell("="),
                *(cell(number(x, whole=True), lit=bool(x)) for x in weighted_values[j]),
            ),
            style=_style(sizes, seen, j),
        )
        for j, name in enumerate(token_names(key_tokens))
    )
    sums = (
        _sum_cell([number(x, whole=True) for x in weighted_values[:, d]], number(output[d], whole=True))
        for d in range(d_head)
    )
    return table(
        body,
        caption='<span class="av-weight">weight</span> × <span class="av-value">value</span>, added up',
        head=_grouped_heading(plain_names(names)),
        foot=row("sum = output", (cell("", span=d_head + 3), *sums)),
        style="av-weighted",
    )


_CHANGED = ' <span class="av-changed">changed</span>'


def _style(sizes: Array, seen: Array, place: int) -> str:
    """The class of a row: hidden by the mask, one of the largest, or plain."""
    if not seen[place]:
        return "av-hidden"
    return "av-top" if sizes[place] > 0 and sizes[place] >= sizes.max() * (1 - 1e-9) else ""


def _sum_cell(parts: Sequence[str], total: str) -> str:
    note = "" if adds_up(((part,) for part in parts), total) else " <small>rounded</small>"
    return f'<td class="av-result">{total}{note}</td>'


def _shift_note(shift: float) -> str:
    if shift == 0:
        return ""
    return (
        f" <small>{number(shift, whole=True)} was taken off every score first, to keep the powers of a safe size. "
        "It changes no weight.</small>"
    )


def _grouped_heading(names: Sequence[str]) -> str:
    """Two rows of headers: value and share, and under each of them the dimensions."""
    group = f'scope="colgroup" colspan="{len(names)}"'
    dimensions = "".join(f'<th scope="col">{name}</th>' for name in names)
    return (
        f'<tr><th scope="col" rowspan="2">{KEY_HEADING}</th><th scope="col" rowspan="2">weight</th>'
        f'<td rowspan="2"></td><th {group}><span class="av-value">value</span></th><td rowspan="2"></td>'
        f"<th {group}>share = weight × value</th></tr><tr>{dimensions}{dimensions}</tr>"
    )
