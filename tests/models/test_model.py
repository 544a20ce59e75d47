"""Final scores, and writing with a KV cache: the same numbers as reading the whole text anew."""

from dataclasses import replace

import numpy as np
import pytest

from tests.models.oracle import oracle
from tests.models.random_models import TEXT, WRITERS, random_model


@pytest.mark.parametrize("name", WRITERS)
def test_final_scores_are_the_last_vectors_times_the_vocabulary(name):
    model = random_model(name)
    run = model.read(TEXT)
    _, last = oracle(model.settings, model.tensors, TEXT, causal=True)
    expected = last @ model.tensors["unembedding"].T
    np.testing.assert_allclose(model.final_scores(run), expected[-1:], atol=1e-4)
    np.testing.assert_allclose(model.final_scores(run, slice(None)), expected, atol=1e-4)


def test_final_scores_are_made_in_parts_of_the_vocabulary(monkeypatch):
    model = random_model("gpt2")
    run = model.read(TEXT)
    whole = model.final_scores(run, slice(2, 5))
    monkeypatch.setattr("attention_core.models.model.ROWS_AT_ONCE", 4)
    np.testing.assert_allclose(model.final_scores(run, slice(2, 5)), whole, atol=1e-6)


def test_a_model_that_only_reads_has_no_final_scores_and_writes_nothing():
    model = random_model("bert")
    with pytest.raises(ValueError, match="small reads and does not write: it has no final scores"):
        model.final_scores(model.read(TEXT))
    with pytest.raises(ValueError, match="small reads and does not write"):
        model.write(TEXT, 1)


def test_a_run_without_last_vectors_has_no_final_scores():
    model = random_model("llama")
    with pytest.raises(ValueError, match="final scores need the last vectors of the run, but a recording does not"):
        model.final_scores(replace(model.read(TEXT), hidden=None))


@pytest.mark.parametrize("name", WRITERS)
def test_writing_with_a_cache_is_reading_the_whole_text(name):
    model = random_model(name)
    steps = list(model.write(TEXT, 120))  # more than there is room for at first
    whole = model.read([*TEXT, *(step.id for step in steps[:-1])])
    best = model.final_scores(whole, slice(len(TEXT) - 1, None)).argmax(axis=-1)
    assert [step.id for step in steps] == best.tolist()
    for step in steps:
        n = step.run.n_tokens
        np.testing.assert_allclose(step.weights(), whole.weights_of(n - 1)[:, :, :n], atol=1e-5)
    last = steps[-1].run
    assert last.tokens == whole.tokens and last.n_tokens == len(TEXT) + 119
    for name in ("Q", "K", "V", "hidden"):
        np.testing.assert_allclose(getattr(last, name), getattr(whole, name), atol=1e-5)


def test_an_earlier_step_stays_when_more_is_written():
    writing = random_model("gpt2").write(TEXT, 100)
    first = next(writing)
    kept = first.run.K.copy()
    assert len(list(writing)) == 99
    np.testing.assert_array_equal(first.run.K, kept)
    assert first.run.n_tokens == len(TEXT)


def test_only_what_is_asked_for_is_written():
    assert list(random_model("llama").write(TEXT, 0)) == []
    told = []
    assert len(list(random_model("llama").write(TEXT, 3, progress=told.append))) == 3
    assert told == [0.0, 0.5, 1.0]  # of reading the text; a step is quick


@pytest.mark.parametrize(
    "ids, n, message",
    [
        (TEXT, -1, "the number of tokens to write must be at least 0, but it is -1"),
        (TEXT, 144, "small reads at most 150 tokens, but the text has 7 and 144 to be written"),
        ([], 1, "a text must have at least one token, but it is empty"),
    ],
)
def test_what_cannot_be_written_is_refused_before_it_begins(ids, n, message):
    with pytest.raises(ValueError, match=message):
        random_model("llama").write(ids, n)
