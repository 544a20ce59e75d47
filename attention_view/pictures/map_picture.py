"""The map of a long text as a picture that stands still, and its numbers as tables."""

import base64
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from attention_core.checks import Array
from attention_core.models.blocks import Blocks, By
from attention_view.colours import Theme, colour, colour_at, weight_scale
from attention_view.layout import is_turned
from attention_view.map_data import MapData
from attention_view.numbers import number, percent
from attention_view.pictures.csv_text import Table, as_text, csv_text
from attention_view.pictures.png import png
from attention_view.pictures.svg import Piece, sheet, tag, width_of, words

SIDE = 620  # px of the longer side
HEAD, LEFT, BELOW = 24, 24, 34  # px for what stands above, on the left and below
LONGEST_TABLE = 262_144  # weights that a table of the whole map has at most: those of 512 × 512 tokens


def map_picture(data: MapData, by: By, *, ask: int, theme: Theme, credit: str = "") -> str:
    """The whole map as SVG text, a dot for each block, with the row that asks marked and its strongest keys named.

    by: whether a dot shows the largest weight of its block or the sum    credit: a last line, where it is from
    """
    caption = [(data.caption, 13.0, "quiet"), (credit, 13.0, "quiet")]
    title = f"Map of a long text: {data.caption or credit}"
    if not data.query_tokens or not data.key_tokens:
        return sheet(Piece("", SIDE, 0), [(data.notice, 15.0, "changed-text"), *caption], title=title, theme=theme)
    blocks = data.by_max if by == "max" else data.by_sum
    below = [(said, 13.0, "quiet") for said in (_dot_words(blocks), data.left_out) if said]
    row = [(row_sentence(data, ask), 15.0, "ink"), (data.notice, 15.0, "changed-text")]
    return sheet(_dots(data, blocks, ask, theme), [*row, *below, *caption], title=title, theme=theme)


def row_sentence(data: MapData, ask: int) -> str:
    """The strongest keys of the row that asks, in one sentence."""
    asks = _named(data.query_tokens[ask], ask)
    if data.strongest.empty[ask]:
        return f"{asks}, may look at nothing: every token is masked."
    keys = [int(key) for key in data.strongest.keys[ask] if key >= 0][:3]
    if not keys:
        return f"{asks}, may look at the first token only, which is left out."
    named = ", ".join(f"{_named(data.key_tokens[key], key)} ({percent(data.weights[ask, key])})" for key in keys)
    return f"{asks}, looks most at {named}."


def strongest_table(data: MapData, ask: int) -> Table:
    """The strongest keys of the row that asks, what is left out, the rest, and the sum."""
    found = data.strongest
    lines = [[data.key_tokens[j], str(j + 1), _digits(data.weights[ask, j])] for j in found.keys[ask] if j >= 0]
    if data.hide_first:
        lines.append([f"{data.key_tokens[0]}, left out of the picture", "1", _digits(found.first[ask])])
    if found.others[ask]:
        others = "the 1 other token" if found.others[ask] == 1 else f"all other {found.others[ask]:,} tokens together"
        lines.append([others, "", _digits(found.rest[ask])])
    head = ["key (is looked at)", "token", "weight"]
    title = f"what {_named(data.query_tokens[ask], ask)}, looks at most"
    return Table(title, [head, *lines, ["sum", "", _digits(found.sums[ask])]])


def map_pictures(data: MapData, *, ask: int, theme: Theme, credit: str) -> list[tuple[str, Callable[[], str]]]:
    """The pictures of a map by name, each made when asked for."""
    look: dict[str, Any] = {"ask": ask, "theme": theme, "credit": credit}
    named: dict[By, str] = {"max": "the largest weight", "sum": "the sum of weights"}
    return [
        (f"map by {what}: {data.caption or 'a long text'}", partial(map_picture, data, by, **look))
        for by, what in named.items()
    ]


def map_tables(data: MapData, ask: int) -> list[tuple[str, Callable[[], str]]]:
    """The tables of a map by name, as CSV made when asked for: the row that asks, and the whole map up to a limit."""
    if not data.weights.size:
        return []
    row = f"all that {_named(data.query_tokens[ask], ask)}, looks at"
    if data.weights.size > LONGEST_TABLE:
        too_long = f"the whole map has {data.weights.size:,} weights, a table at most {LONGEST_TABLE:,}"
        return [(f"{row} ({too_long})", partial(row_csv, data, ask))]
    return [(row, partial(row_csv, data, ask)), ("the whole map", partial(whole_csv, data))]


def row_csv(data: MapData, ask: int) -> str:
    """Every weight of the row that asks, with all digits; what is masked has none."""
    row = zip(data.key_tokens, data.weights[ask], data.mask[ask], strict=True)
    lines = [[as_text(token), str(j + 1), _cell(weight, seen)] for j, (token, weight, seen) in enumerate(row)]
    return csv_text(Table("", [["key (is looked at)", "token", "weight"], *lines]))


def whole_csv(data: MapData) -> str:
    """The whole map with all digits, a row for each query."""
    lines = [
        [_placed(token, i), *(_cell(weight, seen) for weight, seen in zip(row, mask, strict=True))]
        for i, (token, row, mask) in enumerate(zip(data.query_tokens, data.weights, data.mask, strict=True))
    ]
    head = ["query (asks)", *(_placed(token, j) for j, token in enumerate(data.key_tokens))]
    return csv_text(Table("", [head, *lines]))


def _named(token: str, place: int) -> str:
    """A token in a sentence: in quotes, so that a comma is not read as one of the sentence's, and with its place."""
    return f"“{token}”, token {place + 1:,}"


def _placed(token: str, place: int) -> str:
    return as_text(f"{token} ({place + 1})")


def _cell(weight: float, seen: bool) -> str:
    return _digits(weight) if seen else "masked"


def _digits(weight: float) -> str:
    """A number in single precision with every digit that it has."""
    single = np.float32(weight)
    written = np.format_float_positional if single >= 1e-4 or single == 0 else np.format_float_scientific
    return written(single, unique=True, trim="-")


def _dot_words(blocks: Blocks) -> str:
    n = blocks.tokens
    if n == 1:
        return "Each dot is one weight."
    what = "the largest" if blocks.by == "max" else "the sum"
    return f"Each dot is a block of {n} × {n} tokens and shows {what} of its {n * n} weights. Nothing is averaged."


def _dots(data: MapData, blocks: Blocks, ask: int, theme: Theme) -> Piece:
    turned = is_turned(data.layout)
    dots = _shaded(blocks, theme)
    dots = dots.swapaxes(0, 1) if turned else dots
    scale = SIDE / max(dots.shape[:2])
    height, width = (scale * n for n in dots.shape[:2])
    image = base64.b64encode(png(np.ascontiguousarray(dots))).decode()
    place: dict[str, Any] = {"x": LEFT, "y": HEAD, "width": width, "height": height}
    line = _line(ask, len(data.query_tokens), (width, height), turned=turned)
    names = {"query": "query (asks) →", "key": "key (is looked at) →"}
    top, side = ("query", "key") if turned else ("key", "query")
    drawn = [
        words(names[top], LEFT, 14, size=13, fill=colour(f"{top}-text", theme)),
        tag(
            "g",
            words(names[side], 0, 0, size=13, fill=colour(f"{side}-text", theme)),
            transform=f"translate(8 {HEAD}) rotate(90)",
        ),
        tag("rect", **place, fill="url(#hatch)"),
        tag("image", **place, href=f"data:image/png;base64,{image}", style="image-rendering: pixelated"),
        tag("rect", **place, fill="none", stroke=colour("hairline", theme)),
        tag("rect", **line, fill="none", stroke=colour("query", theme)),
        _legend(blocks, HEAD + height + 14, theme),
    ]
    return Piece("".join(drawn), LEFT + width, HEAD + height + BELOW)


def _shaded(blocks: Blocks, theme: Theme) -> Array:
    """The dots [block row, block column, 4]: from the page's colour at 0 to the weights'; masked is clear."""
    scale = [bytes.fromhex(colour_at(weight_scale(theme), step / 255)[1:] + "ff") for step in range(256)]
    shades = np.array([list(shade) for shade in scale], np.uint8)
    steps = np.rint(255 * np.minimum(blocks.values / blocks.most, 1)).astype(int)
    return np.where(blocks.visible[..., None], shades[steps], 0).astype(np.uint8)


def _line(ask: int, n: int, size: tuple[float, float], *, turned: bool) -> dict[str, Any]:
    """The box around the row that asks, or around its column."""
    width, height = size
    if turned:
        return {"x": LEFT + width * ask / n, "y": HEAD, "width": width / n, "height": height}
    return {"x": LEFT, "y": HEAD + height * ask / n, "width": width, "height": height / n}


def _legend(blocks: Blocks, y: float, theme: Theme) -> str:
    quiet: dict[str, Any] = {"y": y + 10, "size": 13, "fill": colour("quiet", theme)}
    stops = (tag("stop", offset=place, stop_color=shade) for place, shade in weight_scale(theme))
    most = number(blocks.most, whole=True)
    after = LEFT + 124 + width_of(most, 13)
    return (
        tag("linearGradient", *stops, id="weights")
        + words("0", LEFT, **quiet)
        + tag(
            "rect", x=LEFT + 12, y=y + 1, width=100, height=10, fill="url(#weights)", stroke=colour("hairline", theme)
        )
        + words(most, LEFT + 118, **quiet)
        + tag("rect", x=after + 18, y=y - 1, width=24, height=14, fill="url(#hatch)")
        + words("masked", after + 48, **quiet)
    )
