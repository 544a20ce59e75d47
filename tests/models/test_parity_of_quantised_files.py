"""A whole model of quantised blocks gives what transformers computes with the numbers that they stand for."""

import gguf
import numpy as np
import pytest

from attention_core.models.files import load
from tests.models.quantised_llama import IDS, SCALES, SETTINGS, raw_tensors, sha256
from tests.models.references.reference import read_reference
from tests.models.small_files import gguf_tensors, small_gguf
from tests.models.test_parity import CLEARLY, SCORES, WEIGHTS, apart, weights_at


@pytest.fixture(scope="module")
def reference():
    return read_reference("quantised_llama")


@pytest.mark.parametrize("kind", SCALES)
def test_the_reference_was_recorded_from_these_very_blocks(kind, reference):
    assert reference.about["sha256"][kind] == sha256(kind)
    assert reference.texts[kind].ids.tolist() == IDS


@pytest.mark.parametrize("kind", SCALES)
def test_weights_and_final_scores_of_a_quantised_file_are_those_of_transformers(kind, reference, tmp_path):
    text, blocks = reference.texts[kind], gguf_tensors("wide", raw_tensors(kind))
    path = small_gguf(
        tmp_path / "small.gguf", "wide", changed={"llama.context_length": SETTINGS.longest}, tensors=blocks,
        kind=gguf.GGMLQuantizationType[kind],
    )  # fmt: skip
    model = load(path)
    run = model.read(IDS)
    final = model.final_scores(run, slice(None))
    in_weights, in_final = apart(weights_at(run, text.pairs), text.weights), apart(final[:, text.columns], text.final)
    print(f"{kind}: weights {in_weights:.1e}, final {in_final:.1e}")
    assert in_weights <= WEIGHTS
    assert in_final <= SCORES
    assert apart(final[-1, text.top], text.top_scores) <= SCORES


def test_the_types_give_different_weights(reference):
    """So that none of them could stand for another."""
    texts = [reference.texts[kind].weights for kind in SCALES]
    assert min(apart(one, other) for n, one in enumerate(texts) for other in texts[:n]) > CLEARLY
    assert all(np.median(one.max(axis=-1)) > 0.5 for one in texts)  # heads look at some tokens far more than at others
