"""The models that the server has in memory: a few, shared by all visitors, each read by one of them at a time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from attention_core.models.progress import Progress
from attention_view.own_text.job import Job
from attention_view.own_text.memory import give_memory_back

MOST_MODELS = 2  # in memory at a time
ASK_AGAIN = 0.1  # seconds between two looks whether a model is free


@dataclass(eq=False)
class Held:
    """A model in memory or on its way there."""

    job: Job[Any]  # its result is the model
    wishes: set[str]  # the visits that wait for it
    in_use: threading.Lock = field(default_factory=threading.Lock)
    user: str = ""  # the visit that reads or writes with it just now
    used: float = 0.0  # when it was last asked for

    def model(self) -> Any:
        """The model. Keep it no longer than it is used: who asks anew holds up nothing that others unload.

        Raises ValueError if it is not in memory, or not any more.
        """
        model = self.job.result
        if model is None:
            raise ValueError("The model is not in memory any more: it was unloaded. Load it again.")
        return model


class Store:
    """At most so many models; the one that was asked for longest ago makes room.

    alive: whether a visit is still there; loading ends when nobody waits for it any more
    """

    def __init__(self, alive: Callable[[str], bool], most: int = MOST_MODELS) -> None:
        self._alive, self._most = alive, most
        self._held: dict[str, Held] = {}
        self._lock = threading.Lock()

    def wish(self, key: str, visit: str, load: Callable[[Progress], Any]) -> Held:
        """The model of a key, for a visit: in memory, on its way, or from now on loading.

        A load that was refused or stopped stays so until it is forgotten.
        """
        with self._lock:
            if key not in self._held:
                self._make_room()
                self._held[key] = self._loading(load)
            held = self._held[key]
            held.wishes.add(visit)
            held.used = time.monotonic()
            return held

    def found(self, key: str) -> Held | None:
        """The model of a key if it is in memory, on its way or refused."""
        return self._held.get(key)

    def withdraw(self, key: str, visit: str) -> None:
        """A visit waits no longer; a load that nobody waits for ends and is forgotten."""
        with self._lock:
            held = self._held.get(key)
            if held is not None:
                held.wishes.discard(visit)
                if not held.wishes and held.job.result is None:
                    held.job.stop()
                    del self._held[key]

    def unload(self, key: str) -> None:
        """Forget a model, and give its memory back; whoever reads with it just now keeps it until the end."""
        with self._lock:
            held = self._held.pop(key, None)
        if held is not None:
            held.job.forget()
            give_memory_back()

    def names(self) -> list[str]:
        """The keys of all models in memory or on their way."""
        return list(self._held)

    def _loading(self, load: Callable[[Progress], Any]) -> Held:
        wishes: set[str] = set()

        def wanted() -> bool:
            return not wishes or any(map(self._alive, list(wishes)))

        return Held(Job(load, wanted=wanted), wishes)

    def _make_room(self) -> None:
        """Forget models that were asked for longest ago until one more fits."""
        while len(self._held) >= self._most:
            oldest = min(self._held, key=lambda key: self._held[key].used)
            self._held.pop(oldest).job.forget()
            give_memory_back()


@contextmanager
def turn(held: Held, visit: str, tell: Progress, say_waiting: Callable[[bool], None]) -> Iterator[None]:
    """Wait until nothing else is done with the model, then let a visit have it alone.

    Each look calls `tell`, which may end the waiting, also when the turn has come.
    """
    say_waiting(True)
    while not held.in_use.acquire(timeout=ASK_AGAIN):
        tell(0.0)
    say_waiting(False)
    held.user = visit
    try:
        tell(0.0)
        yield
    finally:
        held.user = ""
        held.in_use.release()
