"""A page as one HTML file that opens by itself, without the app and without a network."""

import base64
import html
import json
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import plotly.graph_objects as go

from attention_view.colours import Theme
from attention_view.figures import PLOTLY_CONFIG, alt_text
from attention_view.pictures.in_app import for_file
from attention_view.pictures.live import as_json, document, live_script, live_view
from attention_view.pictures.map_picture import map_picture, row_sentence, strongest_table
from attention_view.pictures.markdown import markdown
from attention_view.pictures.pieces import (
    Drawn,
    Figure,
    Follows,
    Heading,
    Listing,
    Map,
    Markup,
    Still,
    Tables,
    View,
    Words,
)

STYLES = Path(__file__).with_name("page.css")
DRAW_PLOTS = """
for (const place of document.querySelectorAll("[data-plot]")) {
  const figure = JSON.parse(document.getElementById(place.dataset.plot).textContent);
  Plotly.newPlot(place, figure.data, figure.layout, figure.config);
}
"""


def page_file(
    pieces: Sequence[Drawn], *, title: str, promise: str, product: str, link: str, styles: str, theme: Theme
) -> str:
    """What stands on a page, as the text of an HTML file: token views and figures answer as they do in the app.

    link: the part of the address that restores the view, as in "ending=soft"    styles: the stylesheets of the app
    theme: that of the Plotly figures, which cannot follow the reader's own
    """
    parts = ((_is_half(piece), _part(piece, n, pieces, theme)) for n, piece in enumerate(pieces))
    runs = ((half, "".join(part for _, part in run)) for half, run in groupby(parts, key=itemgetter(0)))
    drawn = "".join(f'<div class="side-by-side">{run}</div>' if half else run for half, run in runs)
    has_plot = any(isinstance(piece, Figure) for piece in pieces)
    has_view = any(isinstance(piece, View) for piece in pieces)
    setting = f"Settings of this view, to be put behind the page's address: ?{link}" if link else "The view as it opens"
    body = (
        f"<main><h1>{html.escape(title)}</h1>"
        f'<p class="av-promise">{html.escape(promise)}</p>'
        f"{drawn}</main>"
        f"<footer>{html.escape(product)}. {html.escape(setting)}.</footer>"
        f"{live_script() if has_view else ''}{_plot_scripts() if has_plot else ''}"
    )
    return document(body, title=f"{title} · {product}", styles=styles + STYLES.read_text(encoding="utf-8"))


def _is_half(piece: Drawn) -> bool:
    """Whether it is one of two views that stand side by side."""
    return isinstance(piece, View) and piece.data["size"] == "half"


def _part(piece: Drawn, n: int, pieces: Sequence[Drawn], theme: Theme) -> str:
    match piece:
        case View():
            return live_view(piece.data, ask=piece.ask, group=piece.group, name=f"view-{n}")
        case Map():
            return _map(piece, theme)
        case Follows():
            first = not any(isinstance(before, Follows) for before in pieces[:n])
            return (_whose(piece, pieces[:n]) if first else "") + for_file(piece.markup)
        case Markup():
            return for_file(piece.markup)
        case Words():
            return markdown(piece.text)
        case Heading():
            return f"<h2>{html.escape(piece.text)}</h2>"
        case Listing():
            return f"<pre><code>{html.escape(piece.text)}</code></pre>"
        case Figure():
            return _plot(piece.figure, f"plot-{n}", theme)
        case Still():
            look = f'class="still" tabindex="0" role="region" aria-label="{html.escape(piece.name)}"'
            return f"<figure {look}>{piece.svg(theme=theme)}</figure>"
        case Tables():
            tables = "".join(for_file(make()) for make in piece.markup)
            if not piece.label:
                return f'<div class="open-tables">{tables}</div>' if tables else ""
            return f"<details><summary>{html.escape(piece.label)}</summary>{tables}</details>"
    raise ValueError(f"a piece of a page must be one of {', '.join(kind.__name__ for kind in Drawn.__args__)}")


def _whose(piece: Follows, before: Sequence[Drawn]) -> str:
    """Whose numbers follow: in the file a pick changes the picture, and the text below stays as it was saved."""
    names = next((view.data["query_tokens"] for view in reversed(before) if isinstance(view, View)), None)
    if not names or not 0 <= piece.ask < len(names):
        return ""
    token = html.escape(names[piece.ask])
    return (
        f'<p class="av-caption">Saved while <strong><bdi>{token}</bdi></strong> asked: the numbers that follow are its '
        "own, whichever word you pick here.</p>"
    )


def _map(piece: Map, theme: Theme) -> str:
    """The map of a long text as it stood when it was saved, with the strongest keys of the row that asks."""
    picture = map_picture(piece.data, "max", ask=piece.ask, theme=theme)
    source = base64.b64encode(picture.encode()).decode()
    if not piece.data.query_tokens or not piece.data.key_tokens:
        return f'<figure class="map"><figcaption>{html.escape(piece.data.notice)}</figcaption></figure>'
    said = html.escape(row_sentence(piece.data, piece.ask), quote=True)
    head, *lines = strongest_table(piece.data, piece.ask).rows
    rows = "".join(f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in line)}</tr>" for line in lines)
    heads = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in head)
    return (
        f'<figure class="map"><img alt="{said}" src="data:image/svg+xml;base64,{source}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></figure>"
    )


def _plot(figure: go.Figure, name: str, theme: Theme) -> str:
    """A figure on the colour of its own theme, with its caption."""
    message = {**json.loads(figure.to_json()), "config": PLOTLY_CONFIG}
    alt = html.escape(alt_text(figure), quote=True)
    caption = html.escape(str(figure.layout.meta["caption"]))
    return (
        f'<figure class="plot"><div role="img" aria-label="{alt}" style="color-scheme: {theme}; '
        f'background: var(--av-page)"><div data-plot="{name}"></div></div>'
        f"<figcaption>{caption}</figcaption>{as_json(message, name=name)}</figure>"
    )


def _plot_scripts() -> str:
    from plotly.offline import get_plotlyjs  # 4.6 MB of text: read when a file needs it

    return f"<script>{get_plotlyjs()}</script><script>{DRAW_PLOTS}</script>"
