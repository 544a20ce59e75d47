"""The matrices of all heads as one, with a slice for each head."""

import html
from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_view.layout import Layout, is_turned, words
from attention_view.numbers import number
from attention_view.openable import number_at
from attention_view.shapes import shaped
from attention_view.table_parts import caption_text, class_of, heading_row, plain_names, row, table
from attention_view.vectors import Kind

DIMENSION = "dimension of x"
Cells = list[list[list[str]]]  # [head][row][column]


def wide_matrix(
    matrices: ArrayLike,
    *,
    head_names: Sequence[str],
    row_names: Sequence[str],
    column_names: Sequence[Sequence[str]],
    kind: Kind,
    title: str,
    layout: Layout = "rows",
    opens: str = "",
) -> str:
    """The matrices of all heads side by side as one wide matrix, each head's slice marked and named.

    Where vectors stand in columns they lie one above the other, as one tall matrix.

    matrices: [head, row, column]    column_names: [head][column]; both as for the layout of rows
    opens: where the numbers stand in the page's record, as in "W_Q[*]"

    Raises ValueError if the names do not fit the shape, an entry is not finite, or the layout is unknown.
    """
    n, d_head = len(head_names), len(column_names[0]) if column_names else 0
    array = shaped("matrices", matrices, head=n, row=len(row_names), column=d_head)
    cells = [
        [
            [_cell(x, h, at=f"{h},{place},{e}" if opens else "") for e, x in enumerate(line)]
            for place, line in enumerate(matrix)
        ]
        for h, matrix in enumerate(array)
    ]
    names = plain_names(head_names), [plain_names(of_head) for of_head in column_names], plain_names(row_names)
    turned = is_turned(layout)
    head, body = _tall(cells, *names) if turned else _wide(cells, *names)
    rows, columns = (n * d_head, len(row_names)) if turned else (len(row_names), n * d_head)
    size = f"{rows} × {columns}: {n} slices of {d_head} {words(layout).across}s"
    return table(
        body,
        caption=caption_text(html.escape(title), size),
        head=head,
        style=f"av-matrix av-wide av-of-{kind}",
        of=opens,
    )


def _wide(cells: Cells, heads: list[str], columns: list[list[str]], rows: list[str]) -> tuple[str, list[str]]:
    """Header and rows: a group of columns for each head."""
    slices = "".join(
        f'<th scope="colgroup" colspan="{len(columns[h])}"{class_of(_tint(h))}>{name}</th>'
        for h, name in enumerate(heads)
    )
    names = "".join(
        f'<th scope="col"{class_of(_tint(h))}>{name}</th>' for h, of_head in enumerate(columns) for name in of_head
    )
    body = [row(name, (x for of_head in cells for x in of_head[place])) for place, name in enumerate(rows)]
    return f'<tr><td></td>{slices}</tr><tr><th scope="col">{DIMENSION}</th>{names}</tr>', body


def _tall(cells: Cells, heads: list[str], columns: list[list[str]], rows: list[str]) -> tuple[str, list[str]]:
    """The same turned: a group of rows for each head, under a row that names it."""
    body = []
    for h, name in enumerate(heads):
        slice_of = f'scope="colgroup" colspan="{len(rows) + 1}"'
        body.append(f'<tr class="av-slice-name"><th {slice_of}{class_of(_tint(h))}>{name}</th></tr>')
        body += [row(of_row, line) for of_row, line in zip(columns[h], zip(*cells[h], strict=True), strict=True)]
    return heading_row([f"{DIMENSION} →", *rows]), body


def _cell(x: float, head: int, *, at: str) -> str:
    shown = number_at(number(x, whole=True), at)
    return f"<td{class_of(f'{_tint(head)} av-on' if x else _tint(head))}>{shown}</td>"


def _tint(head: int) -> str:
    return "av-even-slice" if head % 2 == 0 else "av-odd-slice"
