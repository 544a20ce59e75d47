"""The memory of a real model's cache on screen: the product, the sizes, the settings and the curve."""

import doctest
from itertools import pairwise

import pytest

import attention_view.memory
from attention_core.memory import PRESETS, cache_bytes
from attention_view.figures import alt_text, memory_curve
from attention_view.memory import product_table, settings_line, settings_table, size_text
from tests.view.read_html import read, rows

GPT2, SMOL, LLAMA, QWEN = PRESETS
ONE = {"positions": 1024, "requests": 1, "bytes_a_number": 2}


def line(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def test_sizes_in_the_docstring_are_true():
    assert doctest.testmod(attention_view.memory).failed == 0


def test_the_largest_unit_is_used_and_never_a_unit_too_small():
    assert [size_text(1024**n) for n in range(6)] == ["1 bytes", "1 KiB", "1 MiB", "1 GiB", "1 TiB", "1 PiB"]
    assert size_text(1024**2 - 1) == "1024.00 KiB"


def test_the_product_stands_there_factor_by_factor():
    assert rows(product_table(LLAMA, positions=8192, requests=1, bytes_a_number=2)) == {
        "keys and values": ["2", "2"],
        "× layers": ["32", "32"],
        "× key and value heads": ["8", "32"],
        "× numbers in each (d_head)": ["128", "128"],
        "× bytes a number": ["2", "2"],
        "× positions": ["8,192", "8,192"],
        "× requests": ["1", "1"],
        "= bytes": ["1,073,741,824", "4,294,967,296"],
        "memory": ["1 GiB", "4 GiB"],
    }


@pytest.mark.parametrize("settings", PRESETS, ids=lambda preset: preset.name)
def test_the_factors_that_are_shown_multiply_to_the_bytes_that_are_shown(settings):
    shown = rows(product_table(settings, positions=700, requests=3, bytes_a_number=4))
    for column in (0, 1):
        *factors, total = (int(cells[column].replace(",", "")) for name, cells in shown.items() if name != "memory")
        product = 1
        for factor in factors:
            product *= factor
        assert product == total


def test_every_setting_has_its_source_as_a_link():
    for settings in PRESETS:
        assert read(settings_line(settings)).one("a").attributes["href"] == settings.source
    assert [link.attributes["href"] for link in read(settings_table()).all("a")] == [one.source for one in PRESETS]


def test_a_model_that_shares_no_heads_says_so():
    assert "12 heads, each with keys and values of its own" in settings_line(GPT2)
    assert "32 query heads that share 8 key and value heads" in settings_line(LLAMA)


@pytest.mark.parametrize("settings", PRESETS, ids=lambda preset: preset.name)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lines_are_the_cores_numbers_and_the_chosen_point_lies_on_them(settings, theme):
    figure = memory_curve(settings, **ONE, theme=theme)
    alone, shared = [trace for trace in figure.data if trace.mode == "lines+text"]
    assert [*shared.x] == [0, settings.longest]
    full = cache_bytes(settings, positions=settings.longest)
    assert shared.y[1] / alone.y[1] == pytest.approx(
        full / cache_bytes(settings, positions=settings.longest, shared=False)
    )
    for curve, mark in zip((alone, shared), [trace for trace in figure.data if trace.name == "chosen"], strict=True):
        assert mark.x[0] == 1024
        assert mark.y[0] == pytest.approx(curve.y[1] * 1024 / settings.longest)


def test_llama_reaches_16_gib_and_64_without_sharing():
    figure = memory_curve(LLAMA, **{**ONE, "positions": LLAMA.longest}, theme="light")
    assert line(figure, "shared, as published").y[1] == 16
    assert line(figure, "without sharing").y[1] == 64
    assert "131,072 positions: 16 GiB with the KV heads as published, 64 GiB without sharing." in alt_text(figure)


def test_requests_and_bytes_lift_the_line():
    figure = memory_curve(LLAMA, positions=LLAMA.longest, requests=2, bytes_a_number=1, theme="light")
    assert line(figure, "shared, as published").y[1] == 16
    figure = memory_curve(LLAMA, positions=LLAMA.longest, requests=4, bytes_a_number=4, theme="light")
    assert line(figure, "shared, as published").y[1] == 128


def test_both_lines_of_gpt_2_are_one_and_the_caption_says_so():
    figure = memory_curve(GPT2, **ONE, theme="light")
    one, other = (trace.y for trace in figure.data if trace.mode == "lines+text")
    assert [*one] == [*other]
    assert "shares no KV heads, so both lines are one" in figure.layout.meta["caption"]


def test_no_two_names_of_lines_are_written_at_one_place():
    for settings in PRESETS:
        figure = memory_curve(settings, **ONE, theme="light")
        named = sorted(trace.y[1] for trace in figure.data if trace.mode == "lines+text" and trace.text[1])
        assert all(high - low > 0.1 * named[-1] for low, high in pairwise(named))


@pytest.mark.parametrize("wrong", [{"positions": 0}, {"positions": 1025}, {"requests": 0}, {"bytes_a_number": 0}])
def test_what_a_model_cannot_read_is_refused(wrong):
    with pytest.raises(ValueError, match="positions must be from 1 to 1,024 and the other numbers at least 1"):
        memory_curve(GPT2, **{**ONE, **wrong}, theme="light")
