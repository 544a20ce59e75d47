"""The gallery of all heads as a picture that stands still: the small maps by group, each with its layer and head."""

from collections.abc import Collection, Sequence
from typing import Any

from attention_core.checks import Array
from attention_view.colours import Theme, colour, colour_at, weight_scale
from attention_view.pictures.indexed_png import data_address, indexed_png
from attention_view.pictures.legend import legend
from attention_view.pictures.svg import Piece, sheet, tag, words, wrapped

WIDTH = 1000  # px
TILE, GAP, NAME = 44, 6, 14  # px: about the side of a map, between maps, below a map for its name
HEADING, LINE, SMALL = 20, 20, 13  # px: the name of a group, a line of what is said of it, the size of its text


def gallery_picture(
    cells: Array, *, groups: Sequence[tuple[str, str, Sequence[int]]], n_heads: int, picked: int, caption: str,
    theme: Theme, credit: str = "", marked: Collection[int] = (),
) -> str:  # fmt: skip
    """All heads as SVG text, a group after the other; below each map its layer and its head, as in "13·8".

    cells: [layer, head, row, column] bytes, see `cell_bytes`    groups: of each its name, why, and its heads, counted
    through all layers    picked: the head that is framed    credit: a last line, where it is from
    marked: the heads with a dot
    """
    maps = cells.reshape(-1, *cells.shape[-2:])
    scale = weight_scale(theme)
    palette = [colour_at(scale, byte / 254) for byte in range(255)]
    y, drawn = 0.0, []
    for name, why, heads in groups:
        if not heads:
            continue
        piece = _group(
            name, why, heads, maps[list(heads)], palette, theme, n_heads=n_heads, picked=picked, marked=marked
        )
        drawn.append(tag("g", piece.markup, transform=f"translate(0 {y:g})"))
        y += piece.height + 16
    drawn.append(legend(y, theme, leaks=False, room=WIDTH).markup)
    below = [(caption, 13.0, "quiet"), (credit, 13.0, "quiet")]
    return sheet(Piece("".join(drawn), WIDTH, y + 18), below, title="All heads, a small map each", theme=theme)


def _group(
    name: str, why: str, heads: Sequence[int], maps: Array, palette: Sequence[str], theme: Theme, *, n_heads: int,
    picked: int, marked: Collection[int],
) -> Piece:  # fmt: skip
    """A group: its heading, and its maps in lines."""
    columns = maps.shape[-1]
    side = max(1, round(TILE / columns)) * columns
    per_line = (WIDTH + GAP) // (side + GAP)
    ink, quiet = colour("ink", theme), colour("quiet", theme)
    count = f"{name} · {len(heads)} head{'s' if len(heads) > 1 else ''}"
    drawn = [words(count, 0, 14, size=15, fill=ink, font_weight=600)]
    top = HEADING
    for line in wrapped(why, SMALL, WIDTH):
        drawn.append(words(line, 0, top + 10, size=SMALL, fill=quiet))
        top += LINE
    look: dict[str, Any] = {"width": side, "height": side}
    for place, head in enumerate(heads):
        x = place % per_line * (side + GAP)
        y = top + place // per_line * (side + GAP + NAME)
        image = data_address(indexed_png(maps[place], palette))
        drawn.append(tag("rect", x=x, y=y, fill="url(#hatch)", stroke=colour("hairline", theme), **look))
        drawn.append(
            tag("image", href=image, x=x, y=y, preserveAspectRatio="none", style="image-rendering: pixelated", **look)
        )
        if head == picked:
            frame = {"x": x - 2, "y": y - 2, "width": side + 4, "height": side + 4}
            drawn.append(tag("rect", fill="none", stroke=ink, stroke_width=2, **frame))
        if head in marked:
            drawn.append(
                tag("circle", cx=x + side, cy=y, r=4.5, fill=ink, stroke=colour("page", theme), stroke_width=2)
            )
        layer, own = divmod(head, n_heads)
        drawn.append(words(f"{layer}·{own}", x + side / 2, y + side + 11, size=9, anchor="middle", fill=quiet))
    lines = -(-len(heads) // per_line)
    return Piece("".join(drawn), WIDTH, top + lines * (side + GAP + NAME))
