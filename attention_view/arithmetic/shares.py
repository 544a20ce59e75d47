"""Shares of one whole: scores to weights, weights times values."""

import html
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_core.models.long_rows import Together, long_row
from attention_view.layout import Layout, is_turned, words
from attention_view.numbers import adds_up, number, percent
from attention_view.openable import Opens, letters, number_at
from attention_view.shapes import shaped, shaped_mask, shaped_scores
from attention_view.table_parts import (
    BAR_HEADING,
    KEY_HEADING,
    bar,
    caption_text,
    cell,
    changed_mark,
    heading_row,
    masked,
    plain_names,
    result_cell,
    rounded_note,
    row,
    row_style,
    table,
    token_names,
)

FOR_THE_ROW = (("t", "totals"), ("f", "shift"))
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
    layout: Layout = "rows",
    opens: Opens | None = None,
    whose: str = "",
    most: int | None = None,
    after: int = 0,
    asked: int | None = None,
) -> str:
    """How the scores of one query become weights: e to the power of each, divided by their sum; a line for each key.

    masked_scores, exponentials, weights, mask_row: [key]; −∞ where the mask is False    total: sum of exponentials
    shift: what was taken off every score first    changed: the place of a score that the learner moved
    layout: whether the caption calls this a row or a column of the whole table
    opens: the row of the page's record that they belong to    whose: what to say in the title of whose they are
    most: how many keys have a line, those with the largest weights; the others that may be seen have one together
    after: how many of the largest are passed over before these    asked: the place of a key that has a line as well

    Raises ValueError if an array does not fit the tokens, an entry is NaN or +∞, or the layout is unknown.
    """
    n = len(key_tokens)
    masked_scores = shaped_scores("masked_scores", masked_scores, key=n)
    exponentials, weights = shaped("exponentials", exponentials, key=n), shaped("weights", weights, key=n)
    seen = shaped_mask("mask_row", mask_row, key=n)
    if not seen.any():
        return NOTHING_TO_SEE
    powers = [number(x, whole=x == 0) for x in exponentials]
    shares = [number(x, 3, whole=True) for x in weights]
    sums = number(total), number(weights.sum(), 3, whole=True)
    long = (
        long_row(exponentials, weights, mask_row=seen, n=most, after=after, asked=asked) if most and most < n else None
    )
    places = long.places if long else range(n)
    names = token_names(key_tokens)
    lines = (
        _softmax_row(
            f"{names[j]} {changed_mark()}" if j == changed else names[j],
            number(masked_scores[j], whole=True) if seen[j] else None,
            (powers[j], sums[0], shares[j]),
            weights[j],
            at=j if opens else None,
            style=row_style(weights, seen, j),
        )
        for j in places
    )
    parts = {"the {:,} larger together": long.larger, "the other {:,} together": long.others} if long else {}
    together = [_written(part) for part in parts.values() if part.n]
    exact = all(
        _agrees([*(shown[j] for j in places), *(written[of] for written in together)], sums[of])
        for of, shown in enumerate((powers, shares))
    )
    ends = [_together_row(name.format(part.n), part, sums[0]) if part.n else "" for name, part in parts.items()]
    title = f"From scores to weights: {html.escape(whose) or f'one {words(layout).line} of the table'}"
    how = "e to the power of each score, divided by the sum of all."
    off = number_at(number(shift, whole=True), "f" if opens else "")
    power = f"e<sup>score{f' − {off}' if shift else ''}</sup>"
    of_sum = number_at(sums[0], "t" if opens else "")
    return table(
        chain(ends[:1], lines, ends[1:]),
        caption=caption_text(title, how, _shift_note(shift), rounded_note(exact)),
        head=heading_row([KEY_HEADING, "score", power, "÷ sum", "weight", "percent", BAR_HEADING]),
        foot=row("sum", ("<td></td>", cell(of_sum), "<td></td>", cell(sums[1]), "<td></td>", "<td></td>")),
        style="av-softmax",
        of=_shared_out(opens) if opens else "",
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
    layout: Layout = "rows",
    opens: Opens | None = None,
) -> str:
    """What each key hands over: its weight times its value, and the sum of all; the largest share is lit.

    weights, mask_row: [key]    V, weighted_values: [key, d_head]    output: [d_head]
    Where queries stand in columns the value comes first, as in V·softmax(Kᵀ·Q).
    opens: the row of the page's record that they belong to

    Raises ValueError if an array does not fit the tokens and names, an entry is not finite, or the layout is unknown.
    """
    n, d_head = len(key_tokens), len(names)
    weights, output = shaped("weights", weights, key=n), shaped("output", output, d_head=d_head)
    V = shaped("V", V, key=n, d_head=d_head)
    weighted_values = shaped("weighted_values", weighted_values, key=n, d_head=d_head)
    seen = shaped_mask("mask_row", mask_row, key=n)
    if not seen.any():
        return NOTHING_TO_SEE
    turned = is_turned(layout)
    sizes = np.abs(weighted_values).sum(axis=1)
    shares = [[number(x, 3, whole=True) for x in line] for line in weighted_values]
    sums = [number(x, 3, whole=True) for x in output]
    body = (
        row(
            name,
            _values_to_shares(
                result_cell(number_at(number(weights[j], 3, whole=True), f"w{j}" if opens else ""))
                if seen[j]
                else masked("0", at=f"w{j}" if opens else ""),
                V[j],
                shares[j],
                lit=bool(seen[j]),
                at=j if opens else None,
                turned=turned,
            ),
            style=row_style(sizes, seen, j),
        )
        for j, name in enumerate(token_names(key_tokens))
    )
    exact = all(_agrees(column, total) for column, total in zip(zip(*shares, strict=True), sums, strict=True))
    factors = '<span class="av-weight">weight</span>', '<span class="av-value">value</span>'
    note = f"The weights are one {words(layout).line} of their table. What each token hands over, added up."
    return table(
        body,
        caption=caption_text(" × ".join(factors[::-1] if turned else factors), note, rounded_note(exact)),
        head=_grouped_heading(plain_names(names), turned=turned),
        foot=row(
            "sum = output",
            (cell("", span=d_head + 3), *(cell(number_at(x, f"o{d}" if opens else "")) for d, x in enumerate(sums))),
        ),
        style="av-weighted",
        of=_handed_over(opens) if opens else "",
    )


def _written(some: Together) -> tuple[str, str]:
    """The power and the weight of some keys together, as they are written."""
    return number(some.exponential), number(some.weight, 3, whole=True)


def _together_row(name: str, some: Together, total: str) -> str:
    power, share = _written(some)
    return _softmax_row(name, "", (power, total, share), some.weight, at=None)


def _shared_out(opens: Opens) -> str:
    """Where the numbers of softmax stand. The total and the shift are one for the row."""
    arrays = {"s": "masked_scores", "e": "exponentials", "w": "weights"}
    row = {letter: opens.of_row(array) for letter, array in arrays.items()}
    return letters(**row, **{letter: opens.at(array, opens.head, opens.query, 0) for letter, array in FOR_THE_ROW})


def _handed_over(opens: Opens) -> str:
    """Where weights, values, their products and the sums stand."""
    rows = {"w": "weights", "x": "weighted_values", "o": "head_outputs"}
    return letters(
        **{letter: opens.of_row(array) for letter, array in rows.items()}, v=opens.at("V", opens.kv_head, "*")
    )


def _softmax_row(
    name: str, score: str | None, steps: tuple[str, str, str], weight: float, *, style: str = "", at: int | None
) -> str:
    """One key: its score (None if the mask hides it), the steps from there to its weight, and the weight as a bar."""
    power, total, share = steps
    s, e, w, t = ("", "", "", "") if at is None else (f"s{at}", f"e{at}", f"w{at}", "t")
    cells = (
        masked("−∞", at=s) if score is None else cell(number_at(score, s), lit=True),
        cell(number_at(power, e), lit=score is not None),
        cell(f"÷ {number_at(total, t)}"),
        result_cell(f"= {number_at(share, w)}"),
        cell(number_at(percent(weight), w)),
        bar(0, weight),
    )
    return row(name, cells, style=style)


def _values_to_shares(
    weight: str, value: Array, share: Sequence[str], *, lit: bool, at: int | None, turned: bool
) -> list[str]:
    """The cells from a key's weight (a whole cell) and its value to its share of the sum."""
    v, x = ((lambda d, letter=letter: "" if at is None else f"{letter}{at},{d}") for letter in "vx")
    value_cells = [cell(number_at(number(y, whole=True), v(d)), lit=lit and y != 0) for d, y in enumerate(value)]
    return [
        *([*value_cells, cell("×"), weight] if turned else [weight, cell("×"), *value_cells]),
        cell("="),
        *(cell(number_at(shown, x(d)), lit=shown != "0") for d, shown in enumerate(share)),
    ]


def _agrees(parts: Iterable[str], total: str) -> bool:
    return adds_up(((part,) for part in parts), total)


def _shift_note(shift: float) -> str:
    if shift == 0:
        return ""
    return (
        f"{number(shift, whole=True)} was taken off every score first, to keep the powers of a safe size; "
        "it changes no weight."
    )


def _grouped_heading(names: Sequence[str], *, turned: bool) -> str:
    """Two rows of headers: weight, value and share, and under value and share the dimensions."""
    group = f'scope="colgroup" colspan="{len(names)}"'
    dimensions = "".join(f'<th scope="col">{name}</th>' for name in names)
    factors = [
        '<th scope="col" rowspan="2">weight</th>',
        '<td rowspan="2"></td>',
        f'<th {group}><span class="av-value">value</span></th>',
    ]
    product = "value × weight" if turned else "weight × value"
    return (
        '<tr><th scope="col" rowspan="2">token (hands over)</th>'
        f'{"".join(factors[::-1] if turned else factors)}<td rowspan="2"></td>'
        f"<th {group}>share = {product}</th></tr><tr>{dimensions}{dimensions}</tr>"
    )
