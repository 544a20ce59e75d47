"""Two queries by hand: the exact values of the lesson, and the command."""

import doctest
import subprocess
import sys

import numpy as np
import pytest

from attention_core import two_queries as module
from attention_core.two_queries import two_queries

COMMAND = [sys.executable, "-m", "attention_core.two_queries"]


def test_with_the_third_position_hidden():
    by_hand = two_queries()
    np.testing.assert_allclose(by_hand.weights, [[0.804, 0.196, 0], [0.196, 0.804, 0]], atol=5e-4)
    np.testing.assert_allclose(by_hand.output, [[0.804, 0.391], [0.196, 1.609]], atol=5e-4)
    assert (by_hand.weights[:, 2] == 0).all()


def test_one_more_visible_key_changes_all_the_weights():
    by_hand = two_queries(visible=(True, True, True))
    np.testing.assert_allclose(by_hand.weights[0], [0.446, 0.108, 0.446], atol=5e-4)
    np.testing.assert_allclose(by_hand.output[0], [1.783, 1.554], atol=5e-4)


def test_nothing_visible_gives_zeros():
    by_hand = two_queries(visible=(False, False, False))
    assert not by_hand.weights.any()
    assert not by_hand.output.any()


def test_the_record_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        two_queries().weights[0, 0] = 1


def test_positions_without_a_value_are_refused():
    with pytest.raises(ValueError, match="each position needs a key, a value and a switch, but got 3, 2 and 3"):
        two_queries(V=[[1, 0], [0, 2]])


def test_the_command_prints_both_queries_to_three_decimals():
    done = subprocess.run(COMMAND, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "query [2, 0]   weights [0.804, 0.196, 0.000]   mixed value [0.804, 0.391]",
        "query [0, 2]   weights [0.196, 0.804, 0.000]   mixed value [0.196, 1.609]",
    ]


def printed(*arguments):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=True).stdout.splitlines()


def test_the_command_takes_other_numbers_and_keeps_those_that_are_not_given():
    assert printed("--visible", "1,1,1", "--query", "2,0") == [
        "query [2, 0]   weights [0.446, 0.108, 0.446]   mixed value [1.783, 1.554]",
        "query [0, 2]   weights [0.108, 0.446, 0.446]   mixed value [1.446, 2.229]",
    ]
    assert printed("--query", "2,0") == printed()
    assert printed("--query", "0.25,0")[0].startswith("query [0.25, 0] ")
    assert printed("--query", "0,2", "--query", "2,0") == printed()[::-1]
    assert printed("--key", "1,0", "--value", "1,0") == printed()


def test_the_command_takes_a_negative_number_first():
    assert printed("--query", "-1,0", "--visible", "0,0,1")[0] == (
        "query [-1, 0]   weights [0.000, 0.000, 1.000]   mixed value [3.000, 3.000]"
    )
    assert printed("--query", "-1,0") == printed("--query=-1,0")


def test_a_rounded_zero_has_no_minus_sign():
    assert printed("--value", "0,-0.0001")[0].endswith("mixed value [0.000, 0.391]")
    assert printed("--value", "-0.0001,0", "--visible", "1,0,0")[0].endswith("mixed value [0.000, 0.000]")


def test_the_command_says_so_when_nothing_may_be_looked_at():
    assert printed("--visible", "0,0,0")[1] == (
        "query [0, 2]   weights [0.000, 0.000, 0.000]   mixed value [0.000, 0.000]   (it may look at nothing)"
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--visible", "1,1"], "must be 3 switches, 0 or 1, with commas between, but is '1,1'"),
        (["--visible", "1,1,2"], "must be 3 switches"),
        (["--query", "1,x"], "must be 2 numbers within ±1,000,000, with commas between, but is '1,x'"),
        (["--query", "nan,0"], "must be 2 numbers"),
        (["--query", "1,2,3"], "must be 2 numbers"),
        (["--value", "1e7,0"], "must be 2 numbers"),
        (["--query", "1,0", "--query", "1,0", "--query", "1,0"], "there must be 2 of Q, but there are 3"),
    ],
)
def test_a_bad_value_gets_one_clear_line_and_status_2(arguments, line):
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert line in done.stderr


def test_the_examples_in_the_docstrings_are_true():
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"V": [[[1, 0]] * 3] * 3}, "V must have two axes, one row for each vector, but its shape is"),
        ({"Q": [[[1, 0]]]}, "Q must have two axes"),
        ({"visible": ["", "0", "x"]}, "visible must say true or false for each position, but is"),
        ({"visible": [2, 0, 1]}, "visible must say true or false"),
        ({"visible": None}, "visible must say true or false"),
    ],
)
def test_what_is_no_calculation_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        two_queries(**given)


def test_a_reader_that_leaves_early_gets_no_traceback():
    done = subprocess.run(f"{sys.executable} -m attention_core.two_queries | true", shell=True, capture_output=True)
    assert done.stderr == b""
