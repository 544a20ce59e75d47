"""Curves: a weight against its score, e to the power of a difference, and the cost of a longer text."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from attention_core import softmax
from attention_core.checks import Array
from attention_view.colours import Theme, colour
from attention_view.figures.cells import read_cells
from attention_view.figures.sheet import plain_axis, sheet
from attention_view.numbers import full, number
from attention_view.tokens import distinct_names, plotly_text, shortened

HEIGHT = 300  # px
POINTS = 201  # of a curve
REACH = 5.0  # scores shown on both sides of the one that gives half of the weight
DIFFERENCES = 4.0  # points shown on both sides of no difference
FARTHEST = 20.0  # points: e^20 is half a billion


def softmax_curve(
    scores_row: ArrayLike,
    *,
    moved: int,
    tokens: Sequence[str],
    mask_row: ArrayLike | None = None,
    shown_range: tuple[float, float] | None = None,
    theme: Theme,
) -> go.Figure:
    """How the weight of one token follows its score while all other scores of the row stay.

    scores_row: [key]    mask_row: [key], True = may look at    moved: the place of the token among the keys
    shown_range: the first and the last score shown; unless told, around the score that gives half of the weight

    Raises ValueError if scores, tokens and mask do not fit each other, or if there is no such token or range.
    """
    row = _masked_row(scores_row, tokens=tokens, mask_row=mask_row)
    if not 0 <= moved < len(row):
        raise ValueError(f"moved must be the place of a token from 0 to {len(row) - 1}, but it is {moved}")
    low, high = _around_half(row, moved) if shown_range is None else _rising(shown_range)
    score, weight = float(row[moved]), float(softmax(row)[moved])
    caption = f"At a score of {full(round(score, 2))} the weight is {number(weight, 3)}."
    if masked := np.isneginf(score):
        caption = "The mask hides this token: its score stays −∞ and its weight 0."
    scores = np.linspace(low, high, POINTS)
    rows = np.tile(row, (POINTS, 1))
    rows[:, moved] = score if masked else scores
    curve = _curve(scores, softmax(rows)[:, moved], meaning="weight", hover="score %{x:.2f}: %{y:.3f}", theme=theme)
    side = "bottom right" if weight > 0.8 else "top left"
    mark = _mark(score, weight, number(weight), origin=(low, -0.01), side=side, meaning="changed", theme=theme)
    name = plotly_text(shortened(tokens[moved], 16))
    return sheet(
        [curve] if masked else [curve, *mark],
        xaxis=plain_axis(theme, title=f"score of {name}", range=[low, high], nticks=7),
        yaxis=plain_axis(theme, title=f"weight of {name}", range=[-0.01, 1.05], tickvals=[0, 0.5, 1]),
        height=HEIGHT,
        alt=f"Curve of the weight of {distinct_names(tokens)[moved]} against its score. {caption}",
        caption=caption,
        theme=theme,
    )


def ratio_curve(difference: float = 2.0, *, theme: Theme) -> go.Figure:
    """How many times the weight a score gives that is some points higher: e^difference, whatever the two scores are.

    Two points are always marked, 7.39 times; `difference` is the point that moves.

    Raises ValueError if the difference is not a number from -20 to 20.
    """
    if not abs(difference) <= FARTHEST:
        raise ValueError(f"difference must be from −{FARTHEST:.0f} to {FARTHEST:.0f} points, but it is {difference}")
    low, high = min(-DIFFERENCES, difference) - 0.3, max(DIFFERENCES, difference) + 0.3
    top, bottom = float(np.exp(high)), -0.03 * float(np.exp(high))
    shown, times = full(round(difference, 3)), float(np.exp(difference))
    points = np.linspace(low, high, POINTS)
    hover = "%{x:.2f} points: %{y:.2f} times"
    traces = [
        _curve(points, np.exp(points), meaning="weight", hover=hover, theme=theme),
        _point(2.0, float(np.exp(2)), "e<sup>2</sup> = 7.39", side="middle right", meaning="weight", theme=theme),
    ]
    if difference != 2:
        text, side = f"e<sup>{shown}</sup> = {number(times)}", "top right" if difference < -2 else "top left"
        traces += _mark(difference, times, text, origin=(low, bottom), side=side, meaning="changed", theme=theme)
    caption = f"A score difference of {shown}: {number(times)} times the weight."
    return sheet(
        traces,
        xaxis=plain_axis(theme, title="score difference (points)", range=[low, high], nticks=9),
        yaxis=plain_axis(theme, title="times the weight", range=[bottom, top], nticks=6),
        height=HEIGHT,
        alt=f"Curve of e to the power of the score difference. At 2 points it is 7.39. {caption}",
        caption=caption,
        theme=theme,
    )


def cost_curve(n: int, *, theme: Theme, n_max: int | None = None) -> go.Figure:
    """How many cells the table has for n tokens, n²: for twice the tokens four times as many.

    n_max: the last number of tokens shown; unless told, a little more than 2n

    Raises ValueError if n is not a whole number from 1, or if n_max leaves no room for 2n.
    """
    if not (isinstance(n, int | np.integer) and n >= 1):
        raise ValueError(f"n must be a whole number of tokens from 1, but it is {n!r}")
    twice, cells, four_times = 2 * int(n), int(n) ** 2, 4 * int(n) ** 2
    last = 1.125 * twice if n_max is None else n_max
    if last < twice:
        raise ValueError(f"n_max must leave room for 2n = {twice:,} tokens, but it is {n_max}")
    tokens, bottom = np.linspace(0, last, POINTS), -0.02 * last**2
    # on given axes the curve may leave no room for texts; the caption has it all
    texts = ("twice the tokens,<br>four times the cells", f"n = {n:,}") if 2 * twice > last else ("", "")
    traces = [_curve(tokens, tokens**2, meaning="ink", hover="%{x:,.0f} tokens: %{y:,.0f} cells", theme=theme)]
    for x, text, meaning in ((twice, texts[0], "ink"), (int(n), texts[1], "changed")):
        traces += _mark(x, x**2, text, origin=(0, bottom), side="top left", meaning=meaning, theme=theme)
    # where the axes follow n, they need no other numbers than the four that the curve is about
    x_ticks, y_ticks = ([n, twice], [cells, four_times]) if n_max is None else (None, None)
    caption = (
        f"Cells: {n:,} × {n:,} = {cells:,}. "
        f"For twice the tokens: {twice:,} × {twice:,} = {four_times:,}, four times as many."
    )
    return sheet(
        traces,
        xaxis=plain_axis(theme, title="tokens (n)", range=[0, last], tickvals=x_ticks, tickformat=","),
        yaxis=plain_axis(theme, title="cells (n²)", range=[bottom, last**2], tickvals=y_ticks, tickformat=","),
        height=HEIGHT,
        alt=f"Curve of n², the cells of a table of n queries and n keys. {caption}",
        caption=caption,
        theme=theme,
    )


def _masked_row(scores_row: ArrayLike, *, tokens: Sequence[str], mask_row: ArrayLike | None) -> Array:
    """The scores of one query, −∞ where the mask hides the key: [key]."""
    cells = read_cells(
        "scores_row",
        np.expand_dims(np.asarray(scores_row), 0),
        query_tokens=[""],
        key_tokens=tokens,
        mask=None if mask_row is None else np.expand_dims(np.asarray(mask_row), 0),
        allow_minus_inf=True,
    )
    return np.where(cells.hidden[0], -np.inf, cells.given[0])


def _around_half(row: Array, moved: int) -> tuple[float, float]:
    """Whole scores around the one at which the moved token gets as much weight as all others together."""
    others = np.delete(row, moved)
    others = others[np.isfinite(others)]
    score = row[moved] if np.isfinite(row[moved]) else 0.0
    half = np.logaddexp.reduce(others) if others.size else score
    return float(np.floor(min(half - REACH, score - 1))), float(np.ceil(max(half + REACH, score + 1)))


def _rising(shown_range: tuple[float, float]) -> tuple[float, float]:
    low, high = shown_range
    if not low < high:
        raise ValueError(f"shown_range must run from a lower to a higher score, but it is {low} to {high}")
    return low, high


def _curve(x: Array, y: Array, *, meaning: str, hover: str, theme: Theme) -> go.Scatter:
    line = {"color": colour(meaning, theme), "width": 2.5, "simplify": False}  # simplified, it shows corners
    return go.Scatter(x=x, y=y, mode="lines", line=line, hovertemplate=f"{hover}<extra></extra>", name="curve")


def _mark(
    x: float, y: float, text: str, *, origin: tuple[float, float], side: str, meaning: str, theme: Theme
) -> list[go.Scatter]:
    """A point of a curve with its text, and dotted lines from it to both axes, which meet at the origin."""
    left, bottom = origin
    dots = {"color": colour("quiet", theme), "width": 1, "dash": "dot"}
    lines = go.Scatter(x=[left, x, x], y=[y, y, bottom], mode="lines", line=dots, hoverinfo="skip", name="to the axes")
    return [lines, _point(x, y, text, side=side, meaning=meaning, theme=theme)]


def _point(x: float, y: float, text: str, *, side: str, meaning: str, theme: Theme) -> go.Scatter:
    """A marked point. A rising curve leaves room for its text on the upper left and on the lower right."""
    return go.Scatter(
        x=[x],
        y=[y],
        mode="markers+text",
        marker={"color": colour(meaning, theme), "size": 11, "line": {"color": colour("page", theme), "width": 2}},
        text=[f" {text} "],
        textposition=side,
        cliponaxis=False,
        hoverinfo="skip",
        name="point",
    )
