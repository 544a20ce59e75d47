"""The questions: each has an answer that the record knows, and a broken one is refused with its line."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from attention_core import Experiment, trace
from attention_view.questions import (
    QUESTIONS,
    best_places,
    judge,
    load_questions,
    read_questions,
    settling_link,
    solution,
    truth,
)
from attention_view.questions.question import SETTINGS

PAGES = (
    "neighbours",
    "queries_and_keys",
    "softmax",
    "values",
    "every_token",
    "heads",
    "two_queries",
    "kv_cache",
    "mistakes",
)
FILE = load_questions(QUESTIONS, pages=PAGES)
OF_KIND = {kind: [q for q in FILE.questions if q.kind == kind] for kind in ("click", "bars", "switch", "choice")}
CONFUSIONS = {
    "row-or-column", "who-gives", "softmax-axis", "root-of-d", "minus-infinity", "mask-when-generating",
    "not-symmetric", "value-matrix", "weights-learned", "looks-at-itself", "heads-split", "where-is-W_O",
    "average-heads", "order", "first-token", "explains", "no-query-cache", "it-unchanged", "first-row",
}  # fmt: skip


def names(questions):
    return {"argvalues": questions, "ids": [question.id for question in questions]}


def test_no_question_is_broken_and_half_of_them_are_live():
    assert FILE.faults == ()
    assert len(FILE.questions) >= 26
    assert sum(question.live for question in FILE.questions) >= len(FILE.questions) / 2


def test_two_questions_settle_each_confusion_and_every_page_has_some():
    count = Counter(question.confusion for question in FILE.questions)
    assert {confusion for confusion in CONFUSIONS if count[confusion] < 2} == set()
    assert {question.page for question in FILE.questions} == set(PAGES)


@pytest.mark.parametrize("question", **names(OF_KIND["click"]))
def test_a_click_is_right_at_the_records_largest_entry_and_wrong_elsewhere_with_a_reason(question):
    right = set(best_places(question).tolist())
    for place in range(len(question.row().along)):
        verdict = judge(question, place)
        assert verdict.right == (place in right)
        assert verdict.reason and verdict.numbers


@pytest.mark.parametrize("question", **names(OF_KIND["bars"]))
def test_bars_are_right_at_the_records_row_and_wrong_on_any_other_single_token(question):
    weights = question.row().values
    assert judge(question, weights).right
    for place in range(len(weights)):
        shares = np.eye(len(weights))[place]
        verdict = judge(question, shares)
        assert verdict.right == (1 - weights[place] <= question.within)
        assert verdict.reason


@pytest.mark.parametrize("question", **names(OF_KIND["switch"]))
def test_a_switch_is_wrong_at_the_start_and_right_at_the_solution(question):
    assert not judge(question, question.experiment).right
    assert judge(question, question.experiment).reason
    assert judge(question, solution(question)).right
    assert truth(question)


@pytest.mark.parametrize("question", **names(OF_KIND["choice"]))
def test_every_option_of_a_choice_has_its_reason(question):
    verdicts = [judge(question, place) for place in range(len(question.options))]
    assert sum(verdict.right for verdict in verdicts) == 1
    assert all(verdict.reason for verdict in verdicts)


def test_no_answer_is_stored_another_experiment_has_another_right_answer():
    question = next(q for q in FILE.questions if q.id == "two-opinions")
    cat, was = 1, 8
    assert judge(question, was).right and not judge(question, cat).right
    moved = replace(question.experiment, edits=(("scores", (1, 9, cat), 50.0),))
    changed = replace(question, experiment=moved)
    assert judge(changed, cat).right and not judge(changed, was).right


def test_verdicts_tell_the_records_numbers():
    by_id = {question.id: question for question in FILE.questions}
    assert "<strong>0.474</strong>. There is a larger one." in judge(by_id["who-looks-at-cat"], 7).numbers
    assert "<strong>0.965</strong>. None is larger." in judge(by_id["who-looks-at-cat"], 2).numbers
    assert "must be more than 0.8" in judge(by_id["swing"], Experiment()).numbers
    assert "14" in judge(by_id["first-row"], [0.86, 0.14, *[0] * 8]).numbers


def test_the_numbers_in_the_texts_are_true():
    record = trace(Experiment())
    assert record.weighted_values[0, 9, 1, 0].round(2) == 0.86  # who-handed-over
    assert record.scores[0, 7, [1, 5]].tolist() == [4, 4] and not np.delete(record.scores[0, 7], [1, 5]).any()
    assert round(np.exp(4)) == 55  # share-of-it
    assert record.weights[0, :, 1].sum() > 3  # column-sum
    assert not record.scores[0, 3].any() and not record.scores[0, 6].any()  # zero-score, no-preference
    assert (record.X.shape[1], record.Q.shape[2]) == (12, 4)  # which-root
    assert not record.V[2, 0].any() and record.weights[2, 8, 0] > 0.8  # sink-gives
    wide, one, axis = (trace(Experiment(variant=name)) for name in ("sqrt_d_model", "one_matrix", "wrong_axis"))
    assert wide.scores[0, 9, 1].round(2) == 2.31 and round(np.exp(2.31)) == 10  # wrong-root
    assert np.flatnonzero(one.weights[0, 9] > 0.3).tolist() == [2, 7, 9]  # one-matrix-finds
    assert axis.weights[0, 2, 1].round(2) == 0.32  # axis-leak
    assert (trace(Experiment(variant="mask_as_zero")).masked_scores[0, 0] == 0).all()  # mask-with-zero


GOOD = '''
[[question]]
id = "one"
page = "values"
kind = "click"
text = """
A text with
[[question]]
id = "not a header"
in it."""
most = "weights[pronoun, last, *]"
reason = "r"
[question.because]
otherwise = "o"

[[question]]
id = "two"
page = "values"
kind = "choice"
text = "t"
[[question.option]]
text = "a"
reason = "r"
right = true
[[question.option]]
text = "b"
reason = "r"
'''
SWITCH = """
[[question]]
id = "one"
page = "values"
kind = "switch"
text = "t"
switches = ["ending"]
goal = "weights[pronoun, last, mat] > 0.8"
reason = "r"
[question.because]
otherwise = "o"
"""


BARS = """
[[question]]
id = "one"
page = "mistakes"
kind = "bars"
text = "t"
shows = "variant=sqrt_d_model"
reason = "r"
row = "weights[pronoun, tired, *]"
[question.because]
otherwise = "o"
"""


def test_a_good_file_is_read():
    found = read_questions(GOOD, pages=PAGES)
    assert [question.id for question in found.questions] == ["one", "two"]
    assert read_questions(SWITCH, pages=PAGES).faults == ()
    assert read_questions(BARS, pages=PAGES).faults == ()


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "words"),
    [
        (GOOD, 'reason = "r"\n[question.because]', 'reason = "r\n[question.because]', 12, "not TOML"),
        (GOOD, 'id = "two"', 'id = "one"', 17, "taken"),
        (GOOD, 'id = "two"', 'id = "Two!"', 17, "small letters"),
        (GOOD, 'id = "two"\n', "", 16, "must have id"),
        (GOOD, 'page = "values"\nkind = "choice"', 'page = "valeus"\nkind = "choice"', 18, "but it is 'valeus'"),
        (GOOD, 'kind = "choice"', 'kind = "chioce"', 19, "kind must be one of"),
        (GOOD, 'text = "t"', 'text = "t"\nhint = "h"', 21, "not 'hint'"),
        (GOOD, 'text = "t"', "text = 3", 20, "must be a text"),
        (GOOD, 'text = "t"', 'text = ""', 20, "must not be empty"),
        (GOOD, 'text = "b"\nreason = "r"', 'text = "b"', 25, "an option must have reason"),
        (GOOD, 'text = "b"', 'text = "b"\nright = true', 16, "one of them right"),
        (GOOD, "weights[pronoun, last, *]", "weights[pronoun, dog, *]", 11, "but it is 'dog'"),
        (GOOD, "weights[pronoun, last, *]", "weights[pronoun, last, cat]", 11, "must have a *"),
        (GOOD, "weights[pronoun, last, *]", "weights[pronoun, it, *]", 11, "cat and mat are equal"),
        (GOOD, "weights[pronoun, last, *]", "Q[sink, *, first]", 11, "all tokens are equal"),
        (GOOD, 'otherwise = "o"', 'dog = "o"\notherwise = "o"', 14, "but it names 'dog'"),
        (GOOD, 'otherwise = "o"', 'cat = "o"', 13, "must have otherwise"),
        (GOOD, 'most = ', 'shows = "mask=maybe"\nmost = ', 11, "mask=maybe does not work"),
        (GOOD, 'most = ', 'shows = "colour=red"\nmost = ', 11, "a setting must be one of"),
        (GOOD, 'most = ', 'shows = "variant=none"\nmost = ', 11, "variant=none does not work"),
        (GOOD, 'most = ', 'shows = "variant=one_matrix"\nmost = ', 4, "page must be mistakes if shows names a variant"),
        (BARS, "variant=sqrt_d_model", "variant=wrong_axis", 9, "row must sum to 1, but"),
        (SWITCH, "mat] > 0.8", "cat] > 0.8", 8, "must not hold at the start"),
        (SWITCH, "mat] > 0.8", "mat] > 2", 8, "within reach"),
        (SWITCH, "mat] > 0.8", "mat] >> 0.8", 8, "a condition must read like"),
        (SWITCH, '["ending"]', '["colour"]', 7, "switches must be some of"),
        (SWITCH, 'otherwise = "o"', '"mask=maybe" = "o"\notherwise = "o"', 11, "mask=maybe"),
        (SWITCH, "[[question]]", "[other]\n[[question]]", 2, "only [[question]]"),
    ],
)  # fmt: skip
def test_a_broken_entry_is_left_out_and_named_with_its_line(text, old, new, line, words):
    assert old in text
    found = read_questions(text.replace(old, new, 1), pages=PAGES)
    assert [fault.line for fault in found.faults] == [line]
    assert words in found.faults[0].words
    if text is GOOD and "not TOML" not in words:
        assert len(found.questions) == 1  # the other one can still be asked


def test_a_missing_file_and_one_in_another_encoding_are_said(tmp_path):
    assert "cannot be read" in load_questions(tmp_path / "none.toml", pages=PAGES).faults[0].words
    odd = tmp_path / "odd.toml"
    odd.write_bytes(b"# fine\n# \xff\n")
    assert load_questions(odd, pages=PAGES).faults[0].line == 2


def test_a_changed_file_is_read_again(tmp_path):
    import os

    file = tmp_path / "mine.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert len(load_questions(file, pages=PAGES).questions) == 2
    file.write_text(SWITCH, encoding="utf-8")
    os.utime(file, ns=(1, 1))
    assert len(load_questions(file, pages=PAGES).questions) == 1


def test_every_setting_of_a_switch_exists():
    for name, values in SETTINGS.items():
        for value in values:
            assert getattr(replace(Experiment(), **{name: value}), name) == value


def test_the_link_of_a_switch_question_shows_what_its_answer_set():
    by_id = {question.id: question for question in FILE.questions}
    assert settling_link(by_id["swing"]) == "neighbours?ending=soft"
    assert settling_link(by_id["axis-leak"]) == "mistakes?ending=soft&ask=3&mistake=wrong_axis"
    assert settling_link(by_id["one-head-off"]) == "heads?ask=8&heads=previous,sink"
    assert settling_link(by_id["mat-with-soft"]) == by_id["mat-with-soft"].link


def test_a_perfect_row_of_bars_is_said_to_be_so():
    first_row = next(question for question in FILE.questions if question.id == "first-row")
    assert judge(first_row, first_row.row().values).numbers == "Exactly so."


SWITCH = """[[question]]
id = "a-switch"
kind = "switch"
page = "softmax"
text = "Set it."
switches = ["mask"]
goal = "weights[pronoun, cat, last] > 0.5"
reason = "So."
because = { otherwise = "No." }
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('["mask"]', '[["heads"]]', 6, "switches must be some of ending, mask, head, heads"),
        ('["mask"]', "[{ a = 1 }]", 6, "switches must be some of"),
        (
            '["mask"]\ngoal = "weights[pronoun, cat, last] > 0.5"',
            '["ending"]\ngoal = "new_X[tired, alive] = 5"',
            7,
            "goal must name only what every setting of the switches has, but",
        ),
        ('"a-switch"', f'"{"a" * 101}"', 2, "an id must have at most 100 characters, but it has 101"),
        ('otherwise = "No."', "otherwise = []", 9, "the reason for otherwise must be a text in quotes, but it is"),
        ('otherwise = "No."', 'otherwise = " "', 9, "the reason for otherwise must not be empty"),
    ],
)
def test_what_would_stop_the_app_is_refused_with_its_line(old, new, line, message):
    assert old in SWITCH
    found = read_questions(SWITCH.replace(old, new), pages=PAGES)
    assert found.questions == ()
    [fault] = found.faults
    assert (fault.line, message in fault.words) == (line, True), fault


@pytest.mark.parametrize("text", ["x = " + "1" * 5000, "x = " + "[" * 5000, ""])
def test_a_file_that_is_none_is_a_fault_and_no_error(text):
    found = read_questions(text, pages=PAGES)
    assert found.questions == ()
    assert len(found.faults) == 1


def test_a_fault_far_down_a_long_file_is_found_on_its_line():
    many = "".join(SWITCH.replace("a-switch", f"a-switch-{n}") for n in range(300))
    broken = many + SWITCH.replace('"mask"', '"lamp"')
    found = read_questions(broken, pages=PAGES)
    assert len(found.questions) == 300
    assert [fault.line for fault in found.faults] == [many.count("\n") + 6]


def test_a_mark_at_the_beginning_of_a_file_is_no_fault(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + SWITCH.encode())
    assert load_questions(file, pages=PAGES).faults == ()
