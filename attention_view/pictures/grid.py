"""The grid of a token view as SVG: queries in rows and keys in columns, or turned, with sums and a legend."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from attention_view.colours import Theme, colour
from attention_view.layout import is_turned
from attention_view.numbers import number
from attention_view.pictures.grid_cell import weight_cell
from attention_view.pictures.legend import legend
from attention_view.pictures.svg import Piece, fitted, tag, width_of, words, wrapped

ASKS, IS_LOOKED_AT = ("query (asks)", "query-text"), ("key (is looked at)", "key-text")  # each with its colour
UPRIGHT = 3  # longer names of columns are set on end
NAME_ROOM = 96  # px, of a name on end
LINE = 1.2  # of a heading in several lines, in sizes of its text
SIZES = {  # px: the names of rows, a cell and its least width, the text of a name and of a number, the sums
    "normal": {"names": 96, "cell": 58, "least": 26, "height": 34, "name": 13, "number": 13, "gap": 2, "sums": 50},
    "small": {"names": 60, "cell": 28, "least": 14, "height": 22, "name": 12, "number": 11, "gap": 1, "sums": 0},
    "half": {"names": 60, "cell": 38, "least": 26, "height": 25, "name": 12, "number": 11, "gap": 1, "sums": 40},
}
ROOM = {"normal": 720, "small": 340, "half": 480}  # px, for the cells and the names of the rows

Sum = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Plan:
    """Where the parts of a grid stand, in px: column `c` begins at x(c), row `r` at y(r)."""

    size: dict[str, int]
    rows: Sequence[str]
    columns: Sequence[str]
    turned: bool
    cell: float
    on_end: bool
    left: float
    top: float

    def x(self, column: int) -> float:
        """The left edge of a column; of the one after the last, where the sums begin."""
        return self.left + column * (self.cell + self.size["gap"])

    def y(self, row: int) -> float:
        """The upper edge of a row; of the one after the last, where the sums begin."""
        return self.top + row * (self.size["height"] + self.size["gap"])

    def base(self, row: int) -> float:
        """Where the text of a row stands."""
        return self.y(row) + self.size["height"] / 2 + 4.5

    def cell_of(self, query: int, key: int) -> tuple[int, int]:
        """The row and the column of a pair."""
        return (key, query) if self.turned else (query, key)


def grid(data: dict[str, Any], ask: int, theme: Theme) -> Piece:
    """The whole table of weights; the query that asks is framed. A small one shows the numbers of that query alone."""
    plan = _plan(data)
    at_the_side, below = _sums(data, theme) if plan.size["sums"] else ((), ())
    if plan.turned:
        at_the_side, below = below, at_the_side
    foot, lowest = _sums_below(plan, below, theme)
    right = plan.x(len(plan.columns)) - plan.size["gap"] + (plan.size["sums"] + 2 if at_the_side else 0)
    key = legend(lowest + 10, theme, leaks=bool(data["leaks"]), room=right)
    drawn = [
        *_headings(plan, theme),
        *_names(plan, ask, theme),
        *(_cells(data, plan, ask, theme)),
        *_sums_at_the_side(plan, at_the_side, right - 4, theme),
        *foot,
        _frame(plan, ask, right, lowest, theme),
        key.markup,
    ]
    return Piece("".join(drawn), max(right, key.width), lowest + 10 + key.height)


def _plan(data: dict[str, Any]) -> Plan:
    size, turned = SIZES[data["size"]], is_turned(data["layout"])
    tokens = data["query_tokens"], data["key_tokens"]
    rows, columns = tokens[::-1] if turned else tokens
    room = (ROOM[data["size"]] - size["names"]) / len(columns) - size["gap"]
    on_end = any(len(token) > UPRIGHT for token in columns)
    longest = max(width_of(fitted(token, size["name"], NAME_ROOM), size["name"]) for token in columns)
    corner = len(_corner(size, turned=turned)) * LINE * size["name"]
    return Plan(
        size,
        rows,
        columns,
        turned,
        cell=max(min(size["cell"], room), size["least"]),
        on_end=on_end,
        left=size["names"] + 10.0,
        top=22 + max(longest + 10 if on_end else 24, corner + 10),
    )


def _corner(size: dict[str, int], *, turned: bool) -> list[str]:
    """What the rows are, in as many lines as their names have room for."""
    return wrapped((IS_LOOKED_AT if turned else ASKS)[0], size["name"], size["names"])


def _headings(plan: Plan, theme: Theme) -> Iterator[str]:
    down, across = (IS_LOOKED_AT, ASKS) if plan.turned else (ASKS, IS_LOOKED_AT)
    size = plan.size["name"]
    yield words(across[0], plan.left, 13, size=size, fill=colour(across[1], theme))
    for n, line in enumerate(reversed(_corner(plan.size, turned=plan.turned))):
        y = plan.top - 8 - n * LINE * size
        yield words(line, plan.left - 10, y, size=size, anchor="end", fill=colour(down[1], theme))


def _names(plan: Plan, ask: int, theme: Theme) -> Iterator[str]:
    """The names of rows and columns; that of the query that asks in its colour."""
    size, ink, asks = plan.size["name"], colour("ink", theme), colour("query-text", theme)
    for c, token in enumerate(plan.columns):
        centre, fill = plan.x(c) + plan.cell / 2, asks if plan.turned and c == ask else ink
        if plan.on_end:
            turn = f"rotate(-90 {centre:.2f} {plan.top - 6:.2f})"
            yield words(token, centre + 4, plan.top - 6, size=size, room=NAME_ROOM, fill=fill, transform=turn)
        else:
            yield words(token, centre, plan.top - 8, size=size, anchor="middle", room=NAME_ROOM, fill=fill)
    for r, token in enumerate(plan.rows):
        fill = asks if not plan.turned and r == ask else ink
        right = plan.left - 10
        yield words(token, right, plan.base(r), size=size, anchor="end", room=plan.size["names"], fill=fill)


def _cells(data: dict[str, Any], plan: Plan, ask: int, theme: Theme) -> Iterator[str]:
    for i, weights in enumerate(data["weights"]):
        for j, weight in enumerate(weights):
            row, column = plan.cell_of(i, j)
            place = {
                "x": plan.x(column), "y": plan.y(row), "width": float(plan.cell), "height": float(plan.size["height"]),
            }  # fmt: skip
            yield weight_cell(
                weight,
                place,
                text=plan.size["number"],
                theme=theme,
                shown=data["size"] != "small" or i == ask,
                short=data["size"] != "normal",
                leaks=bool(data["leaks"]) and data["leaks"][i][j],
            )


def _sums(data: dict[str, Any], theme: Theme) -> tuple[list[Sum], list[Sum]]:
    """The sums of the queries and, if they are wanted, of the keys: each a text and its look."""
    odd = {"fill": colour("changed-text", theme), "font_weight": 600}
    quiet = {"fill": colour("quiet", theme)}
    of_queries = [
        ("none" if nothing else number(total), odd if is_odd else quiet)
        for total, nothing, is_odd in zip(data["row_sums"], data["empty_rows"], data["odd_rows"], strict=True)
    ]
    return of_queries, [(number(total), quiet) for total in data["column_sums"] or ()]


def _sums_at_the_side(plan: Plan, sums: Sequence[Sum], right: float, theme: Theme) -> Iterator[str]:
    if sums:
        yield words("sum", right, plan.top - 8, size=plan.size["name"], anchor="end", fill=colour("ink", theme))
    for r, (text, look) in enumerate(sums):
        yield words(text, right, plan.base(r), size=plan.size["number"], anchor="end", **look)


def _sums_below(plan: Plan, sums: Sequence[Sum], theme: Theme) -> tuple[list[str], float]:
    """The sums of the columns and where they end; on end where a column is too narrow for one."""
    row, size = len(plan.rows), plan.size["number"]
    if not sums:
        return [], plan.y(row) - plan.size["gap"]
    named = words(
        "sum", plan.left - 10, plan.base(row), size=plan.size["name"], anchor="end", fill=colour("quiet", theme)
    )
    longest = max(width_of(text, size) for text, _ in sums)
    on_end, drawn = longest > plan.cell, [named]
    for c, (text, look) in enumerate(sums):
        centre = plan.x(c) + plan.cell / 2
        if on_end:
            y = plan.y(row) + 4
            turn = f"rotate(90 {centre:.2f} {y:.2f})"
            drawn.append(words(text, centre, y + 4, size=size, transform=turn, **look))
        else:
            drawn.append(words(text, centre, plan.base(row), size=size, anchor="middle", **look))
    return drawn, plan.y(row) + max(plan.size["height"], longest + 8 if on_end else 0)


def _frame(plan: Plan, ask: int, right: float, lowest: float, theme: Theme) -> str:
    """The frame of the query that asks, around its name, its cells and its sum."""
    if plan.turned:
        place = {"x": plan.x(ask) - 1, "y": 20.0, "width": plan.cell + 2, "height": lowest - 19}
    else:
        place = {"x": 1.0, "y": plan.y(ask) - 1, "width": right - 2, "height": plan.size["height"] + 2.0}
    return tag("rect", **place, rx=5, fill="none", stroke=colour("query", theme), stroke_width=2)
