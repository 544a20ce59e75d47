"""The page of the real model as Streamlit's own test harness runs it: what it sends, offers, keeps and claims."""

import json

import numpy as np
import pytest

from attention_core import Experiment, toy, trace
from attention_core.addresses import read_address, value_at
from attention_core.models.recorded_runs import SAME
from attention_view.lesson import LESSONS
from attention_view.offered import OFFERED
from attention_view.real_model import TWINS, record_of
from tests.app.test_opening import resolved
from tests.app.test_pages import app, ask, html_of
from tests.view.read_html import read


def views(at):
    """The messages of the token views, by their captions."""
    parts = [part.proto for part in at.get("bidi_component") if part.proto.component_name == "attention_token_view"]
    return {message["caption"]: message for message in (json.loads(part.bytes) for part in parts)}


def sent(message):
    return np.array([[weight or 0 for weight in line] for line in message["weights"]])


@pytest.mark.parametrize("ending", toy.ENDINGS)
@pytest.mark.parametrize("head", toy.HEAD_NAMES)
def test_the_toys_head_stands_beside_its_twin_and_both_follow_one_token(ending, head):
    at = ask(app("real_model", ending=ending, head=head, mask="none"), 6)
    layer, number = TWINS[head]
    shown = views(at)
    ours, theirs = shown[f"the toy, {head} head"], shown[f"SmolLM2, layer {layer}, head {number}"]
    assert ours["query_tokens"] == theirs["query_tokens"] and ours["group"] == theirs["group"] == "ask"
    assert ours["ask"] == theirs["ask"] == 6
    right = trace(Experiment(ending=ending))  # looking back only, as the model does, whatever the address says
    np.testing.assert_array_equal(sent(ours), right.weights[toy.HEAD_NAMES.index(head)])
    np.testing.assert_array_equal(sent(theirs), record_of(ending, layer, number).weights[0])


def test_there_are_few_words_before_the_picture():
    lesson = next(one for one in LESSONS if one.stem == "real_model")
    assert len(f"{lesson.title} {lesson.promise}".split()) <= 60


def test_the_key_is_the_one_looked_at_most_until_another_is_picked_and_again_for_another_token():
    at = app("real_model")
    assert at.session_state["model_key"] == 1
    at.segmented_control(key="model_key").set_value(5).run()
    assert "<em><bdi>mat</bdi></em> is looked at" in html_of(at)
    assert ask(at, 9).session_state["model_key"] == 5
    assert ask(at, 7).session_state["model_key"] == 1
    at.segmented_control(key="ending").set_value("soft").run()
    assert ask(at, 9).session_state["model_key"] == 5


@pytest.mark.parametrize("step", ["score", "weight", "output"])
def test_each_step_can_be_shown_and_its_numbers_have_their_place(step):
    at = app("real_model", head="previous")
    at.segmented_control(key="model_step").set_value(step).run()
    assert not at.exception
    for text in resolved(html_of(at)):
        name, _, address = text.rpartition(":")
        assert value_at(at.session_state[OFFERED][name], read_address(address)) is not None


def test_the_head_that_is_picked_is_shown_kept_in_the_address_and_opened():
    at = app("real_model", layer_head="5.2")
    assert "SmolLM2, layer 13, head 8" in views(at) and "layer 5, head 2" in views(at)
    assert at.query_params["layer_head"] == "5.2"
    assert at.session_state[OFFERED]["chosen"].head_names == ("layer 5, head 2",)
    at.session_state["open_chosen"] = True
    at.session_state["gallery_ask"] = 3
    at.run()
    assert not at.exception
    assert "largest products, layer 5, head 2" in html_of(at) and "largest products, layer 13, head 8" in html_of(at)
    assert views(at)["layer 5, head 2"]["ask"] == 3


@pytest.mark.parametrize("text", ["", "99.0", "5", "a.b", "5.9", "-1.2", "5.2.1", "9" * 4000, "<b>"])
def test_a_head_that_does_not_exist_falls_back_to_the_one_that_is_shown_above(text):
    at = app("real_model", layer_head=text)
    assert at.session_state["chosen_head"] == (13, 8) and "layer_head" not in at.query_params


def test_the_first_visit_opens_the_head_that_is_shown_above_and_it_stays_until_another_is_picked():
    at = app("real_model", head="sink")
    assert at.session_state["chosen_head"] == TWINS["sink"] and "layer_head" not in at.query_params
    at.segmented_control(key="head").set_value("pronoun").run()
    assert at.session_state["chosen_head"] == TWINS["sink"] and at.query_params["layer_head"] == "18.8"


def test_one_predicts_how_many_sentences_go_the_fitting_way_before_it_shows():
    at = app("real_model")
    assert "the other way" not in html_of(at) and "The dog lay on the rug" in html_of(at)
    at.slider(key="guess").set_value(16).run()
    assert "You said" not in html_of(at)
    at.button(key="guessed").click().run()
    assert "You said 16" in html_of(at) and "the other way" in html_of(at)
    assert read(html_of(at)).all("ul", having="av-pairs")  # they stay, so that nothing moves


def test_where_the_numbers_come_from_is_said():
    at = app("real_model")
    assert "SHA-256" not in html_of(at)
    at.session_state["origin"] = True
    (about,) = read(html_of(at.run())).all("p", having="av-about")
    for part in ("SmolLM2-135M-Instruct", "all-MiniLM-L6-v2", "Apache-2.0", ".gguf", "SHA-256", "recorded 20"):
        assert part in about.text
    assert "all queries, keys and values of all heads had to be the same to within 0.0001." in about.text
    assert SAME == 0.0001


def test_no_word_says_more_than_that_a_head_attends_to_a_word():
    at = app("real_model")
    said = " ".join([*(text.value for text in at.markdown), html_of(at).partition("</style>")[2]]).lower()
    for word in ("understand", "resolve", "knows", "thinks"):
        assert word not in said
