"""The memory of a KV cache, worked by hand from the settings."""

import doctest
from dataclasses import replace

import pytest

import attention_core.memory
from attention_core.memory import PRESETS, cache_bytes

BY_NAME = {preset.name: preset for preset in PRESETS}


def test_gpt2_small_keeps_36_kib_a_token_in_float16():
    assert cache_bytes(BY_NAME["GPT-2 small"], positions=1) == 2 * 12 * 12 * 64 * 2 == 36 * 1024


def test_llama_keeps_16_gib_at_its_longest_and_four_times_that_without_sharing():
    llama = BY_NAME["Llama 3.1 8B"]
    assert cache_bytes(llama, positions=llama.longest) == 16 * 2**30
    assert cache_bytes(llama, positions=llama.longest, shared=False) == 64 * 2**30


def test_memory_grows_with_positions_requests_and_bytes():
    settings = BY_NAME["SmolLM2-135M"]
    one = cache_bytes(settings, positions=1, bytes_a_number=1)
    assert one == 2 * 30 * 3 * 64
    assert cache_bytes(settings, positions=5, requests=3, bytes_a_number=4) == one * 5 * 3 * 4


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_names_its_source(preset):
    assert preset.source.startswith("https://")


def test_the_examples_in_the_docstrings_are_true():
    assert doctest.testmod(attention_core.memory).failed == 0


def test_senseless_sizes_are_refused():
    with pytest.raises(ValueError, match="sizes must be whole and not negative, but got positions=-1"):
        cache_bytes(PRESETS[0], positions=-1)
    with pytest.raises(ValueError, match="kv heads must divide the heads"):
        replace(PRESETS[0], n_kv_heads=5)


@pytest.mark.parametrize("positions", [1.5, float("nan"), float("inf")])
def test_sizes_that_are_not_whole_are_refused(positions):
    with pytest.raises(ValueError, match="sizes must be whole and not negative"):
        cache_bytes(PRESETS[0], positions=positions)
