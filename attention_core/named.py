"""Numbers of a record by their names: weights[pronoun, it, cat] is one entry, weights[pronoun, it, *] a whole row.

Along each axis stands the name of a head, a token or a dimension; `last` is the last token, `#3` the third of its axis.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from attention_core.checks import Array
from attention_core.record import AttentionRecord

AXES = {
    "X": "query dimension", "X_key": "key dimension", "output": "query dimension", "new_X": "query dimension",
    "W_Q": "head dimension asks", "W_K": "kv_head dimension asks", "W_V": "kv_head dimension hands_over",
    "W_O": "joined dimension", "joined": "query joined", "heads_on": "head", "mask": "query key", "empty_rows": "query",
    "Q": "head query asks", "K": "kv_head key asks", "V": "kv_head key hands_over",
    "raw_scores": "head query key", "scores": "head query key", "masked_scores": "head query key",
    "exponentials": "head query key", "shares": "head query key", "weights": "head query key",
    "weighted_values": "head query key hands_over", "head_outputs": "head query hands_over",
}  # fmt: skip
TOKENS = {"query": "token that asks", "key": "token that is looked at"}
IN_WORDS = {**TOKENS, "kv_head": "head", "asks": "dimension", "hands_over": "dimension", "joined": "head and dimension"}
ENTRY = re.compile(r"\s*(\w+)\s*\[([^\[\]]*)\]\s*", re.ASCII)


class Named(NamedTuple):
    """What a text names: one number, or a row of them along the axis where `*` stands."""

    array: str
    names: tuple[str, ...]  # one for each axis of the array
    places: tuple[int | None, ...]  # the same as numbers; None where the row is open
    axis: str  # the open one, or ""
    along: tuple[str, ...]  # the names of the row's entries
    values: Array  # [along], or a single number


def named(record: AttentionRecord, text: str, *, called: Mapping[str, str] | None = None) -> Named:
    """Read an entry or a row of a record. `called` gives further words for names, such as {"shown": "sink"}.

    >>> from attention_core import Experiment, trace
    >>> named(trace(Experiment()), "K[pronoun, cat, *]").values.tolist()
    [2.0, 0.0, 0.0, 0.0]

    Raises ValueError for a text of another form or a name that does not exist, saying what exists.
    """
    array, names = _parts(text)
    head, axis = 0, ""
    along: tuple[str, ...] = ()
    places: list[int | None] = []
    for i, on in enumerate(AXES[array].split()):
        known = _known(record, on, head)
        if names[i] == "*":
            axis, along = on, known
            places.append(None)
            continue
        place = _place(known, (called or {}).get(names[i], names[i]), on)
        head = place if on in ("head", "kv_head") else head
        places.append(record.kv_head(place) if on == "kv_head" else place)
        names[i] = known[place]
    values = getattr(record, array)[tuple(slice(None) if place is None else place for place in places)]
    return Named(array, tuple(names), tuple(places), axis, along, values)


def _parts(text: str) -> tuple[str, list[str]]:
    """The array that a text names, and what it says along each of its axes."""
    found = ENTRY.fullmatch(text)
    if not found:
        raise ValueError(f"an entry must read like weights[pronoun, it, cat], but it reads {text!r}")
    array, names = found[1], [name.strip() for name in found[2].split(",")]
    if array not in AXES:
        raise ValueError(f"an entry must be of one of {', '.join(AXES)}, but it is of {array!r}")
    axes = AXES[array].split()
    if len(names) != len(axes):
        raise ValueError(f"{array} must be given as {array}[{', '.join(map(_in_words, axes))}], but it reads {text!r}")
    if names.count("*") > 1 or any(name == "*" and "head" in on for on, name in zip(axes, names, strict=True)):
        raise ValueError(f"* may stand once, and not for the head, but it reads {text!r}")
    return array, names


def _known(record: AttentionRecord, axis: str, head: int) -> tuple[str, ...]:
    """The names along an axis; those of a head's own dimensions belong to `head`."""
    if axis == "joined":
        each = zip(record.head_names, record.value_dimension_names, strict=True)
        return tuple(f"{name} {dimension}" for name, dimensions in each for dimension in dimensions)
    return {
        "head": record.head_names,
        "kv_head": record.head_names,
        "query": record.query_tokens,
        "key": record.key_tokens,
        "dimension": record.dimension_names,
        "asks": record.query_dimension_names[head],
        "hands_over": record.value_dimension_names[head],
    }[axis]


def _place(known: Sequence[str], name: str, axis: str) -> int:
    """The place of a name among the known ones."""
    if name == "last" and axis in TOKENS:
        return len(known) - 1
    if name.startswith("#") and name[1:].isdecimal() and 1 <= int(name[1:]) <= len(known):
        return int(name[1:]) - 1
    places = [place for place, other in enumerate(known) if other == name]
    if len(places) == 1:
        return places[0]
    if places:
        raise ValueError(f"{name!r} names {len(places)} tokens: say {' or '.join(f'#{n + 1}' for n in places)}")
    more = ", or last" if axis in TOKENS else ""
    raise ValueError(f"the {_in_words(axis)} must be one of {', '.join(known)}{more}, but it is {name!r}")


def _in_words(axis: str) -> str:
    return IN_WORDS.get(axis, axis)
