"""What the token view sends to the browser: the record's numbers, checked, and not once more than needed."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from attention_core import Experiment, trace
from attention_view.colours import ENOUGH_FOR_TEXT, colour_at, contrast, weight_scale
from attention_view.token_data import token_view_data

GRID = Path(__file__).parents[2] / "attention_view" / "token_view" / "grid.js"

TOKENS = ["a", "b"]
HALF = np.full((2, 2), 0.5)
LOOK_BACK = np.tri(2, dtype=bool)


def sent(**changed):
    return token_view_data(**{"query_tokens": TOKENS, "key_tokens": TOKENS, "weights": HALF, **changed})


def test_the_numbers_are_the_records_and_masked_pairs_have_none():
    record = trace(Experiment(ending="tired"))
    data = token_view_data(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[0],
        mask=record.mask,
        scores=record.scores[0],
        empty_rows=record.empty_rows,
    )
    for i, j in np.ndindex(10, 10):
        assert data["weights"][i][j] == (record.weights[0, i, j] if record.mask[i, j] else None)
        assert data["scores"][i][j] == (record.scores[0, i, j] if record.mask[i, j] else None)
    assert data["row_sentences"][9].startswith("tired looks mostly at cat")
    assert data["query_names"][0] == "The, token 1"
    assert data["row_sums"] == pytest.approx([1] * 10)
    assert not data["notice"]


def test_the_message_of_the_toy_is_small_and_plain_json():
    record = trace(Experiment())
    data = token_view_data(
        query_tokens=record.query_tokens, key_tokens=record.key_tokens, weights=record.weights[0], mask=record.mask
    )
    text = json.dumps(data, allow_nan=False)
    assert json.loads(text) == data
    assert len(text) < 6_000


def test_exactly_zero_is_not_masked():
    data = sent(weights=np.eye(2), mask=np.ones((2, 2), bool))
    assert data["weights"] == [[1.0, 0.0], [0.0, 1.0]]


def test_minus_infinity_is_welcome_where_the_mask_hides():
    data = sent(weights=[[1, 0], [0.5, 0.5]], mask=LOOK_BACK, scores=[[1, -np.inf], [2, 3]])
    assert data["scores"] == [[1.0, None], [2.0, 3.0]]


def test_query_and_key_lists_may_differ():
    data = token_view_data(query_tokens=["x"], key_tokens=["a", "b", "c"], weights=[[0.2, 0.3, 0.5]])
    assert len(data["row_sentences"]) == 1
    assert len(data["column_sentences"]) == 3


def test_a_row_that_does_not_sum_to_one_is_marked_and_an_empty_one_is_not():
    data = sent(weights=[[0, 0], [0.5, 0.4]], mask=[[False, False], [True, True]])
    assert data["empty_rows"] == [True, False]
    assert data["odd_rows"] == [False, True]
    assert data["notice"] == "1 row does not sum to 1: the sum is 0.9."
    assert sent(weights=[[0.5, 0.4], [0.5, 0.3]])["notice"] == "2 rows do not sum to 1: the sums run from 0.8 to 0.9."


def test_no_tokens_is_a_statement():
    nothing = token_view_data(query_tokens=[], key_tokens=[], weights=np.zeros((0, 0)))
    no_keys = token_view_data(query_tokens=["a"], key_tokens=[], weights=np.zeros((1, 0)))
    assert nothing["notice"] == "There is no token that asks."
    assert no_keys["notice"] == "There is no token to look at."


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"weights": np.ones((3, 2))}, r"weights must be \[query, key\] = \[2, 2\].*got shape \[3, 2\]"),
        ({"weights": np.ones((1, 2, 2))}, r"got shape \[1, 2, 2\]"),
        ({"weights": [[0.5, np.nan], [1, 0]]}, "weights must be finite, but query 0, key 1 has nan"),
        ({"weights": [[0.5, 0.5], [np.inf, 0]]}, "weights must be finite, but query 1, key 0 has inf"),
        ({"weights": [[1.5, -0.5], [1, 0]]}, "weights must lie from 0 to 1, but query 0, key 0 has 1.5"),
        ({"mask": LOOK_BACK}, "weights must be 0 where the mask hides the key, but query 0, key 1 has 0.5"),
        ({"mask": np.ones((2, 3), bool)}, r"mask must be \[query, key\] = \[2, 2\].*got shape \[2, 3\]"),
        ({"mask": np.ones((2, 2))}, "mask must be boolean, True = may look at, got float64"),
        ({"scores": np.ones(2)}, r"scores must be \[query, key\] = \[2, 2\].*got shape \[2\]"),
        (
            {"scores": [[0, np.nan], [1, 0]]},
            "scores must be finite where the mask lets a query look, but query 0, key 1",
        ),
        ({"empty_rows": [True, False]}, r"empty_rows must be \[query\].*\[\], got \[0\] of shape \[2\]"),
        ({"parts": ()}, r"parts must be some of .*got \(\)"),
        ({"parts": "lines"}, "parts must be some of .*got 'lines'"),
        ({"parts": ("lines", "lines")}, "parts must be some of .*each once"),
        ({"parts": ("bars",)}, "parts must be some of"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_must_hold(changed, message):
    with pytest.raises(ValueError, match=message):
        sent(**changed)


@given(st.integers(0, 5), st.integers(0, 5), st.data())
def test_any_weights_under_any_mask_become_plain_json(n_queries, n_keys, data):
    mask = np.array([[data.draw(st.booleans()) for _ in range(n_keys)] for _ in range(n_queries)], bool)
    mask = mask.reshape(n_queries, n_keys)
    parts = np.array([[data.draw(st.floats(0, 1)) for _ in range(n_keys)] for _ in range(n_queries)], float)
    weights = np.where(mask, parts.reshape(n_queries, n_keys), 0)
    tokens = data.draw(st.lists(st.text(max_size=3), min_size=n_queries + n_keys, max_size=n_queries + n_keys))
    message = token_view_data(
        query_tokens=tokens[:n_queries], key_tokens=tokens[n_queries:], weights=weights, mask=mask
    )
    json.dumps(message, allow_nan=False)
    assert [[number is not None for number in row] for row in message["weights"]] == mask.tolist()


@pytest.mark.parametrize(("theme", "pale", "deep"), [("light", "#000000", "#FFFFFF"), ("dark", "#FFFFFF", "#000000")])
def test_every_number_in_the_grid_can_be_read_on_its_shade(theme, pale, deep):
    turn = float(re.search(rf"DEEP = .*\b{theme}: ([\d.]+)", GRID.read_text(encoding="utf-8"))[1])
    for weight in np.linspace(0, 1, 201):
        ink = deep if weight > turn else pale
        assert contrast(ink, colour_at(weight_scale(theme), weight)) >= ENOUGH_FOR_TEXT, weight


def page():
    """A page with one token view, whose weights follow a switch."""
    import numpy as np
    import streamlit as st

    from attention_view.token_view import token_view

    st.session_state.setdefault("ask", 0)
    sharp = st.toggle("sharp")
    weights = np.eye(2) if sharp else np.full((2, 2), 0.5)
    token_view(query_tokens=["a", "b"], key_tokens=["a", "b"], weights=weights, ask=st.session_state["ask"])


def message_of(at):
    return json.loads(at.get("bidi_component")[0].proto.bytes)


def test_a_run_that_changes_nothing_sends_the_same_message():
    at = AppTest.from_function(page, default_timeout=20).run()
    first = message_of(at)
    assert message_of(at.run()) == first


def test_the_turn_rises_when_the_weights_change():
    at = AppTest.from_function(page, default_timeout=20).run()
    first = message_of(at)
    changed = message_of(at.toggle[0].set_value(True).run())
    assert changed["turn"] == first["turn"] + 1
    assert changed["weights"] != first["weights"]


def test_weights_that_change_in_place_are_shown():
    def page():
        import numpy as np
        import streamlit as st

        from attention_view.token_view import token_view

        weights = st.session_state.setdefault("weights", np.full((2, 2), 0.5))
        token_view(query_tokens=["a", "b"], key_tokens=["a", "b"], weights=weights, ask=0)
        weights[:] = np.eye(2)  # for the next run

    at = AppTest.from_function(page).run()
    assert message_of(at)["weights"] == [[0.5, 0.5], [0.5, 0.5]]
    assert message_of(at.run())["weights"] == [[1.0, 0.0], [0.0, 1.0]]


def test_the_turn_rises_when_another_control_moves_the_question():
    at = AppTest.from_function(page, default_timeout=20).run()
    first = message_of(at)
    at.session_state["ask"] = 1
    changed = message_of(at.run())
    assert (changed["turn"], changed["ask"]) == (first["turn"] + 1, 1)


def test_a_question_that_no_query_asks_is_refused():
    at = AppTest.from_function(page, default_timeout=20)
    at.session_state["ask"] = 2
    assert "ask must be the place of a query, 0 to 1, got 2" in at.run().exception[0].message


def leaking(**changed):
    record = trace(Experiment(variant="mask_as_zero"))
    return token_view_data(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[0],
        mask=record.mask,
        scores=record.masked_scores[0],
        may_leak=True,
        **changed,
    )


def test_a_masked_key_with_a_weight_is_a_leak_with_its_number_and_said_in_words():
    record, data = trace(Experiment(variant="mask_as_zero")), leaking()
    assert data["weights"] == record.weights[0].tolist()
    assert np.array_equal(data["leaks"], ~record.mask)
    assert data["scores"][0][9] == 0
    assert data["row_sentences"][0].endswith("It leaks: 90 percent goes to 9 tokens that it may not see.")
    assert data["column_sentences"][9].endswith("It leaks: weight also comes from 9 tokens that may not see it.")
    assert "leaks" not in data["row_sentences"][9] + data["column_sentences"][0]


def test_where_nothing_leaks_the_picture_is_the_same_whether_it_may_or_not():
    half = {"weights": [[1, 0], [0.5, 0.5]], "mask": LOOK_BACK}
    assert sent(**half, may_leak=True) == sent(**half)
    assert sent(**half)["leaks"] is None


def test_a_row_that_may_see_nothing_and_leaks_all_of_it_has_a_sum():
    data = sent(weights=HALF, mask=[[False, False], [True, True]], may_leak=True)
    assert data["empty_rows"] == [False, False]
    assert data["row_sums"] == [1, 1]
    assert data["row_sentences"][0] == (
        "a may look at nothing: every token is masked. It leaks: 100 percent goes to 2 tokens that it may not see."
    )


def test_the_sums_of_the_columns_are_sent_when_they_are_wanted():
    assert sent()["column_sums"] is None
    assert sent(weights=[[1, 0], [0.5, 0.5]], column_sums=True)["column_sums"] == [1.5, 0.5]
