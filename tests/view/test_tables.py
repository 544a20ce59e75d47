"""Text twins: the same numbers as the picture, as plain tables."""

import numpy as np
import pytest

from attention_core import Experiment, trace
from attention_view.numbers import GAP
from attention_view.tables import row_table, vectors_table, weights_table
from tests.view.read_html import read, rows

RECORD = trace(Experiment())
TOKENS = RECORD.query_tokens


def weights(record=RECORD, head=0, **options):
    return weights_table(
        record.weights[head],
        **{"query_tokens": record.query_tokens, "key_tokens": record.key_tokens, "mask": record.mask, **options},
    )


def shown(text):
    return float(text.replace("−", "-"))


def test_the_table_of_weights_has_every_weight_and_says_masked_in_words():
    lines = [*rows(weights()).values()]
    assert len(lines) == len(TOKENS)
    for i, line in enumerate(lines):
        *cells, total = line
        assert total == "1"
        assert [cell == "masked" for cell in cells] == [not seen for seen in RECORD.mask[i]]
        assert [shown(cell) for cell in cells if cell != "masked"] == pytest.approx(
            RECORD.weights[0, i, RECORD.mask[i]], abs=0.0005
        )


def test_the_headers_say_what_is_a_row_and_what_a_column():
    table = read(weights()).one("table")
    columns = table.one("thead").all("th")
    assert columns[0].text == "query (asks) ↓key (is looked at) →"
    assert [head.text for head in columns[1:4]] == ["The, token 1", "cat", "sat"]
    assert {head.attributes["scope"] for head in columns} == {"col"}
    assert {head.attributes["scope"] for head in table.one("tbody").all("th")} == {"row"}
    assert table.one("caption").text.startswith("Weights: how much each query looks at each key")


def test_every_digit_is_there_when_asked_for():
    for i, line in enumerate(rows(weights(digits=None)).values()):
        assert [shown(cell) for cell in line[:-1] if cell != "masked"] == RECORD.weights[0, i, RECORD.mask[i]].tolist()
        assert line[-1] == "1"


def test_rows_that_do_not_add_up_as_shown_are_said_to_be_rounded():
    assert "rounded" in read(weights()).one("caption").text
    halves = weights_table([[0.5, 0.5]], query_tokens=["a"], key_tokens=["b", "c"], mask=np.ones((1, 2), bool))
    assert "rounded" not in read(halves).one("caption").text


def test_a_sum_that_is_not_1_is_shown_as_it_is():
    markup = weights_table([[0.5, 0.25]], query_tokens=["a"], key_tokens=["b", "c"], mask=np.ones((1, 2), bool))
    assert rows(markup)["a"] == ["0.500", "0.250", "0.750"]


def test_a_query_that_may_look_at_nothing_is_said_to():
    markup = weights_table([[0, 0]], query_tokens=["a"], key_tokens=["b", "c"], mask=np.zeros((1, 2), bool))
    assert rows(markup)["a"] == ["masked", "masked", "0: may look at nothing"]


def test_zero_and_masked_look_different():
    markup = weights_table(
        [[1, 0, 0]], query_tokens=["a"], key_tokens=["a", "b", "c"], mask=np.array([[True, True, False]])
    )
    assert rows(markup)["a"] == ["1", "0", "masked", "1"]


def test_queries_and_keys_may_differ_in_number():
    markup = weights_table(
        np.full((2, 3), 1 / 3), query_tokens=["a", "b"], key_tokens=["x", "y", "z"], mask=np.ones((2, 3), bool)
    )
    assert [len(line) for line in rows(markup).values()] == [4, 4]
    assert [head.text for head in read(markup).one("thead").all("th")][1:] == ["x", "y", "z", "sum"]


def test_the_table_of_vectors_has_a_row_for_each_token():
    markup = vectors_table(
        RECORD.Q[0], row_names=TOKENS, column_names=RECORD.query_dimension_names[0], caption="The query of every token"
    )
    lines = rows(markup)
    assert list(lines) == ["The, token 1", "cat", "sat", "on", "the, token 5", *TOKENS[5:]]
    assert lines["tired"] == ["4", "0", "0", "0"]
    assert [[shown(cell) for cell in line] for line in lines.values()] == RECORD.Q[0].tolist()
    assert [head.text for head in read(markup).one("thead").all("th")] == ["token", "alive", "thing", "tired", "soft"]
    every = vectors_table([[1 / 3]], row_names=["a"], column_names=["x"], caption="", digits=None)
    assert shown(rows(every)["a"][0]) == 1 / 3


def test_one_row_is_given_with_every_digit():
    r = trace(Experiment(ask=2))
    lines = rows(
        row_table(
            r.scores[0, 2], r.weights[0, 2], key_tokens=r.key_tokens, mask_row=r.mask[2], caption="the row of sat"
        )
    )
    assert shown(lines["cat"][1]) == r.weights[0, 2, 1]
    assert lines["cat"][0::2] == ["4", f"96{GAP}%"]
    assert lines["mat"] == ["masked", "0", f"0{GAP}%"]


def test_tokens_and_captions_are_never_read_as_markup():
    markup = vectors_table([[1], [2]], row_names=["<s>", "&lt;"], column_names=["<b>"], caption='<i>"x"')
    assert [*rows(markup)] == ["<s>", "&lt;"]
    assert read(markup).one("caption").text == '<i>"x"'
    assert read(markup).one("div").attributes["aria-label"] == '<i>"x"'


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: weights(mask=RECORD.mask[:, :-1]), r"mask must have the shape \[query, key\] = \(10, 10\)"),
        (lambda: weights(mask=RECORD.mask * 1), "mask must be boolean .*, but its type is int"),
        (lambda: weights(key_tokens=TOKENS[:4]), r"weights must have the shape \[query, key\] = \(10, 4\)"),
        (
            lambda: weights_table([[np.nan]], query_tokens=["a"], key_tokens=["b"], mask=np.ones((1, 1), bool)),
            "weights must be finite, but at query 0, key 0 it is nan",
        ),
        (
            lambda: vectors_table([[1, 2]], row_names=["a"], column_names=["x"], caption=""),
            r"values must have the shape \[token, dimension\] = \(1, 1\), but its shape is \(1, 2\)",
        ),
        (
            lambda: row_table([1, np.inf], [0, 1], key_tokens=["a", "b"], mask_row=np.ones(2, bool), caption=""),
            "scores must be finite, but at key 1 it is inf",
        ),
        (
            lambda: row_table([1], [0, 1], key_tokens=["a", "b"], mask_row=np.ones(2, bool), caption=""),
            r"scores must have the shape \[key\] = \(2,\), but its shape is \(1,\)",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(build, message):
    with pytest.raises(ValueError, match=message):
        build()


def test_a_masked_score_stands_as_minus_infinity():
    markup = vectors_table([[1.0, -np.inf]], row_names=["a"], column_names=["b", "c"], caption="Masked scores")
    assert rows(markup)["a"] == ["1", "−∞"]
