"""The bare sheet that every figure is drawn on: its dress, and its words for those who cannot see it."""

from collections.abc import Iterable, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.basedatatypes import BaseTraceType

from attention_view.colours import Theme, colour
from attention_view.tokens import plotly_text

FONT = (  # the page's own, as .streamlit/config.toml sets it: Plotly does not inherit it
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', Arial, sans-serif"
)
SIZE = 12  # px, of all text but the numbers in cells, which shrink with their cell
CLEAR = "rgba(0,0,0,0)"

PLOTLY_CONFIG = {
    "displayModeBar": False,
    "displaylogo": False,
    "doubleClick": False,
    "responsive": True,
    "scrollZoom": False,
    "showTips": False,
}


def sheet(
    traces: Iterable[BaseTraceType],
    *,
    xaxis: dict[str, Any],
    yaxis: dict[str, Any],
    shapes: Sequence[dict[str, Any]] = (),
    height: int,
    alt: str,
    caption: str,
    theme: Theme,
    opens: str = "",
) -> go.Figure:
    """A figure of a height in px. A finger that swipes over it scrolls the page: there is nothing to drag.

    The text for those who cannot see it and the caption lie in `layout.meta`, as "alt" and "caption"; so does, as "of",
    where the number in a row and a column of its cells stands in the page's record, if it can be opened:
    "scores[0,{row},{column}]".
    """
    ink, page = colour("ink", theme), colour("page", theme)
    layout = {  # all at once: an update of a finished figure takes Plotly longer than the figure
        "template": go.layout.Template(),
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8, "pad": 0},
        "minreducedheight": 2,  # or Plotly leaves no room for labels beside a table of one or two rows
        "minreducedwidth": 2,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "font": {"family": FONT, "size": SIZE, "color": ink},
        "hoverlabel": {"bgcolor": page, "bordercolor": colour("quiet", theme), "font": {"color": ink}, "align": "left"},
        "dragmode": False,
        "showlegend": False,
        "separators": ".,",
        "meta": {"alt": alt, "caption": caption, **({"of": opens} if opens else {})},
        "xaxis": xaxis,
        "yaxis": yaxis,
        "shapes": shapes,
    }
    return go.Figure(list(traces), layout)


def alt_text(figure: go.Figure) -> str:
    """What a figure shows, in words, for those who cannot see it.

    Raises ValueError if the figure was not made by a builder of this package.
    """
    meta = figure.layout.meta
    if not isinstance(meta, dict) or "alt" not in meta:
        raise ValueError(f"the figure must have an alt text in layout.meta['alt'], but layout.meta is {meta!r}")
    return str(meta["alt"])


def plain_words(text: str) -> str:
    """A page's own words for Plotly, which would read tags, entities and formulas in them."""
    return " ".join(plotly_text(word) if word else "" for word in text.split(" "))


def plain_axis(theme: Theme, *, title: str, title_color: str = "", **settings: Any) -> dict[str, Any]:
    """The settings of an axis that is never zoomed and has no grid: a hairline, a title, its ticks."""
    return {
        "type": "linear",
        "title": {"text": title, "font": {"size": SIZE, "color": title_color or colour("quiet", theme)}, "standoff": 6},
        "fixedrange": True,
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": colour("hairline", theme),
        "tickcolor": colour("hairline", theme),
        "tickfont": {"color": colour("quiet", theme), "size": SIZE - 1},
        "automargin": True,
        **settings,
    }
