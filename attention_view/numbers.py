"""Numbers as they are shown: true minus signs, no "-0.00", and no sum whose parts disagree with it in silence."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal

import numpy as np

MINUS = "−"
HUGE = 1e9  # from here on a number is written with a power of ten, as it would run over the next column
SUPERSCRIPTS = str.maketrans("−0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_in_full = ContextVar("_in_full", default=False)
GAP = "\u00a0"  # between a number and its percent sign, where a line must not break


def number(x: float, digits: int = 2, *, whole: bool = False) -> str:
    """A number with a fixed count of decimals; with `whole`, a whole number has none: 4 exactly, 4.00 rounded.

    From HUGE on it is written with a power of ten.

    Raises ValueError for NaN, which is no number to show.

    >>> number(-0.001), number(-1.5, 1), number(4.0), number(4.0, whole=True), number(-8e300), number(float("-inf"))
    ('0.00', '−1.5', '4.00', '4', '−8.00·10³⁰⁰', '−∞')
    """
    if math.isnan(x):
        raise ValueError("a number to show must not be NaN, but it is")
    if math.isinf(x):
        return "∞" if x > 0 else f"{MINUS}∞"
    if _in_full.get() and x:
        return full(x)
    if abs(x) >= HUGE:
        return by_power_of_ten(x)
    text = f"{x:.{0 if whole and _is_whole(x) else digits}f}"
    if text.startswith("-") and float(text) == 0:
        text = text[1:]
    return text.replace("-", MINUS)


def weight_number(weight: float, digits: int = 3) -> str:
    """A weight that is listed by itself; never as 0 if it is more, however little: a masked key gets exactly 0.

    >>> weight_number(0.0), weight_number(0.0004), weight_number(0.25), weight_number(0.004, 2), weight_number(1.0)
    ('0', '<0.001', '0.250', '<0.01', '1.000')
    """
    if weight == 0:
        return "0"
    text, least = number(weight, digits), 10**-digits
    return f"<{number(least, digits)}" if 0 < weight < least / 2 and not _in_full.get() else text


def by_power_of_ten(x: float) -> str:
    """A number far from 1 in a short form.

    >>> by_power_of_ten(-0.00001234), by_power_of_ten(8e300)
    ('−1.23·10⁻⁵', '8.00·10³⁰⁰')
    """
    digits, power = f"{x:.2e}".split("e")
    return f"{digits}·10{str(int(power)).replace('-', MINUS).translate(SUPERSCRIPTS)}".replace("-", MINUS)


def read_shown(text: str) -> Decimal:
    """The number that a shown text stands for, exactly.

    >>> read_shown("−1.23·10⁻⁵")
    Decimal('-0.0000123')
    """
    digits, _, power = text.replace(MINUS, "-").replace("∞", "Infinity").partition("·10")
    return Decimal(digits) * Decimal(10) ** int(power.translate(PLAIN) or 0)


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
    return f"+{text}" if text[0].isdigit() and read_shown(text) > 0 else text


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

    A number written with a power of ten is taken as rounded.

    >>> adds_up([("4", "2"), ("0", "0")], "8"), adds_up([("0.33",), ("0.33",), ("0.33",)], "1")
    (True, False)
    """
    shown = [*parts]
    if any("·10" in text for factors in (*shown, (total,)) for text in factors):
        return False
    return sum((math.prod(map(read_shown, factors)) for factors in shown), Decimal(0)) == read_shown(total)


def _is_whole(x: float) -> bool:
    """Whether x is a whole number but for the last digit of its floating point."""
    near = round(x)
    return x == near or (near != 0 and abs(x - near) < 1e-12 * abs(near))
