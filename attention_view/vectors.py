"""Vectors and matrices with named dimensions: strips of small cells, tables, a token before and after."""

import html
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from attention_view.laid_table import laid_table
from attention_view.layout import Layout, is_turned, words
from attention_view.numbers import number, signed
from attention_view.shapes import shaped
from attention_view.table_parts import (
    BAR_HEADING,
    bar_piece,
    caption_text,
    cell,
    class_of,
    heading_row,
    plain_names,
    row,
    table,
)

Kind = Literal["query", "key", "value", "token"]


def vector_strip(
    values: ArrayLike,
    names: Sequence[str],
    *,
    kind: Kind,
    title: str,
    changed: Collection[int] = (),
    marks: Collection[int] = (),
) -> str:
    """A vector as a strip of cells, each with its dimension's name and number; a darker cell is further from 0.

    values: [dimension]    kind: what the colour says; a "token" vector diverges around 0
    title: its name, and after a colon what it is, as in "query of tired: what it looks for"
    changed: places that the learner changed    marks: places to frame

    Raises ValueError if names and values differ in number, an entry is not finite, or the kind is unknown.
    """
    heading, _, note = html.escape(title).partition(": ")
    return (
        f'<figure class="av-strip {_colour_class(kind)}"><figcaption>{caption_text(heading, note)}</figcaption>'
        f"{strip_cells(values, names, changed=changed, marks=marks)}</figure>"
    )


def strip_cells(
    values: ArrayLike,
    names: Sequence[str],
    *,
    largest: float | None = None,
    changed: Collection[int] = (),
    marks: Collection[int] = (),
) -> str:
    """The cells of a strip alone. `largest` is the number with the darkest shade, the strip's own unless told.

    Raises ValueError if names and values differ in number or an entry is not finite.
    """
    vector = shaped("values", values, dimension=len(names))
    largest = np.abs(vector).max(initial=0.0) if largest is None else largest
    cells = (
        _strip_cell(name, x, largest, changed=place in changed, marked=place in marks)
        for place, (name, x) in enumerate(zip(plain_names(names), vector, strict=True))
    )
    return f"<dl>{''.join(cells)}</dl>"


def matrix_table(
    values: ArrayLike,
    *,
    row_names: Sequence[str],
    column_names: Sequence[str],
    kind: Kind,
    title: str,
    lit_rows: Iterable[int] = (),
    rows_are: str = "dimension of x",
    layout: Layout = "rows",
) -> str:
    """A matrix as a table with named rows and columns, turned where vectors stand in columns. Zeros are quiet.

    values: [row, column]    lit_rows: places of rows where x is not 0, to mark    rows_are: what a row stands for
    All of it is named as for the layout of rows.

    Raises ValueError if the names do not fit the shape, an entry is not finite, or the kind or layout is unknown.
    """
    matrix = shaped("values", values, row=len(row_names), column=len(column_names))
    lit = set(map(int, lit_rows))
    note = f"Marked {words(layout).line}s: x is not 0 there." if lit else ""
    return laid_table(
        [[cell(number(x, whole=True), lit=bool(x)) for x in line] for line in matrix],
        line_names=plain_names(row_names),
        place_names=plain_names(column_names),
        corner=f"{html.escape(rows_are)}{' →' if is_turned(layout) else ''}",
        caption=caption_text(html.escape(title), note),
        style=f"av-matrix {_colour_class(kind)}",
        lit=lit,
        layout=layout,
    )


def before_after(before: ArrayLike, after: ArrayLike, names: Sequence[str], *, title: str) -> str:
    """A token's vector before and after, dimension by dimension, with the difference as a number and in a bar.

    before, after: [dimension]

    Raises ValueError if either does not fit the names or an entry is not finite.
    """
    old = shaped("before", before, dimension=len(names))
    new = shaped("after", after, dimension=len(names))
    low = min(0.0, float(np.minimum(old, new).min(initial=0.0)))
    high = max(0.0, float(np.maximum(old, new).max(initial=0.0)))
    span = (high - low) or 1.0
    body = (
        row(
            name,
            (
                cell(number(x, whole=True), lit=bool(x)),
                cell(number(y, whole=True), lit=bool(y)),
                cell(signed(y - x, whole=True), lit=bool(y != x)),
                _change_bar((x - low) / span, (y - low) / span, zero=-low / span),
            ),
            style="av-moved" if y != x else "",
        )
        for name, x, y in zip(plain_names(names), old, new, strict=True)
    )
    legend = '<i class="av-swatch-was"></i>before <i class="av-swatch-added"></i>difference'
    return table(
        body,
        caption=caption_text(html.escape(title), legend),
        head=heading_row(["dimension", "before", "after", "difference", BAR_HEADING]),
        style="av-before-after",
        zero=-low / span,
    )


def _strip_cell(name: str, x: float, largest: float, *, changed: bool, marked: bool) -> str:
    """One dimension of a strip. Its shade goes from 20 % for the least that is not 0 to 100 % for the largest."""
    classes = {"av-on": x != 0, "av-minus": x < 0, "av-changed-cell": changed, "av-mark": marked}
    look = " ".join(name for name, holds in classes.items() if holds)
    shade = f' style="--shade:{20 + 80 * abs(x) / largest:.0f}%"' if x else ""
    said = "".join(f", {word}" for word, holds in (("changed", changed), ("marked", marked)) if holds)
    hidden = f'<span class="av-visually-hidden">{said}</span>' if said else ""
    return f"<div{class_of(look)}{shade}><dt>{name}</dt><dd>{number(x, whole=True)}{hidden}</dd></div>"


def _change_bar(old: float, new: float, *, zero: float) -> str:
    """A cell with the bar of the old number from zero and, on top of it, the stretch from the old to the new."""
    was, added = bar_piece(zero, old, style="av-was"), bar_piece(old, new, style="av-added")
    return f'<td class="av-bar">{was}{added}</td>'


def _colour_class(kind: str) -> str:
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, but it is {kind!r}")
    return f"av-of-{kind}"
