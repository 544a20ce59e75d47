"""Undo and redo: every step back and forth is exact."""

from hypothesis import given
from hypothesis import strategies as st

from attention_core.history import MOST_STEPS, History


@given(st.lists(st.integers()))
def test_all_steps_undone_and_redone_are_nothing(states):
    start = History(0)
    end = start
    for state in states:
        end = end.changed(state)
    steps = len(end.past)
    back = end
    for _ in range(steps):
        back = back.undone()
    assert back.present == 0
    assert back.undone() is back
    for _ in range(steps):
        back = back.redone()
    assert back == end
    assert back.redone() is back


def test_a_new_step_forgets_what_was_undone():
    assert History("a").changed("b").undone().changed("c") == History("c", ("a",))


def test_the_same_state_again_is_no_step():
    history = History("a").changed("b")
    assert history.changed("b") is history


def test_more_than_two_hundred_steps_are_kept_and_not_endlessly_many():
    history = History(0)
    for state in range(1, MOST_STEPS + 50):
        history = history.changed(state)
    assert len(history.past) == MOST_STEPS > 200
    assert history.past[0] == 49
