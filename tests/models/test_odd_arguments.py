"""Arguments that a caller may hand in by mistake are refused in a sentence that says what must hold."""

import re
from typing import Any

import numpy as np
import pytest

from attention_core.models.blocks import blocks
from attention_core.models.roles import scores_of_run
from attention_core.models.small_maps import small_maps
from attention_core.models.strongest import strongest
from tests.models.random_models import TEXT, random_model

MODEL = random_model("llama")
RUN = MODEL.read(TEXT)
EVEN = np.full((3, 3), 1 / 3)
ODD: Any = 1.5


@pytest.mark.parametrize("ask", [RUN.weights, RUN.excerpt, lambda layer, head: RUN.record(layer, [0, head])])
@pytest.mark.parametrize(
    ("layer", "head", "message"),
    [
        (2, 0, "layer must be from 0 to 1, but it is 2"),
        (-1, 0, "layer must be from 0 to 1, but it is -1"),
        (0, 6, "head must be from 0 to 5, but it is 6"),
        (0, -1, "head must be from 0 to 5, but it is -1"),
        (0.0, 0, "layer must be a whole number, but it is 0.0"),
        (0, 1.5, "head must be a whole number, but it is 1.5"),
        (True, 0, "layer must be a whole number, but it is True"),
    ],
)
def test_a_layer_or_head_that_is_not_there_is_refused(ask, layer, head, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        ask(layer, head)


def test_numbers_of_numpy_are_whole_numbers():
    layer, head = np.array([1, 2])
    np.testing.assert_array_equal(RUN.weights(layer, head), RUN.weights(1, 2))
    np.testing.assert_array_equal(MODEL.read(np.array(TEXT)).Q, RUN.Q)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: RUN.record(0, [0], query=1.5), "a query must be a whole number, but it is 1.5"),
        (lambda: RUN.weights_of(ODD), "a query must be a whole number, but it is 1.5"),
        (lambda: RUN.record(0, 3), "there must be a list in which head is a whole number, but it is 3"),
        (lambda: MODEL.read([1, 1.7]), "an id must be a whole number, but it is 1.7"),
        (lambda: MODEL.read(["3"]), "an id must be a whole number, but it is '3'"),
        (lambda: MODEL.read("12"), "an id must be a whole number, but it is '1'"),
        (lambda: MODEL.read([float("inf")]), "an id must be a whole number, but it is inf"),
        (lambda: MODEL.read([2**32]), "an id must be from 0 to 22, but token 0 has 4294967296"),
        (lambda: MODEL.read(3), "there must be a list in which an id is a whole number, but it is 3"),
        (lambda: MODEL.read(TEXT, causal=1), "causal must be True, False or None (as trained), but it is 1"),
        (lambda: MODEL.final_scores(RUN, 3), "queries must be a slice such as slice(-1, None), but it is 3"),
        (lambda: MODEL.write(TEXT, 1.5), "the number of tokens to write must be a whole number, but it is 1.5"),
        (lambda: blocks(EVEN, ODD, "max"), "most must be a whole number, but it is 1.5"),
        (lambda: strongest(EVEN, ODD), "n must be a whole number, but it is 1.5"),
        (lambda: small_maps(EVEN[None, None], causal=False, ask=ODD), "ask must be a whole number, but it is 1.5"),
        (
            lambda: scores_of_run(RUN, ["next"]),
            "a role must be one of previous, first, self, duplicate, induction, but it is 'next'",
        ),
    ],
)
def test_what_is_none_of_the_things_asked_for_is_refused(ask, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        ask()
