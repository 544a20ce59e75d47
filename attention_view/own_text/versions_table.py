"""Two last rows side by side: which words gain and which lose when a text ends otherwise."""

import html

from attention_core.models import Run
from attention_core.models.pairs import Pair, fits_both_times, weight_on_nouns
from attention_core.models.two_texts import EarlierRows, LastRows
from attention_view.numbers import number, signed, weight_number
from attention_view.own_text.head_choice import Head
from attention_view.table_parts import (
    KEY_HEADING,
    bar,
    caption_text,
    cell,
    heading_row,
    rounded_note,
    row,
    table,
    token_titles,
)
from attention_view.tokens import html_text

NO_ROW = "–"
NOTABLE = 0.05  # a difference of a weight that is set in ink


def rows_table(last: LastRows, runs: tuple[Run, Run]) -> str:
    """The last rows of two texts: a line for each shared token, then those that only one text has."""
    rows, n_shared = (last.first, last.second), len(last.change)
    shared = (
        row(
            name,
            (
                cell(_weight(a)),
                cell(_weight(b)),
                cell(signed(d, 3, whole=True), lit=abs(d) >= NOTABLE),
                bar(0.5, 0.5 + d / 2),
            ),
        )
        for name, a, b, d in zip(token_titles(runs[0].tokens[:n_shared]), *rows, last.change, strict=False)
    )
    own = (
        row(
            token_titles(run.tokens)[place],
            (
                *(cell(_weight(rows[which][place]) if which == side else NO_ROW) for side in (0, 1)),
                "<td></td>",
                "<td></td>",
            ),
        )
        for which, run in enumerate(runs)
        for place in range(n_shared, run.n_tokens)
    )
    first, second = (html_text(run.tokens[-1]) for run in runs)
    return table(
        [*shared, *own],
        caption=caption_text(f"What the last token looks at: {first}, and {second}", rounded_note(exact=False)),
        head=heading_row([KEY_HEADING, first, second, "difference", "as a bar"]),
        style="av-own-versions",
        zero=0.5,
    )


def _weight(weight: float) -> str:
    return html.escape(weight_number(weight))


def earlier_sentence(earlier: EarlierRows, runs: tuple[Run, Run]) -> str:
    """What the later words changed in the rows of the tokens before them, in words, as HTML."""
    n = earlier.n_shared
    if not n:
        return '<p class="av-note">The two texts have no token in common at their beginning.</p>'
    if all(run.n_tokens == n for run in runs):
        return '<p class="av-note">The model reads the same tokens in both texts, so every row is the same.</p>'
    largest = number(earlier.largest, 3, whole=True) if earlier.largest >= 0.001 else f"{earlier.largest:.1g}"
    rows, differ = (f"rows of the {n} tokens", "differ") if n > 1 else ("row of the one token", "differs")
    measured = (
        f"Over all heads, the {rows} that both texts begin with {differ} by at most "
        f"<strong>{html.escape(largest)}</strong>."
    )
    if runs[0].causal:
        meaning = _cannot_change(n, runs)
    else:
        meaning = "They do change: without the causal mask every token also looks at the words after it."
    return f'<p class="av-note">{measured} {meaning}</p>'


def _cannot_change(n: int, runs: tuple[Run, Run]) -> str:
    """Which rows of two texts are the same under the causal mask, and which can differ, as HTML."""
    *before, newest = runs[0].tokens[:n]
    last_shared = f"<em>{html_text(newest)}</em>"
    it = ", <em>it</em> among them," if "it" in map(str.strip, before) else ""
    only_the_last = all(run.n_tokens == n + 1 for run in runs)
    return (
        "They cannot change: the causal mask lets no token look at a later one. "
        f"So every token up to {last_shared}{it} has the same row in both texts. "
        + ("Only the last row can answer to the last token." if only_the_last else
           f"Only the rows after {last_shared} can answer to what differs.")
    )  # fmt: skip


def way_sentence(pair: Pair | None, first: Run, second: Run, head: Head) -> str:
    """Whether the head goes the fitting way in a pair of the examples, as HTML; nothing for other texts."""
    if pair is None:
        return ""
    try:
        weights = [weight_on_nouns(run, pair.nouns, head.layer, head.head) for run in (first, second)]
    except ValueError:
        return ""  # the model's vocabulary lacks one of the nouns
    said = "; ".join(
        f"<em>{html_text(ending)}</em>: {html_text(pair.nouns[0])} {number(float(one))}, "
        f"{html_text(pair.nouns[1])} {number(float(other))}"
        for ending, (one, other) in zip(pair.endings, weights, strict=True)
    )
    way = "" if fits_both_times(weights) else "<strong>not</strong> "
    return (
        f'<p class="av-note">{said}. With both last words, this head does {way}attend more to the noun that fits.</p>'
    )
