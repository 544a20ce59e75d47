"""What moving one score did to the weights, as a sentence made from the record before and the record after."""

import numpy as np

from attention_core import AttentionRecord
from attention_view.numbers import number
from attention_view.tokens import html_text


def moved_sentence(before: AttentionRecord, after: AttentionRecord, *, head: int, query: int, key: int) -> str:
    """Say how the moved key's weight changed against another visible key, as HTML.

    `before` and `after` differ in scores[head, query, key] only.
    """
    asks, moved = html_text(before.query_tokens[query]), html_text(before.key_tokens[key])
    if not before.mask[query, key]:
        return f"The mask hides <em>{moved}</em> from <em>{asks}</em>: its score stays −∞, whatever you add."
    others = np.flatnonzero(before.mask[query] & (np.arange(len(before.key_tokens)) != key))
    if not len(others):
        return f"<em>{asks}</em> sees only itself: its weight is 1, whatever the score."
    difference = after.scores[head, query, key] - before.scores[head, query, key]
    if difference == 0:
        return f"Move the score of <em>{moved}</em> and watch every weight of <em>{asks}</em> change."
    other = others[before.weights[head, query, others].argmin()]
    old, new = (r.weights[head, query, key] / r.weights[head, query, other] for r in (before, after))
    return (
        f"{number(abs(difference), 1)} points {'more' if difference > 0 else 'less'}: "
        f"<strong>e<sup>{number(difference, 1)}</sup> = {_times(new / old)}</strong>. "
        f"The weight of <em>{moved}</em> was {_times(old)} times that of "
        f"<em>{html_text(before.key_tokens[other])}</em>; now it is {_times(new)} times. "
        f"So it is {_times(new / old)} times what it was, and that holds against every other word."
    )


def _times(factor: float) -> str:
    """A factor with enough digits to check it against the others."""
    return number(factor, 2 if factor >= 1 else 4)
