"""What the colours mean: one palette for the stylesheet and for Plotly, in a light and a dark theme.

Query, key, value and changed follow Okabe and Ito (safe for colour-blind eyes). Weights run from the page colour at 0
to violet at 1; scores run from slate teal over the page colour at 0 to the same violet. Masked is hatched, never a hue.
"""

from itertools import pairwise
from typing import Literal, NamedTuple, get_args

Theme = Literal["light", "dark"]
Scale = list[tuple[float, str]]

ENOUGH_FOR_TEXT = 4.5  # WCAG 2.2, success criterion 1.4.3


class Pair(NamedTuple):
    """One meaning, in both themes."""

    light: str
    dark: str


PALETTE = {
    "query": Pair("#0072B2", "#3D97E0"),
    "query-text": Pair("#00639B", "#7CC6F2"),
    "query-soft": Pair("#E3F1FA", "#12303F"),
    "key": Pair("#E69F00", "#F7BC45"),
    "key-text": Pair("#8A5A00", "#F5C462"),
    "key-soft": Pair("#FDF1D8", "#3A2C10"),
    "value": Pair("#009E73", "#22B17F"),
    "value-text": Pair("#00714F", "#58D6AF"),
    "value-soft": Pair("#DDF4EC", "#0F352A"),
    "changed": Pair("#D55E00", "#F2662B"),
    "changed-text": Pair("#AB4A00", "#FF9C66"),
    "changed-soft": Pair("#FCE9DC", "#43230F"),
    "weight": Pair("#5B3E96", "#C3A6FF"),
    "score-negative": Pair("#2E6E78", "#7FC6CF"),
    "hatch": Pair("#C4C0CE", "#4B505C"),
    "ink": Pair("#1E1B26", "#E9E7EF"),
    "quiet": Pair("#5F5A6B", "#A9A5B5"),
    "hairline": Pair("#DEDBE6", "#343843"),
    "page": Pair("#FFFFFF", "#14161B"),
    "surface": Pair("#F6F5F8", "#1D2027"),
    "focus": Pair("#7A3FF2", "#D0B8FF"),
}


def colour(meaning: str, theme: Theme) -> str:
    """The colour of a meaning in a theme, as "#RRGGBB".

    Raises ValueError for a meaning or a theme that does not exist.
    """
    if theme not in get_args(Theme):
        raise ValueError(f"theme must be one of {', '.join(get_args(Theme))}, but it is {theme!r}")
    if meaning not in PALETTE:
        raise ValueError(f"meaning must be one of {', '.join(PALETTE)}, but it is {meaning!r}")
    return PALETTE[meaning][get_args(Theme).index(theme)]


def css_variables() -> str:
    """The palette as CSS custom properties, `--av-query` and so on, which follow the theme of what they colour."""
    lines = (f"  --av-{meaning}: light-dark({pair.light}, {pair.dark});" for meaning, pair in PALETTE.items())
    return "\n".join((".stApp, :root {", *lines, "}\n"))


def weight_scale(theme: Theme) -> Scale:
    """The colours of weights from 0 to 1: from the page colour to violet."""
    return [(0.0, colour("page", theme)), (1.0, colour("weight", theme))]


def score_scale(theme: Theme) -> Scale:
    """The colours of scores around 0: negative in slate teal, 0 in the page colour, positive in violet."""
    return [(0.0, colour("score-negative", theme)), (0.5, colour("page", theme)), (1.0, colour("weight", theme))]


def colour_at(scale: Scale, place: float) -> str:
    """The colour of a scale at a place from 0 to 1, blended in sRGB as Plotly and CSS's `color-mix(in srgb)` do.

    >>> colour_at([(0.0, "#000000"), (1.0, "#FF8000")], 0.5)
    '#804000'
    """
    place = min(max(place, 0.0), 1.0)
    (start, low), (stop, high) = next(pair for pair in pairwise(scale) if place <= pair[1][0])
    share = (place - start) / (stop - start)
    mixed = (round(a + (b - a) * share) for a, b in zip(_rgb(low), _rgb(high), strict=True))
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2).

    >>> contrast("#000000", "#FFFFFF")
    21.0
    """
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable_on(background: str, theme: Theme) -> str:
    """A colour for text on any background: the theme's ink or page colour, else plain black or white.

    One of the last two always has a contrast of at least 4.58.
    """
    choices = (colour("ink", theme), colour("page", theme), "#000000", "#FFFFFF")
    return next(choice for choice in choices if contrast(choice, background) >= ENOUGH_FOR_TEXT)


def _rgb(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _luminance(text: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2)."""
    shares = (channel / 255 for channel in _rgb(text))
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
