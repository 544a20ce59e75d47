"""The tokens of a text as a table: place, as shown, the piece of the vocabulary, its number and its bytes."""

import html
from collections.abc import Sequence

from attention_core.models import Run
from attention_view.table_parts import cell, heading_row, row, table, token_titles
from attention_view.tokens import html_text


def pieces_table(run: Run, ids: Sequence[int], data: Sequence[bytes]) -> str:
    """A row for each token; pieces of one character stand next to each other, and each says which part it is."""
    body = (
        row(
            f"{place}",
            (
                cell(name, lit=True),
                cell(f"<code>{html_text(piece)}</code>"),
                cell(f"{token}"),
                cell(some.hex(" ").upper()),
            ),
        )
        for place, (name, piece, token, some) in enumerate(
            zip(token_titles(run.tokens), run.pieces, ids, data, strict=True), start=1
        )
    )
    return table(
        body,
        caption=html.escape("The tokens of the text"),
        head=heading_row(["place", "as shown", "raw piece", "number", "bytes"]),
        style="av-own-pieces",
    )
