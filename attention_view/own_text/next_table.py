"""What a model finds likeliest as the next token, as a table."""

from collections.abc import Sequence

from attention_core.models.next_token import Likely
from attention_view.numbers import number, percent
from attention_view.table_parts import bar, cell, heading_row, row, table
from attention_view.tokens import html_text


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
