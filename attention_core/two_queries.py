"""Two queries by hand: three positions, two queries, numbers small enough to redo on paper.

Run it: python -m attention_core.two_queries
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attention_core.attention import SoftmaxSteps, attention_scores, masked_scores, softmax_steps
from attention_core.checks import Array, numbers
from attention_core.given_vectors import record_of_vectors
from attention_core.record import AttentionRecord
from attention_core.setting import Setting, read_switches, read_vector, shown
from attention_core.terminal import OneLineParser, begin_output

LESSON = Setting()


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
    Q: ArrayLike = LESSON.Q,
    K: ArrayLike = LESSON.K,
    V: ArrayLike = LESSON.V,
    visible: Sequence[bool] = LESSON.visible,
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
    for name, array in (("Q", Q), ("K", K), ("V", V)):
        if array.ndim != 2:
            raise ValueError(f"{name} must have two axes, one row for each vector, but its shape is {array.shape}")
    seen = np.array(visible)
    if seen.ndim != 1 or seen.dtype.kind not in "bi" or not np.isin(seen, (0, 1)).all():
        raise ValueError(f"visible must say true or false for each position, but is {visible!r}")
    seen = seen.astype(bool)
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


def as_record(by_hand: ByHand, *, query_names: Sequence[str], key_names: Sequence[str]) -> AttentionRecord:
    """The same numbers as the record of one head whose queries, keys and values are given: no token vector and no
    matrix stands before them (d_model is 0), and nothing after the mixed values."""
    return record_of_vectors(
        by_hand.Q[None],
        by_hand.K[None],
        by_hand.V[None],
        mask=np.broadcast_to(by_hand.visible, by_hand.scores.shape),
        query_tokens=query_names,
        key_tokens=key_names,
        head_names=("only",),
    )


def lines(by_hand: ByHand) -> list[str]:
    """Both queries, their weights and mixed values to three decimals, a line each."""
    nothing = "" if by_hand.visible.any() else "   (it may look at nothing)"
    return [
        f"query [{shown(query).replace(',', ', ')}]   weights {_rounded(weights)}   "
        f"mixed value {_rounded(output)}{nothing}"
        for query, weights, output in zip(by_hand.Q, by_hand.weights, by_hand.output, strict=True)
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both queries, or what the command line changes about them."""
    begin_output()
    parser = _parser()
    options = parser.parse_args(_joined(sys.argv[1:] if arguments is None else arguments))
    try:
        setting = Setting(
            **{field.name: _chosen(getattr(options, field.name), field.default) for field in fields(LESSON)}
        )
    except ValueError as refusal:
        parser.error(str(refusal))
    print("\n".join(lines(two_queries(**vars(setting)))))


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="python -m attention_core.two_queries", description=__doc__)
    for array, name, n in (("Q", "query", "two"), ("K", "key", "three"), ("V", "value", "three")):
        more = f"a {name}; the first one given replaces the first, and so on, up to {n}"
        parser.add_argument(f"--{name}", dest=array, type=_read(read_vector), action="append", metavar="2,0", help=more)
    seen = "which positions may be looked at (default: 1,1,0)"
    parser.add_argument("--visible", type=_read(read_switches), metavar="1,1,0", help=seen)
    return parser


def _joined(arguments: Sequence[str]) -> list[str]:
    """`--query -1,0` as `--query=-1,0`: argparse would take -1,0 for an option."""
    return re.sub(r"(^|\0)(--\w+)\0(-[\d.])", r"\1\2=\3", "\0".join(arguments)).split("\0") if arguments else []


def _chosen(given: Any, usual: Any) -> Any:
    """What was given, and for vectors that were not given the usual ones."""
    return usual if given is None else (*given, *usual[len(given) :])


def _read(reader: Callable[[str], Any]) -> Callable[[str], Any]:
    """A reader for argparse, which prints the message of this error alone."""

    def read(text: str) -> Any:
        try:
            return reader(text)
        except ValueError as refusal:
            raise argparse.ArgumentTypeError(str(refusal)) from None

    return read


def _rounded(values: Array) -> str:
    return "[" + ", ".join(f"{value + 0.0:.3f}" for value in values.round(3)) + "]"


if __name__ == "__main__":
    main()
