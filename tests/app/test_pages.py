"""The app from app.py, page by page, as Streamlit's own test harness runs it."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from attention_core import Experiment, trace
from attention_view.lesson import LESSONS

STEMS = [lesson.stem for lesson in LESSONS]


def app(page="neighbours", **link):
    """The app, opened at a page with an address."""
    at = AppTest.from_file("../../app.py", default_timeout=20)
    for name, value in link.items():
        at.query_params[name] = value
    at.run()
    if page != STEMS[0]:
        at.switch_page(f"pages/{page}.py").run()
    assert not at.exception
    return at


def ask(at, place):
    """Click a token: what the component would report."""
    at.session_state["ask"] = place
    return at.run()


def html_of(at):
    return "".join(element.proto.body for element in at.get("html"))


@pytest.mark.parametrize("page", STEMS)
@pytest.mark.parametrize("head", ["pronoun", "previous", "sink"])
@pytest.mark.parametrize("mask", ["causal", "none"])
def test_every_page_runs_with_every_head_and_mask_for_the_first_and_the_last_token(page, head, mask):
    at = app(page, head=head, mask=mask, ask="1")
    assert not ask(at, 9).exception
    assert at.title[0].value == LESSONS[STEMS.index(page)].title


@pytest.mark.parametrize("page", STEMS)
def test_a_page_promises_in_one_sentence_and_ends_with_one_thing_to_try(page):
    at = app(page)
    promises = re.findall(r'<p class="av-promise">(.*?)</p>', html_of(at))
    assert len(promises) == 1
    assert promises[0].count(".") == 1
    assert sum("**Try this.**" in markdown.value for markdown in at.markdown) == 1


def test_the_address_sets_the_inputs():
    at = app("values", ending="soft", mask="none", head="sink", ask="3")
    assert at.segmented_control(key="ending").value == "soft"
    assert at.segmented_control(key="head").value == "sink"
    assert at.toggle(key="causal").value is False
    assert at.session_state["ask"] == 2


def test_the_inputs_set_the_address():
    at = app()
    assert at.query_params == {}
    at.segmented_control(key="ending").set_value("soft")
    at.toggle(key="causal").set_value(False)
    at.run()
    assert at.query_params == {"ending": "soft", "mask": "none"}
    ask(at, 0)
    assert at.query_params["ask"] == "1"
    at.segmented_control(key="ending").set_value("tired").run()
    assert "ending" not in at.query_params


@pytest.mark.parametrize(
    "link",
    [
        {"ending": ""},
        {"ending": ["soft", "tired", "x"]},
        {"ask": "-5"},
        {"ask": "9" * 6000},
        {"mask": "<script>"},
        {"head": "🦀", "ending": "dog", "ask": "NaN", "mask": "\x00"},
    ],
)
def test_nonsense_in_the_address_falls_back_to_the_defaults(link):
    at = app("every_token", **link)
    assert at.session_state["ask"] == 9
    assert at.toggle(key="causal").value is True
    assert at.segmented_control(key="head").value == "pronoun"


def test_inputs_survive_a_page_switch():
    at = app()
    at.segmented_control(key="ending").set_value("soft").run()
    ask(at, 7)
    at.switch_page("pages/softmax.py").run()
    assert at.segmented_control(key="ending").value == "soft"
    assert at.session_state["ask"] == 7


def test_the_softmax_page_moves_one_score_and_names_e_to_the_difference():
    at = app("softmax")
    at.slider(key="points").set_value(2.0).run()
    record = trace(Experiment())
    assert "e<sup>2.0</sup> = 7.39" in html_of(at)
    old = record.weights[0, 9, 1] / record.weights[0, 9, 0]
    assert f"was {old:.2f} times" in html_of(at)


def test_another_head_than_the_storys_is_announced():
    assert "The picture now shows" not in html_of(app())
    assert "The picture now shows the <strong>sink</strong> head" in html_of(app(head="sink"))


@pytest.mark.parametrize(
    ("page", "link", "key", "value"),
    [
        ("softmax", {"points": "NaN"}, "points", 0.0),
        ("softmax", {"points": "9999", "moved": "nobody"}, "moved", "cat"),
        ("every_token", {"n": "-5", "stage": "half"}, "n", 1024),
        ("every_token", {"n": "", "stage": ""}, "n", 1024),
    ],
)
def test_nonsense_for_a_pages_own_input_falls_back_too(page, link, key, value):
    assert app(page, **link).session_state[key] == value


def test_an_empty_stage_shows_the_masked_scores():
    at = app("every_token", stage="")
    assert any("Hatched cells are masked." in caption.value for caption in at.caption)


def test_the_moved_last_word_stays_moved_when_it_is_switched():
    at = app("softmax", moved="tired", points="2")
    at.segmented_control(key="ending").set_value("soft").run()
    assert not at.exception
    assert at.selectbox(key="moved").value == "soft"
    assert at.slider(key="points").value == 2


def test_points_between_the_steps_of_the_slider_go_to_the_next_half():
    assert "e<sup>0.5</sup> = 1.65" in html_of(app("softmax", points="0.6"))


def test_inputs_that_a_page_does_not_draw_keep_their_values_and_their_place_in_the_address():
    at = app("values", heads="sink,previous", head="sink")
    at.switch_page("pages/softmax.py").run()
    assert at.query_params["heads"] == "previous,sink"
    at.switch_page("pages/neighbours.py").run()
    assert at.segmented_control(key="head").value == "sink"
    assert at.session_state["pronoun_on"] is False
