"""SVG as text: elements, words of an estimated width, and the sheet with its words below."""

import html
import re
import unicodedata
from typing import Any, NamedTuple

from attention_view.colours import Theme, colour
from attention_view.tokens import shortened

FAMILY = "system-ui, sans-serif"
EDGE = 16  # px around the picture
NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, section 2.2
NARROW, WIDE = frozenset("iIjlft.,;:'|!()[]` "), frozenset("mwMW@%—…")


class Piece(NamedTuple):
    """A drawn part and the room that it takes."""

    markup: str
    width: float
    height: float


def tag(name: str, *inside: str, **attributes: Any) -> str:
    """An element; `inside` is markup, attributes are text: stroke_width=2 is written stroke-width="2"."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{plain(_short(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def plain(text: str) -> str:
    """Text for XML: escaped, and without the signs that XML cannot hold."""
    return html.escape(NO_XML.sub("\ufffd", text))


def words(
    text: str, x: float, y: float, *, size: float = 15, anchor: str = "start", room: float | None = None, **look: Any
) -> str:
    """Text at its baseline; cut to fit into `room`, with the whole of it as its title.

    Text that begins right to left runs so; `anchor` says which side stays at x, start for the left one.
    """
    shown = text if room is None else fitted(text, size, room)
    turned = _runs_left(shown)
    if turned:
        anchor = {"start": "end", "end": "start"}.get(anchor, anchor)
    return tag(
        "text", plain(shown) + (tag("title", plain(text)) if shown != text else ""),
        x=x, y=y, font_size=size, text_anchor=None if anchor == "start" else anchor,
        direction="rtl" if turned else None, **look,
    )  # fmt: skip


def width_of(text: str, size: float) -> float:
    """About how wide a text is in px: fonts differ by some percent."""
    return size * sum(map(_share, text))


def fitted(text: str, size: float, room: float) -> str:
    """The text, its end cut so that it fits into `room` px."""
    limit = len(text)
    while limit > 1 and width_of(shortened(text, limit), size) > room:
        limit -= max(1, (limit - 40) // 2)  # a very long one goes fast
    return shortened(text, limit) if text else ""


def wrapped(text: str, size: float, room: float) -> list[str]:
    """The text in lines that fit into `room` px."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def sheet(picture: Piece, below: list[tuple[str, float, str]], *, title: str, theme: Theme) -> str:
    """A picture by itself: on the page colour, with lines of text below.

    below: texts with their size in px and the meaning of their colour    title: what it is, for those who hear it
    """
    room = picture.width
    y, texts = EDGE + picture.height + 8, []
    for text, size, meaning in below:
        for line in wrapped(text, size, room):
            y += 1.4 * size
            texts.append(words(line, EDGE, y, size=size, fill=colour(meaning, theme)))
        y += 4 if text else 0
    width, height = round(room + 2 * EDGE), round(y + EDGE)
    return tag(
        "svg",
        tag("title", plain(title)),
        tag("defs", _hatch(theme)),
        tag("rect", width=width, height=height, fill=colour("page", theme)),
        tag("g", picture.markup, transform=f"translate({EDGE} {EDGE})"),
        *texts,
        xmlns="http://www.w3.org/2000/svg", width=width, height=height, viewBox=f"0 0 {width} {height}", role="img",
        font_family=FAMILY, style="font-variant-numeric: tabular-nums",
    )  # fmt: skip


def _hatch(theme: Theme) -> str:
    """The pattern of what is masked."""
    line = tag("rect", width=1.5, height=5, fill=colour("hatch", theme))
    return tag(
        "pattern", line, id="hatch", width=5, height=5, patternUnits="userSpaceOnUse", patternTransform="rotate(45)"
    )


def _short(value: Any) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _share(sign: str) -> float:
    """The width of a character as a share of the size of the font."""
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF" or ord(sign) > 0xFFFF:
        return 1.2 if ord(sign) > 0xFFFF else 1.0
    if sign in NARROW:
        return 0.34
    return 0.95 if sign in WIDE else 0.7 if sign.isupper() else 0.61


def _runs_left(text: str) -> bool:
    """Whether the first letter with a direction runs from right to left."""
    directions = (unicodedata.bidirectional(sign) for sign in text)
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"
