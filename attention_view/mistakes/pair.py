"""The right layer and one with a mistake, on the same experiment."""

from collections.abc import Callable
from typing import NamedTuple

from attention_core import AttentionRecord, Experiment
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


def token_text(record: AttentionRecord, place: int) -> str:
    """A token as HTML."""
    return f"<em>{html_text(record.query_tokens[place])}</em>"
