"""The pictures about heads: joined and added, patterns, what is split, what is shared."""

import numpy as np
import pytest

from attention_core import Experiment, trace
from attention_core.memory import PRESETS
from attention_core.patterns import PatternScores, even_weights
from attention_view import heads
from tests.view.read_html import read, rows

IT, LAST = 7, 9
PREVIOUS, SINK = 1, 2
GPT2, LLAMA = (model for model in PRESETS if model.name in ("GPT-2 small", "Llama 3.1 8B"))


def record(**settings):
    return trace(Experiment(**settings))


def joined(**settings):
    return read(heads.joining(record(**settings), IT))


def cells(element):
    return [cell.one("dd").text for cell in element.one("dl").all("div")]


def slices(tree):
    return {part.one("p").text: cells(part) for part in tree.all("div", having="av-slice")}


def strips(tree):
    return {figure.one("figcaption").text: cells(figure) for figure in tree.all("figure") if len(figure.all("dl")) == 1}


def test_the_outputs_stand_end_to_end_with_their_sizes():
    tree = joined()
    assert slices(tree) == {
        "pronoun head": ["0.47", "0.47", "0", "0"],
        "previous head": ["0.00", "0.01", "0.00", "0.01"],
        "sink head": ["0.02", "0.02", "0.02", "0.02"],
    }
    assert "4 + 4 + 4 = 12 numbers" in tree.text
    assert "12 × 12" in tree.one("p", having="av-times").text


def test_a_head_that_is_off_is_joined_as_zeros_and_says_so():
    off = joined(heads=("previous", "sink"))
    assert slices(off)["pronoun head: off"] == ["0"] * 4
    assert slices(off)["sink head"] == slices(joined())["sink head"]
    assert strips(off)["output joined · W_O, 12 numbers"][:2] == ["0.02", "0.03"]


def test_before_and_output_make_the_new_vector():
    output, before, after = strips(joined()).values()
    r = record()
    assert [output[0], before[0], after[0]] == [f"{r.output[IT, 0]:.2f}", "0", f"{r.new_X[IT, 0]:.2f}, marked"]
    assert after[11] == before[11]


def test_with_all_heads_off_the_token_stays_as_it_was():
    tree = joined(heads=())
    _, before, after = strips(tree).values()
    assert before == after
    assert "Nothing is added, so it stays as it was." in tree.one("p", having="av-note").text
    assert not joined().all("p", having="av-note")


@pytest.mark.parametrize("query", range(10))
def test_numbers_that_do_not_add_up_as_shown_are_called_rounded(query):
    r = record()
    _, before, after = strips(read(heads.joining(r, query))).values()
    shown = [float(x.removesuffix(", marked").replace("−", "-")) for x in (*before, *after)]
    output = [round(float(x), 2) for x in r.output[query]]
    exact = np.allclose(np.add(shown[:12], output), shown[12:], atol=1e-9)
    assert exact or "rounded" in heads.joining(r, query)


def test_the_mean_of_the_heads_stands_beside_the_words_on_it_and_opens():
    r = record()
    mean = r.weights.mean(axis=0)
    tree = read(heads.averaging(r, mean, IT, words="<p>said</p>"))
    numbers = {u.attributes["data-open"]: u.text for u in tree.all("u")}
    assert numbers == {str(j): f"{mean[IT, j]:.3f}" for j in range(IT + 1)}
    assert tree.one("div", having="av-row-bars").attributes["data-of"] == f"mean[{IT},*]"
    assert "(3)" in tree.one("caption").text and "said" in tree.text


def test_with_no_head_on_there_is_nothing_to_average():
    tree = read(heads.averaging(record(heads=()), None, IT, words=""))
    assert "nothing to average" in tree.text and not tree.all("table")


def test_pattern_scores_stand_in_a_row_for_each_head_and_none_is_said_in_words():
    markup = heads.patterns_table(
        {
            "a": PatternScores(previous=0.9, sink=-0.25, pronoun_to_noun=None, self=0.0, entropy_share=0.1),
            "mean": PatternScores(previous=0.2, sink=0.1, pronoun_to_noun=0.3, self=0.0, entropy_share=0.8),
        },
        notes={"mean": "no head's opinion"},
    )
    table = rows(markup)
    assert table["a"] == ["0.90", "−0.25", "– no word has a choice", "0.00", "0.10"]
    assert list(table) == ["a", "mean no head's opinion"]
    assert [cell.text for cell in read(markup).all("td", having="av-clear")] == ["0.90"]


def baseline(query, **settings):
    r = record(**settings)
    return read(heads.baseline_sentence(r, even_weights(r.mask), head=SINK, query=query)).text.replace("\u00a0", " ")


def test_the_baseline_is_one_share_for_each_word_that_is_seen():
    assert baseline(LAST) == (
        "tired sees 10 words. Without preference each would get 1/10 = 10 %. The sink head gives The 86 %."
    )
    assert baseline(0) == "The sees only itself. So its 100 % is no preference."
    assert "1/10 = 10 %" in baseline(0, mask="none")


def test_a_wide_matrix_holds_the_heads_side_by_side():
    r = record()
    markup = heads.wide_matrix(
        r.W_Q,
        head_names=r.head_names,
        row_names=r.dimension_names,
        column_names=r.query_dimension_names,
        kind="query",
        title="W_Q",
    )
    tree = read(markup)
    assert rows(markup)["always 1"] == ["0"] * 8 + ["4", "0", "0", "0"]
    assert rows(markup)["sin 4"] == ["0"] * 4 + ["0", "0", "0", "4"] + ["0"] * 4
    groups = [cell for cell in tree.all("th") if cell.attributes.get("scope") == "colgroup"]
    assert [(cell.text, cell.attributes["colspan"]) for cell in groups] == [(name, "4") for name in r.head_names]


def test_what_is_split_is_said_with_its_sizes():
    right, wrong = (part.attributes["aria-label"] for part in read(heads.splitting(record())).all("div") if
                    part.attributes.get("role") == "img")  # fmt: skip
    assert "X, 10 tokens by 12 numbers, goes whole into one wide W_Q, 12 by 12." in right
    assert "cut into 3 slices of 4 columns: pronoun, previous, sink" in right
    assert wrong.endswith("so it is not.")


@pytest.mark.parametrize(("model", "groups", "share"), [(GPT2, 12, 1), (LLAMA, 8, 4)])
def test_query_heads_stand_above_the_key_and_value_head_they_share(model, groups, share):
    drawing = read(heads.sharing([model])).one("div", having="av-sharing").one("div")
    assert [len(group.all("i", having="av-query-head")) for group in drawing.all("span")] == [share] * groups
    assert len(drawing.all("b", having="av-kv-head")) == groups
    assert f"{model.n_heads} query heads" in drawing.attributes["aria-label"]


def test_the_twin_and_the_matrices_hold_every_table():
    r = record()
    twin = read(heads.twin(r, None))
    assert len(twin.all("table")) == 6
    assert len(read(heads.twin(r, r.weights[0])).all("table")) == 7
    assert [table.one("caption").text.split()[0] for table in read(heads.matrices(r)).all("table")] == [
        "W_Q", "W_K", "W_V", "W_O",
    ]  # fmt: skip
