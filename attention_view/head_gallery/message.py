"""What the gallery sends to the browser: words as JSON, and all maps as bytes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attention_core.models.small_maps import SmallMaps
from attention_view.head_gallery.groups import Group, Head, check_groups, check_marked
from attention_view.layout import Layout, is_turned
from attention_view.numbers import weight_number
from attention_view.tokens import distinct_names, isolated, showable

MASKED = 255  # the byte of a cell that the mask hides
ONE = 254  # the byte of the weight 1


def gallery_words(
    maps: SmallMaps, *, groups: Sequence[Group], tokens: Sequence[str], layout: Layout, marked: Mapping[Head, str]
) -> dict[str, Any]:
    """All that the gallery says, ready for JSON.

    Raises ValueError if the groups do not hold each head once, a marked head is none of them or the tokens are not
    those of the maps.
    """
    n_layers, n_heads = maps.cells.shape[:2]
    check_groups(groups, n_layers=n_layers, n_heads=n_heads)
    check_marked(marked, n_layers=n_layers, n_heads=n_heads)
    phrases = strongest_phrases(maps, tokens)
    rows, columns = maps.seen.T.shape if is_turned(layout) else maps.seen.shape
    return {
        "layers": n_layers,
        "heads": n_heads,
        "rows": rows,
        "columns": columns,
        "groups": [
            [group.name, group.why, [layer * n_heads + head for layer, head in group.heads]] for group in groups
        ],
        "folding": [place for place, group in enumerate(groups) if group.folds],
        "strongest": phrases,
        "masks": bool(not maps.seen.all()),
        "marked": {layer * n_heads + head: said for (layer, head), said in marked.items()},
        "caption": " ".join([caption(maps, tokens=tokens, layout=layout), *marks_sentence(marked)]),
    }


def cell_bytes(maps: SmallMaps, *, layout: Layout) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A byte a cell, as it is drawn: [layer, head, row, column], from 0 for the weight 0 to ONE for 1, else MASKED."""
    shades = np.rint(np.clip(maps.cells, 0, 1) * ONE).astype(np.uint8)
    shades = np.where(maps.seen, shades, np.uint8(MASKED))
    return np.ascontiguousarray(np.swapaxes(shades, -1, -2) if is_turned(layout) else shades)


def new_pick(told: object, memory: Mapping[str, Any]) -> tuple[int | None, int]:
    """The head that the browser tells of, counted through all layers, and the serial number of the pick.

    No head if it is none of the gallery's, or if it comes from an earlier visit or after a newer pick.

    memory: the gallery's "session", "sizes" (layers, heads), and the serial number of the last pick "seen"
    """
    n_layers, n_heads = memory["sizes"]
    match told:
        case {"session": session, "head": int(head), "serial": int(serial)} if (
            session == memory["session"] and 0 <= head < n_layers * n_heads and serial > memory["seen"]
        ):
            return head, serial
    return None, memory["seen"]


def strongest_phrases(maps: SmallMaps, tokens: Sequence[str]) -> list[str]:
    """The largest weight of each head in words, or that its map is even, in the order of layers and heads.

    Raises ValueError if the tokens are not those of the maps.
    """
    if len(tokens) != maps.n_tokens:
        raise ValueError(f"there must be a token for each of {maps.n_tokens} queries, but there are {len(tokens)}")
    names = distinct_names(tokens)
    places, largest, even = maps.strongest.reshape(-1, 2).tolist(), maps.largest.ravel().tolist(), maps.even.ravel()
    return [
        _phrase(names, query, key, weight, asked=maps.ask is not None, even=bool(is_even))
        for (query, key), weight, is_even in zip(places, largest, even, strict=True)
    ]


def _phrase(names: Sequence[str], query: int, key: int, weight: float, *, asked: bool, even: bool) -> str:
    if query < 0:
        return "no token has a choice"
    if even:
        return f"{names[query]} looks evenly: no key stands out" if asked else "even: no key stands out"
    said = weight_number(weight, 2)
    other = "itself" if query == key else names[key]
    return f"{names[query]} looks most at {other}, {said}" if asked else f"strongest: {names[query]} to {other}, {said}"


def caption(maps: SmallMaps, *, tokens: Sequence[str], layout: Layout) -> str:
    """How the small maps are read, and what is left out of them."""
    lines = ("columns", "rows") if is_turned(layout) else ("rows", "columns")
    said = [f"A small map for each head: {lines[0]} are queries (ask), {lines[1]} are keys (are looked at)."]
    if maps.block > 1:
        said.append(
            f"The text has {maps.n_tokens} tokens, so a cell is a block of {maps.block} × {maps.block} pairs and shows "
            "the largest weight in it."
        )
    if maps.hides_first:
        said.append(f"What the first token, {isolated(showable(tokens[0]))}, gets is left out.")
    return " ".join(said)


def marks_sentence(marked: Mapping[Head, str]) -> list[str]:
    """What the dots mean, if there are any."""
    named = [f"layer {layer}, head {head} ({said})" for (layer, head), said in marked.items()]
    return [f"A dot marks {'; '.join(named)}."] if named else []
