"""One cell of a grid as SVG: a weight as a shade and a number, hatched where it is masked or leaks."""

from attention_view.colours import Theme, colour_at, weight_scale
from attention_view.numbers import number
from attention_view.pictures.svg import tag, width_of, words

DEEP = {"light": 0.77, "dark": 0.6}  # where text on a cell changes its colour, as on the page
HATCHED = "url(#hatch)"


def weight_cell(
    weight: float | None,
    place: dict[str, float],
    *,
    text: int,
    theme: Theme,
    shown: bool = True,
    short: bool = False,
    leaks: bool = False,
) -> str:
    """A cell shaded by its weight on a scale from 0 to 1; a masked one is hatched, without a number unless it leaks.

    place: its x, y, width and height in px    text: px of its number    shown, short: whether and how the number is
    """
    place = {**place, "rx": 3.0}
    if weight is None:
        return tag("rect", **place, fill=HATCHED)
    shade = colour_at(weight_scale(theme), weight)
    cell = tag("rect", **place, fill=shade) + (tag("rect", **place, fill=HATCHED) if leaks else "")
    if not shown:
        return cell
    number_text = _number(weight, short=short or place["width"] < width_of("0.00", text) + 2)
    centre, middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    wide = width_of(number_text, text) + 4
    patch = {"x": centre - wide / 2, "y": middle - text * 0.65, "width": wide, "height": text * 1.3, "rx": 3.0}
    on_deep, on_pale = ("#FFFFFF", "#000000") if theme == "light" else ("#000000", "#FFFFFF")
    look = on_deep if weight > DEEP[theme] else on_pale
    return (
        cell
        + (tag("rect", **patch, fill=shade) if leaks else "")  # or the hatching would run through the number
        + words(number_text, centre, middle + 4.5, size=text, anchor="middle", fill=look)
    )


def _number(weight: float, *, short: bool) -> str:
    """A weight with two decimals; in a narrow cell .86, and 1.0 for what rounds to it."""
    if weight == 0:
        return "0"
    text = number(weight)
    return text if not short else "1.0" if weight > 0.995 else text[1:]
