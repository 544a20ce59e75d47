"""The tell-tale as a table, the row of an earlier word before and after, and the pictures of the random scores."""

import html
from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_core import AttentionRecord, Experiment
from attention_core.scaling import N_HEADS, N_QUERIES, Scaled
from attention_core.telltales import followed_the_last_word
from attention_view.laid_table import laid_table
from attention_view.layout import is_turned
from attention_view.mistakes.forms import weight_text
from attention_view.mistakes.lines import Line
from attention_view.mistakes.pair import Pair, token_text
from attention_view.numbers import number
from attention_view.openable import letters, number_at
from attention_view.table_parts import KEY_HEADING, caption_text, cell, heading_row, masked, row, table, token_titles
from attention_view.tables import scores_table, weights_table

NAMES = {"√d_head": "√d<sub>head</sub>", "√d_model": "√d<sub>model</sub>", "nothing": "nothing"}


def telltale_table(lines: Sequence[Line], name: str) -> str:
    """The measures of the right layer and of the one with the mistake of this name, side by side."""
    body = (row(line.label, (cell(line.right, lit=True), _wrong_cell(line))) for line in lines)
    return table(
        body,
        caption="What gives it away",
        head=heading_row(["measure", "right", html.escape(name)]),
        style="av-telltale",
    )


def earlier_row_table(pair: Pair, versions: dict[str, AttentionRecord]) -> str:
    """The row of the earlier word that changes most when the last word becomes another, right and wrong; or nothing.

    versions: those of the pair, offered by the page under their names
    """
    if len(pair.right.X) < 2:
        return ""
    i = int(followed_the_last_word(pair.experiment)[pair.head, :-1].argmax())
    tokens, asks = pair.right.key_tokens, token_text(pair.right, i)
    lines, names = [], []
    for letter, (name, record) in zip("abcd", versions.items(), strict=True):
        weights, mask = record.weights[pair.head, i], record.mask[i]
        lines.append(
            [
                cell(number_at(weight_text(w), f"{letter}{j}"), lit=bool(w)) if s else masked(at=f"{letter}{j}")
                for j, (w, s) in enumerate(zip(weights, mask, strict=True))
            ]
        )
        layer = "right" if name.startswith("right") else "wrong axis"
        names.append(f"{layer}, {token_text(record, len(tokens) - 1)}")
    of = {letter: f"{name}:weights[{pair.head},{i},*]" for letter, name in zip("abcd", versions, strict=True)}
    return laid_table(
        lines,
        line_names=names,
        place_names=[*token_titles(tokens)[:-1], "last word"],
        corner=KEY_HEADING if is_turned(pair.layout) else "layer, last word",
        caption=caption_text(f"The {pair.line} of {asks}, with the one last word and the other"),
        style="av-twin av-earlier",
        layout=pair.layout,
        of=letters(**of),
    )


def moved_note(experiment: Experiment) -> str:
    """What the comparison of two orders leaves out."""
    edits = " Edits name places, so they are left out." if experiment.edits else ""
    return (
        f'<p class="av-note">The mask is off for this comparison: in each order it would hide other words.{edits}</p>'
    )


def twin(pair: Pair, name: str, *, opens: bool = False) -> str:
    """The weights and the scores of both layers, of the sentence in order.

    name: of the mistake    opens: whether the page offers these records, as "right" and "wrong"
    """
    tables = []
    for title, offered, record in (("right", "right", pair.right), (name, "wrong", pair.wrong)):
        tokens: dict[str, Any] = {"query_tokens": record.query_tokens, "key_tokens": record.key_tokens}

        def of(array: str, offered: str = offered) -> str:
            return f"{offered}:{array}[{pair.head},*]" if opens else ""

        tables += [
            weights_table(
                record.weights[pair.head],
                **tokens,
                mask=record.mask,
                caption=f"Weights: {title}",
                layout=pair.layout,
                opens=of("weights"),
            ),
            scores_table(
                record.masked_scores[pair.head],
                **tokens,
                caption=f"Scores as they go into softmax: {title}",
                layout=pair.layout,
                opens=of("masked_scores"),
            ),
        ]
    return "".join(tables)


def scaling_pictures(d_head: int, results: Sequence[Scaled]) -> str:
    """One row of weights for each divisor, as bars on the scale from 0 to 1, with its spread and its entropy."""
    return f'<div class="av-scaling">{"".join(_bars(d_head, one) for one in results)}</div>'


def scaling_table(d_head: int, results: Sequence[Scaled]) -> str:
    """The numbers of every divisor."""
    body = (
        row(
            f"÷ {NAMES[one.by]}",
            (
                cell(number(one.divisor, whole=True), lit=True),
                cell(number(one.spread), lit=True),
                cell(number(one.entropy_share), lit=True),
                cell(number(one.largest), lit=True),
            ),
        )
        for one in results
    )
    note = f"{N_QUERIES} random queries, each with keys of its own; the same vectors in every line and at every visit."
    return table(
        body,
        caption=caption_text(f"d<sub>head</sub> = {d_head}, d<sub>model</sub> = {N_HEADS} · {d_head}", note),
        head=heading_row(["q·k", "divided by", "spread", "entropy (1 = even)", "largest weight"]),
        style="av-scaled",
    )


def _bars(d_head: int, one: Scaled) -> str:
    heights = "".join(f'<i style="--w:{weight:.4f}"></i>' for weight in one.row)
    largest = number(float(np.max(one.row)))
    return (
        f'<figure><div class="av-columns" role="img" aria-label="A row of {len(one.row)} weights, q·k divided by '
        f'{one.by}: the largest is {largest}">{heights}</div><figcaption><b>÷ {NAMES[one.by]}</b> '
        f"<small>= {number(one.divisor, whole=True)}</small><br>spread {number(one.spread)}, entropy "
        f"{number(one.entropy_share)}</figcaption></figure>"
    )


def _wrong_cell(line: Line) -> str:
    if not line.odd:
        return cell(line.wrong, lit=True)
    return f'<td class="av-odd">{line.wrong} <span class="av-badge">{line.odd}</span></td>'
