"""Two queries by hand as one would write them on paper: every line read from the record, "≈" where it is rounded."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from attention_core.checks import Array
from attention_core.two_queries import ByHand
from attention_view.numbers import MINUS, adds_up, number
from attention_view.table_parts import cell, heading_row, masked, row, table

NOTHING = "Every key is masked: this query may look at nothing, so every weight is 0 and nothing is handed over."


def results(by_hand: ByHand, *, query_names: Sequence[str], key_names: Sequence[str]) -> str:
    """Both queries at once: a row for each with its weights and its mixed value, as a table."""
    body = (
        row(
            f'<span class="av-query">{name}</span>',
            (
                *(
                    cell(f"{w:.3f}", lit=True) if seen else masked("0")
                    for w, seen in zip(by_hand.weights[i], by_hand.visible, strict=True)
                ),
                cell(f'<span class="av-value">[{", ".join(number(x, 3) for x in by_hand.output[i])}]</span>', lit=True),
            ),
        )
        for i, name in enumerate(query_names)
    )
    head = heading_row(["query", *key_names, '<span class="av-value">mixed value</span>'])
    return table(body, caption="Both queries: weights and mixed value", head=head, style="av-results")


def on_paper(by_hand: ByHand, *, query_names: Sequence[str], key_names: Sequence[str]) -> str:
    """All lines of both queries, one section a query."""
    sections = (
        f'<section><h3><span class="av-query">{name}</span> = {_vector(by_hand.Q[i], "query")}</h3>'
        + (_stages(by_hand, i, key_names) if by_hand.visible.any() else f'<p class="av-note">{NOTHING}</p>')
        + "</section>"
        for i, name in enumerate(query_names)
    )
    return f'<div class="av-paper">{"".join(sections)}</div>'


def _stages(by_hand: ByHand, i: int, names: Sequence[str]) -> str:
    shift, total = float(by_hand.steps.shift[i]), float(by_hand.steps.totals[i])
    moved = (
        f" First every score is moved by the same number, so that the largest is {'30' if shift > 0 else '−30'}: "
        "the powers stay of a size that can be written, and no weight changes."
        if shift
        else ""
    )
    stages = (
        ("Multiply the query with each key.", _each(names, by_hand, lambda j: _product(by_hand, i, j))),
        (f"Divide by √2 ≈ {by_hand.divisor:.3f}.", _each(names, by_hand, lambda j: _divided(by_hand, i, j))),
        (f"Raise e to each score.{moved}", _each(names, by_hand, lambda j: _power(by_hand, i, j, shift))),
        ("Add them up.", f"<p>{_total(by_hand.steps.exponentials[i], by_hand.visible, total)}</p>"),
        ("Divide each by the sum: the weights.", _each(names, by_hand, lambda j: _share(by_hand, i, j, total))),
        ("Multiply the values with the weights, and add.", f"<p>{_mixed(by_hand, i)}</p>"),
    )
    return "<ol>" + "".join(f"<li><strong>{title}</strong>{lines}</li>" for title, lines in stages) + "</ol>"


def _each(names: Sequence[str], by_hand: ByHand, line: Callable[[int], str]) -> str:
    """A line for each key, made by `line` from its place; a masked one keeps its place and is hatched."""

    def lines() -> Iterator[str]:
        for j, name in enumerate(names):
            style = "" if by_hand.visible[j] else ' class="av-masked-line"'
            yield f"<p{style}><small>{name}</small> <span>{line(j)}</span></p>"

    return "".join(lines())


def _product(by_hand: ByHand, i: int, j: int) -> str:
    q, k = by_hand.Q[i], by_hand.K[j]
    terms = [(_given(a), _given(b)) for a, b in zip(q, k, strict=True)]
    total = _plain(by_hand.raw_scores[i, j])
    sign = "=" if adds_up(terms, total) else "≈"
    first, *others = zip(q, k, strict=True)
    products = f"{_html(_given(first[0]))} × {_factor(first[1])}"
    products += "".join(f" + {_factor(a)} × {_factor(b)}" for a, b in others)
    return f"{_vector(q, 'query')} · {_vector(k, 'key')} = {products} {sign} {_html(total)}"


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


def _mixed(by_hand: ByHand, i: int) -> str:
    weights, totals = [_plain(w) for w in by_hand.weights[i]], [_plain(x) for x in by_hand.output[i]]
    exact = all(
        adds_up([(w, _given(v)) for w, v in zip(weights, by_hand.V[:, d], strict=True)], totals[d])
        for d in range(len(totals))
    )
    parts = " + ".join(f"{_html(w)} × {_vector(v, 'value')}" for w, v in zip(weights, by_hand.V, strict=True))
    return f"{parts} {'=' if exact else '≈'} <b class='av-value'>[{', '.join(map(_html, totals))}]</b>"


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


def _vector(values: Array, kind: str) -> str:
    return f'<span class="av-{kind}">[{", ".join(_html(_given(x)) for x in values)}]</span>'
