"""What the shades and the hatching of a grid mean, as SVG."""

from attention_view.colours import Theme, colour, weight_scale
from attention_view.pictures.svg import Piece, tag, width_of, words

SIZE, LINE = 13, 20  # px: of the text, of a line
LEAKS = "hatched number: leaks"


def legend(y: float, theme: Theme, *, leaks: bool, room: float) -> Piece:
    """The scale of weights and the hatching; where something leaks also that, on a line of its own if need be.

    y: the px at which it begins    room: the px that the grid above it takes
    """
    quiet, line = colour("quiet", theme), colour("hairline", theme)
    stops = (tag("stop", offset=place, stop_color=shade) for place, shade in weight_scale(theme))
    drawn = [
        tag("linearGradient", *stops, id="weights"),
        words("weight 0", 0, y + 10, size=SIZE, fill=quiet),
        tag("rect", x=62, y=y + 1, width=100, height=10, fill="url(#weights)", stroke=line),
        words("1", 170, y + 10, size=SIZE, fill=quiet),
        tag("rect", x=196, y=y - 1, width=24, height=14, fill="url(#hatch)"),
        words("masked", 228, y + 10, size=SIZE, fill=quiet),
    ]
    width, height = 228 + width_of("masked", SIZE), 18
    if leaks:
        beside = width + 16 + width_of(LEAKS, SIZE)
        fits = beside <= room
        drawn.append(words(LEAKS, width + 16 if fits else 0, y + 10 + (0 if fits else LINE), size=SIZE, fill=quiet))
        width, height = max(width, beside) if fits else width, height + (0 if fits else LINE)
    return Piece("".join(drawn), width, height)
