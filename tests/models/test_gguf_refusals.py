"""Files that are no model, or not one that can be run: one clear error, soon, and no memory taken for it."""

import re
import struct
import tracemalloc

import gguf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core.models.files import ModelFileError, load, opened_model
from attention_core.models.gguf_header import MAGIC
from attention_core.models.held import read_into_memory
from tests.models.small_files import small_gguf

ONE_FIELD = MAGIC + struct.pack("<IQQQ", 3, 0, 1, 1) + b"a"
MOST_MEMORY = 30_000_000  # bytes: what reading a small file and refusing it may take


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of a small model, and where its numbers begin."""
    path = small_gguf(tmp_path_factory.mktemp("whole") / "small.gguf")
    return path.read_bytes(), gguf.GGUFReader(path).data_offset


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("broken") / "small.gguf"


def refusal(path, content):
    """The text with which a file is refused, and that no memory to speak of was taken for it."""
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError) as error:
            load(path)
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"G", "is no GGUF file"),
        (b"GGUF", "is cut short or damaged"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "is no GGUF file, but a PNG picture"),
        (b"PK\x03\x04" + bytes(99), "is no GGUF file, but a zip archive"),
        (b"Once upon a time, there was a text.", "is no GGUF file"),
        (b"<!DOCTYPE html>", "is no GGUF file, but a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "is no GGUF file, but a Git LFS pointer"),
        (b"tjgg" + bytes(99), "is no GGUF file, but a file of the time before GGUF"),
        (MAGIC + struct.pack("<IQQ", 1, 0, 0), "is GGUF version 1; versions 2 and 3 can be read"),
        (MAGIC + struct.pack("<IQQ", 4, 0, 0), "is GGUF version 4"),
        (MAGIC + struct.pack(">IQQ", 3, 0, 0), "is written for big-endian machines"),
        (MAGIC + struct.pack("<IQQ", 3, 2**60, 0), f"states {2**60} tensors; 100000 are the most"),
        (MAGIC + struct.pack("<IQQ", 3, 0, 2**60), f"states {2**60} fields"),
        (MAGIC + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 2**62), "its header states more than the file holds"),
        (MAGIC + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 70_000) + bytes(99_999), "a text of 70000 bytes"),
        (ONE_FIELD + struct.pack("<I", 99), "'a' is of the kind 99"),
        (ONE_FIELD + struct.pack("<IIQ", 9, 4, 2**40), "states 1099511627776 entries"),
        (ONE_FIELD + struct.pack("<IIQ", 9, 4, 10**6), "states more than the file"),
        (ONE_FIELD + struct.pack("<IIQ", 9, 9, 1), "entries of the kind 9"),
        (MAGIC + struct.pack("<IQQQ", 3, 1, 0, 1) + b"t" + struct.pack("<I", 5) + bytes(99), "'t' has 5 axes"),
        (MAGIC + struct.pack("<IQQ", 3, 0, 0), "its architecture is None; llama, gpt2, bert can be run here"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)  # fmt: skip
def test_no_model_is_refused_for_what_it_is(place, content, reason):
    assert re.match(f"small.gguf: .*{re.escape(reason)}", refusal(place, content))


def test_a_file_cut_anywhere_is_refused(place, whole):
    content, numbers_at = whole
    for length in [*range(0, numbers_at, 97), *range(numbers_at - 40, len(content) - 32, 9973), len(content) - 33]:
        assert re.search("cut short|is empty|no GGUF file", refusal(place, content[:length])), length


@given(data=st.data())
def test_a_flipped_bit_in_the_header_is_refused_or_harmless(place, whole, data):
    content, numbers_at = bytearray(whole[0]), whole[1]
    at, bit = data.draw(st.integers(0, numbers_at - 1)), data.draw(st.integers(0, 7))
    content[at] ^= 1 << bit
    place.write_bytes(content)
    tracemalloc.start()
    try:
        load(place)
    except ModelFileError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < MOST_MEMORY


@given(content=st.binary(max_size=400))
def test_whatever_follows_the_magic_is_refused(place, content):
    refusal(place, MAGIC + struct.pack("<I", 3) + content)


@given(n=st.integers(0, 2**64 - 1), at=st.sampled_from([8, 16, 24]))
def test_no_stated_count_takes_memory(place, whole, n, at):
    content = bytearray(whole[0])
    if n != struct.unpack_from("<Q", content, at)[0]:
        struct.pack_into("<Q", content, at, n)
        refusal(place, content)


def refused_field(tmp_path, size="llama", **how):
    with pytest.raises(ModelFileError) as error:
        opened_model(small_gguf(tmp_path / "small.gguf", size, **how))
    return str(error.value)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"llama.block_count": None}, "does not state llama.block_count"),
        ({"llama.block_count": 0}, "llama.block_count must be a whole number from 1 to 1000000000, but is 0"),
        ({"llama.block_count": 4_000_000_000}, "must be a whole number"),
        ({"llama.block_count": 1_000_000}, "states 1000000 layers, but holds 21 tensors only"),
        ({"llama.block_count": 3}, "has no tensor blk.2.attn_q.weight"),
        ({"llama.block_count": 1}, "holds blk.1.attn_k.weight, which no llama model that can be run here has"),
        ({"llama.embedding_length": 32, "llama.attention.key_length": 16}, "must give embedding the shape (269, 32)"),
        ({"llama.embedding_length": "64"}, "llama.embedding_length must be a whole number"),
        ({"llama.attention.head_count": [4, 4]}, "must be a whole number from 1 to 1000000000, but is [4, 4]"),
        ({"llama.attention.head_count_kv": 3}, "3 key-and-value heads must divide its 4 heads"),
        ({"llama.attention.head_count_kv": 4}, "blk.0.attn_k.weight must give 0.K the shape (64, 64)"),
        ({"llama.attention.key_length": 32}, "rope.dimension_count is 16; only 32 can be run here"),
        ({"llama.rope.dimension_count": 8}, "rope.dimension_count is 8; only 16"),
        ({"llama.rope.scaling.type": "linear"}, "llama.rope.scaling.type is 'linear'; only 'none'"),
        ({"llama.rope.scaling.factor": 8.0}, "llama.rope.scaling.factor is 8.0; only 0 or 1 can be run here"),
        ({"llama.rope.freq_base": float("inf")}, "llama.rope.freq_base must be a positive number, but is inf"),
        ({"llama.attention.layer_norm_rms_epsilon": None}, "does not state llama.attention.layer_norm_rms_epsilon"),
        ({"llama.attention.causal": False}, "llama.attention.causal is False; only True"),
        ({"split.count": 3}, "is one part of a model that is split over several files"),
        ({"general.alignment": 24}, "general.alignment must be a power of two, but is 24"),
        ({"tokenizer.ggml.tokens": None}, "must list the tokens of its 269 embeddings"),
        ({"tokenizer.ggml.tokens": ["a"] * 270}, "but lists 270 tokens"),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)  # fmt: skip
def test_fields_that_cannot_be_followed_are_refused(tmp_path, changed, reason):
    assert reason in refused_field(tmp_path, changed=changed)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("expert_count", 8), ("rope.scale_linear", 2.0), ("attention.sliding_window", 4096), ("attention.scale", 0.5),
        ("attention.clamp_kqv", 8.0), ("attention.max_alibi_bias", 8.0), ("use_parallel_residual", True),
        ("logit_scale", 0.5), ("residual_scale", 0.5), ("embedding_scale", 12.0), ("attn_logit_softcapping", 50.0),
        ("final_logit_softcapping", 30.0),
    ],
)  # fmt: skip
def test_a_setting_that_would_change_the_calculation_is_refused(tmp_path, name, value):
    assert f"llama.{name} is {value}; only 0" in refused_field(tmp_path, changed={f"llama.{name}": value})


@pytest.mark.parametrize("off", [0, 0.0, False])
def test_one_that_is_switched_off_is_not(tmp_path, off):
    changed = {"llama.use_parallel_residual": off, "llama.logit_scale": off}
    assert opened_model(small_gguf(tmp_path / "small.gguf", changed=changed)).settings.family == "llama"


@pytest.mark.parametrize("size", ["gpt2", "bert"])
def test_a_missing_tensor_is_named(tmp_path, size):
    assert refused_field(tmp_path, size, tensors={"blk.1.ffn_up.bias": None}).endswith(
        "has no tensor blk.1.ffn_up.bias"
    )


def test_other_architectures_are_refused_by_name(tmp_path):
    assert "its architecture is 'qwen2'; llama, gpt2, bert" in refused_field(tmp_path, architecture="qwen2")


@pytest.mark.parametrize(
    ("tensors", "reason"),
    [
        ({"blk.0.attn_q.bias": np.ones(64, np.float32)}, "holds blk.0.attn_q.bias, which no llama model"),
        ({"blk.0.attn_v.weight": np.ones((32, 32), np.float32)}, "must give 0.V the shape (32, 64), but gives"),
        ({"blk.0.attn_v.weight": np.ones(64, np.float32)}, "must give 0.V the shape (32, 64), but gives it (64,)"),
        ({"output_norm.weight": np.ones(64, np.int8)}, "output_norm.weight is stored in the type I8"),
    ],
)  # fmt: skip
def test_tensors_that_do_not_make_the_model_are_refused(tmp_path, tensors, reason):
    assert reason in refused_field(tmp_path, tensors=tensors)


def test_gpt2s_joined_matrix_must_hold_all_three(tmp_path):
    joined = np.ones((64, 64), np.float32)
    assert "attn_qkv.weight must have the shape (192, 64), but has (64, 64)" in refused_field(
        tmp_path, "gpt2", tensors={"blk.0.attn_qkv.weight": joined}
    )


def tensor_record(content, name):
    """Where the shape of a tensor stands in the header, and where its offset does."""
    at = content.index(struct.pack("<Q", len(name)) + name.encode()) + 8 + len(name)
    n_axes = struct.unpack_from("<I", content, at)[0]
    return at + 4, at + 4 + 8 * n_axes + 4


@pytest.mark.parametrize("rows", [2**62, 2**40, 2**63, 0])
def test_a_stated_shape_takes_no_memory(place, whole, rows):
    content = bytearray(whole[0])
    shape_at, _ = tensor_record(content, "output.weight")
    struct.pack_into("<Q", content, shape_at + 8, rows)
    assert re.search("output.weight (ends past the end|has the shape)|lies over output", refusal(place, content))


@pytest.mark.parametrize("offset", [2**62, 10**9, 2**64 - 64])
def test_a_tensor_past_the_end_is_refused(place, whole, offset):
    content = bytearray(whole[0])
    struct.pack_into("<Q", content, tensor_record(content, "output.weight")[1], offset)
    assert "cut short: output.weight ends past the end of the file" in refusal(place, content)


def test_tensors_over_each_other_are_refused(place, whole):
    content = bytearray(whole[0])
    struct.pack_into("<Q", content, tensor_record(content, "output.weight")[1], 0)
    assert re.search(r"\w+.weight lies over \w+.weight", refusal(place, content))


def test_two_tensors_of_one_name_are_refused(place, whole):
    content = whole[0].replace(b"blk.1.attn_k.weight", b"blk.0.attn_k.weight")
    assert "has two tensors of the name 'blk.0.attn_k.weight'" in refusal(place, content)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none_is_refused_with_its_tensor(tmp_path, number):
    broken = np.ones((64, 96), np.float32)
    broken[-1, -1] = number
    path = small_gguf(tmp_path / "small.gguf", tensors={"blk.1.ffn_down.weight": broken})
    with pytest.raises(ModelFileError, match="small.gguf: blk.1.ffn_down.weight holds a number that is not finite"):
        load(path)


def test_large_numbers_are_no_infinity(tmp_path):
    large = np.full((64, 96), 3e38, np.float32)  # their sum is none
    path = small_gguf(tmp_path / "small.gguf", tensors={"blk.1.ffn_down.weight": large})
    assert read_into_memory(opened_model(path).stored)["1.down"].max() == np.float32(3e38)


def test_a_file_that_changes_after_it_was_opened_is_refused(place, whole):
    place.write_bytes(whole[0])
    opened = opened_model(place)
    place.write_bytes(whole[0][:-100_000])
    with pytest.raises(ModelFileError, match="small.gguf: has changed since it was opened"):
        read_into_memory(opened.stored)
    place.unlink()
    with pytest.raises(ModelFileError, match="small.gguf: is not there any more"):
        read_into_memory(opened.stored)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"tokenizer.ggml.pre": "qwen2"}, ".*qwen2"),
        ({"tokenizer.ggml.model": "t5"}, ".*t5"),
        ({"tokenizer.ggml.model": "llama"}, "a token must stand for each of the 256 bytes, but <0x00> is missing"),
    ],
)
def test_tokens_that_cannot_be_cut_are_refused(tmp_path, changed, fault):
    with pytest.raises(ModelFileError, match=f"small.gguf: its tokens cannot be read: {fault}"):
        load(small_gguf(tmp_path / "small.gguf", changed=changed))
