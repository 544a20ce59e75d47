"""The gallery as a table: every head by group, with what it looks at most and how clearly it follows each role."""

import html
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from attention_core.checks import Array
from attention_core.models.small_maps import SmallMaps
from attention_view.head_gallery.groups import Group, check_groups
from attention_view.head_gallery.message import strongest_phrases
from attention_view.numbers import number
from attention_view.table_parts import cell, heading_row, row, table


def gallery_twin(
    maps: SmallMaps, *, groups: Sequence[Group], tokens: Sequence[str], scores: Mapping[str, ArrayLike] | None = None
) -> str:
    """All heads as a table, a group after the other.

    scores: [layer, head] by the name of the role they are of; NaN where no token of the text has a choice

    Raises ValueError if the groups, the tokens or the scores do not fit the maps.
    """
    sizes = maps.cells.shape[:2]
    check_groups(groups, n_layers=sizes[0], n_heads=sizes[1])
    columns = {name: _fitting(name, np.asarray(values), sizes) for name, values in (scores or {}).items()}
    phrases = np.array(strongest_phrases(maps, tokens)).reshape(sizes)
    body = (line for group in groups for line in _lines(group, phrases, columns))
    return table(
        body,
        caption="All heads, by what they look at",
        head=heading_row(["head", "group", "largest weight", *map(html.escape, columns)]),
        style="av-twin",
    )


def _lines(group: Group, phrases: Array, columns: Mapping[str, Array]) -> Iterator[str]:
    for layer, head in group.heads:
        said = str(phrases[layer, head]).removeprefix("strongest: ")
        cells = [cell(html.escape(group.name)), cell(f"<bdi>{html.escape(said)}</bdi>")]
        yield row(f"layer {layer}, head {head}", cells + [_score(values[layer, head]) for values in columns.values()])


def _score(value: float) -> str:
    """A score; a dash where no token has a choice."""
    if np.isnan(value):
        return '<td>–<span class="av-visually-hidden"> no token has a choice</span></td>'
    return cell(number(float(value)))


def _fitting(name: str, values: Array, sizes: tuple[int, ...]) -> Array:
    if values.shape != sizes:
        raise ValueError(f"{name} must have a score for each head, {list(sizes)}, but its shape is {values.shape}")
    return values
