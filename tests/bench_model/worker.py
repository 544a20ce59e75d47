"""One side in a process of its own, which does what it is told, line by line, and says how long it took.

Each line given is `{"act": ACT, …}` in JSON, each answer `{"seconds": …}` and what else the act tells.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class Broken(Exception):
    """The process has ended; its text is the last that it said."""


class Worker:
    """The handle on such a process. As a context it ends the process at its end."""

    def __init__(self, side: str, path: Path, n_threads: int) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__, side, str(path), str(n_threads)],
            env={**os.environ, **dict.fromkeys(THREADS, str(n_threads)), "HF_HUB_OFFLINE": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
        )  # fmt: skip

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *fault: object) -> None:
        self.process.communicate()
        self.errors.close()

    def ask(self, act: str, **given: Any) -> dict[str, Any]:
        """Have something done; returns its answer. Raises Broken."""
        assert self.process.stdin and self.process.stdout
        with suppress(BrokenPipeError):  # it has ended, and said why
            print(json.dumps({"act": act, **given}), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            self.errors.seek(0)
            said = self.errors.read().decode(errors="replace").strip().splitlines()
            raise Broken(said[-1] if said else f"ended with status {self.process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def peak_bytes() -> int:
    """The most memory that this process has held so far, libraries included."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def answer_of(side: Any, act: str, **given: Any) -> dict[str, Any]:
    """Do one act."""
    start = perf_counter()
    if act == "peak":
        return {"bytes": peak_bytes()}
    if act == "write":
        return written(side, **given)
    told = getattr(side, act)(**given)
    seconds = perf_counter() - start
    return {"seconds": seconds, "best": told} if isinstance(told, int) else {"seconds": seconds, **(told or {})}


def written(side: Any, ids: list[int], n: int) -> dict[str, Any]:
    """Write; the seconds are those after the first new token, so that reading the text does not count."""
    tokens, times = [], []
    for token in side.written(ids, n):
        tokens.append(token)
        times.append(perf_counter())
    return {"seconds": times[-1] - times[0], "tokens": tokens}


def main() -> None:
    """Answer until nothing more is asked."""
    from tests.bench_model.sides import SIDES

    name, path, n_threads = sys.argv[1:]
    side = SIDES[name](Path(path), int(n_threads))
    for line in sys.stdin:
        print(json.dumps(answer_of(side, **json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
