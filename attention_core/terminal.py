"""The toy in the terminal: a table of weights, one token's arithmetic line by line, or everything as JSON."""

import argparse
import io
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

from attention_core import toy
from attention_core.checks import Array
from attention_core.experiment import Experiment, trace
from attention_core.masks import MASKS
from attention_core.record import AttentionRecord
from attention_core.record_files import record_json

DESCRIPTION = """Attention on the toy sentence: The cat sat on the mat because it was tired (or soft).
Without further options: the weights of one head as a table, a row for each token that asks (query),
a column for each token that is looked at (key). A row sums to 1. A dot marks a key that the mask hides."""


class OneLineParser(argparse.ArgumentParser):
    """A bad value gets one clear line and exit status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see --help)\n")


def begin_output() -> None:
    """Make a command's output ready for any reader: all signs can be written, and a reader may leave early."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # piped into head: stop quietly
    if isinstance(sys.stdout, io.TextIOWrapper):  # it is None where the output is closed
        sys.stdout.reconfigure(encoding="utf-8")  # the arithmetic needs ×, · and −


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what the command line asks for."""
    begin_output()
    options = _parser().parse_args(arguments)
    place = options.token
    experiment = Experiment(
        ending=options.ending, head=options.head, mask=options.mask, ask=9 if place is None else place - 1
    )
    record = trace(experiment)
    if options.json:
        print(record_json(record))
    elif place is None:
        print("\n".join(weights_table_lines(record, experiment)))
    else:
        print("\n".join(arithmetic_lines(record, experiment)))


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog="python -m attention_core",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--ending", choices=toy.ENDINGS, default="tired", help="the last word (default: tired)")
    parser.add_argument("--head", choices=toy.HEAD_NAMES, default="pronoun", help="the head (default: pronoun)")
    parser.add_argument("--mask", choices=MASKS, default="causal", help="causal: no token sees a later one (default)")
    parser.add_argument(
        "--token",
        type=_place,
        metavar="N",
        help="print the arithmetic of token N, from 1 (The) to 10 (the last word)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print every intermediate of all heads by its name, in full precision; "
        "minus infinity (a hidden score) is written as null; --head and --token change nothing here",
    )
    return parser


def _place(text: str) -> int:
    n = len(toy.sentence("tired"))
    place = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
    if not 1 <= place <= n:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {n}, but is {text!r}")
    return place


def weights_table_lines(record: AttentionRecord, experiment: Experiment) -> Iterator[str]:
    """The weights of the shown head: a row for each query, a column for each key."""
    weights = record.weights[experiment.head_index]
    width = max(map(len, (*record.key_tokens, "0.00"))) + 1
    first = max(map(len, record.query_tokens)) + 4
    yield f"{_what(experiment)}: how much each token (row) looks at each token (column)"
    yield ""
    yield " " * first + "".join(f"{token:>{width}}" for token in record.key_tokens) + "   sum"
    for i, (token, row, seen) in enumerate(zip(record.query_tokens, weights, record.mask, strict=True), start=1):
        cells = (f"{weight:.2f}" if visible else "·" for weight, visible in zip(row, seen, strict=True))
        yield (f"{i:>2} {token:<{first - 3}}" + "".join(f"{cell:>{width}}" for cell in cells) + f"{row.sum():>6.2f}")


def arithmetic_lines(record: AttentionRecord, experiment: Experiment) -> Iterator[str]:
    """The arithmetic of the asked token, from its vector to the new one, a line for each step."""
    h, i = experiment.head_index, experiment.ask
    g = record.kv_head(h)
    asks, hands_over = record.query_dimension_names[h], record.value_dimension_names[h]
    token = record.query_tokens[i]
    yield f"token {i + 1}, {token}: {_what(experiment)}. Numbers are rounded to 4 decimals; an entry not named is 0."
    yield ""
    yield f"x      {_named(record.X[i], record.dimension_names)}"
    yield f"query  {_named(record.Q[h, i], asks)}    = x · W_Q"
    yield ""
    yield f"score = (query · key) / {_short(record.divisor)}, then weight = e^score / sum"
    width = max(map(len, record.key_tokens))
    for j, key in enumerate(record.key_tokens):
        yield f"  {key:<{width}}  {_score_line(record, h, g, i, j)}"
    shift = record.shift[h, i, 0]
    moved = f", after taking {_short(shift)} off each score" if shift else ""
    yield f"  sum of e^score = {record.totals[h, i, 0]:.4f}{moved}"
    yield ""
    yield "output = sum of weight × value"
    for j, key in enumerate(record.key_tokens):
        if record.mask[i, j]:
            yield f"  {key:<{width}}  {record.weights[h, i, j]:.4f} × [{_named(record.V[g, j], hands_over)}]"
    yield f"  output of this head  {_named(record.head_outputs[h, i], hands_over)}"
    yield ""
    yield f"all heads joined · W_O  {_named(record.output[i], record.dimension_names)}"
    yield f"new x = x + that        {_named(record.new_X[i], record.dimension_names)}"


def _what(experiment: Experiment) -> str:
    return f"{experiment.head} head, {'causal' if experiment.mask == 'causal' else 'no'} mask"


def _score_line(record: AttentionRecord, h: int, g: int, i: int, j: int) -> str:
    products = " + ".join(f"{_short(q)}×{_short(k)}" for q, k in zip(record.Q[h, i], record.K[g, j], strict=True))
    raw, score = _short(record.raw_scores[h, i, j]), _short(record.scores[h, i, j])
    line = f"{products} = {raw}, / {_short(record.divisor)} = {score}"
    if not record.mask[i, j]:
        return f"{line}, masked: −∞, weight 0"
    return f"{line}, e^score = {record.exponentials[h, i, j]:.4f}, weight {record.weights[h, i, j]:.4f}"


def _named(vector: Array, names: Sequence[str]) -> str:
    """The entries that are not 0, by name."""
    parts = [f"{name} {_short(value)}" for name, value in zip(names, vector, strict=True) if value]
    return ", ".join(parts) or "all 0"


def _short(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("-", "−")
