"""How tables lie: queries in rows, as in the paper, or in columns, as in 3Blue1Brown's videos; and the words for it.

A layout is a way of looking. The record stays as the core made it; builders take the layout by name and turn what they
draw.
"""

from typing import Literal, NamedTuple, get_args

Layout = Literal["rows", "columns"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


class Words(NamedTuple):
    """What a text says of a table in one of the layouts. Every plural is made with an s."""

    line: str  # where the numbers of one query stand, which softmax shares out
    across: str  # where the numbers of one key stand
    product: str  # of all queries with all keys
    vectors: str  # how a vector lies and becomes a query, in HTML


WORDS: dict[Layout, Words] = {
    "rows": Words("row", "column", "Q·Kᵀ", "A vector is a row, as in the paper: q\u00a0=\u00a0x·W<sub>Q</sub>."),
    "columns": Words(
        "column", "row", "Kᵀ·Q", "A vector is a column, as in 3Blue1Brown's videos: q\u00a0=\u00a0W<sub>Q</sub>·x."
    ),
}


def words(layout: Layout) -> Words:
    """The words of a layout.

    Raises ValueError if there is no such layout.

    >>> words("rows").product, words("columns").product
    ('Q·Kᵀ', 'Kᵀ·Q')
    """
    if layout not in WORDS:
        raise ValueError(f"layout must be one of {', '.join(LAYOUTS)}, but it is {layout!r}")
    return WORDS[layout]


def is_turned(layout: Layout) -> bool:
    """Whether queries stand in columns.

    Raises ValueError if there is no such layout.
    """
    words(layout)
    return layout == "columns"


def layout_of(text: object) -> Layout:
    """The layout that an address names; what is missing, broken or unknown is that of the paper.

    >>> layout_of("columns"), layout_of("diagonal"), layout_of(None)
    ('columns', 'rows', 'rows')
    """
    return next((layout for layout in LAYOUTS if layout == text), LAYOUTS[0])
