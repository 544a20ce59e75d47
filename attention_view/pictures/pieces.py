"""The pieces that a page is drawn of, as they are noted while it is drawn: references, nothing copied."""

from collections.abc import Callable
from typing import Any, NamedTuple

import plotly.graph_objects as go

from attention_view.map_data import MapData


class View(NamedTuple):
    """A token view. `data` is what it shows, see `token_view_data`; views of a group follow one token, `ask`."""

    data: dict[str, Any]
    ask: int
    group: str


class Map(NamedTuple):
    """The map of a long text, and the query that asks in it."""

    data: MapData
    ask: int


class Follows(NamedTuple):
    """Markup about the token that asks."""

    markup: str
    ask: int


class Markup(NamedTuple):
    """Markup that follows no token."""

    markup: str


class Words(NamedTuple):
    """A text in Markdown."""

    text: str


class Heading(NamedTuple):
    """The heading of a part of the page."""

    text: str


class Listing(NamedTuple):
    """Lines to copy."""

    text: str


class Figure(NamedTuple):
    """A Plotly figure."""

    figure: go.Figure


class Still(NamedTuple):
    """A picture that stands still in a file: its name, and what makes it as SVG (given theme= and credit=)."""

    name: str
    svg: Callable[..., str]


class Tables(NamedTuple):
    """A fold of tables, made only when they are asked for; without a label, tables that stand open."""

    label: str
    markup: tuple[Callable[[], str], ...]


Drawn = View | Map | Follows | Markup | Words | Heading | Listing | Figure | Still | Tables
