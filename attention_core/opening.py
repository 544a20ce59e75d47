"""Opening a number: how one number of a record comes from others, one step at a time, down to what was given."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from attention_core import steps_of_vectors as vectors
from attention_core import steps_to_scores as scores
from attention_core import steps_to_weights as weights
from attention_core.addresses import Address, read_address, value_at
from attention_core.in_words import name_of
from attention_core.record import AttentionRecord
from attention_core.step import Part, Step, Term

__all__ = ["Address", "Before", "Opening", "Part", "Step", "Term", "opening", "read_address"]

STEPS: dict[str, Callable[..., Step]] = {
    "divisor": scores.divisor, "raw_scores": scores.raw_score, "scores": scores.score, "mask": scores.mask,
    "masked_scores": scores.masked_score, "shift": weights.shift, "exponentials": weights.exponential,
    "totals": weights.total, "shares": weights.share, "weights": weights.weight, "mean": weights.mean,
    "weighted_values": vectors.weighted_value, "head_outputs": vectors.head_output, "heads_on": vectors.head_switch,
    "joined": vectors.joined_entry, "output": vectors.output_entry, "new_X": vectors.new_entry,
}  # fmt: skip
STEPS_BY_NAME: dict[str, Callable[..., Step]] = {  # one for several arrays
    **dict.fromkeys(("X", "X_key"), vectors.token_entry),
    **dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), vectors.matrix_entry),
    **dict.fromkeys(("Q", "K", "V"), vectors.projected),
}
NO_LONGER_FED = {
    "scores": " The query, the key and the divisor no longer feed it.",
    "V": " The token's vector and W_V no longer feed it.",
    "divisor": " The length of the vectors no longer feeds it.",
}


@dataclass(frozen=True)
class Opening:
    """One number, and the step that gives it."""

    address: Address
    name: str
    step: Step
    otherwise: Step | None = None  # of a number that the learner set: what would stand there

    @property
    def value(self) -> float:
        """The number itself."""
        return self.step.value


class Before(Protocol):
    """What stands before the numbers that a record has as given, where somebody can tell."""

    arrays: tuple[str, ...]  # it knows the numbers of these

    def opening(self, address: Address) -> Opening:
        """How a number comes from others. Raises ValueError if there is no such number."""
        ...

    def require(self, address: Address) -> None:
        """Raise ValueError if there is no such number."""
        ...


def opening(record: AttentionRecord, array: str, place: tuple[int, ...] = ()) -> Opening:
    """How the number at a place of an array comes from others.

    >>> from attention_core import Experiment, trace
    >>> step = opening(trace(Experiment()), "scores", (0, 9, 1)).step
    >>> step.kind, step.value, [term.parts[0].value for term in (*step.terms, *step.over)]
    ('quotient', 4.0, [8.0, 2.0])

    Raises ValueError if the record has no such place.
    """
    address = Address(array, tuple(place))
    value = value_at(record, address)
    usual = STEPS[array](record, *place) if array in STEPS else STEPS_BY_NAME[array](record, array, *place)
    name = name_of(record, address)
    if not _is_set(record, address):
        return Opening(address, name, usual)
    before = dict(zip(((edit.array, edit.place) for edit in record.edits), record.unedited, strict=False))
    otherwise = usual._replace(value=before[address]) if address in before else None
    return Opening(address, name, Step("given", value, why=f"You set it.{NO_LONGER_FED.get(array, '')}"), otherwise)


def _is_set(record: AttentionRecord, address: Address) -> bool:
    """Whether the learner set a number, and the variant uses what was set."""
    array, place = address
    if not any((edit.array, edit.place) == address for edit in record.edits):
        return False
    if array == "W_K" and record.variant.keys_by == "W_Q":
        return False
    return array not in ("W_Q", "W_K", "W_V") or vectors.in_own_slice(record, array, place)
