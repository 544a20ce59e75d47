"""The parts that every table of numbers is made of: names, cells, rows, a region that scrolls when it must."""

import html
import re
from collections.abc import Collection, Iterable, Sequence

from attention_core.checks import Array
from attention_view.openable import number_at, opening_attribute
from attention_view.tokens import distinct_names, html_text, showable

BAR_HEADING, TERMS_HEADING = "as a bar", "terms, added up"
LEFT = (BAR_HEADING, TERMS_HEADING)  # these columns are read from the left; numbers end at the right
NOTES = " <small>"  # where the title of a caption ends
KEY_HEADING = '<span class="av-key">key</span> (is looked at)'
QUERY_HEADING = '<span class="av-query">query</span> (asks)'


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
    return f"<td{class_of('av-on' if lit else '')}{_span(span)}>{content}</td>"


def result_cell(content: str) -> str:
    """The cell of what a row comes to."""
    return f'<td class="av-result">{content}</td>'


def masked(stands_for: str = "", *, at: str = "") -> str:
    """A cell that the mask hides: hatched, and said in words; `stands_for` is the number it has instead of its own."""
    words = f"<i>masked: </i>{stands_for}" if stands_for else "masked"
    return f'<td class="av-masked"><span>{number_at(words, at)}</span></td>'


def was_now(was: str, now: str, *, ats: tuple[str, str] = ("", "")) -> str:
    """A cell whose number is another one now: the old one above the new one, said in words to those who hear it.

    ats: where each of them can be opened, see `number_at`
    """
    return (
        f'<td class="av-was-now"><s><span class="av-visually-hidden">was </span>{number_at(was, ats[0])}</s>'
        f'<span class="av-visually-hidden">, now </span>{number_at(now, ats[1], strong=True)}</td>'
    )


def changed_mark(words: str = "changed") -> str:
    """Words on what the learner changed, in its colour."""
    return f'<span class="av-changed">{words}</span>'


def caption_text(title: str, *notes: str) -> str:
    """A caption as HTML: its title, and below it one line of notes; empty notes are left out."""
    line = " ".join(note for note in notes if note)
    return f"{title}{NOTES}{line}</small>" if line else title


def rounded_note(exact: bool) -> str:
    """What a caption says if the numbers of its table, as shown, do not add up to the sums it shows."""
    return "" if exact else "Numbers are shown rounded."


def row_style(sizes: Array, seen: Array, place: int) -> str:
    """The class of a key's row: hidden by the mask, one of the largest of those that may be seen, or plain."""
    if not seen[place]:
        return "av-hidden"
    return "av-top" if sizes[place] > 0 and sizes[place] >= sizes[seen].max() * (1 - 1e-9) else ""


def row(header: str, cells: Iterable[str], *, style: str = "") -> str:
    """A row with its header; `style` is one of the row classes of style.css, such as "av-top"."""
    return f'<tr{class_of(style)}><th scope="row">{header}</th>{"".join(cells)}</tr>'


def heading_row(headings: Iterable[str], *, lit: Collection[int] = ()) -> str:
    """The row of column headers. `lit` are the places of columns to mark."""
    cells = (
        f'<th scope="col"{class_of("av-left" if heading in LEFT else "av-lit-head" if i in lit else "")}>{heading}</th>'
        for i, heading in enumerate(headings)
    )
    return f"<tr>{''.join(cells)}</tr>"


def table(
    body: Iterable[str],
    *,
    caption: str,
    head: str,
    foot: str = "",
    style: str = "",
    zero: float = 0.0,
    columns: str = "",
    of: str = "",
) -> str:
    """A table in a region of its own, which scrolls sideways where the page is too narrow for it.

    `caption` is HTML; its title also names the region. `zero` is where its bars start, a share of their cell's width.
    `columns` is the group of <col> elements, where columns are marked. `of` says whose numbers the table holds, if they
    can be opened.
    """
    name = re.sub(r"<[^>]*>", "", caption.partition(NOTES)[0])
    place = f' style="--zero:{100 * zero:.4g}%"' if zero else ""
    return (
        f'<div class="av-scroll {style}" tabindex="0" role="region" aria-label="{name}"{place}{opening_attribute(of)}>'
        f'<table class="av-table"><caption>{caption}</caption>{columns}<thead>{head}</thead>'
        f"<tbody>{''.join(body)}</tbody>{f'<tfoot>{foot}</tfoot>' if foot else ''}</table></div>"
    )


def bar(start: float, end: float) -> str:
    """A cell with a bar from `start` to `end`, each a share of the cell's width from 0 to 1."""
    return f'<td class="av-bar">{bar_piece(start, end, style="av-minus" if end < start else "")}</td>'


def bar_piece(start: float, end: float, *, style: str) -> str:
    """A stretch of a bar, in one of the colours that style.css has for pieces; nothing if it has no length."""
    if start == end:
        return ""
    low, high = sorted((start, end))
    place = f"left:{100 * low:.4g}%;" if low else ""
    return f'<div{class_of(style)} style="{place}width:{100 * (high - low):.4g}%"></div>'


def class_of(name: str) -> str:
    """The class attribute, or nothing for no class."""
    return f" class={name}" if name.replace("-", "").isalnum() else f' class="{name}"' if name else ""


def _span(columns: int) -> str:
    return f' colspan="{columns}"' if columns > 1 else ""
