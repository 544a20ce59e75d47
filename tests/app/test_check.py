"""The last page: predict, check, see; nothing is told before."""

import os

import pytest

from tests.app.test_pages import app, html_of


def opened(question):
    return app("check", question=question)


def given(at, value):
    """Answer on the picture: what the component would report."""
    at.session_state["attempts"][at.session_state["question"]].given = value
    return at.run()


def press(at, key):
    at.button(key=key).click()
    return at.run()


def said(at):
    return html_of(at) + "".join(markdown.value for markdown in at.markdown)


@pytest.mark.parametrize(
    ("question", "wrong", "right"),
    [("who-looks-at-cat", 7, 2), ("first-row", [0, 100, *[0] * 8], [100, *[0] * 9])],
)
def test_a_prediction_is_wrong_or_right(question, wrong, right):
    at = opened(question)
    assert at.button(key="check").disabled
    press(given(at, wrong), "check")
    assert "Not yet." in said(at) and "See it on" not in said(at)
    press(given(at, right), "check")
    assert "Right." in said(at) and "See it on" in said(at)


def test_switches_are_wrong_at_first_and_right_when_set():
    at = opened("swing")
    press(at, "check")
    assert "Not yet." in said(at) and "must be more than 0.8" in said(at)
    at.segmented_control(key="ending of swing 0").set_value("soft").run()
    assert "Not yet." not in said(at)
    press(at, "check")
    assert "Right." in said(at)
    assert at.session_state["ending"] == "tired"  # the shared input is not touched


def test_a_choice_tells_the_reason_of_the_picked_option_alone():
    at = opened("which-root")
    radio = at.radio(key="choice which-root 0")
    radio.set_value(1).run()
    press(at, "check")
    assert "Not yet." in said(at) and "have 4 entries here, not 12" in said(at)
    assert "adds up d_head products" not in said(at)
    at.radio(key="choice which-root 0").set_value(0).run()
    press(at, "check")
    assert "Right." in said(at)


def test_what_is_shown_without_a_prediction_is_not_right_and_can_be_asked_again():
    at = opened("who-looks-at-cat")
    press(press(given(at, 7), "check"), "show")
    assert "The answer." in said(at) and "0.965" in said(at)
    assert not at.session_state["attempts"]["who-looks-at-cat"].right
    press(at, "again")
    assert "0.965" not in said(at)
    assert at.button(key="check").disabled


def test_nothing_tells_the_answer_before_check():
    at = opened("who-looks-at-cat")
    given(at, 2)
    assert "0.96" not in said(at) and "subject" not in said(at)
    assert [fold.label for fold in at.get("expander")] == ["Take it away"]


def test_next_question_comes_next_and_stands_in_the_address():
    at = opened("swing")
    at.segmented_control(key="ending of swing 0").set_value("soft").run()
    press(press(at, "check"), "next")
    assert at.query_params["question"] == "who-looks-at-cat"


@pytest.mark.parametrize("nonsense", ["", "dog", "9" * 5000, ["swing", "x"]])
def test_nonsense_in_the_address_asks_the_first_question(nonsense):
    assert app("check", question=nonsense).session_state["question"] == "swing"


def test_a_teachers_file_is_asked_and_its_broken_entry_named(tmp_path, monkeypatch):
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[question]]\nid = "mine"\npage = "values"\nkind = "choice"\ntext = "Mine?"\n'
        '[[question.option]]\ntext = "a"\nreason = "r"\nright = true\n[[question.option]]\ntext = "b"\nreason = "r"\n'
        '[[question]]\nid = "broken"\nkind = "riddle"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("ATTENTION_QUESTIONS", str(file))
    at = app("check")
    assert any(markdown.value == "Mine?" for markdown in at.markdown)
    assert "<b>line 15</b>" in html_of(at)
    file.write_text("[[question", encoding="utf-8")
    at = app("check")
    assert "There is no question to ask." in html_of(at)


def test_a_shown_answer_sets_the_switches_says_how_and_links_to_the_page_as_it_is_set():
    at = opened("swing")
    press(at, "check")
    press(at, "show")
    assert at.segmented_control(key="ending of swing 1").value == "soft"
    assert "Set this: last word <em>soft</em>." in said(at)
    assert 'href="neighbours?ending=soft"' in said(at)


def test_a_head_that_an_answer_switches_off_is_said_to_be_off():
    at = opened("one-head-off")
    at.toggle(key="pronoun head of one-head-off 0").set_value(False).run()
    press(at, "check")
    assert "head is <strong>on</strong>." in said(at)
    assert "heads_on" not in said(at)


def test_without_any_question_the_page_says_so_and_stays_whole(tmp_path, monkeypatch):
    file = tmp_path / "mine.toml"
    file.write_text("[[question]]\nid = 1\n", encoding="utf-8")
    monkeypatch.setenv("ATTENTION_QUESTIONS", str(file))
    at = app("check")
    assert "There is no question to ask." in said(at)
    assert "line 1" in said(at)
    assert any("Try this." in markdown.value for markdown in at.markdown)


CHOICE = """[[question]]
id = "mine"
kind = "choice"
page = "values"
text = "Which?"
[[question.option]]
text = "This"
right = true
reason = "Yes."
[[question.option]]
text = "That"
reason = "No."
"""
BARS = """[[question]]
id = "mine"
kind = "bars"
page = "values"
text = "How much?"
row = "weights[pronoun, it, *]"
reason = "So."
because = { otherwise = "No." }
"""


@pytest.mark.parametrize("then", [BARS, CHOICE.replace('"That"', '"Those"')])
def test_a_question_that_a_teacher_changes_while_it_is_open_begins_anew(tmp_path, monkeypatch, then):
    file = tmp_path / "mine.toml"
    file.write_text(CHOICE, encoding="utf-8")
    monkeypatch.setenv("ATTENTION_QUESTIONS", str(file))
    at = app("check")
    at.radio(key="choice mine 0").set_value(1).run()
    file.write_text(then, encoding="utf-8")
    os.utime(file, ns=(1, 1))
    at.run()
    assert not at.exception
    assert at.button(key="check").disabled


def test_no_number_can_be_opened_before_the_answer_and_any_after_it():
    at = opened("who-looks-at-cat")
    assert at.session_state["offered"] == {} and "data-open=" not in html_of(at)
    press(given(at, 2), "check")
    assert list(at.session_state["offered"]) == ["page"]
    press(at, "next")
    assert at.session_state["question"] != "who-looks-at-cat" and at.session_state["offered"] == {}
    at = opened("swing")
    press(at, "check")
    assert at.session_state["offered"] == {}, "the switches are set, but the answer does not stand"
    press(at, "show")
    assert list(at.session_state["offered"]) == ["page"]
