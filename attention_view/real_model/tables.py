"""The text twin of the page's pictures: the weights of both sides, and every number of a query, a key and a value."""

from attention_core.long_sums import value_of
from attention_core.opening import opening
from attention_view.layout import Layout, is_turned
from attention_view.numbers import number
from attention_view.openable import letters, number_at
from attention_view.real_model.opened_head import FACTORS, Place
from attention_view.real_model.sides import Sides
from attention_view.table_parts import cell, heading_row, row, table
from attention_view.tables import weights_table


def sides_twin(sides: Sides, *, layout: Layout = "rows") -> str:
    """The weights of the toy's head and of its twin."""
    return "".join(
        weights_table(
            record.weights[head],
            query_tokens=record.query_tokens,
            key_tokens=record.key_tokens,
            mask=record.mask,
            caption=f"Weights: {title}",
            layout=layout,
            opens=f"{name}:weights[{head},*]",
        )
        for name, record, head, title in sides.pictures()
    )


def head_twin(place: Place) -> str:
    """Number by number: query, key, their product; value, weighted value, and the head's output."""
    record, i, j, opens = place.record, place.query, place.key, place.opens
    terms = opening(record, "raw_scores", (0, i, j)).step.terms
    turned = is_turned(place.layout)
    body = (
        row(term.label, [*(both[::-1] if turned else both), *more])
        for d, term in enumerate(terms)
        for both in [[_cell(record.Q[0, i, d], f"q{d}"), _cell(record.K[0, j, d], f"k{d}")]]
        for more in [
            [
                cell(number(value_of(term), 3)),
                _cell(record.V[0, j, d], f"v{d}"),
                _cell(record.weighted_values[0, i, j, d], f"w{d}"),
                _cell(record.head_outputs[0, i, d], f"o{d}"),
            ]
        ]
    )
    product = " × ".join(FACTORS[place.layout])
    weighted = "value × weight" if turned else "weight × value"
    return table(
        body,
        caption=f"Number by number: {place.asks} asks, {place.looked_at} is looked at ({record.head_names[0]})",
        head=heading_row(["number", *FACTORS[place.layout], product, "value", weighted, "head output"]),
        style="av-twin",
        of=letters(
            q=opens.of_row("Q"),
            k=opens.at("K", 0, j, "*"),
            v=opens.at("V", 0, j, "*"),
            w=opens.at("weighted_values", 0, i, j, "*"),
            o=opens.of_row("head_outputs"),
        ),
    )


def _cell(x: float, at: str) -> str:
    return cell(number_at(number(x, 3), at), lit=True)
