"""What a heat map is made of: hatching, numbers, frames, axes and the bar of colours."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from attention_view.colours import Theme, colour, readable_on
from attention_view.figures.cells import Cells, Look, Side
from attention_view.figures.sheet import CLEAR, SIZE, plain_axis, plain_words
from attention_view.layout import is_turned
from attention_view.tokens import plotly_text, shortened

LABELS_UP_TO = 24  # tokens a side that all have a name; of more, only some, so that the names do not touch
LABEL = 10  # characters of a token beside its row; the hover has them all
EDGE = 0.04  # cells of room around the table, so that no frame is cut


def frames(cells: Cells, theme: Theme) -> list[dict[str, Any]]:
    """A frame around the table, and one around the row or column of the query that asks."""
    down, across = ({"first": 0, "last": len(side.tokens) - 1} for side in cells.sides)
    drawn = [_frame(down, across, meaning="hairline", width=1, theme=theme)]
    if cells.ask is not None:
        asked = {"first": cells.ask, "last": cells.ask}
        edges = (down, asked) if is_turned(cells.layout) else (asked, across)
        drawn.append(_frame(*edges, meaning="query", width=2, theme=theme))
    return drawn


def _frame(down: dict[str, int], across: dict[str, int], *, meaning: str, width: int, theme: Theme) -> dict[str, Any]:
    """A frame around the cells from the first to the last, down and across."""
    edges = {
        "x0": across["first"] - 0.5,
        "x1": across["last"] + 0.5,
        "y0": down["first"] - 0.5,
        "y1": down["last"] + 0.5,
    }
    return {"type": "rect", **edges, "line": {"color": colour(meaning, theme), "width": width}}


def hatching(cells: Cells, theme: Theme) -> list[go.Scatter]:
    """One hatched shape over all hidden cells, if there are any: a rectangle for each unbroken run in a row."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for i, row in enumerate(cells.laid(cells.hidden)):
        edges = np.flatnonzero(np.diff(row, prepend=False, append=False)) - 0.5
        for left, right in edges.reshape(-1, 2).tolist():
            xs += [left, right, right, left, left, None]
            ys += [i - 0.5, i - 0.5, i + 0.5, i + 0.5, i - 0.5, None]
    pattern = {"shape": "/", "size": 6, "solidity": 0.16, "fgcolor": colour("hatch", theme), "bgcolor": CLEAR}
    settings = {"mode": "none", "fill": "toself", "fillcolor": CLEAR, "fillpattern": pattern, "hoverinfo": "skip"}
    return [go.Scatter(x=xs, y=ys, name="masked", **settings)] if xs else []


def numbers(cells: Cells, look: Look, theme: Theme) -> list[go.Heatmap]:
    """The numbers in the cells: a clear layer for each colour of text, because a heat map has only one.

    Plotly makes the text of a layer as large as its longest text and its nearest neighbours allow. So that all layers
    get one size, every layer has a text in every cell, all of one length: with blanks around it, or nothing but blanks.
    """
    texts = cells.each(lambda x, hidden: "" if hidden and x == 0 else look.text(x))
    inks = cells.each(
        lambda x, hidden: colour("quiet", theme) if hidden or look.is_nothing(x) else readable_on(look.colour(x), theme)
    )
    texts, inks = cells.laid(texts), cells.laid(inks)
    length = max(3, int(np.char.str_len(texts).max()))  # the two signs of −∞ are as wide as three digits
    return [
        go.Heatmap(
            z=np.zeros(texts.shape, dtype=np.int8),
            colorscale=[(0, CLEAR), (1, CLEAR)],
            showscale=False,
            text=np.char.center(np.where(inks == ink, texts, ""), length),
            texttemplate="%{text}",
            textfont={"color": str(ink)},
            hoverinfo="skip",
            zorder=1,  # above the hatching
            name="numbers",
        )
        for ink in np.unique(inks)
    ]


def axis_on_top(side: Side, theme: Theme, *, title: str) -> dict[str, Any]:
    """The axis on top: a label for every token, upright where that is needed, the asked one strong."""
    heading = f'<span style="color:{colour("ink", theme)}"><b>{plain_words(title)}</b></span><br>' if title else ""
    return plain_axis(
        theme,
        title=f"{heading}{side.title}",
        title_color=colour(f"{side.meaning}-text", theme),
        range=[-0.5 - EDGE, len(side.tokens) - 0.5 + EDGE],
        tickangle=-90 if longest_label(side.tokens) > 2 else 0,
        side="top",
        constrain="domain",
        **_labels(side),
    )


def axis_at_the_side(side: Side, theme: Theme) -> dict[str, Any]:
    """The axis on the left: a label for every token, the first on top, the asked one strong. Cells stay square."""
    return plain_axis(
        theme,
        title=side.title,
        title_color=colour(f"{side.meaning}-text", theme),
        range=[len(side.tokens) - 0.5 + EDGE, -0.5 - EDGE],
        scaleanchor="x",
        constrain="domain",
        constraintoward="top",
        **_labels(side),
    )


def longest_label(tokens: Sequence[str]) -> int:
    """The characters of the longest label."""
    return max(len(shortened(token, LABEL)) for token in tokens)


def _labels(side: Side) -> dict[str, Any]:
    """A tick and a label at every whole number, so that equal tokens stay apart; among many, most labels are empty."""
    tokens, strong = side.tokens, side.strong
    step = -(-len(tokens) // LABELS_UP_TO)
    shown = {i for i in range(0, len(tokens), step) if strong is None or abs(i - strong) >= step} | {strong}
    texts = [plotly_text(shortened(token, LABEL)) if i in shown else "" for i, token in enumerate(tokens)]
    return {
        "tickvals": list(range(len(tokens))),
        "ticktext": [f"<b>{text}</b>" if i == strong else text for i, text in enumerate(texts)],
        "ticks": "",
        "ticklabelstandoff": 4,
        "showline": False,
    }


def slim_bar(look: Look, theme: Theme) -> dict[str, Any]:
    middle = (look.low + look.high) / 2
    ticks = [look.low, middle, look.high]
    return {
        "orientation": "h",
        "thickness": 8,
        "lenmode": "pixels",
        "len": 200,
        "outlinewidth": 0,
        "y": 0,
        "yanchor": "top",
        "tickvals": ticks,
        "ticktext": [look.text(tick) for tick in ticks],
        "tickfont": {"color": colour("quiet", theme), "size": SIZE - 1},
    }
