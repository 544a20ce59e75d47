"""What heads split: the projections of a vector, never the sentence and never the vector itself."""

import html
from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_core import AttentionRecord
from attention_view.numbers import number
from attention_view.shapes import shaped
from attention_view.table_parts import caption_text, class_of, plain_names, row, table
from attention_view.vectors import Kind


def splitting(record: AttentionRecord) -> str:
    """X times one wide W_Q makes the queries of all heads; beside it the mistaken way, cutting X first."""
    n, n_tokens, d_head = record.Q.shape
    d_model, wide = record.X.shape[1], n * d_head
    names = ", ".join(record.head_names)
    whole, slices = _block(1), _block(n, record.head_names)
    right = _equation(
        f"X, {n_tokens} tokens by {d_model} numbers, goes whole into one wide W_Q, {d_model} by {wide}. "
        f"The product Q is cut into {n} slices of {d_head} columns: {names}.",
        (("X", n_tokens, d_model, whole), ("W<sub>Q</sub>", d_model, wide, slices), ("Q", n_tokens, wide, slices)),
    )
    wrong = _equation(
        f"X cut into {n} pieces first, each with a small matrix of its own: so it is not.",
        (
            ("X", n_tokens, d_model, _block(n)),
            ("W<sub>Q</sub>", d_model, wide, _diagonal(n)),
            ("Q", n_tokens, wide, _block(n)),
        ),
    )
    return (
        '<div class="av-splitting">'
        f'<figure>{right}<figcaption class="av-caption"><strong>So it is.</strong> Every head reads the whole vector '
        "of every word; the queries are cut.</figcaption></figure>"
        f'<figure class="av-wrong">{wrong}<figcaption class="av-caption"><strong>Not so.</strong> A vector cut first '
        "would hide most of a word from each head.</figcaption></figure></div>"
    )


def wide_matrix(
    matrices: ArrayLike,
    *,
    head_names: Sequence[str],
    row_names: Sequence[str],
    column_names: Sequence[Sequence[str]],
    kind: Kind,
    title: str,
) -> str:
    """The matrices of all heads side by side as one wide matrix, each head's slice marked and named.

    matrices: [head, row, column]    column_names: [head][column]

    Raises ValueError if the names do not fit the shape or an entry is not finite.
    """
    d_head = len(column_names[0]) if column_names else 0
    array = shaped("matrices", matrices, head=len(head_names), row=len(row_names), column=d_head)
    slices = "".join(
        f'<th scope="colgroup" colspan="{d_head}"{class_of(_tint(h))}>{name}</th>'
        for h, name in enumerate(plain_names(head_names))
    )
    columns = "".join(
        f'<th scope="col"{class_of(_tint(h))}>{name}</th>'
        for h, names in enumerate(column_names)
        for name in plain_names(names)
    )
    body = (
        row(
            name,
            (
                f"<td{class_of(f'{_tint(h)} av-on' if x else _tint(h))}>{number(x, whole=True)}</td>"
                for h in range(len(head_names))
                for x in array[h, place]
            ),
        )
        for place, name in enumerate(plain_names(row_names))
    )
    size = f"{len(row_names)} × {len(head_names) * d_head}: {len(head_names)} slices of {d_head} columns"
    return table(
        body,
        caption=caption_text(html.escape(title), size),
        head=f'<tr><td></td>{slices}</tr><tr><th scope="col">dimension of x</th>{columns}</tr>',
        style=f"av-matrix av-wide av-of-{kind}",
    )


def _tint(head: int) -> str:
    return "av-even-slice" if head % 2 == 0 else "av-odd-slice"


def _equation(words: str, blocks: Sequence[tuple[str, int, int, str]]) -> str:
    """Blocks in proportion to their sizes, with × and = between them; `words` say it to those who hear it."""
    drawn = (
        f'<span class="av-block" style="--rows:{rows};--columns:{columns}">{inside}'
        f"<span>{name} <small>{rows} × {columns}</small></span></span>"
        for name, rows, columns, inside in blocks
    )
    left, middle, right = drawn
    return (
        f'<div class="av-equation" role="img" aria-label="{html.escape(words)}">{left}<span>×</span>{middle}'
        f"<span>=</span>{right}</div>"
    )


def _block(n: int, names: Sequence[str] = ()) -> str:
    """A block in n slices side by side."""
    labels = [*map(html.escape, names)] or [""] * n
    return f'<span class="av-cut">{"".join(f"<i>{label}</i>" for label in labels)}</span>'


def _diagonal(n: int) -> str:
    """A block of which only the pieces on the diagonal are there."""
    pieces = "".join(f"<i{class_of('' if i == j else 'av-gone')}></i>" for i in range(n) for j in range(n))
    return f'<span class="av-cut av-diagonal" style="--n:{n}">{pieces}</span>'
