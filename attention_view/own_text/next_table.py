"""What a model finds likeliest as the next token, and what it wrote, as tables."""

import html
from collections.abc import Sequence

from attention_core.checks import Array
from attention_core.models.next_token import Likely
from attention_view.numbers import number, percent
from attention_view.table_parts import bar, cell, heading_row, row, table
from attention_view.tokens import html_text

MOST_LOOKS = 3  # of a written token: the tokens that it looks at most


def likeliest_table(likely: Sequence[Likely], names: Sequence[str]) -> str:
    """The likeliest next tokens, the likeliest first, with their probabilities as numbers and bars."""
    body = (
        row(
            html_text(name),
            (
                cell(number(one.probability, 3, whole=True), lit=True),
                cell(percent(one.probability)),
                bar(0, one.probability),
            ),
        )
        for one, name in zip(likely, names, strict=True)
    )
    return table(
        body,
        caption="The likeliest next tokens",
        head=heading_row(["token", "probability", "percent", "as a bar"]),
        style="av-own-next",
    )


def written_table(rows: Sequence[tuple[str, Array, Sequence[str]]], *, head_name: str) -> str:
    """What each written token was chosen by: where the row of the token before it lies in one head.

    rows: for each written token its name, the row of weights that stood before it, [key], and those keys' names
    """
    body = (
        row(
            html_text(name),
            (
                cell(
                    ", ".join(
                        f"{html_text(keys[j])} {number(float(weights[j]), 2)}"
                        for j in sorted(range(len(keys)), key=lambda j: -weights[j])[:MOST_LOOKS]
                    )
                ),
            ),
        )
        for name, weights, keys in rows
    )
    return table(
        body,
        caption=f"While it wrote: what the token before looked at most, {html.escape(head_name)}",
        head=heading_row(["written", "looked at"]),
        style="av-own-written",
    )
