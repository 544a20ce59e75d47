"""Attention weights in a notebook: any array of weights and its tokens as the same live picture as in the app."""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from attention_core.checks import Array, quoted
from attention_core.given_weights import are_layers, one_table, require_whole
from attention_view.colours import Theme
from attention_view.figures import weights_heatmap
from attention_view.layout import Layout, is_turned
from attention_view.pictures import token_picture
from attention_view.pictures.live import document, live_script, live_view
from attention_view.token_data import token_view_data

GRID_UP_TO = 32  # tokens a side; more get lines alone
STYLES = """
:root { color-scheme: light dark; }
body { margin: 0; padding: 8px; background: var(--av-page); font-family: system-ui, sans-serif; }
"""


@dataclass(frozen=True)
class Picture:
    """A live picture that a notebook displays by itself: hover a token, click it, or use the arrow keys."""

    data: dict[str, Any]
    ask: int

    def _repr_html_(self) -> str:
        """The picture in a frame of its own: it reaches nothing outside, and nothing outside reaches it."""
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(self.to_html(), quote=True)}" '
            f'title="Who looks at whom" style="width:100%;height:{self._height()}px;border:0"></iframe>'
        )

    def to_html(self) -> str:
        """The picture as an HTML file that opens by itself."""
        body = f"<main>{live_view(self.data, ask=self.ask, name='view')}</main>{live_script()}"
        return document(body, title="Who looks at whom", styles=STYLES)

    def to_svg(self, *, theme: Theme = "light") -> str:
        """The picture as SVG text, for a paper or a slide."""
        return token_picture(self.data, ask=self.ask, theme=theme)

    def _height(self) -> int:
        """The px that the lines, the sentence and the grid take on a wide screen."""
        n = max(len(self.data["query_tokens"]), len(self.data["key_tokens"]))
        rows = len(self.data["key_tokens"]) + 1 if is_turned(self.data["layout"]) else len(self.data["query_tokens"])
        grid = 36 * rows + 210 if "grid" in self.data["parts"] else 0
        return (36 if n <= 16 else 28) * (n + 1) + 190 + grid


def show(
    weights: Any,
    tokens: Iterable[str],
    *,
    key_tokens: Iterable[str] | None = None,
    layer: int | None = 0,
    head: int | None = 0,
    batch: int | None = None,
    axes: str | None = None,
    mask: ArrayLike | None = None,
    ask: int = -1,
    layout: Layout = "rows",
) -> Picture:
    """The live picture of one head: lines, numbers and grid.

    weights: [query, key], or anything else that `one_table` reads: arrays and tensors of more axes, a list of layers
    tokens: those that ask    key_tokens: those that are looked at, the same unless told
    layer, head, batch, axes: see `one_table`
    mask: [query, key], True = may look at; weight on what it hides is shown, and said to leak
    ask: the place of the token that asks at first; the last one unless told
    layout: "rows" or "columns", where the grid has its queries

    Raises ValueError if the weights cannot be read, there is not one token for each query and each key, or there is no
    such layout.
    """
    table, names = _read(weights, tokens, key_tokens, mask, layer=layer, head=head, batch=batch, axes=axes)
    n_queries, n_keys = table.shape
    require_whole("ask", ask)
    if not -n_queries <= ask < n_queries:
        raise ValueError(f"ask must be the place of a query, from 0 to {n_queries - 1}, but it is {ask}")
    data = token_view_data(
        **names,
        weights=table,
        mask=mask,
        may_leak=True,
        layout=layout,
        parts=("lines", "numbers", "grid") if max(n_queries, n_keys) <= GRID_UP_TO else ("lines", "numbers"),
        caption=_which(weights, layer, head),
    )
    return Picture({**data, "size": "normal"}, ask % n_queries)


def weights_figure(
    weights: Any,
    tokens: Iterable[str],
    *,
    key_tokens: Iterable[str] | None = None,
    layer: int | None = 0,
    head: int | None = 0,
    batch: int | None = None,
    axes: str | None = None,
    mask: ArrayLike | None = None,
    layout: Layout = "rows",
    theme: Theme = "light",
) -> go.Figure:
    """The heat map of one head as a Plotly figure; the arguments are those of `show`."""
    table, names = _read(weights, tokens, key_tokens, mask, layer=layer, head=head, batch=batch, axes=axes)
    title = _which(weights, layer, head)
    return weights_heatmap(np.minimum(table, 1.0), **names, mask=mask, theme=theme, title=title, layout=layout)


def _read(
    weights: Any, tokens: Iterable[str], key_tokens: Iterable[str] | None, mask: ArrayLike | None, **which: Any
) -> tuple[Array, dict[str, Any]]:
    """The table of weights, and the tokens of its rows and columns."""
    table = one_table(weights, **which)
    asking = _texts("tokens", tokens)
    names: dict[str, Any] = {
        "query_tokens": asking,
        "key_tokens": asking if key_tokens is None else _texts("key_tokens", key_tokens),
    }
    for (name, given), n, axis in zip(names.items(), table.shape, ("queries", "keys"), strict=True):
        if len(given) != n:
            said = "tokens" if key_tokens is None else name
            more = "" if key_tokens is not None or len(set(table.shape)) == 1 else "; name the others by key_tokens"
            raise ValueError(
                f"there must be a token for each of the {n} {axis}, for the weights are [query, key] = "
                f"{list(table.shape)}, but {said} has {len(given)}{more}"
            )
    if mask is not None:
        look = np.asarray(mask)
        if look.dtype != bool or look.shape != table.shape:
            raise ValueError(
                f"mask must be boolean, True = may look at, and have the shape of the weights [query, key] "
                f"{table.shape}, but it is {look.dtype} with the shape {look.shape}"
            )
    return table, names


def _texts(name: str, given: Iterable[str]) -> list[str]:
    """The tokens as a list; refused if they are no texts."""
    if given is None or isinstance(given, bytes | bytearray) or not isinstance(given, Iterable):
        raise ValueError(f"{name} must be a list of texts, but it is {quoted(given)}")
    tokens = list(given)
    for n, token in enumerate(tokens):
        if not isinstance(token, str):
            raise ValueError(
                f"{name} must be texts, but number {n} is {quoted(token)}, of the type {type(token).__name__}"
            )
    return tokens


def _which(weights: Any, layer: int | None, head: int | None) -> str:
    """Which table of several this is, in words."""
    several = are_layers(weights)
    array = weights[layer or 0] if several else weights
    axes = len(array.shape) if hasattr(array, "shape") else np.ndim(array)
    parts = {"layer": (layer, several), "head": (head, axes > 2)}
    return ", ".join(f"{name} {place or 0}" for name, (place, there) in parts.items() if there)
