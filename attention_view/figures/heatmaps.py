"""Heat maps of the whole table: a row for each query and a column for each key, or the other way round."""

from collections.abc import Iterator, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from attention_view.colours import Theme, score_scale, weight_scale
from attention_view.figures.cells import Cells, Look, Side, read_cells
from attention_view.figures.layers import (
    axis_at_the_side,
    axis_on_top,
    frames,
    hatching,
    longest_label,
    numbers,
    slim_bar,
)
from attention_view.figures.sheet import sheet
from attention_view.layout import Layout, is_turned, words
from attention_view.numbers import number

CELL, NARROW_CELL = 28, 24  # px, the side of a cell with a number in it, and the least of it
FEW = 80  # px, the least height of a table, so that its axis title fits beside it
SIDE = 300  # px, the longer side of a table without numbers in the cells
PHONE = 306  # px, what a phone leaves for a table and the names of its rows
TEXT_UP_TO = 12  # tokens a side with a number in each cell; more get a bar of colours instead


def weights_heatmap(
    weights: ArrayLike,
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    mask: ArrayLike | None = None,
    ask: int | None = None,
    theme: Theme,
    title: str = "",
    layout: Layout = "rows",
    opens: str = "",
) -> go.Figure:
    """How much each query looks at each key, on a fixed scale from 0 to 1. Masked cells are hatched.

    weights: [query, key], from 0 to 1    mask: [query, key], True = may look at    ask: the query to frame
    opens: where the numbers stand in the page's record, as in "weights[0,*]"

    Raises ValueError if tokens, numbers and mask do not fit each other, if a weight is not from 0 to 1, or if there is
    no such layout.
    """
    cells = read_cells(
        "weights", weights, query_tokens=query_tokens, key_tokens=key_tokens, mask=mask, ask=ask, layout=layout
    )
    for i, j in np.argwhere((cells.given < 0) | (cells.given > 1 + 1e-9)):
        raise ValueError(f"weights must be from 0 to 1, but at query {i}, key {j} it is {cells.given[i, j]}")
    look = Look(low=0.0, high=1.0, scale=weight_scale(theme), digits=2, whole=True)
    return _heatmap(cells, look, theme=theme, title=title, caption=_sums_in_words(cells), opens=opens)


def scores_heatmap(
    scores: ArrayLike,
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    mask: ArrayLike | None = None,
    ask: int | None = None,
    theme: Theme,
    title: str = "",
    layout: Layout = "rows",
    opens: str = "",
) -> go.Figure:
    """How strongly each query matches each key, in colours that part at 0. Masked cells, and those of −∞, are hatched.

    The visible score farthest from 0 sets the limits of both sides.

    scores: [query, key], −∞ where masked    mask: [query, key], True = may look at    ask: the query to frame
    opens: where the numbers stand in the page's record, as in "scores[0,*]"

    Raises ValueError if tokens, numbers and mask do not fit each other, if a visible score is not finite, or if there
    is no such layout.
    """
    cells = read_cells(
        "scores",
        scores,
        query_tokens=query_tokens,
        key_tokens=key_tokens,
        mask=mask,
        ask=ask,
        allow_minus_inf=True,
        layout=layout,
    )
    farthest = float(np.abs(cells.visible).max(initial=0.0)) or 1.0
    whole = farthest >= 100 or np.array_equal(cells.visible, np.round(cells.visible))
    look = Look(low=-farthest, high=farthest, scale=score_scale(theme), digits=0 if whole else 1)
    end = number(farthest, look.digits)
    return _heatmap(
        cells,
        look,
        theme=theme,
        title=title,
        caption=f"Violet: above 0, up to {end}. Slate: below 0, down to −{end}.",
        opens=opens,
    )


def _heatmap(cells: Cells, look: Look, *, theme: Theme, title: str, caption: str, opens: str) -> go.Figure:
    """Draw what is decided: the cells, the hatching, the numbers, the frame of the query that asks."""
    down, across = cells.sides
    n_down, n_across = len(down.tokens), len(across.tokens)
    fits = max(n_down, n_across) <= TEXT_UP_TO
    heat = go.Heatmap(
        z=cells.laid(cells.shown),
        zmin=look.low,
        zmax=look.high,
        colorscale=look.scale,
        showscale=not fits,
        colorbar=slim_bar(look, theme),
        hoverinfo="text",
        hovertext=cells.laid(cells.hovers()).tolist(),
        name=cells.name,
    )
    around = 7 * longest_label(across.tokens) + (52 if title else 34) + (0 if fits else 44)
    alt = cells.in_words(look.digits)
    return sheet(
        [heat, *hatching(cells, theme), *(numbers(cells, look, theme) if fits else ())],
        xaxis=axis_on_top(across, theme, title=title),
        yaxis=axis_at_the_side(down, theme),
        shapes=frames(cells, theme),
        height=round(n_down * _cell_side(down, across) + around),
        alt=f"{title}. {alt}" if title else alt,
        caption=" ".join((caption, *_remarks(cells, look, numbers_shown=fits))),
        theme=theme,
        opens=opens.replace("*", "{column},{row}" if is_turned(cells.layout) else "{row},{column}"),
    )


def _cell_side(down: Side, across: Side) -> float:
    """The px of a cell's side: as large as a phone's width allows beside the names of the rows, within limits."""
    n_down, n_across = len(down.tokens), len(across.tokens)
    if max(n_down, n_across) > TEXT_UP_TO:
        return SIDE / float(max(n_down, n_across))
    room = (PHONE - 6.5 * longest_label(down.tokens)) / n_across
    return float(min(max(CELL, FEW / n_down), max(NARROW_CELL, room)))


def _remarks(cells: Cells, look: Look, *, numbers_shown: bool) -> Iterator[str]:
    """What must be said below the picture, if it is so."""
    if cells.hidden.any():
        yield "Hatched cells are masked."
    if numbers_shown and not np.allclose(cells.visible, cells.visible.round(look.digits), rtol=0, atol=1e-9):
        yield "The numbers are rounded."


def _sums_in_words(cells: Cells) -> str:
    """What the weights of each query add up to. A query that may look at nothing has no weights and no sum."""
    line = words(cells.layout).line
    nothing = cells.hidden.all(axis=1) & (cells.given == 0).all(axis=1)
    if nothing.all():
        return "No query may look at anything."
    sums = cells.given[~nothing].sum(axis=1)
    if np.abs(sums - 1).max() > 1e-6:
        return f"The {line}s do not all add up to 1, but to {number(sums.min(), 2)} to {number(sums.max(), 2)}."
    if nothing.any():
        return f"Each {line} that may look at something adds up to 1."
    return f"Each {line} adds up to 1."
