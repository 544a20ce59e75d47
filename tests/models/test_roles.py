"""Heads get a role by what they do over several texts, and a head without a preference gets none."""

import numpy as np
import pytest

from attention_core.models.pairs import PAIRS, fits_both_times, moves_the_fitting_way, places, weight_on_nouns
from attention_core.models.role_texts import PLAIN, WITH_REPEATS
from attention_core.models.roles import ROLES, clear_role, n_queries, role_scores, scores_of_one_text, targets
from attention_core.models.run import Run
from attention_core.models.settings import Settings

HERE, FAR = 40.0, 0.0  # q·k / sqrt(d) of a key that takes all weight, and of the others


def run_with(weights_to, pieces, *, causal=True):
    """A run of one layer whose heads look at the places given, [head][query] → key; None: an even row."""
    n, n_heads = len(pieces), len(weights_to)
    Q = np.zeros((1, n_heads, n, n))
    for head, keys in enumerate(weights_to):
        for query, key in enumerate(keys):
            if key is not None:
                Q[0, head, query, key] = HERE * np.sqrt(n)
    K = np.broadcast_to(np.eye(n), (1, n_heads, n, n)).copy()
    settings = Settings(
        name="made up", family="llama", n_layers=1, n_heads=n_heads, n_kv_heads=n_heads, d_model=n, d_head=n,
        d_hidden=1, n_vocabulary=9, longest=99, norm_epsilon=1e-5,
    )  # fmt: skip
    return Run(
        settings=settings, tokens=tuple(pieces), pieces=tuple(pieces), Q=Q, K=K, V=K.copy(), causal=causal, given=""
    )


REPEATED = ("a", "b", "c", "a", "b", "c")
BY_ROLE = {  # the key of each query, for a head that plays the role
    "previous": (0, 0, 1, 2, 3, 4),
    "first": (0, 0, 0, 0, 0, 0),
    "self": (0, 1, 2, 3, 4, 5),
    "duplicate": (0, 0, 0, 0, 1, 2),
    "induction": (0, 0, 0, 1, 2, 3),
}


def test_targets_are_the_places_that_a_role_looks_at():
    assert np.argwhere(targets("previous", REPEATED)).tolist() == [[i, i - 1] for i in range(1, 6)]
    assert np.argwhere(targets("first", REPEATED)).tolist() == [[i, 0] for i in range(2, 6)]
    assert np.argwhere(targets("self", REPEATED)).tolist() == [[i, i] for i in range(6)]
    assert np.argwhere(targets("duplicate", REPEATED)).tolist() == [[3, 0], [4, 1], [5, 2]]
    assert np.argwhere(targets("induction", REPEATED)).tolist() == [[3, 1], [4, 2], [5, 3]]


def test_a_token_is_no_repeat_of_itself():
    assert not targets("induction", ("a", "b", "c")).any()
    assert np.argwhere(targets("induction", ("a", "a"))).tolist() == []  # what follows the first a is the second itself


def test_each_role_is_found_in_the_head_that_plays_it():
    run = run_with(list(BY_ROLE.values()), REPEATED)
    scores = role_scores([run], with_repeats=[run])
    assert scores.shape == (len(ROLES), 1, len(ROLES))
    assert [clear_role(scores[:, 0, head]) for head in range(len(ROLES))] == list(ROLES)
    np.testing.assert_allclose(np.diagonal(scores[:, 0]), 1, atol=1e-9)


def test_an_even_head_has_no_role():
    run = run_with([[None] * 6], REPEATED)
    scores = role_scores([run, run], with_repeats=[run])
    np.testing.assert_allclose(scores, 0, atol=1e-12)
    assert clear_role(scores[:, 0, 0]) is None


def test_one_text_does_not_make_a_role():
    previous, even = run_with([BY_ROLE["previous"]], REPEATED), run_with([[None] * 6], REPEATED)
    one, three = ([previous], [previous, even, even])
    assert clear_role(role_scores(one, with_repeats=[even])[:, 0, 0]) == "previous"
    scores = role_scores(three, with_repeats=[even])
    np.testing.assert_allclose(scores[0], 1 / 3, atol=1e-9)
    assert clear_role(scores[:, 0, 0]) is None


def test_a_head_that_waits_for_a_repeat_is_no_sink():
    waiting = run_with([BY_ROLE["first"]], ("a", "b", "c", "d", "e", "f"))
    finding = run_with([BY_ROLE["induction"]], REPEATED)
    assert clear_role(role_scores([waiting], with_repeats=[finding])[:, 0, 0]) == "induction"
    assert clear_role(role_scores([waiting], with_repeats=[waiting])[:, 0, 0]) == "first"


def test_texts_of_both_kinds_and_of_one_model_are_needed():
    one, two = run_with([BY_ROLE["self"]], REPEATED), run_with([BY_ROLE["self"]] * 2, REPEATED)
    with pytest.raises(ValueError, match="texts of both kinds, but there are 1 and 0 runs"):
        role_scores([one], with_repeats=[])
    with pytest.raises(ValueError, match=r"of one model, but layers and heads are \[\(1, 1\), \(1, 2\)\]"):
        role_scores([one], with_repeats=[two])


def test_the_texts_are_several_and_the_repeats_repeat():
    assert len(set(PLAIN)) >= 5
    for text in WITH_REPEATS:
        words = text.replace(":", "").split()
        assert len(words) >= 1.8 * len(set(words))


def test_the_pairs_are_sixteen_and_none_is_the_lessons():
    assert len({pair.text(ending) for pair in PAIRS for ending in (0, 1)}) == 32
    assert not any("cat" in pair.nouns for pair in PAIRS)


def test_a_word_is_found_in_its_tokens():
    assert places(("The", "robot", "was", "cur", "‿ious"), "robot") == (1,)
    assert places((" The", "cra", "‿dle", "cradle"), "cradle") == (1, 2)
    with pytest.raises(ValueError, match='must hold the word "dog"'):
        places(("The", "cat"), "dog")


def test_the_last_word_s_weight_on_a_noun_counts_all_its_tokens():
    run = run_with([(0, 0, 0, 2, 2)], ("The", "cra", "‿dle", "was", "soft"))
    np.testing.assert_allclose(weight_on_nouns(run, ("cradle", "The"), 0, 0), [1, 0], atol=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "fits", "moves"),
    [
        ((0.7, 0.1), (0.2, 0.7), True, True),
        ((0.7, 0.1), (0.6, 0.2), False, True),  # it stays on the first noun and moves a little
        ((0.7, 0.1), (0.8, 0.05), False, False),
        ((0.1, 0.7), (0.7, 0.1), False, False),
    ],
)
def test_moving_the_fitting_way_is_less_than_fitting_both_times(first, second, fits, moves):
    weights = [np.array(first), np.array(second)]
    assert (fits_both_times(weights), moves_the_fitting_way(weights)) == (fits, moves)


def follows(n_words):
    """What two heads that look for a repeat seem to follow on one text that says n words twice."""
    pieces = (*"abcdefgh"[:n_words],) * 2
    keys = [*range(n_words)] * 2
    heads = [keys, [min(key + 1, place) for place, key in enumerate(keys)], [0] * len(keys)]
    return [clear_role(scores_of_one_text(run_with(heads, pieces))[:, 0, head]) for head in range(3)]


def test_one_text_speaks_of_repeats_only_where_at_least_five_tokens_have_something_to_repeat():
    assert follows(5) == ["duplicate", "induction", "first"]
    assert {"duplicate", "induction"}.isdisjoint(follows(4))
    assert n_queries("duplicate", run_with([[0] * 8], (*"abcdabcd",))) == 4


def test_one_short_text_says_nothing_of_any_head():
    assert not scores_of_one_text(run_with([[0, 0, 1, 2]], (*"abcd",))).any()
