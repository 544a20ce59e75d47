"""What moving one score did, in words that are true of the two records."""

import math
import re
from dataclasses import replace

import pytest

from attention_core import Edit, Experiment, trace
from attention_view.moved import moved_sentence

CAT, MAT, LAST = 1, 5, 9


def moved(points, *, query=LAST, key=CAT, **settings):
    experiment = Experiment(**settings)
    before = trace(experiment)
    edit = Edit("scores", (0, query, key), float(before.scores[0, query, key]) + points)
    markup = moved_sentence(before, trace(replace(experiment, edits=(edit,))), head=0, query=query, key=key)
    return re.sub("<[^>]+>", "", markup)


@pytest.mark.parametrize("points", [-4, -0.5, 0.5, 2, 4])
@pytest.mark.parametrize("ending", ["tired", "soft"])
def test_the_factor_is_e_to_the_difference_whatever_the_scores_are(points, ending):
    text = moved(points, ending=ending)
    factor = f"{math.exp(points):.{2 if points > 0 else 4}f}"
    assert f"= {factor}." in text
    assert f"So it is {factor} times what it was" in text
    old = float(re.search(r"was (\d+\.\d+) times that", text).group(1))
    new = float(re.search(r"now it is (\d+\.\d+) times", text).group(1))
    assert new / old == pytest.approx(math.exp(points), rel=0.02)


def test_more_and_less_are_told_apart():
    assert "2.0 points more" in moved(2)
    assert "2.0 points less" in moved(-2)


def test_a_masked_score_stays_minus_infinity():
    assert "The mask hides mat from sat: its score stays −∞" in moved(2, query=2, key=MAT)


def test_a_token_that_sees_only_itself_keeps_the_weight_1():
    assert "The sees only itself: its weight is 1" in moved(2, query=0, key=0)


def test_an_unmoved_score_asks_for_a_move():
    assert moved(0).startswith("Move the score of cat")
