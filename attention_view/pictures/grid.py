"""The grid of a token view as SVG: a row for each token that asks, a column for each token that is looked at."""

from typing import Any

from attention_view.colours import Theme, colour, colour_at, weight_scale
from attention_view.numbers import number
from attention_view.pictures.svg import Piece, fitted, tag, width_of, words

DEEP = {"light": 0.77, "dark": 0.6}  # where text on a cell changes its colour, as on the page
UPRIGHT = 3  # longer names of columns are set on end
SIZES = {  # px: the names of rows, a cell, the text of a name and of a number
    "normal": {"names": 96, "cell": 58, "least": 26, "height": 34, "name": 13, "number": 13, "gap": 2},
    "small": {"names": 60, "cell": 28, "least": 14, "height": 22, "name": 12, "number": 11, "gap": 1},
}
ROOM = {"normal": 720, "small": 340}  # px, for the cells and the names of the rows


def grid(data: dict[str, Any], ask: int, theme: Theme) -> Piece:
    """The whole table of weights; the row that asks is framed. A small one shows the numbers of that row alone."""
    size, small = SIZES[data["size"]], data["size"] == "small"
    n_keys, step = len(data["key_tokens"]), size["height"] + size["gap"]
    cell = max(min(size["cell"], (ROOM[data["size"]] - size["names"]) / n_keys - size["gap"]), size["least"])
    on_end = any(len(token) > UPRIGHT for token in data["key_tokens"])
    longest = max(width_of(fitted(token, size["name"], 96), size["name"]) for token in data["key_tokens"])
    top = 22 + (longest + 10 if on_end else 24)
    left = size["names"] + 10
    ink, quiet = colour("ink", theme), colour("quiet", theme)
    places = [left + j * (cell + size["gap"]) for j in range(n_keys)]
    drawn = [
        words("key (is looked at)", left, 13, size=size["name"], fill=colour("key-text", theme)),
        words("query (asks)", 0, top - 8, size=size["name"], fill=colour("query-text", theme)),
    ]
    for x, token in zip(places, data["key_tokens"], strict=True):
        centre = x + cell / 2
        turn = f"rotate(-90 {centre:.2f} {top - 6:.2f})" if on_end else None
        drawn.append(
            words(
                token, centre + (4 if on_end else 0), top - (6 if on_end else 8), size=size["name"], fill=ink,
                anchor="start" if on_end else "middle", room=96, transform=turn,
            )
        )  # fmt: skip
    end = places[-1] + cell
    if not small:
        drawn.append(words("sum", end + 48, top - 8, size=size["name"], anchor="end", fill=ink))
    for i, token in enumerate(data["query_tokens"]):
        y = top + i * step
        base = y + size["height"] / 2 + 4.5
        drawn.append(words(token, left - 10, base, size=size["name"], anchor="end", room=size["names"], fill=ink))
        for x, weight in zip(places, data["weights"][i], strict=True):
            drawn.append(_cell(weight, x, y, cell, size, theme, shown=not small or i == ask))
        if not small:
            total = "none" if data["empty_rows"][i] else number(data["row_sums"][i])
            look = colour("changed-text", theme) if data["odd_rows"][i] else quiet
            drawn.append(words(total, end + 48, base, size=size["number"], anchor="end", fill=look))
    width = end + (0 if small else 52)
    frame = {"x": 1, "y": top + ask * step - 1, "width": width - 2, "height": size["height"] + 2, "rx": 5}
    drawn.append(tag("rect", **frame, fill="none", stroke=colour("query", theme), stroke_width=2))
    bottom = top + len(data["query_tokens"]) * step + 10
    drawn.append(_legend(bottom, theme))
    return Piece("".join(drawn), width, bottom + 18)


def _cell(
    weight: float | None, x: float, y: float, width: float, size: dict[str, int], theme: Theme, *, shown: bool
) -> str:
    """A cell shaded by its weight on a scale from 0 to 1; a masked one is hatched and has no number."""
    place = {"x": float(x), "y": y, "width": float(width), "height": size["height"], "rx": 3}
    if weight is None:
        return tag("rect", **place, fill="url(#hatch)")
    cell = tag("rect", **place, fill=colour_at(weight_scale(theme), weight))
    if not shown:
        return cell
    on_deep, on_pale = ("#FFFFFF", "#000000") if theme == "light" else ("#000000", "#FFFFFF")
    text = "0" if weight == 0 else number(weight)
    if width < width_of("0.00", size["number"]) + 2:  # as on the page: .86, and 1.0 for what rounds to it
        text = text if weight == 0 else "1.0" if weight > 0.995 else text[1:]
    look = on_deep if weight > DEEP[theme] else on_pale
    middle = y + size["height"] / 2 + 4.5
    return cell + words(text, x + width / 2, middle, size=size["number"], anchor="middle", fill=look)


def _legend(y: float, theme: Theme) -> str:
    """What the shades mean."""
    quiet, line = colour("quiet", theme), colour("hairline", theme)
    stops = (tag("stop", offset=place, stop_color=shade) for place, shade in weight_scale(theme))
    return "".join(
        (
            tag("linearGradient", *stops, id="weights"),
            words("weight 0", 0, y + 10, size=13, fill=quiet),
            tag("rect", x=62, y=y + 1, width=100, height=10, fill="url(#weights)", stroke=line),
            words("1", 170, y + 10, size=13, fill=quiet),
            tag("rect", x=196, y=y - 1, width=24, height=14, fill="url(#hatch)"),
            words("masked", 228, y + 10, size=13, fill=quiet),
        )
    )
