"""Two queries by hand as one would write them on paper: every line read from the record, "≈" where it is rounded."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from attention_core.two_queries import ByHand
from attention_view.laid_table import laid_table
from attention_view.layout import Layout, is_turned
from attention_view.numbers import MINUS, adds_up, number
from attention_view.openable import letters, number_at, opening_attribute
from attention_view.table_parts import cell, masked

NOTHING = "Every key is masked: this query may look at nothing, so every weight is 0 and nothing is handed over."


def results(
    by_hand: ByHand,
    *,
    query_names: Sequence[str],
    key_names: Sequence[str],
    layout: Layout = "rows",
    opens: bool = False,
) -> str:
    """Both queries at once: for each a row (turned, a column) with its weights and its mixed value, as a table.

    opens: whether the page offers these numbers as its record, see `as_record`
    """
    turned = is_turned(layout)
    return laid_table(
        [
            [
                *(
                    cell(number_at(f"{w:.3f}", f"w{i},{j}" if opens else ""), lit=True)
                    if seen
                    else masked("0", at=f"w{i},{j}" if opens else "")
                    for j, (w, seen) in enumerate(zip(by_hand.weights[i], by_hand.visible, strict=True))
                ),
                cell(
                    _vector(
                        [number(x, 3) for x in by_hand.output[i]],
                        "value",
                        standing=turned,
                        at=f"o{i}," if opens else "",
                    ),
                    lit=True,
                ),
            ]
            for i in range(len(query_names))
        ],
        line_names=[f'<span class="av-query">{name}</span>' for name in query_names],
        place_names=[*key_names, '<span class="av-value">mixed value</span>'],
        corner="query →" if turned else "query",
        caption="Both queries: weights and mixed value",
        style="av-results",
        layout=layout,
        of=letters(w="weights[0,*]", o="head_outputs[0,*]") if opens else "",
    )


def on_paper(
    by_hand: ByHand,
    *,
    query_names: Sequence[str],
    key_names: Sequence[str],
    layout: Layout = "rows",
    opens: bool = False,
) -> str:
    """All lines of both queries, one section a query. Where vectors stand in columns, products are written k · q and
    value × weight, and vectors are drawn upright. opens: whether the page offers these numbers as its record.

    Raises ValueError for a layout that does not exist.
    """
    turned = is_turned(layout)
    sections = (
        f'<section{opening_attribute(_places(i)) if opens else ""}><h3><span class="av-query">{name}</span> = '
        f"{_vector(map(_given, by_hand.Q[i]), 'query', standing=turned, at='q' if opens else '')}</h3>"
        + (
            _stages(_Row(by_hand, i, turned, opens), key_names)
            if by_hand.visible.any()
            else f'<p class="av-note">{NOTHING}</p>'
        )
        + "</section>"
        for i, name in enumerate(query_names)
    )
    return f'<div class="av-paper">{"".join(sections)}</div>'


def _places(i: int) -> str:
    """Where the numbers of one query stand in the record."""
    rows = {"r": "raw_scores", "s": "scores", "m": "masked_scores", "e": "exponentials", "w": "weights"}
    return letters(
        q=f"Q[0,{i},*]",
        k="K[0,*]",
        v="V[0,*]",
        t=f"totals[0,{i},*]",
        o=f"head_outputs[0,{i},*]",
        d="divisor[*]",
        **{letter: f"{array}[0,{i},*]" for letter, array in rows.items()},
    )


class _Row(NamedTuple):
    """One query of the calculation, and how its lines are written."""

    by_hand: ByHand
    i: int
    turned: bool
    opens: bool

    def text(self, x: float, at: str) -> str:
        """A number as HTML, which opens at its place in the record if numbers do."""
        return number_at(_html(_plain(x)), at if self.opens else "")

    def vector(self, values: Iterable[str], kind: str, at: str) -> str:
        """A vector of plain numbers, each of which opens; `at` is what comes before its place."""
        return _vector(values, kind, standing=self.turned, at=at if self.opens else "")


def _stages(one: _Row, names: Sequence[str]) -> str:
    by_hand = one.by_hand
    shift, total = float(by_hand.steps.shift[one.i]), float(by_hand.steps.totals[one.i])
    moved = (
        f" First every score is moved by the same number, so that the largest is {'30' if shift > 0 else '−30'}: "
        "the powers stay of a size that can be written, and no weight changes."
        if shift
        else ""
    )
    multiply = "Multiply each key with the query." if one.turned else "Multiply the query with each key."
    divisor = number_at(f"{by_hand.divisor:.3f}", "d" if one.opens else "")
    stages = (
        (multiply, _each(names, by_hand, lambda j: _product(one, j))),
        (f"Divide by √2 ≈ {divisor}.", _each(names, by_hand, lambda j: _divided(one, j))),
        (f"Raise e to each score.{moved}", _each(names, by_hand, lambda j: _power(one, j, shift))),
        ("Add them up.", f"<p>{_total(one, total)}</p>"),
        ("Divide each by the sum: the weights.", _each(names, by_hand, lambda j: _share(one, j, total))),
        ("Multiply the values with the weights, and add.", f"<p>{_mixed(one)}</p>"),
    )
    return "<ol>" + "".join(f"<li><strong>{title}</strong>{lines}</li>" for title, lines in stages) + "</ol>"


def _each(names: Sequence[str], by_hand: ByHand, line: Callable[[int], str]) -> str:
    """A line for each key, made by `line` from its place; a masked one keeps its place and is hatched."""

    def lines() -> Iterator[str]:
        for j, name in enumerate(names):
            style = "" if by_hand.visible[j] else ' class="av-masked-line"'
            yield f"<p{style}><small>{name}</small> <span>{line(j)}</span></p>"

    return "".join(lines())


def _product(one: _Row, j: int) -> str:
    by_hand = one.by_hand
    factors = [(by_hand.Q[one.i], "query", "q"), (by_hand.K[j], "key", f"k{j},")]
    (left, left_kind, left_at), (right, right_kind, right_at) = factors[::-1] if one.turned else factors
    raw_score = by_hand.raw_scores[one.i, j]
    exact = adds_up([(_given(a), _given(b)) for a, b in zip(left, right, strict=True)], _plain(raw_score))
    products = " + ".join(
        f"{_factor(a) if d else _html(_given(a))} × {_factor(b)}"
        for d, (a, b) in enumerate(zip(left, right, strict=True))
    )
    vectors = (
        one.vector(map(_given, vector), kind, at)
        for vector, kind, at in ((left, left_kind, left_at), (right, right_kind, right_at))
    )
    return f"{' · '.join(vectors)} = {products} {'=' if exact else '≈'} {one.text(raw_score, f'r{j}')}"


def _divided(one: _Row, j: int) -> str:
    if not one.by_hand.visible[j]:
        return f"masked → {number_at('−∞', f'm{j}' if one.opens else '')}"
    raw_score, score = (scores[one.i, j] for scores in (one.by_hand.raw_scores, one.by_hand.scores))
    sign = "=" if score == 0 else "≈"
    return f"{one.text(raw_score, f'r{j}')} ÷ {one.by_hand.divisor:.3f} {sign} {one.text(score, f's{j}')}"


def _power(one: _Row, j: int, shift: float) -> str:
    if not one.by_hand.visible[j]:
        return f"e<sup>−∞</sup> = {number_at('0', f'e{j}' if one.opens else '')}"
    score, power = one.by_hand.masked_scores[one.i, j], one.by_hand.steps.exponentials[one.i, j]
    return f"e<sup>{_text(score - shift)}</sup> {'=' if score == shift else '≈'} {one.text(power, f'e{j}')}"


def _total(one: _Row, total: float) -> str:
    powers = one.by_hand.steps.exponentials[one.i]
    exact = adds_up([(_plain(x),) for x in powers], _plain(total))
    added = " + ".join(one.text(x, f"e{j}") for j, x in enumerate(powers))
    return f"{added} {'=' if exact else '≈'} {one.text(total, 't0')}"


def _share(one: _Row, j: int, total: float) -> str:
    power, weight = one.by_hand.steps.exponentials[one.i, j], one.by_hand.weights[one.i, j]
    exact = _decimal(_plain(weight)) * _decimal(_plain(total)) == _decimal(_plain(power))
    sign = "=" if exact else "≈"
    return f"{one.text(power, f'e{j}')} ÷ {_text(total)} {sign} <b>{one.text(weight, f'w{j}')}</b>"


def _mixed(one: _Row) -> str:
    weights, V, output = one.by_hand.weights[one.i], one.by_hand.V, one.by_hand.output[one.i]
    exact = all(
        adds_up([(_plain(w), _given(v)) for w, v in zip(weights, V[:, d], strict=True)], _plain(output[d]))
        for d in range(len(output))
    )
    pairs = ((one.text(w, f"w{j}"), one.vector(map(_given, V[j]), "value", f"v{j},")) for j, w in enumerate(weights))
    parts = " + ".join(" × ".join(pair[::-1] if one.turned else pair) for pair in pairs)
    return f"{parts} {'=' if exact else '≈'} <b>{one.vector(map(_plain, output), 'value', 'o')}</b>"


def _plain(x: float) -> str:
    """A number with three decimals, none if whole; very small and very large ones with a power of ten, as 1.07e13."""
    size = abs(x)
    if 0 < size < 0.0005 or size >= 1e7:
        return f"{x:.3e}".replace("-", MINUS)
    return number(x, 3, whole=True)


def _given(x: float) -> str:
    """A number that was typed: without zeros at its end, where three decimals hold all of it."""
    return number(x, 3).rstrip("0").rstrip(".") if abs(x) < 1e7 and round(x, 3) == x else _plain(x)


def _html(plain: str) -> str:
    digits, e, power = plain.partition("e")
    return f"{digits} × 10<sup>{number(int(power.replace(MINUS, '-')), 0)}</sup>" if e else plain


def _decimal(plain: str) -> Decimal:
    return Decimal(plain.replace(MINUS, "-"))


def _text(x: float) -> str:
    return _html(_plain(x))


def _factor(x: float) -> str:
    return f"({_html(_given(x))})" if x < 0 else _html(_given(x))


def _vector(numbers: Iterable[str], kind: str, *, standing: bool, at: str = "") -> str:
    """A vector of plain numbers in brackets, or upright; those who hear it hear the same. at: see `number_at`."""
    shown = [number_at(_html(x), f"{at}{d}" if at else "") for d, x in enumerate(numbers)]
    if not standing:
        return f'<span class="av-{kind}">[{", ".join(shown)}]</span>'
    unseen = '<span class="av-visually-hidden">{}</span>'.format
    inside = unseen(", ").join(f"<span>{x}</span>" for x in shown)
    return f'<span class="av-{kind} av-standing">{unseen("[")}{inside}{unseen("]")}</span>'
