"""The page of two queries by hand, without a browser."""

import re
import shlex
import subprocess
import sys

import pytest

from attention_core.setting import Setting
from attention_core.two_queries import two_queries
from tests.app.test_pages import app, html_of


def choose(at, **fields):
    """Change numbers, as the component's edits do."""
    at.session_state["by_hand"] = Setting(**fields)
    return at.run()


def text_of(at):
    """The words of the page's markup, without its tags."""
    return re.sub(r"<[^>]*>", "", html_of(at))


def code_of(at):
    return [element.value for element in at.code]


def test_the_page_shows_the_lessons_values_for_both_queries():
    text = text_of(app("two_queries"))
    assert "[0.804, 0.391]" in text
    assert "[0.196, 1.609]" in text


def test_the_third_switch_changes_all_the_weights_and_the_address():
    at = app("two_queries")
    at.toggle(key="see_3").set_value(True).run()
    assert at.query_params["visible"] == "1,1,1"
    assert "[1.783, 1.554]" in text_of(at)
    one, all_three = (two_queries(visible=seen).weights for seen in ((True, True, False), (True, True, True)))
    assert (one != all_three).all()


def test_an_address_restores_numbers_and_switches():
    at = app("two_queries", q="1,1;0,2", visible="0,1,1")
    assert at.session_state["by_hand"].Q == ((1, 1), (0, 2))
    assert [at.toggle(key=f"see_{n}").value for n in (1, 2, 3)] == [False, True, True]


@pytest.mark.parametrize(
    "link", [{"q": "nan,0;0,2"}, {"k": "9" * 5000}, {"visible": ["1,1", "x"]}, {"v": "", "q": "🦀"}]
)
def test_nonsense_in_the_address_gives_the_lessons_numbers(link):
    assert app("two_queries", **link).session_state["by_hand"] == Setting()


def test_the_lessons_numbers_need_nothing_in_the_address():
    at = app("two_queries")
    choose(at, Q=((5, 0), (0, 2)))
    assert at.query_params["q"] == "5,0;0,2"
    choose(at)
    assert "q" not in at.query_params


@pytest.mark.parametrize(
    "fields", [{}, {"Q": ((-1.5, 0), (0, 2)), "visible": (True, True, True)}, {"visible": (False,) * 3}]
)
def test_the_command_on_the_page_prints_what_the_page_shows(fields):
    at = app("two_queries")
    choose(at, **fields)
    command, output = code_of(at)
    printed = subprocess.run([sys.executable, *shlex.split(command)[1:]], capture_output=True, text=True, check=True)
    assert printed.stdout == f"{output}\n"


def test_with_everything_masked_the_page_says_so():
    at = app("two_queries")
    choose(at, visible=(False, False, False))
    assert not at.exception
    assert "may look at nothing" in html_of(at)
    assert "nan" not in html_of(at).lower()


def test_the_picked_query_stands_in_the_address_and_is_restored_from_it():
    at = app("two_queries", asks="2")
    assert at.session_state["by_hand_ask"] == 1
    at.session_state["by_hand_ask"] = 0
    at.run()
    assert "asks" not in at.query_params
    assert app("two_queries", asks="3").session_state["by_hand_ask"] == 0
