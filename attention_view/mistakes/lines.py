"""What gives each mistake away, in numbers: a line for each measure, the right layer's beside the wrong one's."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from attention_core import AttentionRecord, trace
from attention_core.checks import Array
from attention_core.patterns import entropy_share
from attention_core.telltales import (
    ROUNDING,
    asymmetry,
    dimensions_read,
    entropy_share_of,
    followed_the_last_word,
    largest_difference,
    leaks,
    other_last_word,
    slice_names,
)
from attention_view.layout import words
from attention_view.mistakes.forms import (
    NEAR_ONE,
    NOTHING,
    all_alike,
    change_text,
    changed_text,
    difference_text,
    divisor_text,
    favourites,
    favourites_text,
    largest_score_text,
    largest_weight_text,
    seen,
    share_text,
    sum_text,
    sums_text,
    weight_on_text,
    weight_text,
)
from attention_view.mistakes.pair import Pair, token_text
from attention_view.numbers import number
from attention_view.table_parts import plain_names
from attention_view.tokens import html_text

EVEN = "<small>(1 = even)</small>"


class Line(NamedTuple):
    """One measure, as HTML; `odd` says in a word or two what is wrong with the wrong layer's, if anything is."""

    label: str
    right: str
    wrong: str
    odd: str = ""


def telltale_lines(pair: Pair) -> list[Line]:
    """What to compare for the pair's mistake."""
    return LINES_OF[pair.experiment.variant](pair)


def moved_lines(pair: Pair, moved: tuple[Array, Array]) -> list[Line]:
    """After a shuffle: how many weights of each head are others than those of the same two words before.

    moved: [head, query, key] differences, in the right layer and in the one without positions
    """
    return [
        Line(f"{name} head: weights that changed", *(changed_text(differences[h]) for differences in moved))
        for h, name in enumerate(pair.right.head_names)
    ]


def _sharpness(pair: Pair) -> list[Line]:
    return [
        Line("scores are divided by", *pair.offered(divisor_text)),
        Line(f"largest score of {pair.asks}", *pair.offered(lambda r, name: largest_score_text(r, pair, name))),
        *_asked_row(pair),
    ]


def _wrong_axis(pair: Pair) -> list[Line]:
    columns = pair.both(lambda r: sums_text(r.weights[pair.head].sum(axis=0)))
    lines = [_asked_sum(pair), _row_sums(pair), Line(f"sums of all {words(pair.layout).across}s", *columns)]
    if len(pair.right.X) < 2:
        return lines
    word = html_text(other_last_word(pair.experiment).tokens[-1])
    ways = (replace(pair.experiment, variant="right"), pair.experiment)
    right, wrong = (followed_the_last_word(way)[pair.head, :-1] for way in ways)
    leaks_here = not pair.right.mask.all() and right.max() <= ROUNDING < wrong.max()
    label = f"largest change in an earlier {pair.line} when the last word becomes <em>{word}</em>"
    return [
        *lines,
        Line(label, change_text(right, pair.right), change_text(wrong, pair.right), "leaks" if leaks_here else ""),
    ]


def _mask_as_zero(pair: Pair) -> list[Line]:
    of_rows = leaks(pair.wrong)[pair.head]
    worst = int(of_rows.argmax())
    most = f"{weight_text(of_rows[worst])}, {token_text(pair.wrong, worst)}" if of_rows[worst] else "0"
    hidden = ("−∞", "0") if not pair.right.mask.all() else (NOTHING, NOTHING)
    return [
        Line("a hidden score becomes", *hidden),
        Line(
            f"weight of {pair.asks} on words it may not see",
            *pair.both(lambda r: weight_text(leaks(r)[pair.head, pair.query])),
            "leaks" if of_rows[pair.query] else "",
        ),
        Line(f"the most that a {pair.line} leaks", "0", most, "leaks" if of_rows[worst] else ""),
        _row_sums(pair),
    ]


def _mask_after(pair: Pair) -> list[Line]:
    lost = np.where(pair.right.empty_rows, 0.0, 1 - pair.wrong.weights[pair.head].sum(axis=-1))
    worst = int(lost.argmax())
    most = f"{weight_text(lost[worst])}, {token_text(pair.wrong, worst)}" if lost[worst] > NEAR_ONE else "0"
    return [_asked_sum(pair), _row_sums(pair), Line(f"the most that a {pair.line} loses", "0", most)]


def _mask_after_renormalised(pair: Pair) -> list[Line]:
    before = trace(replace(pair.experiment, variant="mask_after")).weights[pair.head]
    difference = largest_difference(pair.right.weights, pair.wrong.weights)
    return [
        Line(f"sums of all {pair.line}s before they are divided again", NOTHING, sums_text(before.sum(axis=1))),
        _row_sums(pair),
        Line("largest difference of a weight, all heads", NOTHING, difference_text(difference)),
    ]


def _one_matrix(pair: Pair) -> list[Line]:
    scores = pair.right.scores[pair.head]
    i, j = (int(place) for place in np.unravel_index(np.abs(scores - scores.T).argmax(), scores.shape))
    one, other = token_text(pair.right, i), token_text(pair.right, j)
    mirrored = "mirrored: largest difference"
    return [
        Line(f"score of {one} for {other}", *pair.both(lambda r: number(r.scores[pair.head, i, j]))),
        Line(f"score of {other} for {one}", *pair.both(lambda r: number(r.scores[pair.head, j, i]))),
        Line(f"scores, {mirrored}", *pair.both(lambda r: difference_text(asymmetry(r.scores[pair.head])))),
        Line(f"weights, {mirrored}", *pair.both(lambda r: difference_text(asymmetry(r.weights[pair.head])))),
        Line(f"{pair.asks} looks most at", *pair.both(lambda r: favourites_text(r, pair.head, pair.query))),
    ]


def _no_positions(pair: Pair) -> list[Line]:
    def evenness(h: int) -> tuple[str, str]:
        return pair.both(lambda r: share_text(entropy_share(r.weights[h], r.mask)))

    of_heads = [
        Line(f"entropy of a {pair.line}, {name} head {EVEN}", *evenness(h))
        for h, name in enumerate(pair.right.head_names)
    ]
    return [*_asked_row(pair)[:1], *of_heads]


def _cut_first(pair: Pair) -> list[Line]:
    own = slice_names(pair.wrong, pair.head)
    lost = [name for name in dimensions_read(pair.right, pair.head) if name not in own]
    return [
        Line("the head gets", f"all {len(pair.right.dimension_names)} numbers", _listed(own)),
        Line("its tables can use", *pair.both(lambda r: _listed(dimensions_read(r, pair.head)))),
        Line("it loses", NOTHING, _listed(lost)),
        *_asked_row(pair),
    ]


def _mean_of_heads(pair: Pair) -> list[Line]:
    def best(h: int) -> tuple[str, str]:
        keys = favourites(pair.right, h, pair.query)
        if not keys:
            return "nothing", NOTHING
        if all_alike(pair.right, h, pair.query):
            return f"{weight_on_text(pair.right, h, pair.query, keys[0], 'right')}, all alike", NOTHING
        words_of = [(key, token_text(pair.right, key)) for key in keys]
        return pair.offered(
            lambda r, name: "; ".join(
                f"{weight_on_text(r, h, pair.query, key, name)}, {word}" for key, word in words_of
            )
        )

    of_heads = [
        Line(f"what the {name} head likes best for {pair.asks}", *best(h))
        for h, name in enumerate(pair.right.head_names)
    ]
    return [*of_heads, *_asked_row(pair)]


LINES_OF: dict[str, Callable[[Pair], list[Line]]] = {
    "no_divisor": _sharpness,
    "sqrt_d_model": _sharpness,
    "wrong_axis": _wrong_axis,
    "mask_as_zero": _mask_as_zero,
    "mask_after": _mask_after,
    "mask_after_renormalised": _mask_after_renormalised,
    "one_matrix": _one_matrix,
    "no_positions": _no_positions,
    "cut_first": _cut_first,
    "mean_of_heads": _mean_of_heads,
}


def _asked_row(pair: Pair) -> list[Line]:
    """How sure the token is that asks."""

    def evenness(record: AttentionRecord) -> str:
        return share_text(entropy_share_of(seen(record, record.weights, pair)))

    return [
        Line(f"largest weight of {pair.asks}", *pair.offered(lambda r, name: largest_weight_text(r, pair, name))),
        Line(f"entropy of its {pair.line} {EVEN}", *pair.both(evenness)),
    ]


def _asked_sum(pair: Pair) -> Line:
    right, wrong = pair.both(lambda r: sum_text(float(r.weights[pair.head, pair.query].sum())))
    return Line(f"sum of the {pair.line} of {pair.asks}", right, wrong, "" if wrong == right else "not 1")


def _row_sums(pair: Pair) -> Line:
    right, wrong = pair.both(lambda r: sums_text(r.weights[pair.head].sum(axis=1)[~r.empty_rows]))
    return Line(f"sums of all {pair.line}s", right, wrong, "" if wrong == right else "not 1")


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(plain_names(names)) or "nothing"
