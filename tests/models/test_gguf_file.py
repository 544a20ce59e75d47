"""Models in .gguf files: the numbers come back under the names used here, and what cannot be run is refused."""

import threading

import gguf
import numpy as np
import pytest

from attention_core.models.files import ModelFileError, opened_model
from attention_core.models.held import InFile, bytes_in_memory, read_into_memory
from attention_core.models.progress import Stopped
from tests.models.present import SMOLLM2, needs_smollm2
from tests.models.small_files import SETTINGS, gguf_tensors, numbers, small_gguf

FAMILIES = ["llama", "gpt2", "bert"]


@pytest.fixture(scope="module", params=FAMILIES)
def small(request, tmp_path_factory):
    """A family, its small model opened, and the numbers that were written."""
    path = small_gguf(tmp_path_factory.mktemp("models") / "small.gguf", request.param)
    return request.param, opened_model(path), numbers(request.param)


def test_settings_are_read_as_written(small):
    family, opened, _ = small
    expected = vars(SETTINGS[family])
    found = vars(opened.settings) | {"norm_epsilon": pytest.approx(opened.settings.norm_epsilon)}
    assert found == expected


@pytest.mark.parametrize("source", [InFile, read_into_memory])
def test_every_tensor_comes_back_exactly(small, source):
    _, opened, made = small
    tensors = source(opened.stored)
    assert set(opened.stored) == set(made)
    for name, array in made.items():
        np.testing.assert_array_equal(tensors[name], array, strict=True)
    assert "9.Q" not in tensors


@pytest.mark.parametrize("rows", [[5, 1, 5], slice(3, 9), slice(260, 400), [], [268], slice(0, 0)], ids=str)
@pytest.mark.parametrize("source", [InFile, read_into_memory])
def test_rows_are_those_of_the_whole(small, source, rows):
    _, opened, made = small
    np.testing.assert_array_equal(source(opened.stored).rows("embedding", rows), made["embedding"][rows], strict=True)


def test_rows_of_what_is_put_in_order_are_too(small):
    _, opened, made = small
    np.testing.assert_array_equal(InFile(opened.stored).rows("1.Q", [7, 0]), made["1.Q"][[7, 0]])


def test_no_such_row_is_an_index_error(small):
    with pytest.raises(IndexError):
        InFile(small[1].stored).rows("embedding", [269])


def test_a_file_without_unembedding_uses_its_embedding(tmp_path):
    opened = opened_model(small_gguf(tmp_path / "small.gguf", tensors={"output.weight": None}))
    tensors = read_into_memory(opened.stored)
    assert tensors["unembedding"] is tensors["embedding"]
    assert bytes_in_memory(opened.stored) == 4 * sum(array.size for array in numbers("llama").values()) - 4 * 269 * 64


def test_arrays_in_memory_are_read_only(small):
    with pytest.raises(ValueError, match="read-only"):
        read_into_memory(small[1].stored)["embedding"][0, 0] = 1


class Halting:
    """A tensor of ten numbers of which two are read at first, and the others once that was reported."""

    shape, numbers_read = (5, 2), 10

    def __init__(self):
        self.reported = threading.Event()

    def whole(self, done):
        done(2)
        assert self.reported.wait(30)
        done(8)
        return np.zeros(self.shape, np.float32)


def test_progress_rises_to_one():
    halting, seen = Halting(), []

    def tell(fraction):
        seen.append(fraction)
        if 0 < fraction < 1:
            halting.reported.set()

    read_into_memory({"norm": halting}, tell)
    assert sorted(set(seen) | {0.0}) == list(dict.fromkeys([0.0, *seen])) == [0.0, 0.2, 1.0]


def test_progress_may_stop(small):
    def stop(fraction):
        raise Stopped

    with pytest.raises(Stopped):
        read_into_memory(small[1].stored, stop)


def quantised(kind, array):
    """A matrix in one of the types: by the package, or, where it only reads one, random bytes with small scales."""
    try:
        return gguf.quantize(array, kind).view(np.uint8)
    except NotImplementedError:
        per_block, n_bytes = gguf.GGML_QUANT_SIZES[kind]
        blocks = np.random.default_rng(0).integers(0, 256, (array.size // per_block, n_bytes), dtype=np.uint8)
        scales = slice(n_bytes - 2, n_bytes) if kind.name == "Q6_K" else slice(0, 4)
        blocks[:, scales] = np.full(2, 0.125, np.float16).view(np.uint8)[: scales.stop - scales.start]
        return blocks.reshape(array.shape[0], -1)


@pytest.mark.parametrize("name", ["F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K"])
def test_every_type_is_read_as_the_package_reads_it(tmp_path, name):
    kind = gguf.GGMLQuantizationType[name]
    made = {
        tensor: quantised(kind, array) if array.ndim == 2 else array
        for tensor, array in gguf_tensors("wide", numbers("wide")).items()
    }
    opened = opened_model(small_gguf(tmp_path / "small.gguf", "wide", tensors=made, kind=kind))
    tensors = read_into_memory(opened.stored)
    for ours, theirs in {"embedding": "token_embd", "1.down": "blk.1.ffn_down", "0.V": "blk.0.attn_v"}.items():
        np.testing.assert_array_equal(tensors[ours], gguf.dequantize(made[f"{theirs}.weight"], kind))
        np.testing.assert_array_equal(InFile(opened.stored).rows(ours, [3, 1]), tensors[ours][[3, 1]])


@pytest.mark.parametrize("name", ["Q2_K", "Q3_K", "IQ4_XS", "TQ1_0"])
def test_other_types_are_refused_by_name(tmp_path, name):
    kind = gguf.GGMLQuantizationType[name]
    per_block, n_bytes = gguf.GGML_QUANT_SIZES[kind]
    matrix = np.zeros((269, 256 // per_block * n_bytes), np.uint8)
    path = small_gguf(tmp_path / "small.gguf", "wide", tensors={"token_embd.weight": matrix}, kind=kind)
    with pytest.raises(
        ModelFileError, match=rf"small.gguf: token_embd.weight is stored in the type {name}; .*Q4_K.* can"
    ):
        opened_model(path)


@pytest.mark.parametrize("factors", [np.linspace(1, 8, 8), np.full(8, 2.0)])
def test_rotation_factors_are_taken_as_they_are(tmp_path, factors):
    stored = {"rope_freqs.weight": factors.astype(np.float32)}
    settings = opened_model(small_gguf(tmp_path / "small.gguf", tensors=stored)).settings
    assert settings.rotary_scaling == tuple(stored["rope_freqs.weight"].tolist())


def test_factors_of_one_are_no_scaling(tmp_path):
    path = small_gguf(tmp_path / "small.gguf", tensors={"rope_freqs.weight": np.ones(8, np.float32)})
    assert opened_model(path).settings.rotary_scaling is None


@pytest.mark.parametrize(
    ("factors", "found"),
    [
        (np.ones(7), r"\(7,\) and its least number 1"),
        (np.ones((2, 4)), r"\(2, 4\) and its least number 1"),
        (np.array([8.0] * 7 + [0.5]), r"\(8,\) and its least number 0.5"),
        (np.zeros(8), r"\(8,\) and its least number 0"),
        (500_000.0 ** (-np.arange(8) / 8), r"\(8,\) and its least number 1.03e-05"),  # rotations, not factors
    ],
)
def test_what_can_be_no_rotation_factors_is_refused(tmp_path, factors, found):
    path = small_gguf(tmp_path / "small.gguf", tensors={"rope_freqs.weight": factors.astype(np.float32)})
    with pytest.raises(
        ModelFileError, match=f"rope_freqs.weight must hold 8 factors of at least 1, .* but its shape is {found}"
    ):
        opened_model(path)


@needs_smollm2
def test_smollm2_is_read_as_the_package_reads_it():
    opened = opened_model(SMOLLM2)
    tensors = InFile(opened.stored)
    theirs = {tensor.name: tensor for tensor in gguf.GGUFReader(SMOLLM2).tensors}
    for ours, name in {
        "29.up": "blk.29.ffn_up.weight",
        "7.V": "blk.7.attn_v.weight",
        "norm": "output_norm.weight",
    }.items():
        np.testing.assert_array_equal(tensors[ours], gguf.dequantize(theirs[name].data, theirs[name].tensor_type))
    assert opened.settings.n_layers == 30
    assert bytes_in_memory(opened.stored) == 538_060_032
