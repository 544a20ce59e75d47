"""A table of numbers that can be changed as a plain table: for files, where nothing can be typed."""

import html
from collections.abc import Iterable

from attention_view.number_table.table import NumberTable, table_message
from attention_view.numbers import full, number
from attention_view.table_parts import caption_text, cell, heading_row, masked, plain_names, row, table, was_now

HELD = "set by hand"  # a result that is held where it would stand without that, too


def plain_table(numbers: NumberTable) -> str:
    """The numbers as HTML; one that is changed is marked, with the old one beside it.

    Raises ValueError if the numbers do not fit the names or one is not finite.
    """
    message = table_message(numbers)
    usual = {(r, c): x for r, c, x in message["defaults"]}
    held = {(r, c) for r, c in message["overridden"] or ()}
    names = plain_names(numbers.row_names)
    body = (
        row(name, (_cell(numbers, x, usual.get((r, c), x), held=(r, c) in held) for c, x in enumerate(line)))
        for r, (name, line) in enumerate(zip(names, message["values"], strict=True))
    )
    n, size = len({*usual} | held), len(names) * len(numbers.column_names)
    return table(
        body,
        caption=caption_text(html.escape(numbers.title), f"{n} of {size} changed." if n else ""),
        head=heading_row([_corner(numbers), *plain_names(numbers.column_names)]),
        style="av-twin",
    )


def plain_tables(tables: Iterable[NumberTable]) -> str:
    """Several such tables, one after the other."""
    return "".join(map(plain_table, tables))


def _corner(numbers: NumberTable) -> str:
    """What rows and columns are, where it is said."""
    if not numbers.row_heading:
        return "name"
    return f"{html.escape(numbers.row_heading)} ↓<br>{html.escape(numbers.column_heading)} →"


def _cell(numbers: NumberTable, now: float, usual: float, *, held: bool) -> str:
    if now != usual:
        return was_now(_written(numbers, usual), _written(numbers, now))
    if held:
        return f'<td class="av-was-now"><b>{_written(numbers, now)}</b> <small>{HELD}</small></td>'
    if numbers.kind == "mask":
        return cell("seen", lit=True) if now else masked()
    return cell(_written(numbers, now), lit=bool(now))


def _written(numbers: NumberTable, x: float) -> str:
    """A number as the page shows it; very small and very large ones in full."""
    if numbers.kind == "mask":
        return "seen" if x else "masked"
    return full(x) if 0 < abs(x) < 0.005 or abs(x) >= 1e5 else number(x, whole=True)
