"""The common mistakes: their words, what gives each away in numbers, and the pictures of why there is a root."""

from attention_view.mistakes.lines import Line, moved_lines, telltale_lines
from attention_view.mistakes.markup import (
    earlier_row_table,
    moved_note,
    scaling_pictures,
    scaling_table,
    telltale_table,
    twin,
)
from attention_view.mistakes.pair import Pair
from attention_view.mistakes.texts import BY_VARIANT, MISTAKES, WHY_A_ROOT, Mistake

__all__ = [
    "BY_VARIANT",
    "MISTAKES",
    "WHY_A_ROOT",
    "Line",
    "Mistake",
    "Pair",
    "earlier_row_table",
    "moved_lines",
    "moved_note",
    "scaling_pictures",
    "scaling_table",
    "telltale_lines",
    "telltale_table",
    "twin",
]
