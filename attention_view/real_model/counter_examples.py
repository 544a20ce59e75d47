"""What the pictures do not show: pairs that go the other way, a row that cannot change, and the model's own answer."""

import html
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_core.models.pairs import Pair, fits_both_times, moves_the_fitting_way
from attention_core.models.recording import LONGEST_ANSWER, Answer
from attention_view.numbers import number, percent, weight_number
from attention_view.openable import letters, number_at
from attention_view.table_parts import (
    BAR_HEADING,
    KEY_HEADING,
    bar,
    caption_text,
    cell,
    heading_row,
    masked,
    result_cell,
    row,
    table,
    token_names,
)
from attention_view.tokens import html_text


class Measured(NamedTuple):
    """A sentence with two endings: what the last word gives the noun that fits it, and the other noun."""

    pair: Pair
    weights: ArrayLike  # [ending, noun]; the first noun fits the first ending, the second the second

    @property
    def fits(self) -> bool:
        """Whether with both endings more weight lies on the noun that fits."""
        return fits_both_times([*np.asarray(self.weights)])

    @property
    def moves(self) -> bool:
        """Whether the weight moves towards the noun that fits when the ending changes, however little."""
        return moves_the_fitting_way([*np.asarray(self.weights)])

    @property
    def margin(self) -> float:
        """By how much the fitting noun leads, with the ending where it leads less; below 0 it lags."""
        first, second = np.asarray(self.weights)
        return float(min(first[0] - first[1], second[1] - second[0]))


class Rows(NamedTuple):
    """A head's records of the same sentence with one last word and with another, by that word; "it" asks in both."""

    title: str
    name: str  # the page offers the records as "<name>_<last word>"
    records: Mapping[str, AttentionRecord]

    def row(self, ending: str) -> Array:
        """The weights of "it": [key]"""
        record = self.records[ending]
        weights: Array = record.weights[0, record.query_tokens.index("it")]
        return weights

    def offered(self) -> dict[str, AttentionRecord]:
        """The records by the names under which the page offers them."""
        return {f"{self.name}_{ending}": record for ending, record in self.records.items()}

    def apart(self) -> float:
        """The largest difference that the last word makes."""
        first, second = map(self.row, self.records)
        return float(np.abs(first - second).max())


def fitting_table(pairs: Sequence[Measured]) -> str:
    """The sentences, the clearest first; those that go the other way are marked and stand at the end."""
    ordered = sorted(pairs, key=lambda one: -one.margin)
    body = (line for one in ordered for line in _lines(one))
    note = "Weights, from 0 to 1, the clearest sentence first. It goes the fitting way if it does with both endings."
    return table(
        body,
        caption=caption_text("What the last word gives both nouns", note),
        head=heading_row(["last word", "noun that fits", BAR_HEADING, "other noun", BAR_HEADING, "goes"]),
        style="av-fitting",
    )


def guess_note(pairs: Sequence[Measured], guess: int) -> str:
    """What was guessed beside what is so, and what the head does instead."""
    n, right = len(pairs), sum(one.fits for one in pairs)
    how = "That is right" if guess == right else f"You said {guess}"
    first = sum(int(row[0] > row[1]) for one in pairs for row in np.asarray(one.weights))
    return (
        f'<p class="av-note">{how}: in <strong>{right} of {n}</strong> sentences the fitting noun gets more with both '
        f"endings. With {first} of {2 * n} endings the first noun gets more, fitting or not. In "
        f"{sum(one.moves for one in pairs)} of {n} the weight at least moves the fitting way: of what both nouns get "
        f"together, each noun's part is larger with its own ending than with the other one.</p>"
    )


def pair_list(pairs: Sequence[Measured]) -> str:
    """The sentences with both endings, before anybody has looked: the first word fits the first noun."""
    lines = (
        f"<li>{html.escape(one.pair.before)} <span><em>{html_text(one.pair.endings[0])}</em> / "
        f"<em>{html_text(one.pair.endings[1])}</em></span></li>"
        for one in pairs
    )
    return f'<ul class="av-pairs">{"".join(lines)}</ul>'


def rows_table(rows: Rows) -> str:
    """What "it" looks at with both last words, side by side, and how far they are apart."""
    first, second = rows.records
    record = rows.records[first]
    i = record.query_tokens.index("it")
    names = [
        name if token == other else "the last word"
        for name, token, other in zip(
            token_names(record.key_tokens), record.key_tokens, rows.records[second].key_tokens, strict=True
        )
    ]
    seen = record.mask[i]
    body = (
        row(name, (*_cells(x, s, f"a{j}"), *_cells(y, s, f"b{j}")))
        for j, (name, x, y, s) in enumerate(zip(names, rows.row(first), rows.row(second), seen, strict=True))
    )
    apart = number(rows.apart(), 3, whole=True)
    of = {letter: f"{name}:weights[0,{i},*]" for letter, name in zip("ab", rows.offered(), strict=True)}
    endings = [f"…&nbsp;{html_text(word)}" for word in rows.records]
    return table(
        body,
        caption=caption_text(
            html.escape(rows.title), f"{html.escape(record.head_names[0])}: the weights of <em>it</em>"
        ),
        head=heading_row([KEY_HEADING, endings[0], BAR_HEADING, endings[1], BAR_HEADING]),
        foot=row("largest difference", (result_cell(apart), "<td></td>", "<td></td>", "<td></td>")),
        style="av-two-rows",
        of=letters(**of),
    )


def answer_card(answer: Answer, row: Array, tokens: Sequence[str], nouns: Sequence[str]) -> str:
    """The model's own answer to a question, beside what the head gives the nouns.

    row: [key], the weights of the last word of the sentence
    """
    stopped = "" if answer.ended else f" It was stopped after {LONGEST_ANSWER} tokens."
    gives = " and ".join(f"<em>{html_text(noun)}</em> {percent(row[[*tokens].index(noun)])}" for noun in nouns)
    likely = [(token.strip(), p) for token, p in answer.next_tokens if token.strip() in nouns]
    found = " and ".join(f"<em>{html_text(word)}</em> {percent(p)}" for word, p in likely)
    word = html_text(answer.next_tokens[0][0].strip())
    repeats = (
        " <strong>Here it repeats the sentence instead of answering</strong>: "
        f"<em>{word}</em> is only the start of that repeat."
        if answer.repeats
        else ""
    )
    return (
        f'<figure class="av-answer"><blockquote><p><b>Asked:</b> {html.escape(answer.question)}</p>'
        f"<p><b>SmolLM2 answers:</b> {html.escape(answer.answer)}{'' if answer.ended else '…'}</p></blockquote>"
        f"<figcaption>The head gives {gives}. "
        f"After <em>{html.escape(answer.begun)}</em> the model gives the next word {found}."
        f"{repeats}{stopped}</figcaption></figure>"
    )


def _lines(one: Measured) -> list[str]:
    """The sentence, and below it a line for each ending."""
    weights = np.asarray(one.weights)
    sentence = f'<tr class="av-sentence"><th scope="rowgroup" colspan="6">{html.escape(one.pair.before)}</th></tr>'
    endings = (
        row(
            f"<em>{html_text(word)}</em>",
            (
                *_weight(one.pair.nouns[ending], weights[ending, ending]),
                *_weight(one.pair.nouns[1 - ending], weights[ending, 1 - ending]),
                _way(weights[ending, ending] > weights[ending, 1 - ending]),
            ),
        )
        for ending, word in enumerate(one.pair.endings)
    )
    return [sentence, *endings]


def _weight(noun: str, weight: float) -> tuple[str, str]:
    return cell(f"{html_text(noun)} {html.escape(weight_number(weight))}", lit=True), bar(0, weight)


def _way(fits: bool) -> str:
    return cell("fits") if fits else '<td class="av-odd"><span class="av-badge">the other way</span></td>'


def _cells(weight: float, seen: bool, at: str) -> tuple[str, str]:
    if not seen:
        return masked(at=at), "<td></td>"
    return cell(number_at(html.escape(weight_number(weight)), at), lit=bool(weight)), bar(0, weight)
