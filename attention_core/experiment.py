"""An experiment is everything that a person chose, as one small frozen value; `trace` turns it into numbers."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from attention_core import toy
from attention_core.attention import causal_mask
from attention_core.edits import EDITABLE, Edit
from attention_core.layer import attention_record
from attention_core.record import AttentionRecord, Names
from attention_core.variants import VARIANTS

MASKS = ("causal", "none")
LONGEST_LINK_VALUE = 4_000


@dataclass(frozen=True)
class Experiment:
    """What is looked at: sentence ending, mask, heads switched on, the shown head, the token that asks, edits, variant.

    Raises ValueError if a field holds something that does not exist, naming what would.
    """

    ending: str = "tired"
    mask: str = "causal"
    head: str = "pronoun"  # the head that is shown
    ask: int = 9  # the place of the token that asks, from 0
    heads: tuple[str, ...] = toy.HEAD_NAMES  # the heads that are switched on
    edits: tuple[Edit, ...] = ()
    variant: str = "right"

    def __post_init__(self) -> None:
        for field, known in (
            ("ending", toy.ENDINGS),
            ("mask", MASKS),
            ("head", toy.HEAD_NAMES),
            ("variant", tuple(VARIANTS)),
        ):
            _require_one_of(known, field, getattr(self, field))
        for head in self.heads:
            _require_one_of(toy.HEAD_NAMES, "heads", head)
        object.__setattr__(self, "heads", tuple(head for head in toy.HEAD_NAMES if head in self.heads))
        if not (type(self.ask) is int and 0 <= self.ask < len(self.tokens)):
            raise ValueError(f"ask must be a place from 0 to {len(self.tokens) - 1}, but it is {self.ask!r}")
        object.__setattr__(self, "edits", tuple(Edit(*edit) for edit in self.edits))
        for edit in self.edits:
            _require_one_of(EDITABLE, "the array of an edit", edit.array)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the sentence."""
        return toy.sentence(self.ending)

    @property
    def head_index(self) -> int:
        """The place of the shown head among the heads of a record."""
        return toy.HEAD_NAMES.index(self.head)

    def link(self) -> dict[str, str]:
        """The text form for an address: only what differs from the default. The token that asks counts from 1.

        >>> Experiment(ending="soft", ask=7).link()
        {'ending': 'soft', 'ask': '8'}
        """
        return {
            field.name: TEXT_FORMS[field.name][0](getattr(self, field.name))
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    @classmethod
    def from_link(cls, link: Mapping[str, str]) -> "Experiment":
        """Read the text form. What is missing, broken or unknown falls back to its default; other names are ignored.

        >>> Experiment.from_link({"ending": "soft", "ask": "99", "utm": "x"}) == Experiment(ending="soft")
        True
        """
        experiment = cls()
        for name, (_, read) in TEXT_FORMS.items():
            text = link.get(name)
            if not isinstance(text, str) or len(text) > LONGEST_LINK_VALUE:
                continue
            try:
                changed = replace(experiment, **{name: read(text)})
                trace(changed)  # an edit may name a place that does not exist
            except ValueError:
                continue
            experiment = changed
        return experiment


def trace(experiment: Experiment) -> AttentionRecord:
    """Every number of an experiment. The same experiment always gives the same numbers.

    Raises ValueError if an edit names a place that does not exist.

    >>> weights = trace(Experiment(ending="soft")).weights
    >>> weights.shape, round(float(weights[0, 9, 5]), 3)
    ((3, 10, 10), 0.858)
    """
    tokens = experiment.tokens
    n = len(tokens)
    variant = VARIANTS[experiment.variant]
    return attention_record(
        toy.token_vectors(tokens, positions=variant.positions),
        toy.input_matrix("W_Q"),
        toy.input_matrix("W_K"),
        toy.input_matrix("W_V"),
        toy.output_matrix(),
        mask=causal_mask(n) if experiment.mask == "causal" else np.ones((n, n), dtype=bool),
        heads_on=[head in experiment.heads for head in toy.HEAD_NAMES],
        edits=experiment.edits,
        variant=variant,
        names=Names(
            query_tokens=tokens,
            key_tokens=tokens,
            head_names=toy.HEAD_NAMES,
            dimension_names=toy.DIMENSIONS,
            query_dimension_names=tuple(head.asks for head in toy.HEADS.values()),
            value_dimension_names=tuple(head.hands_over for head in toy.HEADS.values()),
        ),
    )


def _require_one_of(known: tuple[str, ...], what: str, given: object) -> None:
    if given not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}, but it is {given!r}")


def _read_heads(text: str) -> tuple[str, ...]:
    return () if text == "none" else tuple(text.split(","))


def _write_edits(edits: tuple[Edit, ...]) -> str:
    return ";".join(f"{array}[{','.join(map(str, place))}]={value!r}" for array, place, value in edits)


def _read_edits(text: str) -> tuple[Edit, ...]:
    return tuple(_read_edit(part) for part in text.split(";"))


def _read_edit(text: str) -> Edit:
    """Read one edit, as in scores[0,9,1]=2.5 (array, place, value)."""
    match = re.fullmatch(r"(\w+)\[((?:\d{1,4}(?:,\d{1,4})*)?)\]=(\S{1,24})", text, re.ASCII)
    if not match:
        raise ValueError(f"an edit must read like scores[0,9,1]=2.5, but it reads {text!r}")
    array, place, value = match.groups()
    return Edit(array, tuple(map(int, filter(None, place.split(",")))), float(value))


TEXT_FORMS: dict[str, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    "ending": (str, str),
    "mask": (str, str),
    "head": (str, str),
    "ask": (lambda place: str(place + 1), lambda text: int(text) - 1),
    "heads": (lambda heads: ",".join(heads) or "none", _read_heads),
    "edits": (_write_edits, _read_edits),
    "variant": (str, str),
}
