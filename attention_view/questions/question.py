"""A question, as a value: what is asked, of which experiment, and where the answer can be seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Literal, NamedTuple

from attention_core import AttentionRecord, Experiment, toy, trace
from attention_core.conditions import Comparison, comparisons
from attention_core.masks import MASKS
from attention_core.named import Named, named

Kind = Literal["click", "bars", "switch", "choice"]
SETTINGS: dict[str, tuple[object, ...]] = {  # what a switch question can let the learner set, and to what
    "ending": toy.ENDINGS,
    "mask": MASKS,
    "head": toy.HEAD_NAMES,
    "heads": tuple(
        tuple(head for head, on in zip(toy.HEAD_NAMES, switches, strict=True) if on)
        for switches in product((True, False), repeat=len(toy.HEAD_NAMES))
    ),
}


class Option(NamedTuple):
    """One answer of a choice, and why it is right or wrong."""

    text: str
    reason: str
    right: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question of the file. A live one names numbers of the record and holds no answer."""

    id: str
    kind: Kind
    page: str  # the stem of the page that settles it
    link: str  # the address of that page with the experiment in it
    text: str  # Markdown, like the reasons
    reason: str = ""  # why the right answer is right
    confusion: str = ""  # what it is to settle
    experiment: Experiment = field(default_factory=Experiment)
    pictured: bool = True  # whether a picture stands beside it
    named: str = ""  # click and bars: a row of the record; switch: a condition on it
    least: bool = False  # click: the smallest entry of the row is meant
    ties: bool = False  # click: any of several equal ones is right
    within: float = 0.15  # bars: how much of the weight may lie elsewhere
    switches: tuple[str, ...] = ()  # switch: what can be set, of SETTINGS
    options: tuple[Option, ...] = ()  # choice
    because: Mapping[str, str] = field(default_factory=dict)  # why a wrong answer is wrong

    @property
    def live(self) -> bool:
        """Whether it is answered on the picture and judged by the record."""
        return self.kind != "choice"

    def record(self) -> AttentionRecord:
        """The numbers of its experiment."""
        return trace(self.experiment)

    def row(self) -> Named:
        """The row of the record that a click or bars are about."""
        return named(self.record(), self.named, called=_called(self.experiment))

    def parts(self, experiment: Experiment) -> list[Comparison]:
        """The comparisons of a switch question's condition, in an experiment."""
        return comparisons(trace(experiment), self.named, called=_called(experiment))


def _called(experiment: Experiment) -> dict[str, str]:
    return {"shown": experiment.head}
