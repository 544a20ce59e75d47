"""Numbers as they are shown: true minus signs, no "-0.00", and no sum whose parts disagree with it in silence."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal

import numpy as np

MINUS = "−"
_in_full = ContextVar("_in_full", default=False)
GAP = "\u00a0"  # between a number and its percent sign, where a line must not break


def number(x: float, digits: int = 2, *, whole: bool = False) -> str:
    """A number with a fixed count of decimals; with `whole`, a whole number has none: 4 exactly, 4.00 rounded.

    Raises ValueError for NaN, which is no number to show.

    >>> number(-0.001), number(-1.5, 1), number(4.0), number(4.0, whole=True), number(float("-inf"))
    ('0.00', '−1.5', '4.00', '4', '−∞')
    """
    if math.isnan(x):
        raise ValueError("a number to show must not be NaN, but it is")
    if math.isinf(x):
        return "∞" if x > 0 else f"{MINUS}∞"
    if _in_full.get() and x:
        return full(x)
    text = f"{x:.{0 if whole and _is_whole(x) else digits}f}"
    if text.startswith("-") and float(text) == 0:
        text = text[1:]
    return text.replace("-", MINUS)


@contextmanager
def in_full() -> Iterator[None]:
    """Within it every number is written with all its digits, whatever a builder asks for: for tables that are kept.

    >>> with in_full():
    ...     number(1 / 3)
    '0.3333333333333333'
    """
    token = _in_full.set(True)
    try:
        yield
    finally:
        _in_full.reset(token)


def signed(x: float, digits: int = 2, *, whole: bool = False) -> str:
    """A difference with its sign; what shows as zero has none.

    >>> signed(0.466), signed(-1.0, whole=True), signed(0.0)
    ('+0.47', '−1', '0.00')
    """
    text = number(x, digits, whole=whole)
    return f"+{text}" if text[0].isdigit() and float(text) > 0 else text


def full(x: float) -> str:
    """A number with every digit that tells it from its neighbours, in its own precision.

    >>> full(np.float64(0.1)), full(np.float32(0.1)), full(-4.0), full(2.5e-9)
    ('0.1', '0.1', '−4', '2.5e−09')
    """
    if x == 0 or not math.isfinite(x):
        return number(x, 0)
    written = np.format_float_positional if 1e-6 <= abs(x) < 1e15 else np.format_float_scientific
    return written(x, unique=True, trim="-").replace("-", MINUS)


def percent(weight: float) -> str:
    """A weight as a whole percentage; never "0 %" or "100 %" for what is only near it.

    >>> [percent(x).replace(GAP, " ") for x in (0.858, 0.001, 0.0, 0.999)]
    ['86 %', '<1 %', '0 %', '>99 %']
    """
    whole = math.floor(100 * weight + 0.5)
    if whole == 0 and weight > 0:
        return f"<1{GAP}%"
    if whole == 100 and weight < 1 - 1e-9:
        return f">99{GAP}%"
    return f"{number(whole, 0)}{GAP}%"


def adds_up(parts: Iterable[tuple[str, ...]], total: str) -> bool:
    """Whether the numbers as shown add up: each part is the product of its shown factors. If not, say "rounded".

    >>> adds_up([("4", "2"), ("0", "0")], "8"), adds_up([("0.33",), ("0.33",), ("0.33",)], "1")
    (True, False)
    """
    return sum((math.prod(map(_shown, factors)) for factors in parts), Decimal(0)) == _shown(total)


def _is_whole(x: float) -> bool:
    """Whether x is a whole number but for the last digit of its floating point."""
    near = round(x)
    return x == near or (near != 0 and abs(x - near) < 1e-12 * abs(near))


def _shown(text: str) -> Decimal:
    return Decimal(text.replace(MINUS, "-").replace("∞", "Infinity"))
