"""Conditions on the numbers of a record, as text: weights[pronoun, it, cat] > 0.4 and new_X[it, alive] = 0."""

import operator
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from attention_core.named import Named, named
from attention_core.record import AttentionRecord

SAME = 1e-9  # numbers closer than this count as equal
SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": lambda a, b: a == b or abs(a - b) <= SAME,
}
PART = re.compile(
    r"\s*(?:(?P<entry>\w+\s*\[[^\[\]]*\])|(?P<number>-?(?:\d+(?:\.\d*)?|\.\d+|inf\b))"
    r"|(?P<sign>[<>]=?|=)|(?P<also>and\b))\s*",
    re.ASCII,
)
FORM = re.compile(r"(?:side sign side)(?: also side sign side)*")


class Side(NamedTuple):
    """One side of a comparison: a number, with the entry that it was read from if there is one."""

    value: float
    entry: Named | None = None


class Comparison(NamedTuple):
    """One part of a condition."""

    left: Side
    sign: str
    right: Side

    @property
    def holds(self) -> bool:
        """Whether the numbers compare as the sign says."""
        return bool(SIGNS[self.sign](self.left.value, self.right.value))


def comparisons(
    record: AttentionRecord, condition: str, *, called: Mapping[str, str] | None = None
) -> list[Comparison]:
    """The parts of a condition, with their numbers; it holds if all of them do. `called` as for `named`.

    >>> from attention_core import Experiment, trace
    >>> [part.holds for part in comparisons(trace(Experiment()), "X[cat, alive] = 1 and weights[pronoun, it, cat] > 1")]
    [True, False]

    Raises ValueError for a condition of another form, an open row, or a name that does not exist.
    """
    kinds, texts, end = [], [], 0
    while end < len(condition) and (part := PART.match(condition, end)):
        kind = str(part.lastgroup)
        kinds.append("side" if kind in ("entry", "number") else kind)
        texts.append(part[kind])
        end = part.end()
    if end < len(condition) or not FORM.fullmatch(" ".join(kinds)):
        raise ValueError(
            f"a condition must read like weights[pronoun, it, cat] > 0.4, with one of {' '.join(SIGNS)}, "
            f"several joined by and; but it reads {condition!r}"
        )
    sides = [_side(record, text, called) for kind, text in zip(kinds, texts, strict=True) if kind == "side"]
    signs = [text for kind, text in zip(kinds, texts, strict=True) if kind == "sign"]
    return [Comparison(*three) for three in zip(sides[::2], signs, sides[1::2], strict=True)]


def _side(record: AttentionRecord, text: str, called: Mapping[str, str] | None) -> Side:
    if "[" not in text:
        return Side(float(text))
    entry = named(record, text, called=called)
    if entry.axis:
        raise ValueError(f"a condition compares single numbers, so no * may stand in it, but it reads {text!r}")
    return Side(float(entry.values), entry)
