"""The fetches of models: at most one a model at a time for the whole server, and every visitor sees it."""

import threading
from collections.abc import Callable
from typing import Any

from attention_core.models.progress import Progress
from attention_view.own_text.job import Job


class Fetches:
    """What is being fetched, or was, by name.

    fetch: brings the model of a name, and tells how far it is
    """

    def __init__(self, fetch: Callable[[str, Progress], Any]) -> None:
        self._fetch = fetch
        self._jobs: dict[str, Job[Any]] = {}
        self._lock = threading.Lock()

    def start(self, name: str) -> None:
        """Fetch a model, unless it is being fetched already."""
        with self._lock:
            job = self._jobs.get(name)
            if job is None or not job.running:
                self._jobs[name] = Job(lambda tell: self._fetch(name, tell))

    def stop(self, name: str) -> None:
        """Stop a fetch, for everybody."""
        job = self._jobs.get(name)
        if job is not None:
            job.stop()

    def of(self, name: str) -> Job[Any] | None:
        """The fetch of a model, running or ended; None if there was none."""
        return self._jobs.get(name)

    def running(self) -> bool:
        """Whether anything is being fetched."""
        return any(job.running for job in self._jobs.values())
