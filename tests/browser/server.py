"""A Streamlit server of its own for tests and measurements."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
APP = ROOT / "app.py"
LONGEST_START = 60  # seconds


class Server:
    """A fresh server process, up until `stop`."""

    def __init__(
        self, script: Path = APP, *options: str, port: int | None = None, models: Path = ROOT / "no-models"
    ) -> None:
        """Start it on a port, a free one if none is given, without waiting. `options` are for `streamlit run`.

        models: the folder of real models; without one there is none, whatever has been fetched on this machine
        """
        self.script = script
        port = port or free_port()
        self.address = f"http://127.0.0.1:{port}"
        handle, name = tempfile.mkstemp(prefix="attention-server-")
        self._log, self._last_words = Path(name), ""
        self.started = time.time()  # seconds since the epoch
        command = [sys.executable, "-m", "streamlit", "run", str(script)]
        command += [f"--server.port={port}", "--server.headless=true", *options]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=handle, stderr=subprocess.STDOUT,
            env={**os.environ, "ATTENTION_MODELS": str(models)},
        )  # fmt: skip
        os.close(handle)

    def wait(self) -> "Server":
        """Wait until it answers.

        Raises RuntimeError with its log if it ends or stays silent.
        """
        while time.time() < self.started + LONGEST_START and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=1):
                    return self
            except OSError:
                time.sleep(0.02)
        self.stop()
        raise RuntimeError(f"the Streamlit server did not start:\n{self.log()}")

    def log(self) -> str:
        """Everything that it has written, also after its end."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else self._last_words

    def hold(self) -> None:
        """Let it stand still, as on a busy machine, until `let_go`."""
        self._process.send_signal(signal.SIGSTOP)

    def let_go(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._last_words = self.log()
        self._log.unlink(missing_ok=True)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
