"""What the core says of a text that a model read: two texts compared, all weights as a file, the next token."""

import io
import math
from dataclasses import replace

import numpy as np
import pytest

from attention_core.models import Run, Settings
from attention_core.models.all_weights import all_weights_file, n_bytes
from attention_core.models.next_token import likeliest
from attention_core.models.two_texts import earlier_rows, last_rows, n_shared

SETTINGS = Settings(
    name="small", family="llama", n_layers=2, n_heads=3, n_kv_heads=1, d_model=15, d_head=5, d_hidden=7,
    n_vocabulary=11, longest=13, norm_epsilon=1e-5,
)  # fmt: skip


def run(text, *, causal=True, seed=0, settings=SETTINGS):
    """A run in which each vector follows from its token and its place, as in a first layer."""
    tokens = tuple(text.split())

    def vectors(n_heads, kind):
        drawn = [
            np.random.default_rng([seed, kind, i, *token.encode()]).normal(size=(settings.n_layers, n_heads, 5))
            for i, token in enumerate(tokens)
        ]
        return np.stack(drawn, axis=2).astype(np.float32)

    return Run(
        settings=settings, tokens=tokens, pieces=tokens, Q=vectors(3, 0), K=vectors(1, 1), V=vectors(1, 2),
        causal=causal, given="Made up.",
    )  # fmt: skip


def test_a_later_word_changes_no_earlier_row_of_a_model_that_looks_back_only():
    earlier = earlier_rows(run("the cat was tired"), run("the cat was soft"))
    assert (earlier.n_shared, earlier.largest) == (3, 0.0)


def test_it_does_in_one_that_reads_both_ways():
    first, second = run("the cat was tired", causal=False), run("the cat was soft", causal=False)
    earlier = earlier_rows(first, second)
    by_hand = max(
        abs(a.weights(layer, head)[i, j] - b.weights(layer, head)[i, j])
        for a, b in [(first, second)]
        for layer in range(2)
        for head in range(3)
        for i in range(3)
        for j in range(3)
    )
    assert earlier.largest == pytest.approx(by_hand, abs=1e-6) and by_hand > 0.01


def test_shared_tokens_end_at_the_first_that_differs():
    assert n_shared(run("a b c"), run("a x c")) == 1
    assert n_shared(run("a b"), run("a b c")) == 2
    assert n_shared(run("x"), run("y")) == 0
    assert earlier_rows(run("x"), run("y")).largest == 0.0


def test_last_rows_are_those_of_the_maps_and_their_difference():
    first, second = run("a b c"), run("a b d e")
    last = last_rows(first, second, 1, 2)
    np.testing.assert_allclose(last.first, first.weights(1, 2)[-1], atol=1e-6)
    np.testing.assert_allclose(last.second, second.weights(1, 2)[-1], atol=1e-6)
    np.testing.assert_array_equal(last.change, last.second[:2] - last.first[:2])


def test_two_models_are_not_compared():
    other = replace(SETTINGS, name="other")
    with pytest.raises(ValueError, match="must be read by one model, but were read by small and other"):
        earlier_rows(run("a b"), run("a b", settings=other))


def test_all_weights_are_as_large_as_was_said_and_are_those_of_the_maps():
    read = run("a b c d")
    assert n_bytes(read) == 2 * 3 * 4 * 4 * 4
    with np.load(io.BytesIO(all_weights_file(read))) as file:
        assert file["weights"].nbytes == n_bytes(read)
        np.testing.assert_allclose(file["weights"][1, 2], read.weights(1, 2), atol=1e-7)
        assert file["tokens"].tolist() == list(read.tokens)


def test_all_weights_past_the_limit_are_refused_with_both_numbers():
    with pytest.raises(ValueError, match="must take at most 383 bytes, but of this text they take 384"):
        all_weights_file(run("a b c d"), limit=383)


def test_the_likeliest_tokens_come_first_with_the_probabilities_of_softmax():
    scores = [0.0, math.log(6), 0.0, math.log(2)]
    assert [(one.token, round(one.probability, 12)) for one in likeliest(scores, n=3)] == [(1, 0.6), (3, 0.2), (0, 0.1)]
    assert len(likeliest(np.zeros(3, dtype=np.float32))) == 3


def test_probabilities_of_scores_in_single_precision_are_those_of_double_precision():
    expected = 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(2))
    found = likeliest(np.array([2.0, 0.0], dtype=np.float32), n=2)
    assert [one.probability for one in found] == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("scores", "n"), [([1.0], 0), ([[1.0]], 5)])
def test_no_next_token_is_asked_of_no_scores(scores, n):
    with pytest.raises(ValueError, match="must be one score a token and n must be 1 or more"):
        likeliest(scores, n)
