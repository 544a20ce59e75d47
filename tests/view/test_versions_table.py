"""Two versions of a text side by side: what is said of their rows is true of these two texts."""

import re

import numpy as np
import pytest

from attention_core.models import Run, Settings
from attention_core.models.two_texts import LastRows, earlier_rows
from attention_view.own_text.versions_table import earlier_sentence, rows_table
from tests.view.read_html import read, rows

SETTINGS = Settings(
    name="small", family="llama", n_layers=1, n_heads=1, n_kv_heads=1, d_model=2, d_head=2, d_hidden=2,
    n_vocabulary=9, longest=9, norm_epsilon=1e-5,
)  # fmt: skip


def run(text, *, causal=True):
    tokens = tuple(text.split())
    vectors = np.ones((1, 1, len(tokens), 2), dtype=np.float32)
    return Run(
        settings=SETTINGS, tokens=tokens, pieces=tokens, Q=vectors, K=vectors.copy(), V=vectors.copy(),
        causal=causal, given="Made up.",
    )  # fmt: skip


def said(first, second, *, causal=True):
    runs = run(first, causal=causal), run(second, causal=causal)
    return read(earlier_sentence(earlier_rows(*runs), runs)).text


def test_a_weight_above_0_is_never_listed_as_0():
    last = LastRows(first=np.array([0.0, 0.0004, 0.9996]), second=np.array([0.25, 0.75]), change=np.array([0.25]))
    lines = rows(rows_table(last, (run("a b c"), run("a x"))))
    assert lines["a"][:2] == ["0", "0.250"]
    assert (lines["b"][0], lines["c"][0]) == ("<0.001", "1.000") and lines["x"][1] == "0.750"


def test_the_earlier_rows_are_named_and_it_only_where_it_is():
    its = said("the cat sat because it was tired", "the cat sat because it was soft")
    assert "every token up to was, it among them, has the same row in both texts" in its
    assert its.endswith("Only the last row can answer to the last token.")
    without = said("the cat was tired", "the cat was soft")
    assert "every token up to was has the same row in both texts" in without


@pytest.mark.parametrize("second", ["the dog was tired", "the cat", "the cat was so tired"])
def test_of_texts_that_part_earlier_the_last_row_is_not_the_only_one(second):
    assert re.search(
        r"Only the rows after (the|cat|was) can answer to what differs\.$", said("the cat was tired", second)
    )


def test_one_shared_token_is_one_row():
    assert said("a b", "a c").startswith("Over all heads, the row of the one token that both texts begin with differs")
    assert "no token in common" in said("a", "b")


@pytest.mark.parametrize("causal", [True, False])
def test_of_the_same_tokens_no_row_is_said_to_change(causal):
    assert (
        said("a b", "a b", causal=causal) == "The model reads the same tokens in both texts, so every row is the same."
    )
