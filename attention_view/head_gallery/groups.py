"""The heads of a model in groups, by what they look at."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Head = tuple[int, int]  # layer and head, from 0


class Group(NamedTuple):
    """Some heads, what they have in common, and why that is said of them.

    Of a group that folds, one line is shown until the reader asks for all.
    """

    name: str
    why: str
    heads: Sequence[Head]
    folds: bool = False


def check_marked(marked: Iterable[Head], *, n_layers: int, n_heads: int) -> None:
    """See that every marked head exists.

    Raises ValueError naming one that does not.
    """
    for layer, head in marked:
        if not (0 <= layer < n_layers and 0 <= head < n_heads):
            raise ValueError(
                f"a marked head must be one of layers 0 to {n_layers - 1} with heads 0 to {n_heads - 1}, "
                f"but it is layer {layer}, head {head}"
            )


def check_groups(groups: Sequence[Group], *, n_layers: int, n_heads: int) -> None:
    """See that every head stands in exactly one group.

    Raises ValueError naming a head that is missing, stands twice or does not exist.
    """
    times = Counter((layer, head) for group in groups for layer, head in group.heads)
    heads = {(layer, head) for layer in range(n_layers) for head in range(n_heads)}
    rules = {
        f"the model has layers 0 to {n_layers - 1} with heads 0 to {n_heads - 1}": times.keys() - heads,
        "every head must stand in one group": heads - times.keys(),
        "no head may stand in two groups": {head for head in times if times[head] > 1},
    }
    for rule, wrong in rules.items():
        for layer, head in sorted(wrong)[:1]:
            raise ValueError(f"{rule}, which does not hold for layer {layer}, head {head}")
    if not all(group.name for group in groups):
        raise ValueError("every group must have a name, but one has none")
