"""A record of given queries, keys and values: what a plain loop computes, and what is refused."""

import numpy as np
import pytest

from attention_core.given_vectors import GIVEN, record_of_vectors
from tests.core.oracle import loop_attention

RANDOM = np.random.default_rng(11)
Q, K, V = RANDOM.normal(size=(6, 3, 4)), RANDOM.normal(size=(2, 5, 4)), RANDOM.normal(size=(2, 5, 7))
MASK = np.tri(3, 5, 2, dtype=bool)
NAMES = dict(query_tokens="abc", key_tokens="vwxyz", head_names=[f"head {h}" for h in range(6)])


def test_the_record_is_what_a_loop_computes():
    record = record_of_vectors(Q, K, V, mask=MASK, **NAMES)
    for head in range(6):
        weights, outputs = loop_attention(Q[head].tolist(), K[head // 3].tolist(), V[head // 3].tolist(), MASK)
        np.testing.assert_allclose(record.weights[head], weights, atol=1e-15)
        np.testing.assert_allclose(record.head_outputs[head], outputs, atol=1e-14)
        np.testing.assert_allclose(record.joined[:, head * 7 : head * 7 + 7], outputs, atol=1e-14)
    assert record.divisor == 2
    np.testing.assert_allclose(record.raw_scores / 2, record.scores)
    np.testing.assert_array_equal(np.isneginf(record.masked_scores[0]), ~MASK)
    np.testing.assert_allclose(record.exponentials / record.totals, record.weights)
    assert record.given == GIVEN and record.query_tokens == ("a", "b", "c")


def test_every_query_looks_everywhere_without_a_mask():
    record = record_of_vectors(Q, K, V, **NAMES)
    assert record.mask.all() and (record.weights > 0).all()


def test_single_precision_is_calculated_in_double():
    record = record_of_vectors(*(A.astype(np.float32) for A in (Q, K, V)), **NAMES)
    assert record.weights.dtype == float
    assert np.abs(record.weights.sum(axis=-1) - 1).max() < 1e-15


@pytest.mark.parametrize(
    "vectors, names, message",
    [
        ((Q[None], K, V), {}, "Q, K and V must have three axes each, but have"),
        ((Q[:5], K, V), {}, "the kv heads must divide the heads, but there are 2 kv heads and 5 heads"),
        ((Q, K[:0], V), {}, "the kv heads must divide the heads, but there are 0 kv heads and 6 heads"),
        ((Q, K[:, :4], V), {}, r"each key needs a value, but K has \(2, 4, 4\) and V \(2, 5, 7\)"),
        (
            (Q, K, V),
            dict(query_tokens="ab"),
            r"\(3, 5, 6\) queries, keys and heads must have a name each, .*\(2, 5, 6\)",
        ),
        (
            (Q, K, np.where(V[1, 2, 3] == V, np.nan, V)),
            {},
            "V must be finite, but at kv_head 1, key 2, d_head 3 it is nan",
        ),
        ((Q[..., :3], K, V), {}, "Q and K must have the same d_head"),
    ],
)
def test_what_does_not_fit_is_refused(vectors, names, message):
    with pytest.raises(ValueError, match=message):
        record_of_vectors(*vectors, **NAMES | names)
