"""Two queries by hand as one would write them on paper: every line read from the record, "≈" where it is rounded."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal

from attention_core.checks import Array
from attention_core.two_queries import ByHand
from attention_view.laid_table import laid_table
from attention_view.layout import Layout, is_turned
from attention_view.numbers import MINUS, adds_up, number
from attention_view.table_parts import cell, masked

NOTHING = "Every key is masked: this query may look at nothing, so every weight is 0 and nothing is handed over."


def results(by_hand: ByHand, *, query_names: Sequence[str], key_names: Sequence[str], layout: Layout = "rows") -> str:
    """Both queries at once: for each a row (turned, a column) with its weights and its mixed value, as a table."""
    turned = is_turned(layout)
    return laid_table(
        [
            [
                *(
                    cell(f"{w:.3f}", lit=True) if seen else masked("0")
                    for w, seen in zip(by_hand.weights[i], by_hand.visible, strict=True)
                ),
                cell(_vector([number(x, 3) for x in by_hand.output[i]], "value", standing=turned), lit=True),
            ]
            for i in range(len(query_names))
        ],
        line_names=[f'<span class="av-query">{name}</span>' for name in query_names],
        place_names=[*key_names, '<span class="av-value">mixed value</span>'],
        corner="query →" if turned else "query",
        caption="Both queries: weights and mixed value",
        style="av-results",
        layout=layout,
    )


def on_paper(by_hand: ByHand, *, query_names: Sequence[str], key_names: Sequence[str], layout: Layout = "rows") -> str:
    """All lines of both queries, one section a query. Where vectors stand in columns, products are written k · q and
    value × weight, and vectors are drawn upright.

    Raises ValueError for a layout that does not exist.
    """
    turned = is_turned(layout)
    sections = (
        f'<section><h3><span class="av-query">{name}</span> = '
        f"{_vector(map(_given, by_hand.Q[i]), 'query', standing=turned)}</h3>"
        + (
            _stages(by_hand, i, key_names, turned=turned)
            if by_hand.visible.any()
            else f'<p class="av-note">{NOTHING}</p>'
        )
        + "</section>"
        for i, name in enumerate(query_names)
    )
    return f'<div class="av-paper">{"".join(sections)}</div>'


def _stages(by_hand: ByHand, i: int, names: Sequence[str], *, turned: bool) -> str:
    shift, total = float(by_hand.steps.shift[i]), float(by_hand.steps.totals[i])
    moved = (
        f" First every score is moved by the same number, so that the largest is {'30' if shift > 0 else '−30'}: "
        "the powers stay of a size that can be written, and no weight changes."
        if shift
        else ""
    )
    multiply = "Multiply each key with the query." if turned else "Multiply the query with each key."
    stages = (
        (multiply, _each(names, by_hand, lambda j: _product(by_hand, i, j, turned=turned))),
        (f"Divide by √2 ≈ {by_hand.divisor:.3f}.", _each(names, by_hand, lambda j: _divided(by_hand, i, j))),
        (f"Raise e to each score.{moved}", _each(names, by_hand, lambda j: _power(by_hand, i, j, shift))),
        ("Add them up.", f"<p>{_total(by_hand.steps.exponentials[i], by_hand.visible, total)}</p>"),
        ("Divide each by the sum: the weights.", _each(names, by_hand, lambda j: _share(by_hand, i, j, total))),
        ("Multiply the values with the weights, and add.", f"<p>{_mixed(by_hand, i, turned=turned)}</p>"),
    )
    return "<ol>" + "".join(f"<li><strong>{title}</strong>{lines}</li>" for title, lines in stages) + "</ol>"


def _each(names: Sequence[str], by_hand: ByHand, line: Callable[[int], str]) -> str:
    """A line for each key, made by `line` from its place; a masked one keeps its place and is hatched."""

    def lines() -> Iterator[str]:
        for j, name in enumerate(names):
            style = "" if by_hand.visible[j] else ' class="av-masked-line"'
            yield f"<p{style}><small>{name}</small> <span>{line(j)}</span></p>"

    return "".join(lines())


def _product(by_hand: ByHand, i: int, j: int, *, turned: bool) -> str:
    factors = [(by_hand.Q[i], "query"), (by_hand.K[j], "key")]
    (left, left_kind), (right, right_kind) = factors[::-1] if turned else factors
    total = _plain(by_hand.raw_scores[i, j])
    sign = "=" if adds_up([(_given(a), _given(b)) for a, b in zip(left, right, strict=True)], total) else "≈"
    products = " + ".join(
        f"{_factor(a) if d else _html(_given(a))} × {_factor(b)}"
        for d, (a, b) in enumerate(zip(left, right, strict=True))
    )
    vectors = (
        _vector(map(_given, vector), kind, standing=turned) for vector, kind in ((left, left_kind), (right, right_kind))
    )
    return f"{' · '.join(vectors)} = {products} {sign} {_html(total)}"


def _divided(by_hand: ByHand, i: int, j: int) -> str:
    if not by_hand.visible[j]:
        return "masked → −∞"
    score = by_hand.scores[i, j]
    return f"{_text(by_hand.raw_scores[i, j])} ÷ {by_hand.divisor:.3f} {'=' if score == 0 else '≈'} {_text(score)}"


def _power(by_hand: ByHand, i: int, j: int, shift: float) -> str:
    if not by_hand.visible[j]:
        return "e<sup>−∞</sup> = 0"
    score, power = by_hand.masked_scores[i, j], by_hand.steps.exponentials[i, j]
    return f"e<sup>{_text(score - shift)}</sup> {'=' if score == shift else '≈'} {_text(power)}"


def _total(powers: Array, visible: Array, total: float) -> str:
    parts = [_plain(x) for x in powers]
    sign = "=" if adds_up([(part,) for part in parts], _plain(total)) else "≈"
    return f"{' + '.join(map(_html, parts))} {sign} {_text(total)}"


def _share(by_hand: ByHand, i: int, j: int, total: float) -> str:
    power, weight = _plain(by_hand.steps.exponentials[i, j]), _plain(by_hand.weights[i, j])
    exact = Decimal(weight.replace(MINUS, "-")) * _decimal(_plain(total)) == _decimal(power)
    return f"{_html(power)} ÷ {_text(total)} {'=' if exact else '≈'} <b>{_html(weight)}</b>"


def _mixed(by_hand: ByHand, i: int, *, turned: bool) -> str:
    weights, totals = [_plain(w) for w in by_hand.weights[i]], [_plain(x) for x in by_hand.output[i]]
    exact = all(
        adds_up([(w, _given(v)) for w, v in zip(weights, by_hand.V[:, d], strict=True)], totals[d])
        for d in range(len(totals))
    )
    pairs = (
        (_html(w), _vector(map(_given, v), "value", standing=turned)) for w, v in zip(weights, by_hand.V, strict=True)
    )
    parts = " + ".join(" × ".join(pair[::-1] if turned else pair) for pair in pairs)
    return f"{parts} {'=' if exact else '≈'} <b>{_vector(totals, 'value', standing=turned)}</b>"


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


def _vector(numbers: Iterable[str], kind: str, *, standing: bool) -> str:
    """A vector of plain numbers in brackets, or upright; those who hear it hear the same."""
    shown = [_html(x) for x in numbers]
    if not standing:
        return f'<span class="av-{kind}">[{", ".join(shown)}]</span>'
    unseen = '<span class="av-visually-hidden">{}</span>'.format
    inside = unseen(", ").join(f"<span>{x}</span>" for x in shown)
    return f'<span class="av-{kind} av-standing">{unseen("[")}{inside}{unseen("]")}</span>'
