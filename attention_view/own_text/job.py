"""One piece of long work in a thread of its own: how far it is, a way to stop it, and what came of it.

The thread never touches Streamlit: it writes to its job, and whoever draws the page reads from there.
"""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attention_core.models.progress import Progress, Stopped
from attention_core.models.refusal import printable

Result = TypeVar("Result")
LONGEST_LINE = 300  # letters of a refusal that a page repeats


class Job(Generic[Result]):
    """Work that runs at once. `work` gets a function to call with the share that is done; that call may end it.

    wanted: whether anybody still waits for it; asked at each step, so that work for a visitor who has left ends
    """

    def __init__(self, work: Callable[[Progress], Result], *, wanted: Callable[[], bool] = lambda: True) -> None:
        self.fraction = 0.0
        self.result: Result | None = None
        self.refusal = ""  # one line that says why there is no result
        self._work: Callable[[Progress], Result] | None = work
        self._wanted = wanted
        self._stop, self._done, self._end = threading.Event(), threading.Event(), threading.Lock()
        self._forgotten = False
        threading.Thread(target=self._run, daemon=True).start()

    @property
    def running(self) -> bool:
        return not self._done.is_set()

    @property
    def stopped(self) -> bool:
        """Whether it was asked to stop; it ends at its next step."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask it to end at its next step."""
        self._stop.set()

    def forget(self) -> None:
        """Let go of what came of it, or will come, and ask it to end: whoever holds the job holds no result."""
        self.stop()
        with self._end:
            self._forgotten, self.result = True, None

    def wait(self, seconds: float) -> bool:
        """Wait for its end, but no longer than this; returns whether it has ended."""
        return self._done.wait(seconds)

    def tell(self, fraction: float) -> None:
        """Note the share that is done.

        Raises Stopped if it was asked to stop or nobody waits for it any more.
        """
        if not self._wanted():
            self.stop()
        if self.stopped:
            raise Stopped
        self.fraction = min(max(fraction, 0.0), 1.0)

    def _run(self) -> None:
        try:
            self._keep(self._begin())
        except Stopped:
            self.stop()
        except BaseException as error:  # whatever ends it must reach the page as a line: a library may panic
            self.refusal = refusal_of(error)
        finally:
            self._work = None  # it may hold a whole model
            self._done.set()

    def _begin(self) -> Result:
        self.tell(0.0)
        assert self._work is not None
        return self._work(self.tell)

    def _keep(self, result: Result) -> None:
        with self._end:
            if not self._forgotten:
                self.result = result


def refusal_of(error: BaseException) -> str:
    """What went wrong, in one line.

    >>> refusal_of(ValueError("the file must end\\nlater"))
    'the file must end later'
    """
    match error:
        case MemoryError():
            return "This computer has too little free memory for that. Close other programs, or take a shorter text."
        case OSError(strerror=str(reason), filename=filename) if filename:
            return _line(f"{reason}: {filename}")
        case ValueError() | OSError() if str(error):
            return _line(str(error))
    return _line(f"Something unexpected went wrong ({type(error).__name__}: {error}).")


def _line(text: Any) -> str:
    line = printable(" ".join(str(text).split()))  # a file's name may be no text
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"
