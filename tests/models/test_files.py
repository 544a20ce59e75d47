"""The models folder: what is listed, that nothing outside it is read, and that a model comes back whole."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from attention_core.models import files
from attention_core.models.files import ModelFileError, load, models_folder, models_in
from attention_core.models.held import InFile
from tests.models.present import SMOLLM2, needs_smollm2
from tests.models.small_files import numbers, small_folder, small_gguf

TOKENIZER = '{"model": {"type": "WordLevel", "vocab": {"cat": 0, "[UNK]": 1}, "unk_token": "[UNK]"}}'


@pytest.fixture
def folder(tmp_path):
    """A models folder with a model in each form, a broken one, and things that are no models."""
    place = tmp_path / "models"
    place.mkdir()
    small_gguf(place / "b.gguf")
    small_folder(place / "a", "bert")
    (place / "a" / "tokenizer.json").write_text(TOKENIZER)
    (place / "broken.GGUF").write_bytes(b"GGUF")
    (place / "notes.txt").write_text("no model")
    (place / "empty").mkdir()
    (place / ".fetching-c").mkdir()
    (place / ".hidden.gguf").write_bytes(b"")
    return place


def test_models_are_listed_by_name_and_broken_ones_with_their_refusal(folder):
    listed = models_in(folder)
    assert [(file.name, file.family) for file in listed] == [("a", "bert"), ("b.gguf", "llama"), ("broken.GGUF", None)]
    assert listed[2].refusal == "is cut short or damaged: its header states more than the file holds"
    assert listed[0].refusal is None
    assert listed[1].size == (folder / "b.gguf").stat().st_size
    assert listed[1].in_memory == 4 * sum(array.size for array in numbers("llama").values())


def test_a_file_is_read_again_only_when_it_has_changed(folder, monkeypatch):
    first = models_in(folder)
    monkeypatch.setattr(files, "opened_model", lambda path: pytest.fail(f"{path} was read again"))
    assert models_in(folder) == first
    monkeypatch.undo()
    (folder / "b.gguf").write_bytes(b"\x89PNG")
    assert models_in(folder)[1].refusal == "is no GGUF file, but a PNG picture"


def test_no_folder_holds_no_models(tmp_path):
    assert models_in(tmp_path / "gone") == []


def test_a_folder_that_is_none_is_listed_with_its_refusal(tmp_path):
    (tmp_path / "models").write_text("a file")
    (listed,) = models_in(tmp_path / "models")
    assert listed.refusal and "cannot be read" in listed.refusal


def test_the_folder_is_beside_the_app_unless_it_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("ATTENTION_MODELS", raising=False)
    assert (models_folder().parent / "app.py").is_file()
    monkeypatch.setenv("ATTENTION_MODELS", str(tmp_path))
    assert models_folder() == tmp_path


@pytest.mark.parametrize("lazily", [False, True])
def test_a_model_of_either_form_is_loaded_with_its_tokens(folder, lazily):
    model = load(folder / "b.gguf", lazily=lazily)
    assert model.tokenizer.pieces(model.tokenizer.encode("cat")) == ("cat",)
    assert model.about == "The model in b.gguf computed it."
    assert isinstance(model.tensors, InFile) == lazily
    np.testing.assert_array_equal(model.tensors["0.Q"], numbers("llama")["0.Q"])
    assert load(folder / "a", lazily=lazily).tokenizer.encode("cat") == [0]


def test_a_loaded_model_reads_the_same_lazily(folder):
    ids = [3, 1, 4, 1, 5]
    at_once, lazily = load(folder / "b.gguf"), load(folder / "b.gguf", lazily=True)
    runs = at_once.read(ids), lazily.read(ids)  # the matrices lie differently in memory, so sums round differently
    np.testing.assert_allclose(runs[0].Q, runs[1].Q, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(at_once.final_scores(runs[0]), lazily.final_scores(runs[1]), rtol=1e-5, atol=1e-5)


def test_a_folder_without_tokens_is_refused(folder):
    (folder / "a" / "tokenizer.json").unlink()
    with pytest.raises(ModelFileError, match=r"^a: its tokens cannot be read: .*tokenizer.json"):
        load(folder / "a")


@pytest.mark.parametrize("largest", [269, 5_000_000])
def test_a_token_beyond_the_embeddings_is_refused(folder, largest):
    vocabulary = folder / "a" / "tokenizer.json"
    vocabulary.write_text(TOKENIZER.replace('"cat": 0', f'"cat": {largest}'))
    with pytest.raises(ModelFileError, match=f"the ids of its tokens go up to {largest}, but the model knows 0 to 268"):
        load(folder / "a")
    vocabulary.write_text(TOKENIZER.replace('"cat": 0', '"cat": 268'))
    assert load(folder / "a").tokenizer.encode("cat") == [268]


def test_a_model_over_the_limit_is_refused_by_its_size(folder, monkeypatch):
    monkeypatch.setenv("ATTENTION_MODEL_GB", "0.0001")
    with pytest.raises(
        ModelFileError, match=r"b.gguf: needs 0.000385 GB of memory .* more than the limit of 0.0001 GB"
    ):
        load(folder / "b.gguf")
    assert load(folder / "b.gguf", lazily=True)


@pytest.mark.parametrize("wrong", ["much", "-1", "nan", ""])
def test_a_limit_that_is_none_counts_as_not_given(folder, monkeypatch, wrong):
    monkeypatch.setenv("ATTENTION_MODEL_GB", wrong)
    assert load(folder / "b.gguf")


def test_a_computer_without_the_memory_refuses_by_size(folder, monkeypatch):
    def none_left(*arguments):
        raise MemoryError

    monkeypatch.setattr(files, "read_into_memory", none_left)
    with pytest.raises(ModelFileError, match=r"b.gguf: needs 0.000\d+ GB of memory, but this computer has less left"):
        load(folder / "b.gguf")


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_a_link_that_leads_out_of_the_folder_is_refused(folder, tmp_path):
    outside = small_gguf(tmp_path / "outside.gguf")
    (folder / "link.gguf").symlink_to(outside)
    (folder / "inside.gguf").symlink_to(folder / "b.gguf")
    (folder / "itself.gguf").symlink_to(folder / "itself.gguf")
    (folder / "a" / "config.json").rename(tmp_path / "config.json")
    (folder / "a" / "config.json").symlink_to(tmp_path / "config.json")
    listed = {file.name: file for file in models_in(folder)}
    assert listed["link.gguf"].refusal == "is a link that leads out of the folder models: only what is there is read"
    assert listed["a"].refusal and listed["a"].refusal.startswith("config.json: is a link that leads out of")
    assert listed["itself.gguf"].refusal
    assert listed["inside.gguf"].family == "llama"
    with pytest.raises(ModelFileError, match="leads out of the folder"):
        load(folder / "link.gguf")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_is_refused_and_not_waited_for(folder):
    os.mkfifo(folder / "pipe.gguf")
    assert {file.name: file for file in models_in(folder)}["pipe.gguf"].refusal == "is no ordinary file"


def test_a_folder_named_like_a_file_is_refused(folder):
    (folder / "c.gguf").mkdir()
    assert {file.name: file for file in models_in(folder)}["c.gguf"].refusal == "config.json: is not there any more"


@pytest.mark.parametrize("name", ["gone.gguf", "gone"])
def test_a_model_that_vanished_is_refused(folder, name):
    with pytest.raises(ModelFileError, match="gone.*: is not there any more"):
        load(folder / name)


def test_a_file_that_may_not_be_read_is_refused(folder, monkeypatch):
    def denied(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    with pytest.raises(ModelFileError, match="b.gguf: may not be read: the permission is missing"):
        load(folder / "b.gguf")


@needs_smollm2
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read the way Linux tells it")
def test_a_layer_at_a_time_stays_within_a_quarter_of_a_gigabyte():
    program = f"""
        from pathlib import Path
        from attention_core.models.files import load
        model = load(Path({str(SMOLLM2)!r}), lazily=True)
        run = model.read(model.tokenizer.encode("The cat sat on the mat because it was tired"))
        model.final_scores(run)
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        print(status["VmHWM"].split()[0])  # kB at the most, of this program alone
    """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=True,
        cwd=files.FOLDER.parent,
    )
    assert int(ran.stdout) * 1024 < 250_000_000


@pytest.mark.parametrize(
    ("family", "setting"),
    [("llama", "rms_norm_eps"), ("llama", "rope_theta"), ("gpt2", "layer_norm_epsilon"), ("bert", "layer_norm_eps")],
)
def test_a_number_beyond_all_floats_is_refused(folder, family, setting):
    small_folder(folder / "large", family, changed={setting: 10**400})
    assert f"{setting} must be a positive number, but is 1000" in by_name(folder)["large"].refusal


@pytest.mark.parametrize("shard", ["x\0.safetensors", "\ud800.safetensors"])
def test_a_shard_whose_name_no_file_can_have_is_refused(folder, shard):
    (folder / "a" / "model.safetensors").unlink()
    (folder / "a" / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"x": shard}}))
    refusal = by_name(folder)["a"].refusal
    assert "is no .safetensors file in this folder" in refusal
    assert refusal.isprintable()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere names are text")
def test_a_name_that_is_not_utf_8_is_written_out(folder):
    os.rename(folder / "b.gguf", os.fsencode(folder) + b"/ok\xff.gguf")
    os.rename(folder / "a", os.fsencode(folder) + b"/a\xfe")
    (folder / os.fsdecode(b"bad\xff\n.gguf")).write_bytes(b"no")
    listed = by_name(folder)
    assert [*listed] == ["a\\xfe", "bad\\xff\\n.gguf", "broken.GGUF", "ok\\xff.gguf"]
    assert all(file.name.isprintable() and (file.refusal or "").isprintable() for file in listed.values())
    model = load(listed["ok\\xff.gguf"].path)
    assert (model.about, model.settings.name) == ("The model in ok\\xff.gguf computed it.", "ok\\xff")
    assert load(listed["a\\xfe"].path).settings.name == "a\\xfe"
    with pytest.raises(ModelFileError, match=r"^bad\\xff\\n.gguf: is no GGUF file$"):
        load(listed["bad\\xff\\n.gguf"].path)


def test_whatever_goes_wrong_with_one_model_does_not_hide_the_others(folder, monkeypatch):
    def fails(path):
        raise OverflowError("too\nlarge")

    monkeypatch.setattr(files, "open_gguf", fails)
    listed = by_name(folder)
    assert listed["b.gguf"].refusal == "cannot be read: OverflowError: too\\nlarge"
    assert listed["a"].family == "bert"
    monkeypatch.setattr(files, "open_folder", lambda path: (_ for _ in ()).throw(KeyboardInterrupt))
    os.utime(folder / "a" / "config.json", (1, 1))
    with pytest.raises(KeyboardInterrupt):
        models_in(folder)


def test_many_models_are_read_once_and_the_first_are_listed(tmp_path, monkeypatch):
    for n in range(files.MOST_LISTED + 3):
        (tmp_path / f"{n:03}.gguf").write_bytes(b"no")
    first = models_in(tmp_path)
    assert len(first) == files.MOST_LISTED + 1
    assert first[-1].name == tmp_path.name
    assert first[-1].refusal.startswith("holds 103 models, of which the first 100 by name are listed")
    monkeypatch.setattr(files, "opened_model", lambda path: pytest.fail(f"{path} was read again"))
    assert models_in(tmp_path) == first


def by_name(folder):
    return {file.name: file for file in models_in(folder)}
