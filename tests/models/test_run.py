"""A run: maps, rows and records from queries and keys, all the same numbers, against plain loops."""

import numpy as np
import pytest

from attention_core.models.all_heads import weights_of_all_heads
from tests.core.oracle import loop_attention
from tests.models.random_models import TEXT, random_model


@pytest.fixture(scope="module", params=["llama", "bert"])
def run(request):
    return random_model(request.param).read(TEXT)


def loop_weights(run, layer, head):
    mask = [[key <= query or not run.causal for key in range(7)] for query in range(7)]
    kv_head = head // 2 if run.settings.n_kv_heads == 3 else head
    Q, K, V = run.Q[layer, head], run.K[layer, kv_head], run.V[layer, kv_head]
    return [np.array(part) for part in loop_attention(Q.tolist(), K.tolist(), V.tolist(), mask)]


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("head", range(6))
def test_a_map_a_row_and_a_record_are_the_same_numbers(run, layer, head):
    weights, outputs = loop_weights(run, layer, head)
    np.testing.assert_allclose(run.weights(layer, head), weights, atol=1e-6)
    record = run.record(layer, [head])
    np.testing.assert_allclose(record.weights[0], weights, atol=1e-12)
    np.testing.assert_allclose(record.head_outputs[0], outputs, atol=1e-12)
    for query in range(7):
        np.testing.assert_allclose(run.weights_of(query)[layer, head], weights[query], atol=1e-6)
        one = run.record(layer, [head], query=query)
        np.testing.assert_allclose(one.weights[0, 0], weights[query], atol=1e-12)
        assert one.query_tokens == (str(TEXT[query]),)


def test_a_record_of_several_heads_names_them_and_where_they_come_from(run):
    record = run.record(1, [5, 0])
    assert record.head_names == ("layer 1, head 5", "layer 1, head 0")
    assert record.key_tokens == tuple(str(i) for i in TEXT)
    assert record.given == "Made up."
    np.testing.assert_allclose(record.weights[1], loop_weights(run, 1, 0)[0], atol=1e-12)


@pytest.mark.parametrize("head", range(6))
def test_one_head_alone_and_all_heads_at_once_have_its_map(run, head):
    """Heads 1 and 4 of six that share three key heads tell the head's own key head from others."""
    alone = run.excerpt(1, head)
    np.testing.assert_array_equal(alone.weights(0, 0), run.weights(1, head))
    np.testing.assert_array_equal(alone.V[0, 0], run.V[1, run.kv_head(head)])
    np.testing.assert_allclose(weights_of_all_heads(run)[1, head], loop_weights(run, 1, head)[0], atol=1e-6)


def test_a_mask_of_some_queries_is_those_rows_of_the_whole(run):
    assert run.mask().tolist() == [[key <= query or not run.causal for key in range(7)] for query in range(7)]
    for queries in (slice(2, 3), slice(-1, None), slice(0, 0), slice(1, 6, 2)):
        np.testing.assert_array_equal(run.mask(queries), run.mask()[queries])


def test_the_numbers_of_a_run_cannot_be_written_to(run):
    for array in (run.Q, run.K, run.V, run.hidden):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("query", [-1, 7])
def test_a_query_that_is_not_there_is_refused(run, query):
    for ask in (run.weights_of, lambda query: run.record(0, [0], query=query)):
        with pytest.raises(ValueError, match=f"a query must be from 0 to 6, but it is {query}"):
            ask(query)
