"""Blocks and strongest keys of a long map: nothing is averaged, nothing is lost, and what is masked is left out."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core.attention import softmax
from attention_core.models import blocks as blocks_module
from attention_core.models import strongest as strongest_module
from attention_core.models.blocks import blocks
from attention_core.models.strongest import strongest


def map_of(n_queries, n_keys, seed, *leading):
    return softmax(np.random.default_rng(seed).normal(scale=3, size=(*leading, n_queries, n_keys)))


sizes = st.integers(1, 23)
maps = st.builds(map_of, sizes, sizes, st.integers(0, 9))


@pytest.mark.parametrize("module", [blocks_module, strongest_module])
def test_the_examples_in_the_docstrings_hold(module):
    results = doctest.testmod(module)
    assert results.attempted and not results.failed


@given(weights=maps, most=st.integers(1, 25))
def test_the_largest_block_holds_the_largest_weight_and_the_sums_add_up_to_the_number_of_rows(weights, most):
    assert blocks(weights, most, "max").values.max() == weights.max()
    sums = blocks(weights, most, "sum")
    assert sums.values.sum() == pytest.approx(len(weights), abs=1e-9)
    assert sums.values.max() <= sums.most + 1e-9


@given(weights=maps, most=st.integers(1, 25))
def test_a_block_is_what_stands_between_its_edges(weights, most):
    by_max, by_sum = blocks(weights, most, "max"), blocks(weights, most, "sum")
    rows, columns = by_max.query_edges, by_max.key_edges
    assert max(len(rows), len(columns)) - 1 <= most
    assert (rows[0], rows[-1], columns[0], columns[-1]) == (0, weights.shape[0], 0, weights.shape[1])
    for r, c in np.ndindex(by_max.values.shape):
        cells = weights[rows[r] : rows[r + 1], columns[c] : columns[c + 1]]
        assert max(cells.shape) <= by_max.tokens
        assert by_max.values[r, c] == cells.max()
        assert by_sum.values[r, c] == pytest.approx(cells.sum())


def test_sums_are_added_up_in_double_precision():
    """In single precision 1 + 2⁻²⁵ is 1, however often it is added."""
    weights = np.array([[1.0] + 1024 * [2.0**-25]], dtype=np.float32)
    assert blocks(weights, 1, "sum").values.tolist() == [[1 + 2.0**-15]]
    assert blocks(weights.T, 1, "sum").values.tolist() == [[1 + 2.0**-15]]


def test_with_room_for_every_token_the_blocks_are_the_cells():
    weights = map_of(5, 7, 0)
    for by in ("max", "sum"):
        assert np.array_equal(blocks(weights, 7, by).values, weights)
        assert blocks(weights, 7, by).most == 1


def test_masked_cells_are_left_out_and_a_block_of_them_alone_is_not_visible():
    weights = np.full((4, 4), 0.25)
    found = blocks(weights, 2, "sum", mask=np.tri(4, dtype=bool))
    assert found.values.tolist() == [[0.75, 0.0], [1.0, 0.75]]
    assert found.visible.tolist() == [[True, False], [True, True]]
    assert blocks(weights, 2, "max", mask=np.zeros((4, 4), bool)).values.tolist() == [[0, 0], [0, 0]]


def test_heads_and_layers_may_stand_in_front():
    weights = map_of(11, 13, 1, 2, 3)
    found = blocks(weights, 5, "max")
    assert found.values.shape == (2, 3, 4, 5)
    assert np.array_equal(found.values[1, 2], blocks(weights[1, 2], 5, "max").values)


def test_no_tokens_have_no_blocks():
    assert blocks(np.zeros((0, 3)), 2, "sum").values.shape == (0, 2)
    assert blocks(np.zeros((3, 0)), 2, "max").values.shape == (2, 0)


NOT_A_NUMBER = np.array([[1.0, 0.0], [np.nan, 0.5]])
MINUS = np.array([[1.0, 0.0], [1.5, -0.5]])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"weights": NOT_A_NUMBER}, "weights must be finite, but at query 1, key 0 it is nan"),
        ({"weights": MINUS}, r"weights must lie from 0 to 1, but query 1, key 0 has 1\.5"),
        ({"mask": np.ones((2, 3), bool)}, r"mask must be boolean .* \(2, 2\), but it is bool and \(2, 3\)"),
        ({"mask": np.ones((2, 2))}, r"but it is float64 and \(2, 2\)"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_place(given, message):
    for function in (lambda **given: blocks(most=2, by="max", **given), lambda **given: strongest(n=2, **given)):
        with pytest.raises(ValueError, match=message):
            function(**{"weights": np.full((2, 2), 0.5), **given})


def test_impossible_wishes_are_refused():
    with pytest.raises(ValueError, match="at least 1 block, by max or sum, but got 2 by 'mean'"):
        blocks(np.eye(2), 2, "mean")
    with pytest.raises(ValueError, match="at least 1 block, by max or sum, but got 0"):
        blocks(np.eye(2), 0, "max")
    with pytest.raises(ValueError, match="at least 1 strongest key, but got 0"):
        strongest(np.eye(2), 0)
    with pytest.raises(ValueError, match=r"of one head, but their shape is \(1, 2, 2\)"):
        strongest(np.eye(2)[None], 1)


@given(weights=maps, n=st.integers(1, 12), causal=st.booleans(), without_first=st.booleans())
def test_strongest_rest_and_first_are_the_whole_row(weights, n, causal, without_first):
    mask = np.tri(*weights.shape, dtype=bool) if causal else np.ones(weights.shape, bool)
    weights = np.where(mask, weights, 0)
    found = strongest(weights, n, mask=mask, without_first=without_first)
    assert found.weights.sum(axis=1) + found.rest + found.first == pytest.approx(weights.sum(axis=1))
    assert found.sums == pytest.approx(weights.sum(axis=1))
    for i, keys in enumerate(found.keys):
        listed = [int(j) for j in np.flatnonzero(mask[i]) if j > 0 or not without_first]
        expected = sorted(listed, key=lambda j: (-weights[i, j], j))[:n]
        assert [j for j in keys.tolist() if j >= 0] == expected
        assert found.others[i] == len(listed) - len(expected)


def test_the_share_of_the_first_key_is_of_all_weights():
    weights = [[1.0, 0.0], [0.5, 0.5]]
    assert strongest(weights, 1, without_first=True).share_of_first == 0.75
    assert strongest(weights, 1).share_of_first == 0
    assert strongest(np.zeros((0, 0)), 1, without_first=True).share_of_first == 0


def test_a_query_that_may_look_at_nothing_has_no_strongest_key():
    found = strongest([[0.0, 0.0], [0.5, 0.5]], 3, mask=np.array([[False, False], [True, True]]))
    assert found.empty.tolist() == [True, False]
    assert found.keys.tolist() == [[-1, -1], [0, 1]]


def test_of_equal_weights_the_earlier_keys_are_named():
    found = strongest(np.full((3, 60), 1 / 60), 10)
    assert found.keys.tolist() == [[*range(10)]] * 3
