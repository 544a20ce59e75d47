"""An opened number ready for the page: its line of arithmetic as shown, with what can be opened next.

Numbers are shown rounded; where the shown parts do not come to the shown total, the line says "≈" and a note says why.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import takewhile
from math import prod
from typing import Any, NamedTuple

import numpy as np

from attention_core import AttentionRecord
from attention_core.long_sums import shortened
from attention_core.opening import Address, Before, Opening, Part, Step, Term
from attention_core.opening import opening as open_number
from attention_view.layout import Layout, is_turned
from attention_view.numbers import by_power_of_ten, full, number, read_shown
from attention_view.tokens import showable

ROUNDED = "Numbers are shown rounded."
FOLD_FROM = 7  # a sum of so many terms hides those of 0 until they are asked for
MANY = 24  # a sum of more terms than that is told by its largest, and so with terms of 0
LARGEST = 10  # so many of them
LISTED = 100  # so many of the others are listed when they are asked for
TURNED = (
    "Q",
    "K",
    "V",
    "Q_unturned",
    "K_unturned",
    "raw_scores",
    "weighted_values",
    "output",
)  # their products follow the layout

SHORT = {  # what the numbers of an array are called in a line
    "X": "token vector", "X_key": "token vector", "W_Q": "W_Q", "W_K": "W_K", "W_V": "W_V", "W_O": "W_O",
    "Q": "query", "K": "key", "V": "value", "divisor": "divisor", "raw_scores": "raw score", "scores": "score",
    "mask": "mask", "masked_scores": "masked score", "shift": "shift", "exponentials": "e to the score",
    "totals": "total", "shares": "share", "weights": "weight", "mean": "mean weight",
    "weighted_values": "weight × value", "head_outputs": "head output", "heads_on": "switch", "joined": "joined",
    "output": "output", "new_X": "new vector",
    # before the queries, keys and values of a model
    "Q_unturned": "unturned query", "K_unturned": "unturned key", "cosine": "cosine", "sine": "sine", "angle": "angle",
    "frequency": "turn per place", "bias_Q": "bias", "bias_K": "bias", "bias_V": "bias", "normed": "normed vector",
    "standard": "at size 1", "gain": "gain", "norm_bias": "bias", "root": "root mean square",
    "mean_square": "mean of squares", "squares": "sum of squares", "centred": "less the mean", "mean_entry": "mean",
    "total": "sum", "start": "at the start", "added": "added", "embedding": "embedding", "position": "place",
}  # fmt: skip
HUES = {
    "Q": "query",
    "W_Q": "query",
    "K": "key",
    "W_K": "key",
    "Q_unturned": "query",
    "K_unturned": "key",
} | dict.fromkeys(("V", "W_V", "W_O", "weighted_values", "head_outputs", "joined", "output"), "value")


class _Look(NamedTuple):
    """What a line needs to know besides its step."""

    prefix: str  # before each address
    turned: bool  # whether queries stand in columns


def opened(
    record: AttentionRecord,
    address: Address,
    prefix: str = "",
    layout: Layout = "rows",
    *,
    origin: Before | None = None,
) -> dict[str, Any]:
    """All that the page shows of the number at an address, ready for JSON. `prefix` goes before each address.

    origin: what stands before the record's queries, keys and values, if the page has that
    layout: which factor comes first: query × key and x × W with queries in rows, key × query and W × x in columns

    Raises ValueError if the record has no such place, or there is no such layout.
    """
    queries, keys = (tuple(map(showable, tokens)) for tokens in (record.query_tokens, record.key_tokens))
    look = _Look(prefix, is_turned(layout))
    if origin is not None and address.array in origin.arrays:
        opening = origin.opening(address)
    else:
        opening = open_number(replace(record, query_tokens=queries, key_tokens=keys), *address)
    opening = _laid(opening, look)
    line, exact = _line(opening.step, look)
    shown: dict[str, Any] = {"title": opening.name, "value": shown_number(opening.value), "line": line}
    precise = full(opening.value)
    if precise != shown["value"]:
        shown["full"] = precise
    if opening.step.why:
        shown["why"] = opening.step.why
    if opening.step.decided_by:
        shown["decided_by"] = [_part(one, look) for one in opening.step.decided_by]
    if opening.otherwise:
        other, other_exact = _line(opening.otherwise, look)
        shown["otherwise"] = {"value": shown_number(opening.otherwise.value), "line": other}
        exact = exact and other_exact
    if opening.step.kind == "given":
        shown["given"] = "set by you" if opening.otherwise or opening.step.why.startswith("You set") else "given"
    if not exact:
        shown["note"] = ROUNDED
    return shown


def crumb(address: Address, layout: Layout = "rows") -> str:
    """What an opened number is called on the way back to it.

    >>> crumb(Address("weighted_values", (0, 9, 1, 0)), "columns")
    'value × weight'
    """
    return _short(address, turned=is_turned(layout))


def hue_of(address: Address) -> str:
    """The meaning whose colour a number has: query, key, value, or none."""
    return HUES.get(address.array, "")


def shown_number(x: float) -> str:
    """A number as a line shows it: three decimals, two from 10 on, none if whole; powers of ten far from 1.

    >>> [shown_number(x) for x in (0.858, 54.598, 4.0, -0.00001234, float("-inf"))]
    ['0.858', '54.60', '4', '−1.23·10⁻⁵', '−∞']
    """
    size = abs(x)
    if np.isfinite(size) and (0 < size < 0.0005 or size >= 1e7):
        return by_power_of_ten(x)
    return number(x, 2 if size >= 10 else 3, whole=True)


def _laid(opening: Opening, look: _Look) -> Opening:
    """The opening with the factors of its products in the order of the layout."""
    if not look.turned or opening.address.array not in TURNED:
        return opening
    return replace(opening, step=_turned(opening.step), otherwise=opening.otherwise and _turned(opening.otherwise))


def _turned(step: Step) -> Step:
    return step._replace(terms=tuple(term._replace(parts=term.parts[::-1]) for term in step.terms))


def _short(address: Address, *, turned: bool) -> str:
    """The word for a number in a line."""
    word = SHORT[address.array]
    return " × ".join(reversed(word.split(" × "))) if turned else word


def _line(step: Step, look: _Look) -> tuple[dict[str, Any], bool]:
    """A step as shown, and whether its shown parts come exactly to its shown total."""
    if step.kind == "given":
        return {"kind": "given"}, True
    zeros = [term for term in step.terms if _is_zero(term)] if len(step.terms) >= FOLD_FROM else []
    terms = [term for term in step.terms if term not in zeros] if zeros else [*step.terms]
    line: dict[str, Any] = {"kind": step.kind}
    if len(terms) > MANY and step.kind == "sum":
        line["others"], terms, exact = _others(terms, step.value, look)
    else:
        exact = _comes_to(step)
    line |= {"sign": "=" if exact else "≈", "terms": [_term(term, look) for term in terms]}
    if len(zeros) > MANY:
        line["n_zeros"] = len(zeros)
    elif zeros:
        line["zeros"] = [_term(term, look) for term in zeros]
    if step.over:
        line["over"] = [_term(term, look) for term in step.over]
    if len(step.terms) > 1 and step.kind == "sum":
        line["what"] = _what(step.terms, look)
    return line, exact


def _others(terms: Sequence[Term], total: float, look: _Look) -> tuple[dict[str, Any], list[Term], bool]:
    """What a long sum has besides its largest terms, those terms, and whether both as shown come to the total.

    A term that is not like the first, such as a bias after products, is always shown.
    """
    alike = [term for term in terms if len(term.parts) == len(terms[0].parts)]
    whole = shortened(alike, LARGEST)
    kept = [*whole.largest, *(term for term in terms if term not in alike)]
    listed = shortened(whole.others, LISTED)
    shown = shown_number(whole.others_sum)
    others: dict[str, Any] = {"n": len(whole.others), "text": shown, **_packed(listed.largest, look)}
    if listed.others:
        others["beyond"] = {"n": len(listed.others), "text": shown_number(listed.others_sum)}
    exact = _sum(kept) + read_shown(shown) == read_shown(shown_number(total))
    return others, kept, exact


def _packed(terms: Sequence[Term], look: _Look) -> dict[str, Any]:
    """Terms that are alike, in few bytes: what the names and addresses of all have in common stands once."""
    columns = [*zip(*([_part(one, look) for one in term.parts] for term in terms), strict=True)]
    names, opens = ([_apart([part[what] for part in column]) for column in columns] for what in ("name", "open"))
    shared = [
        {**{what: column[0][what] for what in ("short", "hue") if what in column[0]}, "name": name[0], "open": at[0]}
        for column, name, at in zip(columns, names, opens, strict=True)
    ]
    rows = [
        [term.label, *([c[n]["text"], name[1][n], at[1][n]] for c, name, at in zip(columns, names, opens, strict=True))]
        for n, term in enumerate(terms)
    ]
    return {"shared": shared, "rows": rows}


def _apart(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """What stands before and after in all of some texts, and what is each one's own between.

    >>> _apart(["K[0,1,7]", "K[0,1,12]"])
    (['K[0,1,', ']'], ['7', '12'])
    """
    before = _common(texts)
    rests = [text[len(before) :] for text in texts]
    after = _common([rest[::-1] for rest in rests])[::-1]
    return [before, after], [rest[: len(rest) - len(after)] for rest in rests]


def _common(texts: Sequence[str]) -> str:
    """What stands at the beginning of all texts."""
    return "".join(signs[0] for signs in takewhile(lambda signs: len({*signs}) == 1, zip(*texts, strict=False)))


def _what(terms: Sequence[Term], look: _Look) -> str:
    """What is added up, in a few words: "query × key", and a bias if the last term is one."""
    words = [[_short(one.address, turned=look.turned) for one in term.parts if one.address] for term in terms]
    names = [" × ".join(each) for each in words]
    if names[-1] == "bias" and len(set(names)) == 2:
        return f"{names[0]}, added up, and a bias"
    return f"{names[0]}, added up" if len(set(names)) == 1 else ""


def _term(term: Term, look: _Look) -> dict[str, Any]:
    shown: dict[str, Any] = {"parts": [_part(one, look) for one in term.parts]}
    if term.label:
        shown["label"] = term.label
    if term.minus:
        shown["minus"] = True
    return shown


def _part(one: Part, look: _Look) -> dict[str, Any]:
    """One number with its name; with the address that opens it, the word for it and its colour."""
    shown = {"text": shown_number(one.value), "name": one.name}
    if one.address:
        shown |= {"open": f"{look.prefix}{one.address}", "short": _short(one.address, turned=look.turned)}
        if hue_of(one.address):
            shown["hue"] = hue_of(one.address)
    return shown


def _is_zero(term: Term) -> bool:
    return any(one.value == 0 for one in term.parts)


def _comes_to(step: Step) -> bool:
    """Whether the parts as shown come to the total as shown. A quotient does if total × divisor is the dividend."""
    total, above = read_shown(shown_number(step.value)), _sum(step.terms)
    if step.kind == "power":
        exponent = 2 * _sum(step.terms[:1]) - above if above.is_finite() else above  # the first less the others
        return exponent == 0 or exponent.is_infinite()  # e^0 is 1, and e^−∞ is 0
    if step.kind == "root":
        return total * total == above
    if step.kind in ("cosine", "sine"):
        return above == 0  # their values are 1 and 0 there; elsewhere they have no end
    if step.kind == "quotient":
        return total * _sum(step.over) == above
    return total == above


def _sum(terms: Sequence[Term]) -> Decimal:
    signs = (Decimal(-1 if term.minus else 1) for term in terms)
    factors = ((read_shown(shown_number(one.value)) for one in term.parts) for term in terms)
    return sum((prod(parts, start=sign) for parts, sign in zip(factors, signs, strict=True)), Decimal(0))
