"""The token view as a picture that stands still: the same lines, numbers and grid as on the page, as SVG."""

from typing import Any

from attention_view.colours import Theme, colour, colour_at, weight_scale
from attention_view.numbers import number, percent, weight_number
from attention_view.pictures.grid import grid
from attention_view.pictures.svg import Piece, fitted, plain, sheet, tag, width_of, words

GAP = 36  # px between the lines and the numbers
LINE_WIDTH = 16  # px at weight 1, as on the page
SIZES = {  # px: of the whole, a name, a percentage, the heading above, the text of a name, the room around it
    "normal": {"whole": 620, "name": 104, "share": 51, "head": 48, "text": 15, "pad": 10},
    "small": {"whole": 340, "name": 68, "share": 44, "head": 28, "text": 14, "pad": 4},
    "half": {"whole": 470, "name": 80, "share": 48, "head": 28, "text": 14, "pad": 4},
}
CAPTION, ROOM_OF_CAPTION = 15, 30  # px, of a caption above
DASHES = "5 4"  # of a line that leaks


def token_picture(data: dict[str, Any], *, ask: int, theme: Theme, credit: str = "") -> str:
    """A token view as SVG text, with its sentence and its caption below; the row that asks is the one that is shown.

    data: see `token_view_data`, and its "size"    ask: the place of a query    credit: a last line, where it is from
    """
    half, caption = data["size"] == "half", data["caption"]
    below = [(data["notice"], 15.0, "changed-text"), ("" if half else caption, 13.0, "quiet"), (credit, 13.0, "quiet")]
    title = f"Who looks at whom: {data['caption'] or credit}"
    if not data["query_tokens"] or not data["key_tokens"]:
        return sheet(Piece("", 620, 0), below, title=title, theme=theme)
    below.insert(0, (data["row_sentences"][ask], 18.0 if data["size"] == "normal" else 15.0, "ink"))
    picture = _parts(data, ask, theme)
    return sheet(_captioned(picture, caption, theme) if half else picture, below, title=title, theme=theme)


def _captioned(picture: Piece, caption: str, theme: Theme) -> Piece:
    """A picture below its caption, as where two stand side by side and it tells them apart."""
    room = max(picture.width, width_of(caption, CAPTION))
    above = words(caption, 0, CAPTION, size=CAPTION, fill=colour("ink", theme), font_weight=600)
    moved = tag("g", picture.markup, transform=f"translate(0 {ROOM_OF_CAPTION})")
    return Piece(above + moved, room, picture.height + ROOM_OF_CAPTION)


def _parts(data: dict[str, Any], ask: int, theme: Theme) -> Piece:
    """Lines, or else the grid, on the left; numbers beside them; a grid below lines."""
    beside = []
    if "lines" in data["parts"]:
        beside.append(_lines(data, ask, theme))
    elif "grid" in data["parts"]:
        beside.append(grid(data, ask, theme))
    if "numbers" in data["parts"]:
        beside.append(_numbers(data, ask, theme, percents=not beside))
    x, drawn = 0.0, []
    for piece in beside:
        drawn.append(tag("g", piece.markup, transform=f"translate({x} 0)"))
        x += piece.width + GAP
    width, height = x - GAP, max(piece.height for piece in beside)
    if {"lines", "grid"} <= set(data["parts"]):
        below = grid(data, ask, theme)
        drawn.append(tag("g", below.markup, transform=f"translate(0 {height + 28})"))
        width, height = max(width, below.width), height + 28 + below.height
    return Piece("".join(drawn), width, height)


def row_height(data: dict[str, Any]) -> int:
    """The px of a row: lower in a small view and when there are many tokens, as on the page."""
    many = max(len(data["query_tokens"]), len(data["key_tokens"])) > 16
    return 28 if data["size"] != "normal" or many else 36


def _lines(data: dict[str, Any], ask: int, theme: Theme) -> Piece:
    size, row = SIZES[data["size"]], row_height(data)
    left, right = size["share"] + size["name"], size["whole"] - size["share"] - size["name"]
    weights, top = data["weights"], size["head"]
    mid = (left + right) / 2

    def line(i: int, j: int) -> str:
        start, end = (top + (place + 0.5) * row for place in (i, j))
        curve = f"M{left},{start:g}C{mid:g},{start:g} {mid:g},{end:g} {right},{end:g}"
        dashes = DASHES if _leaks(data, i, j) else None
        wide = float(LINE_WIDTH * (weights[i][j] or 0))
        return tag("path", d=curve, stroke_width=wide, stroke_dasharray=dashes) if wide else ""

    def strokes(rows: range, **look: Any) -> str:
        drawn = "".join(line(i, j) for i in rows for j in range(len(data["key_tokens"])))
        return tag("g", drawn, fill="none", stroke=colour("weight", theme), **look)

    heading: dict[str, Any] = {"y": top - 10, "size": 13 if data["size"] == "normal" else 12}
    drawn = [
        words("query (asks)", left - size["pad"], anchor="end", fill=colour("query-text", theme), **heading),
        words("key (is looked at)", right + size["pad"], fill=colour("key-text", theme), **heading),
        strokes(range(len(weights)), opacity=0.16),
        strokes(range(ask, ask + 1)),
        *(_query(data, i, ask, left, top + i * row, theme) for i in range(len(data["query_tokens"]))),
        *(_key(data, ask, j, right, top + j * row, theme) for j in range(len(data["key_tokens"]))),
    ]
    height = top + row * max(len(data["query_tokens"]), len(data["key_tokens"]))
    return Piece("".join(drawn), size["whole"], height)


def _query(data: dict[str, Any], i: int, ask: int, right: float, y: float, theme: Theme) -> str:
    """A token that asks; the one that is shown in blue."""
    look = {"fill": colour("query-soft", theme), "stroke": colour("query", theme), "stroke_width": 1.5}
    text = colour("query-text" if i == ask else "ink", theme)
    return _name(data, data["query_tokens"][i], right, y, text, look if i == ask else {"fill": "none"}, anchor="end")


def _key(data: dict[str, Any], ask: int, j: int, left: float, y: float, theme: Theme) -> str:
    """A token that is looked at, shaded by its weight, which stands beside it; hatched where it is masked or leaks."""
    row, weight, leaks = row_height(data), data["weights"][ask][j], _leaks(data, ask, j)
    masked = weight is None
    shade = {"fill": colour_at(weight_scale(theme), 0.26 * weight)} if weight else {"fill": "none"}
    name = _name(data, data["key_tokens"][j], left, y, colour("quiet" if masked else "ink", theme), shade)
    hatched = {"x": left - 20, "y": y + row / 2 - 6, "width": 20, "height": 12, "fill": "url(#hatch)"}
    return (
        name
        + _share(data, weight, y + row / 2, theme, leaks=leaks)
        + (tag("rect", **hatched) if masked or leaks else "")
    )


def _share(data: dict[str, Any], weight: float | None, middle: float, theme: Theme, *, leaks: bool) -> str:
    """A weight as a percentage, or that it is masked; of one that leaks also that it does, in a line below."""
    look: dict[str, Any] = {"x": SIZES[data["size"]]["whole"], "anchor": "end"}
    low = data["size"] != "normal"
    if weight is None:
        return words("masked", y=middle + 5, size=10.5 if low else 12, fill=colour("quiet", theme), **look)
    if not leaks:
        return words(percent(weight), y=middle + 5, size=12 if low else 14, fill=colour("ink", theme), **look)
    look |= {"size": 12, "fill": colour("changed-text", theme)}
    return words(percent(weight), y=middle - 2, **look) + words("leaks", y=middle + 11, **look)


def _leaks(data: dict[str, Any], i: int, j: int) -> bool:
    return bool(data["leaks"]) and data["leaks"][i][j]


def _name(
    data: dict[str, Any], token: str, edge: float, y: float, fill: str, look: dict[str, Any], anchor: str = "start"
) -> str:
    size, row = SIZES[data["size"]], row_height(data)
    room = size["name"] - 2 * size["pad"]
    wide = min(width_of(token, size["text"]), room) + 2 * size["pad"]
    inwards = -size["pad"] if anchor == "end" else size["pad"]
    pill = tag(
        "rect", x=edge - wide if anchor == "end" else edge, y=y + row / 2 - 12.5, width=wide, height=25, rx=6, **look
    )
    text = words(token, edge + inwards, y + row / 2 + 5, size=size["text"], anchor=anchor, room=room, fill=fill)
    return (pill if look["fill"] != "none" else "") + text


def _numbers(data: dict[str, Any], ask: int, theme: Theme, *, percents: bool) -> Piece:
    """The row that asks as a table, its lines level with the tokens of the lines."""
    row, top = row_height(data), 48
    columns = [("score", 64)] if data["scores"] else []
    columns += [("weight", 80), ("percent", 72)] if percents else [("weight", 80)]
    ends, x = {}, 99
    for name, wide in columns:
        x += wide
        ends[name] = x
    ink, quiet = colour("ink", theme), colour("quiet", theme)
    nothing = data["empty_rows"][ask]
    asks = fitted(data["query_tokens"][ask], 15, 200)
    subject = tag("tspan", plain(asks), fill=colour("query-text", theme), font_weight=600)
    verb = tag("tspan", f" {'may look at nothing' if nothing else 'looks at'}", fill=ink)
    heading = tag("text", subject + verb, x=0, y=15, font_size=15)
    drawn = [heading, words("key", 0, top - 10, size=13, fill=quiet)]
    drawn += [words(name, end, top - 10, size=13, anchor="end", fill=quiet) for name, end in ends.items()]
    weights = data["weights"][ask]
    seen = [weight for weight in weights if weight is not None]
    most = max(seen) if seen and max(seen) - min(seen) > 1e-9 else 2.0
    for j, weight in enumerate(weights):
        strong = weight is not None and weight > most - 1e-9
        look: dict[str, Any] = {"y": top + (j + 0.5) * row + 5, "fill": ink if weight is not None else quiet}
        look["font_weight"] = 600 if strong else None
        drawn.append(words(data["key_tokens"][j], 0, room=96, **look))
        if weight is None:
            drawn.append(words("masked", ends["weight"], anchor="end", **look))
            continue
        shown = {"weight": weight_number(weight), "percent": percent(weight)}
        shown["score"] = number(data["scores"][ask][j]) if data["scores"] else ""
        leaks = _leaks(data, ask, j)
        for name, end in ends.items():
            drawn += _number(shown[name], end, look, theme, leaks=leaks and name != "score", named=name == "weight")
        bar = {"x": x + 16, "y": look["y"] - 9, "width": 80.0 * weight, "height": 8}
        drawn.append(tag("rect", **bar, fill=colour("weight", theme)))
        drawn.append(tag("rect", **bar, fill="url(#hatch)") if leaks else "")
    end = top + row * max(len(data["query_tokens"]), len(data["key_tokens"]))
    drawn += _sum(data, ask, ends["weight"], end, x + 96, theme)
    return Piece("".join(drawn), x + 96, end + row)


def _number(text: str, end: float, look: dict[str, Any], theme: Theme, *, leaks: bool, named: bool) -> list[str]:
    """A number of the row that asks; one that leaks in the colour of what is wrong, below that word if it is named."""
    if not leaks:
        return [words(text, end, anchor="end", **look)]
    leaking = {**look, "fill": colour("changed-text", theme), "anchor": "end"}
    if not named:
        return [words(text, end, **leaking)]
    leaking["size"] = 12
    above = words("leaks", end, **{**leaking, "y": look["y"] - 7})
    return [above, words(text, end, **{**leaking, "y": look["y"] + 6})]


def _sum(data: dict[str, Any], ask: int, right: float, y: float, width: float, theme: Theme) -> list[str]:
    """The line below: what the weights add up to, and a word if that is not 1."""
    ink, row = colour("ink", theme), row_height(data)
    line = tag("path", d=f"M0,{y}H{width}", stroke=colour("hairline", theme))
    if data["empty_rows"][ask]:
        return [line, words("no weights", 0, y + row / 2 + 5, fill=ink)]
    odd = data["odd_rows"][ask]
    total = number(data["row_sums"][ask], 3 if odd else 2)
    badge = words("not 1", right + 16, y + row / 2 + 5, fill=colour("changed-text", theme), font_weight=600)
    return [
        line,
        words("sum", 0, y + row / 2 + 5, fill=ink),
        words(total, right, y + row / 2 + 5, anchor="end", fill=ink),
        badge if odd else "",
    ]
