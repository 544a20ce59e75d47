"""A table of ready cells, laid out in rows or turned into columns: the same cells, each at the transposed place."""

from collections.abc import Collection, Sequence

from attention_view.layout import Layout, is_turned
from attention_view.table_parts import heading_row, row, table

LIT_ROW, LIT_COLUMN = "av-lit-row", "av-lit-column"


def laid_table(
    lines: Sequence[Sequence[str]],
    *,
    line_names: Sequence[str],
    place_names: Sequence[str],
    corner: str,
    caption: str,
    style: str = "",
    ends: Sequence[str] = (),
    end_name: str = "sum",
    lit: Collection[int] = (),
    layout: Layout = "rows",
    of: str = "",
) -> str:
    """A table of lines, each a row, or a column where queries stand in columns.

    lines: cells [line][place]    line_names, place_names: their headers    corner: the header of the headers
    ends: one more cell for each line, after all places, such as its sum    lit: the lines to mark
    of: whose numbers the table holds, if they can be opened; a number's place is that of its line and place
    Names, corner and caption are HTML; cells and ends are whole cells.

    Raises ValueError if the cells do not fit the names or there is no such layout.
    """
    sizes = [len(line) for line in lines]
    if sizes != [len(place_names)] * len(line_names) or len(ends) not in (0, len(line_names)):
        raise ValueError(
            f"there must be {len(line_names)} lines of {len(place_names)} cells, and an end for each line or none, but "
            f"the lines have {sizes} cells and there are {len(ends)} ends"
        )
    if is_turned(layout):
        columns = "".join(f'<col class="{LIT_COLUMN}">' if i in lit else "<col>" for i in range(len(lines)))
        return table(
            (row(name, cells) for name, *cells in zip(place_names, *lines, strict=True)),
            caption=caption,
            columns=f"<colgroup><col>{columns}</colgroup>" if lit else "",
            head=heading_row([corner, *line_names], lit={i + 1 for i in lit}),
            foot=row(end_name, ends) if ends else "",
            style=style,
            of=of,
        )
    return table(
        (
            row(name, (*cells, *ends[i : i + 1]), style=LIT_ROW if i in lit else "")
            for i, (name, cells) in enumerate(zip(line_names, lines, strict=True))
        ),
        caption=caption,
        head=heading_row([corner, *place_names, *([end_name] if ends else [])]),
        style=style,
        of=of,
    )
