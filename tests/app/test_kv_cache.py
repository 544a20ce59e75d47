"""The page of the KV cache: its steps, its mask, its calculator, its address."""

import re

import pytest

from attention_core.memory import PRESETS
from attention_view.memory import size_text
from tests.app.test_pages import app, ask, html_of


def memory(at):
    (line,) = re.findall(r'<th scope="row">memory</th>(.*?)</tr>', html_of(at))
    return re.findall(r">([^<>]+)</td>", line)


def test_the_buttons_step_through_the_sentence():
    at = app("kv_cache", ask="2")
    assert "Step 2 of 10" in html_of(at)
    at.button(key="next").click().run()
    assert at.session_state["ask"] == 2
    assert at.query_params["ask"] == "3"
    assert "2 keys and 2 values come from the shelf." in html_of(at)
    at.button(key="back").click().run()
    assert "Step 2 of 10" in html_of(at)


def test_the_sentence_has_a_first_and_a_last_step():
    at = app("kv_cache", ask="1")
    assert at.button(key="back").disabled
    assert not at.button(key="next").disabled
    ask(at, 9)
    assert at.button(key="next").disabled
    assert not at.button(key="back").disabled


def test_the_mask_decides_whether_earlier_rows_change():
    at = app("kv_cache", ask="8")
    assert "0 of 7 earlier results changed" in html_of(at)
    at.toggle(key="causal").set_value(False).run()
    assert "7 of 7 earlier results changed" in html_of(at)
    assert "its shelf is stale" in html_of(at)


def test_the_newest_row_is_the_same_with_the_mask_and_without_it():
    rows = [
        re.search(r'av-new".*?av-c', html_of(app("kv_cache", ask="8", mask=mask)))[0] for mask in ("causal", "none")
    ]
    assert rows[0] == rows[1]


def test_heads_that_were_switched_off_elsewhere_are_on_here():
    assert html_of(app("kv_cache", heads="sink", mask="none")) == html_of(app("kv_cache", mask="none"))


def test_the_calculator_opens_with_llama_at_one_gibibyte():
    assert memory(app("kv_cache")) == ["1 GiB", "4 GiB"]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_model_at_its_longest(preset):
    at = app("kv_cache", model=preset.name, positions=f"{preset.longest:,}")
    sizes = {
        "GPT-2 small": ["36 MiB", "36 MiB"],
        "SmolLM2-135M": ["180 MiB", "540 MiB"],
        "Llama 3.1 8B": ["16 GiB", "64 GiB"],
        "Qwen2.5-7B-Instruct-1M": [
            size_text(2 * 28 * 4 * 128 * 2 * 1_010_000),
            size_text(2 * 28 * 28 * 128 * 2 * 1_010_000),
        ],
    }
    assert memory(at) == sizes[preset.name]


def test_positions_beyond_a_models_longest_are_cut_and_that_is_said():
    at = app("kv_cache", model="GPT-2 small")
    assert memory(at) == ["36 MiB", "36 MiB"]
    assert "reads at most 1,024 positions, so 1,024 are counted instead of 8,192" in html_of(at)
    at.segmented_control(key="model").set_value("Llama 3.1 8B").run()
    assert "reads at most" not in html_of(at)
    assert memory(at) == ["1 GiB", "4 GiB"]


def test_requests_and_bytes_multiply():
    at = app("kv_cache")
    at.select_slider(key="requests").set_value(4)
    at.segmented_control(key="bytes").set_value(1)
    at.run()
    assert memory(at) == ["2 GiB", "8 GiB"]


@pytest.mark.parametrize(
    "link",
    [
        {"model": "", "positions": "", "requests": "", "bytes": ""},
        {"model": "HAL", "positions": "-5", "requests": "a", "bytes": "3"},
        {"positions": "9" * 3000, "bytes": "\x00", "ask": "0"},
        {"model": ["GPT-2 small", "x"], "requests": ["1", "2", "3"]},
    ],
)
def test_nonsense_for_the_calculator_falls_back(link):
    at = app("kv_cache", **link)
    assert not at.exception
    assert memory(at)
