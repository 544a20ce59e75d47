"""Changes give a new experiment each: numbers set, held or given back, and other words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Edit, Experiment, trace
from attention_core.changes import as_the_lesson_has_it, edited, set_numbers, unedited, with_sentence, words_of
from attention_core.edits import EDITABLE
from attention_core.toy import VOCABULARY
from attention_core.variants import VARIANTS

TOY = Experiment()
SIZES = {name: np.shape(getattr(trace(TOY), name)) for name in EDITABLE}
places = st.sampled_from(EDITABLE).flatmap(
    lambda name: st.tuples(st.just(name), st.tuples(*(st.integers(0, n - 1) for n in SIZES[name])))
)


def values(array):
    if array == "mask":
        return st.sampled_from([0.0, 1.0])
    return st.floats(0.5 if array == "divisor" else -1e6, 1e6)


some_edits = st.lists(places.flatmap(lambda p: st.tuples(st.just(p[0]), st.just(p[1]), values(p[0]))), max_size=5)


@given(some_edits, places.flatmap(lambda p: st.tuples(st.just(p[0]), st.just(p[1]), values(p[0]))))
def test_an_edit_and_its_undo_are_nothing(others, one):
    array, place, _ = one
    before = edited(TOY, [other for other in others if other[:2] != (array, place)])
    assert edited(edited(before, [one]), [(array, place, None)]) == before


@given(some_edits)
def test_the_numbers_that_were_set_stand_in_the_record(given):
    record = trace(edited(TOY, given))
    for array, place, value in {(array, place): (array, place, value) for array, place, value in given}.values():
        assert float(np.asarray(getattr(record, array))[place]) == value


@given(some_edits)
def test_edits_survive_a_link(given):
    experiment = edited(TOY, given)
    assert Experiment.from_link_with_refusals(experiment.link()) == (experiment, [])


def test_a_number_set_to_what_it_is_anyway_is_no_edit_unless_it_is_computed():
    assert edited(TOY, [("X", (1, 0), 1.0), ("divisor", (), 2.0), ("mask", (9, 1), 1)]).edits == ()
    assert edited(TOY, [("scores", (0, 9, 1), 4.0)]).edits == (Edit("scores", (0, 9, 1), 4.0),)


def test_a_held_score_no_longer_follows_its_query():
    free = edited(TOY, [("W_Q", (0, 4, 0), 0.0)])
    held = edited(free, [("scores", (0, 9, 1), 4.0)])
    assert trace(free).scores[0, 9, 1] == 0
    assert trace(held).scores[0, 9, 1] == 4
    assert trace(edited(held, [("scores", (0, 9, 1), None)])).scores[0, 9, 1] == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("X", (0, 0), float("nan")), "must lie within ±1,000,000, but is nan"),
        (("X", (0, 0), float("inf")), "must lie within ±1,000,000, but is inf"),
        (("X", (0, 0), 1e7), "must lie within ±1,000,000, but is 10000000.0"),
        (("X", (10, 0), 1.0), r"must name a place within its shape \(10, 12\), but names \(10, 0\)"),
        (("divisor", (), 0.0), "the divisor must be more than 0, but it is 0.0"),
        (("mask", (0, 0), 2.0), "an edit of the mask must be 1"),
        (("weights", (0, 0, 0), 1.0), "the array of an edit must be one of"),
    ],
)
def test_what_may_not_stand_there_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        edited(TOY, [given])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("array", EDITABLE)
def test_what_is_shown_for_editing_is_what_the_learner_set_and_else_the_usual(array, variant):
    place = tuple(0 for _ in SIZES[array])
    value = {"mask": 0.0}.get(array, 7.0)
    experiment = Experiment(variant=variant, edits=(Edit(array, place, value), Edit("W_V", (0, 3, 0), 2.0)))
    shown, usual = set_numbers(experiment, array), unedited(experiment, array)
    assert shown[place] == value != usual[place]
    different = shown != usual
    assert different.sum() == (2 if array == "W_V" else 1)


def test_as_the_lesson_has_it_nothing_is_changed_but_the_sentence():
    changed = Experiment(
        words=("cat", "sat"), mask="none", variant="no_divisor", edits=(Edit("divisor", (), 3),), heads=("sink",)
    )
    assert as_the_lesson_has_it(changed) == Experiment(words=("cat", "sat"))


# Sentences


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat  sat\n", ("The", "cat", "sat")),
        ("“Well,” said he…", ("“", "Well", ",", "”", "said", "he", "…")),
        ("3.5 cats, (soft)", ("3.5", "cats", ",", "(", "soft", ")")),
        ("it's 喵 🐈‍⬛ é", ("it's", "喵", "🐈‍⬛", "é")),
        ("...", (".", ".", ".")),
        (" \t ", ()),
    ],
)
def test_words_end_at_blanks_and_marks_are_words_of_their_own(text, words):
    assert words_of(text) == words


@given(st.text(max_size=60))
def test_no_word_holds_a_blank_and_nothing_else_is_lost(text):
    words = words_of(text)
    assert all(word.split() == [word] for word in words)
    assert "".join(words) == "".join(text.split())


def test_matrices_keep_their_edits_when_the_words_change_and_tokens_do_not():
    before = edited(TOY, [("W_Q", (0, 4, 0), 1.0), ("X", (1, 0), 3.0), ("scores", (0, 9, 1), 2.0)])
    after = with_sentence(before, ("The", "dog", "was", "tired"), {"dog": ("alive",)})
    assert after.edits == (Edit("W_Q", (0, 4, 0), 1.0),)
    assert after.meanings == (("dog", ("alive",)),)
    assert after.ask == 3
    assert with_sentence(after, after.words, {"dog": ("thing",)}).edits == after.edits


def test_a_token_still_asks_if_it_is_there_and_was_not_the_last():
    assert with_sentence(Experiment(ask=2), ("a", "b", "c", "d"), {}).ask == 2
    assert with_sentence(Experiment(ask=8), ("a", "b", "c", "d"), {}).ask == 3
    assert with_sentence(Experiment(ask=9), ("cat",) * 20, {}).ask == 19


def test_the_toys_own_sentence_is_kept_as_such():
    own = with_sentence(TOY, ("cat", "dog"), {})
    assert own.meanings == (("dog", ()),)
    assert with_sentence(own, Experiment(ending="soft").tokens, {}) == Experiment(ending="soft")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "a sentence must have 1 to 32 words, but it has 0"),
        (("cat",) * 33, "a sentence must have 1 to 32 words, but it has 33"),
        (("x" * 41,), "a word must have 1 to 40 characters and no blank in it"),
    ],
)
def test_what_is_no_sentence_is_refused(words, message):
    with pytest.raises(ValueError, match=message):
        with_sentence(TOY, words, {})


def test_known_words_need_no_meaning():
    assert with_sentence(TOY, tuple(VOCABULARY), {}).meanings == ()
