"""Vectors and matrices with named dimensions: strips of small cells, tables, a token before and after."""

import html
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from attention_view.laid_table import laid_table
from attention_view.layout import Layout, is_turned, words
from attention_view.numbers import number, signed
from attention_view.openable import BY_PLACE, letters, number_at, opening_attribute
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
    opens: str = "",
) -> str:
    """A vector as a strip of cells, each with its dimension's name and number; a darker cell is further from 0.

    values: [dimension]    kind: what the colour says; a "token" vector diverges around 0
    title: its name, and after a colon what it is, as in "query of tired: what it looks for"
    changed: places that the learner changed    marks: places to frame
    opens: where the numbers stand in the page's record, as in "X[9,*]"

    Raises ValueError if names and values differ in number, an entry is not finite, or the kind is unknown.
    """
    heading, _, note = html.escape(title).partition(": ")
    return (
        f'<figure class="av-strip {_colour_class(kind)}"{opening_attribute(opens)}>'
        f"<figcaption>{caption_text(heading, note)}</figcaption>"
        f"{strip_cells(values, names, changed=changed, marks=marks, open_by_place=bool(opens))}</figure>"
    )


def strip_cells(
    values: ArrayLike,
    names: Sequence[str],
    *,
    largest: float | None = None,
    changed: Collection[int] = (),
    marks: Collection[int] = (),
    open_by_place: bool = False,
) -> str:
    """The cells of a strip alone. `largest` is the number with the darkest shade, the strip's own unless told.
    open_by_place: whether its numbers can be opened: in all strips of a figure, by their place among its numbers.

    Raises ValueError if names and values differ in number or an entry is not finite.
    """
    vector = shaped("values", values, dimension=len(names))
    largest = np.abs(vector).max(initial=0.0) if largest is None else largest
    cells = (
        _strip_cell(
            name,
            x,
            largest,
            changed=place in changed,
            marked=place in marks,
            at=BY_PLACE if open_by_place else "",
        )
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
    opens: str = "",
) -> str:
    """A matrix as a table with named rows and columns, turned where vectors stand in columns. Zeros are quiet.

    values: [row, column]    lit_rows: places of rows where x is not 0, to mark    rows_are: what a row stands for
    All of it is named as for the layout of rows.
    opens: where the numbers stand in the page's record, as in "W_Q[0,*]"

    Raises ValueError if the names do not fit the shape, an entry is not finite, or the kind or layout is unknown.
    """
    matrix = shaped("values", values, row=len(row_names), column=len(column_names))
    lit = set(map(int, lit_rows))
    note = f"Marked {words(layout).line}s: x is not 0 there." if lit else ""
    return laid_table(
        [
            [
                cell(number_at(number(x, whole=True), f"{place},{d}" if opens else ""), lit=bool(x))
                for d, x in enumerate(line)
            ]
            for place, line in enumerate(matrix)
        ],
        line_names=plain_names(row_names),
        place_names=plain_names(column_names),
        corner=f"{html.escape(rows_are)}{' →' if is_turned(layout) else ''}",
        caption=caption_text(html.escape(title), note),
        style=f"av-matrix {_colour_class(kind)}",
        lit=lit,
        layout=layout,
        of=opens,
    )


def before_after(
    before: ArrayLike, after: ArrayLike, names: Sequence[str], *, title: str, opens: int | None = None
) -> str:
    """A token's vector before and after, dimension by dimension, with the difference as a number and in a bar.

    before, after: [dimension]    opens: the place of the token in the page's record, if the numbers can be opened

    Raises ValueError if either does not fit the names or an entry is not finite.
    """
    old = shaped("before", before, dimension=len(names))
    new = shaped("after", after, dimension=len(names))
    low = min(0.0, float(np.minimum(old, new).min(initial=0.0)))
    high = max(0.0, float(np.maximum(old, new).max(initial=0.0)))
    span = (high - low) or 1.0
    i = opens
    of = "" if i is None else letters(b=f"X[{i},*]", a=f"new_X[{i},*]", d=f"output[{i},*]")

    def at(letter: str, place: int) -> str:
        return f"{letter}{place}" if of else ""

    body = (
        row(
            name,
            (
                cell(number_at(number(x, whole=True), at("b", d)), lit=bool(x)),
                cell(number_at(number(y, whole=True), at("a", d)), lit=bool(y)),
                cell(number_at(signed(y - x, whole=True), at("d", d)), lit=bool(y != x)),
                _change_bar((x - low) / span, (y - low) / span, zero=-low / span),
            ),
            style="av-moved" if y != x else "",
        )
        for d, (name, x, y) in enumerate(zip(plain_names(names), old, new, strict=True))
    )
    legend = '<i class="av-swatch-was"></i>before <i class="av-swatch-added"></i>difference'
    return table(
        body,
        caption=caption_text(html.escape(title), legend),
        head=heading_row(["dimension", "before", "after", "difference", BAR_HEADING]),
        style="av-before-after",
        zero=-low / span,
        of=of,
    )


def _strip_cell(name: str, x: float, largest: float, *, changed: bool, marked: bool, at: str) -> str:
    """One dimension of a strip. Its shade goes from 20 % for the least that is not 0 to 100 % for the largest."""
    classes = {"av-on": x != 0, "av-minus": x < 0, "av-changed-cell": changed, "av-mark": marked}
    look = " ".join(name for name, holds in classes.items() if holds)
    shade = f' style="--shade:{20 + 80 * abs(x) / largest:.0f}%"' if x else ""
    said = "".join(f", {word}" for word, holds in (("changed", changed), ("marked", marked)) if holds)
    hidden = f'<span class="av-visually-hidden">{said}</span>' if said else ""
    return f"<div{class_of(look)}{shade}><dt>{name}</dt><dd>{number_at(number(x, whole=True), at)}{hidden}</dd></div>"


def _change_bar(old: float, new: float, *, zero: float) -> str:
    """A cell with the bar of the old number from zero and, on top of it, the stretch from the old to the new."""
    was, added = bar_piece(zero, old, style="av-was"), bar_piece(old, new, style="av-added")
    return f'<td class="av-bar">{was}{added}</td>'


def _colour_class(kind: str) -> str:
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, but it is {kind!r}")
    return f"av-of-{kind}"
