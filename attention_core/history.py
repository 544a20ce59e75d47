"""What was done, step by step, so that it can be undone and redone."""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

State = TypeVar("State")
MOST_STEPS = 1_000  # so many can be undone


@dataclass(frozen=True)
class History(Generic[State]):
    """A state that changes in steps. Each step gives a new history; none of them is ever altered.

    >>> h = History(1).changed(2).changed(3)
    >>> h.undone().present, h.undone().redone().present
    (2, 3)
    """

    present: State
    past: tuple[State, ...] = ()
    future: tuple[State, ...] = ()  # what was undone, the next to redo first

    def changed(self, state: State) -> "History[State]":
        """One step further; what was undone can no longer be redone. The same state again is no step."""
        if state == self.present:
            return self
        return History(state, (*self.past, self.present)[-MOST_STEPS:])

    def undone(self) -> "History[State]":
        """One step back, or the same if there is none."""
        if not self.past:
            return self
        return replace(self, present=self.past[-1], past=self.past[:-1], future=(self.present, *self.future))

    def redone(self) -> "History[State]":
        """One step forward again, or the same if nothing was undone."""
        if not self.future:
            return self
        return replace(self, present=self.future[0], past=(*self.past, self.present), future=self.future[1:])
