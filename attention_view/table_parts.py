"""The parts that every table of numbers is made of: names, cells, rows, a region that scrolls when it must."""

import html
import re
from collections.abc import Iterable, Sequence

from attention_view.tokens import distinct_names, html_text, showable

KEY_HEADING = '<span class="av-key">key</span> (is looked at)'


def token_names(tokens: Sequence[str]) -> list[str]:
    """Each token for a row header; tokens that look or sound alike carry their position: The₁ … the₅."""
    names = distinct_names(tokens)
    return [
        html_text(token) + (f"<sub>{place}</sub>" if name != showable(token) else "")
        for place, (token, name) in enumerate(zip(tokens, names, strict=True), start=1)
    ]


def token_titles(tokens: Sequence[str]) -> list[str]:
    """Each token for a table that is read aloud; tokens that sound alike say their position in words."""
    return [f"<bdi>{html.escape(name)}</bdi>" for name in distinct_names(tokens)]


def plain_names(names: Iterable[str]) -> list[str]:
    """Names of dimensions, heads or rows as HTML text."""
    return [html.escape(name) for name in names]


def cell(content: str, *, lit: bool = False, span: int = 1) -> str:
    """A cell of a table. Cells are quiet unless lit."""
    return f"<td{_class('av-on' if lit else '')}{_span(span)}>{content}</td>"


def masked(stands_for: str = "") -> str:
    """A cell that the mask hides: hatched, and said in words; `stands_for` is the number it has instead of its own."""
    words = f"masked: {stands_for}" if stands_for else "masked"
    return f'<td class="av-masked"><span>{words}</span></td>'


def row(header: str, cells: Iterable[str], *, style: str = "") -> str:
    """A row with its header; `style` is one of the row classes of style.css, such as "av-top"."""
    return f'<tr{_class(style)}><th scope="row">{header}</th>{"".join(cells)}</tr>'


def heading_row(headings: Iterable[str]) -> str:
    """The row of column headers."""
    cells = (f'<th scope="col">{heading}</th>' for heading in headings)
    return f"<tr>{''.join(cells)}</tr>"


def table(body: Iterable[str], *, caption: str, head: str, foot: str = "", style: str = "") -> str:
    """A table in a region of its own, which scrolls sideways where the page is too narrow for it.

    `caption` is HTML; its text also names the region.
    """
    name = re.sub(r"<[^>]*>", "", caption)
    return (
        f'<div class="av-scroll" tabindex="0" role="region" aria-label="{name}">'
        f"<table{_class(f'av-table {style}'.strip())}><caption>{caption}</caption><thead>{head}</thead>"
        f"<tbody>{''.join(body)}</tbody>{f'<tfoot>{foot}</tfoot>' if foot else ''}</table></div>"
    )


def bar(start: float, end: float) -> str:
    """A cell with a bar from `start` to `end`, each a share of the cell's width from 0 to 1."""
    low, high = sorted((start, end))
    place = f"left:{100 * low:.4g}%;" if low else ""
    sign = ' class="av-minus"' if end < start else ""
    return f'<td class="av-bar"><div{sign} style="{place}width:{100 * (high - low):.4g}%"></div></td>'


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _span(columns: int) -> str:
    return f' colspan="{columns}"' if columns > 1 else ""
