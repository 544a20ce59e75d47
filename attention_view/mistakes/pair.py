"""The right layer and one with a mistake, on the same experiment."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from attention_core import AttentionRecord, Experiment, trace
from attention_core.telltales import other_last_word
from attention_view.layout import Layout, words
from attention_view.tokens import html_text


class Pair(NamedTuple):
    """The right layer and the wrong one on the same experiment; the head that is shown, who asks, how tables lie."""

    experiment: Experiment  # with the mistake as its variant
    right: AttentionRecord
    wrong: AttentionRecord
    head: int
    query: int
    layout: Layout = "rows"

    @property
    def line(self) -> str:
        """What the weights of one query are called in the tables: a row or a column."""
        return words(self.layout).line

    @property
    def asks(self) -> str:
        """The token that asks, as HTML."""
        return token_text(self.right, self.query)

    def both(self, measure: Callable[[AttentionRecord], str]) -> tuple[str, str]:
        """A measure of each, in the same form."""
        return measure(self.right), measure(self.wrong)

    def offered(self, measure: Callable[[AttentionRecord, str], str]) -> tuple[str, str]:
        """A measure of each, told also the name under which the page offers the record."""
        return measure(self.right, "right"), measure(self.wrong, "wrong")

    def versions(self) -> dict[str, AttentionRecord]:
        """Both layers with the one last word and the other, by the names under which the page offers them."""
        ways = {"right": replace(self.experiment, variant="right"), "wrong": self.experiment}
        others = {name: trace(other_last_word(way)) for name, way in ways.items()}
        return {
            "right": self.right,
            "right_other": others["right"],
            "wrong": self.wrong,
            "wrong_other": others["wrong"],
        }


def token_text(record: AttentionRecord, place: int) -> str:
    """A token as HTML."""
    return f"<em>{html_text(record.query_tokens[place])}</em>"
