"""From the outputs of the heads to the token's new vector, as strips with their sizes."""

import html

import numpy as np

from attention_core import AttentionRecord
from attention_view.layout import Layout, is_turned
from attention_view.numbers import adds_up, number
from attention_view.openable import opening_attribute
from attention_view.table_parts import caption_text
from attention_view.tokens import showable
from attention_view.vectors import strip_cells, vector_strip


def joining(record: AttentionRecord, query: int, *, layout: Layout = "rows") -> str:
    """What the heads hand to one token: joined end to end, times W_O, added to the token's own vector.

    Where vectors stand in columns, W_O comes before what it mixes.

    Raises ValueError for a layout that does not exist.
    """
    turned = is_turned(layout)
    token = showable(record.query_tokens[query])
    before, output, after = record.X[query], record.output[query], record.new_X[query]
    names = record.dimension_names
    size = f"{len(names)} numbers"
    note = "" if _adds_up(record, query) else "; numbers are shown rounded"
    parts = (
        _joined(record, query),
        _mixing(record, turned=turned),
        vector_strip(
            output,
            names,
            kind="value",
            title=f"output: {'W_O · joined' if turned else 'joined · W_O'}, {size}",
            opens=f"output[{query},*]",
        ),
        vector_strip(
            before, names, kind="token", title=f"+ {token} before: its own vector, {size}", opens=f"X[{query},*]"
        ),
        vector_strip(
            after,
            names,
            kind="token",
            title=f"= {token} after: its new vector, {size}{note}",
            marks=np.flatnonzero(output).tolist(),
            opens=f"new_X[{query},*]",
        ),
        "" if record.heads_on.any() else _nothing(token),
    )
    return f'<section class="av-joining" aria-label="From heads to the new vector">{"".join(parts)}</section>'


def _joined(record: AttentionRecord, query: int) -> str:
    """The joined outputs, one slice a head; the slice of a head that is off is 0 and says so."""
    d_head = record.head_outputs.shape[-1]
    joined = record.joined[query]
    largest = float(np.abs(joined).max(initial=0.0))
    slices = (
        f'<div class="av-slice{"" if on else " av-slice-off"}">'
        f"<p>{html.escape(name)} head{'' if on else ': off'}</p>"
        f"{strip_cells(joined[h * d_head : (h + 1) * d_head], names, largest=largest, open_by_place=True)}</div>"
        for h, (name, on, names) in enumerate(
            zip(record.head_names, record.heads_on, record.value_dimension_names, strict=True)
        )
    )
    sum_of_sizes = " + ".join([str(d_head)] * len(record.head_names))
    title = caption_text("joined", f"the outputs end to end, {sum_of_sizes} = {len(joined)} numbers")
    return (
        f'<figure class="av-strip av-of-value"{opening_attribute(f"joined[{query},*]")}>'
        f"<figcaption>{title}</figcaption>"
        f'<div class="av-slices">{"".join(slices)}</div></figure>'
    )


def _mixing(record: AttentionRecord, *, turned: bool) -> str:
    rows, columns = record.W_O.T.shape if turned else record.W_O.shape
    product = "<b>W<sub>O</sub></b> ×" if turned else "× <b>W<sub>O</sub></b>"
    return (
        f'<p class="av-times"><span aria-hidden="true">↓</span> {product} '
        f"<small>{rows} × {columns}: which number of which head is added to which dimension</small></p>"
    )


def _nothing(token: str) -> str:
    return (
        f'<p class="av-note">All heads are off. Nothing is added, so <em><bdi>{html.escape(token)}</bdi></em> '
        "stays as it was.</p>"
    )


def _adds_up(record: AttentionRecord, query: int) -> bool:
    """Whether the numbers, as shown, add up to the sums as shown."""
    joined, before, output, after = (
        [number(x, whole=True) for x in array[query]]
        for array in (record.joined, record.X, record.output, record.new_X)
    )
    return all(
        adds_up(((x, number(w, whole=True)) for x, w in zip(joined, record.W_O[:, d], strict=True)), output[d])
        and adds_up(((before[d],), (output[d],)), after[d])
        for d in range(len(output))
    )
