"""What heads split: the projections of a vector, never the sentence and never the vector itself."""

import html
from collections.abc import Sequence
from typing import NamedTuple

from attention_core import AttentionRecord
from attention_view.layout import Layout, is_turned, words
from attention_view.table_parts import class_of


class _Block(NamedTuple):
    """A matrix as a drawn block, named and cut as for the layout of rows."""

    name: str
    rows: int
    columns: int
    pieces: str
    of_query: bool = True  # in the colour of queries


def splitting(record: AttentionRecord, *, layout: Layout = "rows") -> str:
    """X times one wide W_Q makes the queries of all heads; beside it the mistaken way, cutting X first.

    Where vectors stand in columns, one tall W_Q times X makes them.

    Raises ValueError for a layout that does not exist.
    """
    n, n_tokens, d_head = record.Q.shape
    d_model, size = record.X.shape[1], n * d_head
    slices = _pieces(n, record.head_names)

    def equation(words: str, of_x: str, of_W_Q: str, of_Q: str) -> str:
        blocks = (
            _Block("X", n_tokens, d_model, of_x, of_query=False),
            _Block("W<sub>Q</sub>", d_model, size, of_W_Q),
            _Block("Q", n_tokens, size, of_Q),
        )
        return _equation(words, *blocks, turned=is_turned(layout))

    right = equation(_said(record, layout), _pieces(1), slices, slices)
    wrong = equation(
        f"X cut into {n} pieces first, each with a small matrix of its own: so it is not.",
        _pieces(n),
        _diagonal(n),
        _pieces(n),
    )
    return (
        '<div class="av-splitting">'
        f'<figure>{right}<figcaption class="av-caption"><strong>So it is.</strong> Every head reads the whole vector '
        "of every word; the queries are cut.</figcaption></figure>"
        f'<figure class="av-wrong">{wrong}<figcaption class="av-caption"><strong>Not so.</strong> A vector cut first '
        "would hide most of a word from each head.</figcaption></figure></div>"
    )


def _said(record: AttentionRecord, layout: Layout) -> str:
    """The right way for those who hear it, with its sizes."""
    n, n_tokens, d_head = record.Q.shape
    d_model, size = record.X.shape[1], n * d_head
    cut = f"The product Q is cut into {n} slices of {d_head} {words(layout).across}s: {', '.join(record.head_names)}."
    if is_turned(layout):
        return f"X, {d_model} numbers by {n_tokens} tokens, goes whole into one tall W_Q, {size} by {d_model}. {cut}"
    return f"X, {n_tokens} tokens by {d_model} numbers, goes whole into one wide W_Q, {d_model} by {size}. {cut}"


def _equation(words: str, X: _Block, W_Q: _Block, Q: _Block, *, turned: bool) -> str:
    """Blocks in proportion to their sizes, with × and = between them; `words` say it to those who hear it."""
    first, second, product = (_drawn(block, turned=turned) for block in ((W_Q, X, Q) if turned else (X, W_Q, Q)))
    return (
        f'<div class="av-equation" role="img" aria-label="{html.escape(words)}">{first}<span>×</span>{second}'
        f"<span>=</span>{product}</div>"
    )


def _drawn(block: _Block, *, turned: bool) -> str:
    """A block with its name and size; turned, its slices lie one above the other."""
    rows, columns = (block.columns, block.rows) if turned else (block.rows, block.columns)
    look = f"av-block{' av-block-of-query' if block.of_query else ''}{' av-turned' if turned else ''}"
    return (
        f'<span class="{look}" style="--rows:{rows};--columns:{columns}">{block.pieces}'
        f"<span>{block.name} <small>{rows} × {columns}</small></span></span>"
    )


def _pieces(n: int, names: Sequence[str] = ()) -> str:
    """A block in n slices."""
    labels = [*map(html.escape, names)] or [""] * n
    return f'<span class="av-cut">{"".join(f"<i>{label}</i>" for label in labels)}</span>'


def _diagonal(n: int) -> str:
    """A block of which only the pieces on the diagonal are there."""
    pieces = "".join(f"<i{class_of('' if i == j else 'av-gone')}></i>" for i in range(n) for j in range(n))
    return f'<span class="av-cut av-diagonal" style="--n:{n}">{pieces}</span>'
