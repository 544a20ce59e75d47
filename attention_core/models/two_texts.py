"""Two texts that begin alike, read by one model: which rows of weights differ, and by how much."""

from dataclasses import dataclass

import numpy as np

from attention_core.checks import Array
from attention_core.models.run import Run


@dataclass(frozen=True, kw_only=True)
class EarlierRows:
    """How much the rows of the tokens that two texts share differ, over all heads of all layers."""

    n_shared: int  # tokens that both texts begin with
    largest: float  # the largest difference of a weight in those rows; 0 if there are none


def n_shared(first: Run, second: Run) -> int:
    """How many tokens two texts have in common before the first that differs."""
    pairs = list(zip(first.pieces, second.pieces, strict=False))
    return next((place for place, (a, b) in enumerate(pairs) if a != b), len(pairs))


@dataclass(frozen=True, eq=False, kw_only=True)
class LastRows:
    """The last row of each of two texts in one head, and what changes from the first to the second."""

    first: Array  # [key]
    second: Array  # [key]
    change: Array  # [n_shared], second minus first, of the tokens that both texts begin with


def last_rows(first: Run, second: Run, layer: int, head: int) -> LastRows:
    """What the last token of each text looks at in one head."""
    n = n_shared(first, second)
    rows = [run.record(layer, [head], query=run.n_tokens - 1).weights[0, 0] for run in (first, second)]
    return LastRows(first=rows[0], second=rows[1], change=rows[1][:n] - rows[0][:n])


def earlier_rows(first: Run, second: Run) -> EarlierRows:
    """How much a later word changes the rows of the tokens before it.

    A row of a text has a weight for each of its own tokens; those of the shared tokens are compared.

    Raises ValueError if the texts were read by models of other sizes.
    """
    if first.settings != second.settings:
        raise ValueError(
            f"both texts must be read by one model, but were read by {first.settings.name} and {second.settings.name}"
        )
    n = n_shared(first, second)
    return EarlierRows(n_shared=n, largest=max((_difference(first, second, i, n) for i in range(n)), default=0.0))


def _difference(first: Run, second: Run, query: int, n: int) -> float:
    rows: list[Array] = [run.weights_of(query)[..., :n] for run in (first, second)]
    return float(np.abs(rows[0] - rows[1]).max())
