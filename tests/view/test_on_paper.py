"""The arithmetic of two queries as on paper: the lesson's lines, and no line that claims more than it shows."""

import re

import pytest

from attention_core.setting import Setting
from attention_core.two_queries import two_queries
from attention_view.on_paper import on_paper, results
from tests.view.read_html import read, rows

NAMES = {"query_names": ("q1", "q2"), "key_names": ("a", "b", "c")}


def lines(**numbers):
    markup = on_paper(two_queries(**numbers), **NAMES)
    return [line.text.strip() for line in read(markup).all("p")]


def test_the_lessons_lines_in_the_order_of_writing():
    wanted = [
        "a [2, 0] · [1, 0] = 2 × 1 + 0 × 0 = 2",
        "a 2 ÷ 1.414 ≈ 1.414",
        "c masked → −∞",
        "a e1.414 ≈ 4.113",
        "b e0 = 1",
        "4.113 + 1 + 0 = 5.113",
        "a 4.113 ÷ 5.113 ≈ 0.804",
        "0.804 × [1, 0] + 0.196 × [0, 2] + 0 × [3, 3] ≈ [0.804, 0.391]",
        "0.196 × [1, 0] + 0.804 × [0, 2] + 0 × [3, 3] ≈ [0.196, 1.609]",
    ]
    shown = iter(lines())
    assert all(line in shown for line in wanted)


def test_a_masked_key_keeps_its_place_in_every_step():
    masked = read(on_paper(two_queries(), **NAMES)).all("p", having="av-masked-line")
    assert [line.text[0] for line in masked] == ["c"] * 8


def test_where_everything_is_masked_a_sentence_says_so():
    assert len(lines(visible=(False, False, False))) == 2
    assert "may look at nothing" in lines(visible=(False, False, False))[0]


def test_large_scores_are_moved_first_and_the_page_says_so():
    markup = on_paper(two_queries(Q=[[1000, 0], [-1000, -1000]]), **NAMES)
    assert re.search(
        r"First every score is moved by the same number, so that the largest is 30: .* no weight changes", markup
    )
    assert "e<sup>30</sup>" in markup
    assert "e<sup>−30</sup>" in markup
    assert "1.069 × 10<sup>13</sup>" in markup


@pytest.mark.parametrize("q", [1e6, -1e6, 1e-9, 0.1234567])
def test_no_size_of_numbers_shows_nan_or_a_sum_of_nothing(q):
    text = " ".join(lines(Q=[[q, q], [q, -q]]))
    assert "nan" not in text
    assert "÷ 0 " not in text


def test_a_sum_that_the_shown_numbers_do_not_give_is_not_written_as_equal():
    assert "a [0.333, 0] · [0.333, 0] = 0.333 × 0.333 + 0 × 0 ≈ 0.111" in lines(
        Q=[[1 / 3, 0], [0, 2]], K=[[1 / 3, 0]] * 3
    )


def test_typed_numbers_keep_their_own_decimals():
    assert "a [0.5, 100] · [1, 0] = 0.5 × 1 + 100 × 0 = 0.500" in lines(Q=[[0.5, 100], [0, 2]])


def test_a_negative_factor_stands_in_brackets():
    assert "a [2, 0] · [−1, 0] = 2 × (−1) + 0 × 0 = −2" in lines(K=[[-1, 0], [0, 1], [1, 1]])


def test_the_results_show_both_queries_at_once():
    assert rows(results(two_queries(), **NAMES)) == {
        "q1": ["0.804", "0.196", "masked: 0", "[0.804, 0.391]"],
        "q2": ["0.196", "0.804", "masked: 0", "[0.196, 1.609]"],
    }
    shown = rows(results(two_queries(**vars(Setting(visible=(True, True, True)))), **NAMES))
    assert shown["q1"] == ["0.446", "0.108", "0.446", "[1.783, 1.554]"]
