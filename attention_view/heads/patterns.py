"""Which pattern each head follows, as a small table, and what a head without preference would do."""

import html
from collections.abc import Iterable, Mapping

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_core.patterns import CLEAR, PatternScores
from attention_view.numbers import number, percent
from attention_view.table_parts import caption_text, class_of, heading_row, row, table
from attention_view.tokens import html_text

COLUMNS = {
    "previous": "previous token",
    "sink": "first token (sink)",
    "pronoun_to_noun": "pronoun → noun",
    "self": "itself",
    "entropy_share": "entropy",
}
NOTE = (
    "1: all weight follows the pattern. 0: no preference, weight spread evenly. Below 0: avoided. "
    "Entropy: 1 is weight spread evenly, 0 all the weight on one key."
)


def patterns_table(scores: Mapping[str, PatternScores], *, notes: Mapping[str, str] | None = None) -> str:
    """The scores of some heads, a row each; a clear pattern is bold. `notes` says more about a row, by its name."""
    notes = notes or {}
    body = (row(_named(name, notes.get(name, "")), _cells(of_head)) for name, of_head in scores.items())
    return table(
        body,
        caption=caption_text("Which pattern does a head follow?", NOTE),
        head=heading_row(["head", *COLUMNS.values()]),
        style="av-patterns",
    )


def baseline_sentence(record: AttentionRecord, even: Array, *, head: int, query: int) -> str:
    """What one token gives the first token, beside what it would give without preference, as HTML.

    even: [query, key], the weights of a head without preference
    """
    asks, first = html_text(record.query_tokens[query]), html_text(record.key_tokens[0])
    n = int(record.mask[query].sum())
    if n < 2:
        return (
            f"<em>{asks}</em> sees only itself. So its {percent(record.weights[head, query, query])} is no preference."
        )
    return (
        f"<em>{asks}</em> sees {n} words. Without preference each would get 1/{n} = {percent(even[query, 0])}. "
        f"The {html.escape(record.head_names[head])} head gives <em>{first}</em> "
        f"{percent(record.weights[head, query, 0])}."
    )


def _named(name: str, note: str) -> str:
    return html.escape(name) + (f" <small>{html.escape(note)}</small>" if note else "")


def _cells(scores: PatternScores) -> Iterable[str]:
    for field in COLUMNS:
        score = getattr(scores, field)
        if score is None:
            yield '<td>–<span class="av-visually-hidden"> no word has a choice</span></td>'
        elif field == "entropy_share":
            yield f"<td>{number(score)}</td>"
        else:
            clear = class_of("av-clear" if score >= CLEAR else "")
            yield f'<td{clear} style="--w:{max(score, 0):.2f}">{number(score)}</td>'
