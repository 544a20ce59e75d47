"""Two queries by hand: three positions, two queries, numbers small enough to redo on paper.

Run it: python -m attention_core.two_queries
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import SoftmaxSteps, attention_scores, masked_scores, softmax_steps
from attention_core.checks import Array, numbers
from attention_core.terminal import OneLineParser

KEYS = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
VALUES = ((1.0, 0.0), (0.0, 2.0), (3.0, 3.0))
QUERIES = ((2.0, 0.0), (0.0, 2.0))
VISIBLE = (True, True, False)


@dataclass(frozen=True, eq=False, kw_only=True)
class ByHand:
    """Every number of the calculation. All arrays are read-only."""

    Q: Array  # [query, d_head]
    K: Array  # [key, d_head]
    V: Array  # [key, d_value]
    visible: Array  # [key] boolean
    divisor: float  # sqrt(d_head)
    raw_scores: Array  # [query, key]
    scores: Array  # [query, key]
    masked_scores: Array  # [query, key]
    steps: SoftmaxSteps
    weighted_values: Array  # [query, key, d_value]
    output: Array  # [query, d_value]

    def __post_init__(self) -> None:
        for value in (*vars(self).values(), *self.steps):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def weights(self) -> Array:
        """[query, key], each row sums to 1, or is 0 if nothing is visible."""
        return self.steps.weights


def two_queries(
    *,
    Q: ArrayLike = QUERIES,
    K: ArrayLike = KEYS,
    V: ArrayLike = VALUES,
    visible: Sequence[bool] = VISIBLE,
) -> ByHand:
    """Let each query look at the visible positions, and keep every step.

    Q: [query, d_head]    K: [key, d_head]    V: [key, d_value]    visible: [key]

    Raises ValueError if shapes disagree or an entry is not finite.

    >>> two_queries().weights.round(3).tolist()
    [[0.804, 0.196, 0.0], [0.196, 0.804, 0.0]]
    >>> two_queries(visible=(True, True, True)).output[0].round(3).tolist()
    [1.783, 1.554]
    """
    Q, K, V = (
        np.array(numbers(name, given, f"{axis} d_head"))
        for name, given, axis in (("Q", Q, "query"), ("K", K, "key"), ("V", V, "key"))
    )
    seen = np.array(visible, dtype=bool)
    if not len(K) == len(V) == len(seen):
        raise ValueError(f"each position needs a key, a value and a switch, but got {len(K)}, {len(V)} and {len(seen)}")
    scores = attention_scores(Q, K)
    hidden = masked_scores(scores, np.broadcast_to(seen, scores.shape))
    steps = softmax_steps(hidden)
    weighted_values = steps.weights[..., None] * V
    return ByHand(
        Q=Q, K=K, V=V, visible=seen, divisor=float(np.sqrt(Q.shape[-1])), raw_scores=attention_scores(Q, K, divisor=1),
        scores=scores, masked_scores=hidden, steps=steps, weighted_values=weighted_values,
        output=weighted_values.sum(axis=1),
    )  # fmt: skip


def lines(by_hand: ByHand) -> list[str]:
    """Both queries, their weights and mixed values to three decimals, a line each."""
    return [
        f"query {_shown(query, 1)}   weights {_shown(weights)}   mixed value {_shown(output)}"
        for query, weights, output in zip(by_hand.Q, by_hand.weights, by_hand.output, strict=True)
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both queries, or what the command line changes about them."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    parser = _parser()
    options = parser.parse_args(arguments)
    given = {"Q": options.query, "K": options.key, "V": options.value, "visible": options.visible}
    try:
        by_hand = two_queries(**{name: value for name, value in given.items() if value is not None})
    except ValueError as refusal:
        parser.error(str(refusal))
    print("\n".join(lines(by_hand)))


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="python -m attention_core.two_queries", description=__doc__)
    pair = _list_of(2, float)
    parser.add_argument("--query", type=pair, action="append", metavar="2,0", help="a query; give it twice for two")
    parser.add_argument("--key", type=pair, action="append", metavar="1,0", help="a key; give it three times")
    parser.add_argument("--value", type=pair, action="append", metavar="1,0", help="a value; give it three times")
    parser.add_argument("--visible", type=_list_of(3, _switch), metavar="1,1,0", help="which positions may be seen")
    return parser


def _list_of(n: int, kind: Callable[[str], float]) -> Callable[[str], tuple[float, ...]]:
    def read(text: str) -> tuple[float, ...]:
        try:
            values = tuple(kind(part) for part in text.split(","))
        except ValueError:
            values = ()
        if len(values) != n or not all(abs(value) <= 1e6 for value in values):
            what = "switches, 0 or 1" if kind is _switch else "numbers within ±1,000,000"
            raise argparse.ArgumentTypeError(f"must be {n} {what}, with commas between, but is {text!r}")
        return values

    return read


def _switch(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError
    return text == "1"


def _shown(values: Array, digits: int = 3) -> str:
    return "[" + ", ".join(f"{value:.{digits}f}" for value in values) + "]"


if __name__ == "__main__":
    main()
