"""Vectors of many numbers: a small bar for each, up or down from 0, and and each opens a number."""

import html
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_view.numbers import number
from attention_view.shapes import shaped
from attention_view.table_parts import caption_text


class Vector(NamedTuple):
    """One vector: its name as HTML, its numbers [dimension], the class of its colour, and the letter of its address.

    Vectors of the same `scale` are drawn on one scale. Without a letter its numbers do not open.
    """

    name: str
    values: ArrayLike
    colour: str
    letter: str = ""
    scale: str = ""


def vectors_picture(vectors: Sequence[Vector], *, title: str, note: str, of: str) -> str:
    """Some vectors of the same length below each other, so that their numbers stand under each other.

    title, note: HTML    of: whose numbers they are, a letter for each vector, see `openable.letters`

    Raises ValueError if the vectors differ in length or an entry is not finite.
    """
    n = len(np.asarray(vectors[0].values))
    arrays = [shaped(vector.name, vector.values, dimension=n) for vector in vectors]
    largest: dict[str, float] = {}
    for vector, array in zip(vectors, arrays, strict=True):
        name = vector.scale or vector.name
        largest[name] = max(largest.get(name, 0.0), float(np.abs(array).max(initial=0.0)))
    lines = (
        f'<div class="av-bars {vector.colour}" data-letter="{vector.letter}"><span>{vector.name}</span>'
        f"<div>{_bars(array, largest[vector.scale or vector.name])}</div></div>"
        for vector, array in zip(vectors, arrays, strict=True)
    )
    label = re.sub(r"<[^>]*>", "", title)
    return (
        f'<figure class="av-many"><figcaption>{caption_text(title, note)}</figcaption>'
        f'<div class="av-scroll" tabindex="0" role="region" aria-label="{label}" data-of="{html.escape(of)}">'
        f"{''.join(lines)}</div></figure>"
    )


def _bars(array: ArrayLike, largest: float) -> str:
    """A bar for each number, from −100 to 100 percent of the largest, with the number for those who hear it."""
    return "".join(f"<u style=--w:{100 * x / (largest or 1):.0f}>{number(x)}</u>" for x in np.asarray(array))
