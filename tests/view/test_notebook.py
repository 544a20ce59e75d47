"""The notebook: README's lines give a picture without Streamlit; arrays of every kind; errors that name the axes."""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attention_core import Experiment, trace
from attention_view.notebook import show, weights_figure

ROOT = Path(__file__).parents[2]
TOKENS = ("a", "b", "a")
TABLE = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])


def readme_lines():
    """The lines of README's section for notebooks."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## In a notebook")[1].split("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return [line for line in code.splitlines() if line]


def data_of(picture):
    """What the picture's file holds for the script."""
    (text,) = re.findall(r'<script type="application/json" id="view">(.*?)</script>', picture.to_html())
    return json.loads(text)


def test_the_lines_of_the_readme_are_five_and_show_a_picture_without_streamlit():
    lines = readme_lines()
    assert len(lines) == 5
    program = "\n".join(
        (
            "import sys",
            "sys.modules.update(streamlit=None, pandas=None)",
            *lines[:-1],
            f"print(({lines[-1]})._repr_html_())",
        )
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == ""
    assert '<iframe sandbox="allow-scripts" srcdoc="' in done.stdout
    assert "cat" in html.unescape(done.stdout)


def test_the_frame_holds_the_whole_file_and_asks_for_nothing_outside():
    frame = show(TABLE, TOKENS)._repr_html_()
    (inside,) = re.findall(r'srcdoc="([^"]*)"', frame)
    file = html.unescape(inside)
    assert file.startswith("<!DOCTYPE html>")
    assert "default-src 'none'" in file
    assert not re.findall(r"""(?:src|href)=["'](?!data:)""", file)


def test_equal_tokens_keep_a_row_and_a_column_each():
    data = data_of(show(TABLE, TOKENS))
    assert data["query_tokens"] == data["key_tokens"] == ["a", "b", "a"]
    assert data["weights"] == TABLE.tolist()
    assert data["ask"] == 2
    figure = weights_figure(TABLE, TOKENS)
    assert figure.data[0].z.shape == (3, 3)


def test_the_layers_of_a_model_show_the_chosen_head():
    record = trace(Experiment())
    layers = (record.weights[None], record.weights[None, ::-1])
    picture = show(layers, record.query_tokens, layer=1, head=0)
    assert data_of(picture)["weights"] == record.weights[-1].tolist()
    assert picture.data["caption"] == "layer 1, head 0"
    assert weights_figure(layers, record.query_tokens, layer=1, head=2).data[0].z[9, 1] == record.weights[0, 9, 1]


def test_a_mask_hides_what_it_hides():
    data = data_of(show(TABLE, TOKENS, mask=np.tri(3, dtype=bool)))
    assert data["weights"][0] == [1.0, None, None]


def test_weight_on_what_the_mask_hides_is_said_to_leak():
    picture = show(TABLE[::-1], TOKENS, mask=np.tri(3, dtype=bool), ask=0)
    assert data_of(picture)["leaks"][0] == [False, True, True]
    assert "It leaks: 80 percent goes to 2 tokens that it may not see." in picture.data["row_sentences"][0]
    assert "hatched number: leaks" in picture.to_svg()


def test_queries_stand_in_columns_where_that_is_wanted():
    picture = show(TABLE[:2], "ab", key_tokens="xyz", layout="columns")
    assert data_of(picture)["layout"] == "columns"
    assert picture._height() == show(TABLE, "abc", key_tokens="xyz")._height() + 36  # a row for the sums
    assert weights_figure(TABLE[:2], "ab", key_tokens="xyz", layout="columns").data[0].z.shape == (3, 2)
    with pytest.raises(ValueError, match="layout must be one of rows, columns, but it is 'diagonal'"):
        show(TABLE, TOKENS, layout="diagonal")


def test_rows_that_do_not_sum_to_one_are_shown_with_a_notice():
    data = data_of(show(TABLE * [[1], [1], [0.9]], TOKENS))
    assert data["notice"] == "1 row does not sum to 1: the sum is 0.9."
    assert "not 1" in show(TABLE * 0.9, TOKENS).to_svg()


def test_tokens_are_never_read_as_markup():
    bad = ("</script><script>alert(1)</script>", "<!--", "&amp;")
    file = show(TABLE, bad).to_html()
    assert "alert(1)</script>" not in file
    assert data_of(show(TABLE, bad))["query_tokens"] == list(bad)


def test_many_tokens_get_no_grid():
    assert "grid" not in show(np.eye(33), [str(n) for n in range(33)]).data["parts"]
    assert "grid" in show(np.eye(32), [str(n) for n in range(32)]).data["parts"]


@pytest.mark.parametrize(
    ("weights", "tokens", "options", "words"),
    [
        (TABLE, "ab", {}, r"each of the 3 queries, for the weights are \[query, key\] = \[3, 3\], but tokens has 2$"),
        (TABLE[:2], "ab", {}, r"each of the 3 keys, .* = \[2, 3\], but tokens has 2; name the others by key_tokens"),
        (TABLE[:2], "ab", {"key_tokens": "wxyz"}, "each of the 3 keys, .* but key_tokens has 4$"),
        (np.zeros((1, 12, 7, 7)), "abcdefg", {}, r"its shape is \(1, 12, 7, 7\), which has 4: say which they are"),
        (TABLE, TOKENS, {"ask": 3}, "ask must be the place of a query, from 0 to 2, but it is 3"),
        *((TABLE, TOKENS, {"ask": ask}, f"ask must be a whole number, but it is {ask!r}") for ask in (True, "0", 1.0)),
        (TABLE, [1, 2, 3], {}, "tokens must be texts, but number 0 is 1, of the type int"),
        (TABLE, ["a", None, "b"], {}, "tokens must be texts, but number 1 is None"),
        (TABLE, ["a", "b", ["c"]], {}, r"tokens must be texts, but number 2 is \['c'\], of the type list"),
        (TABLE, [b"a", b"b", b"c"], {}, "tokens must be texts, but number 0 is b'a', of the type bytes"),
        (TABLE, b"abc", {}, "tokens must be a list of texts, but it is b'abc'"),
        (TABLE, None, {}, "tokens must be a list of texts, but it is None"),
        (TABLE, 5, {}, "tokens must be a list of texts, but it is 5"),
        (TABLE, TOKENS, {"key_tokens": [1, 2, 3]}, "key_tokens must be texts, but number 0 is 1"),
        (
            TABLE,
            TOKENS,
            {"mask": np.ones((2, 3), bool)},
            r"have the shape of the weights \[query, key\] \(3, 3\), but it is bool with the shape \(2, 3\)",
        ),
        (TABLE * np.nan, TOKENS, {}, "weights must be finite, but at query 0, key 0 it is nan"),
        (TABLE * 2, TOKENS, {}, "weights must lie from 0 to 1"),
    ],
)
def test_what_does_not_fit_is_refused(weights, tokens, options, words):
    with pytest.raises(ValueError, match=words):
        show(weights, tokens, **options)


def test_tokens_may_be_made_one_by_one():
    assert data_of(show(TABLE, (token for token in TOKENS)))["key_tokens"] == list(TOKENS)
    assert weights_figure(TABLE, iter(TOKENS)).data[0].z.shape == (3, 3)
