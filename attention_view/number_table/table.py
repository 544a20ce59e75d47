"""One table of numbers that can be changed, and what the browser is told of it."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_view.layout import Layout, is_turned
from attention_view.shapes import shaped, shaped_mask

TURNED = " turned"  # ends the name of a table that lies the other way round
Kind = Literal["query", "key", "value", "token", "score", "mask", "plain"]


class NumberTable(NamedTuple):
    """One table: what edits call it, its title, its numbers now and as they were at first, and its names.

    values, defaults: [row, column]; of a mask 1 (seen) and 0 (hidden)
    overridden: [row, column], boolean: intermediate results that were set by hand. Only these can be put back then, and
        `defaults` says what would stand there without the override
    row_names, column_names: no two of an axis alike
    row_heading, column_heading: what an axis holds, as in "query (asks)"; its first word gives the colour
    opens: a pattern such as "scores[0,{row},{column}]" that names the arithmetic of a cell, places from 0
    minimum_exclusive: a typed number must be more than this
    frozen: nothing can be changed
    fields: each number is a field of its own that can be typed in at once; for a handful of numbers
    """

    name: str
    title: str
    kind: Kind
    values: ArrayLike
    defaults: ArrayLike
    row_names: Sequence[str]
    column_names: Sequence[str]
    overridden: ArrayLike | None = None
    row_heading: str = ""
    column_heading: str = ""
    opens: str = ""
    minimum_exclusive: float | None = None
    frozen: bool = False
    fields: bool = False


def laid(table: NumberTable, layout: Layout) -> NumberTable:
    """The table as it lies in a layout: as it is, or turned where vectors stand in columns, and its name says so."""
    if not is_turned(layout):
        return table
    way_round = {"row": "{column}", "column": "{row}"}
    return table._replace(
        name=f"{table.name}{TURNED}",
        values=np.transpose(table.values),
        defaults=np.transpose(table.defaults),
        overridden=None if table.overridden is None else np.transpose(table.overridden),
        row_names=table.column_names,
        column_names=table.row_names,
        row_heading=table.column_heading,
        column_heading=table.row_heading,
        opens=table.opens.format(**way_round),
    )


def table_message(table: NumberTable) -> dict[str, Any]:
    """What the browser is told of a table, in few bytes: of the numbers at first only those that differ now.

    Raises ValueError if the numbers do not fit the names or one is not finite.
    """
    sizes = {"row": len(table.row_names), "column": len(table.column_names)}
    values, defaults = (shaped(name, getattr(table, name), **sizes) for name in ("values", "defaults"))
    overridden = None if table.overridden is None else shaped_mask("overridden", table.overridden, **sizes)
    return {
        **table._asdict(),
        "values": [[_short(x) for x in row] for row in values.tolist()],
        "defaults": [[row, column, _short(defaults[row, column])] for row, column in _places(values != defaults)],
        "overridden": None if overridden is None else _places(overridden),
        "row_names": list(table.row_names),
        "column_names": list(table.column_names),
    }


def _places(where: Array) -> list[list[int]]:
    places: list[list[int]] = np.argwhere(where).tolist()
    return places


def _short(x: float) -> float:
    """The same number, without ".0" where it is whole."""
    return int(x) if float(x).is_integer() else float(x)
