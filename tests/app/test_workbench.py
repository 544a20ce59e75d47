"""The workbench without a browser: links, steps, sentences, masks, mistakes and files."""

import html
from urllib.parse import urlencode

import pytest

from attention_core import Edit, Experiment
from attention_core.changes import edited
from attention_view.workbench.state import LONGEST_ADDRESS
from tests.app.test_pages import app, html_of

EDITED = Experiment(
    mask="window 3",
    head="sink",
    ask=4,
    heads=("pronoun", "sink"),
    variant="no_divisor",
    edits=(Edit("scores", (0, 9, 1), 2.5), Edit("X", (1, 0), -3.0), Edit("mask", (9, 1), 1.0)),
)
OWN = Experiment(words=("The", "dog", "was", "tired"), meanings=(("dog", ("alive",)),), ask=1)


def bench(experiment=None, **link):
    return app("workbench", **((experiment or Experiment()).link() | link))


def present(at):
    return at.session_state["workbench"].present


def click(at, key):
    at.button(key=key).click()
    return at.run()


@pytest.mark.parametrize("experiment", [EDITED, OWN])
def test_a_link_restores_the_whole_experiment_and_the_page_writes_the_same_link(experiment):
    at = bench(experiment)
    assert not at.exception
    written = {name: value for name, value in at.query_params.items() if name in experiment.link()}
    assert written == experiment.link()
    assert "could not be read" not in html_of(at)


def test_a_link_cut_short_gives_the_defaults_and_a_clear_line():
    link = EDITED.link()
    at = bench(**{**link, "edits": link["edits"][:-3]})
    assert present(at).edits == ()
    assert "The address could not be read whole." in html_of(at)
    assert "the link was changed or cut short" in html_of(at)
    click(at, "close_refusals")
    assert "could not be read" not in html_of(at)


@pytest.mark.parametrize(
    "link",
    [
        {"edits": "scores[0,9,1]=nan"},
        {"edits": "<b>x</b>"},
        {"edits": "scores[9,9,9]=1"},
        {"words": "dog"},
        {"words": "cat " * 40},
        {"variant": "x"},
        {"mask": "window 0"},
        {"edits": "divisor[]=0"},
        {"_seal": "x", "edits": "scores[0,9,1]=1"},
        {"ask": "99"},
    ],
)
def test_a_broken_part_of_a_link_is_said_in_one_line_and_is_as_usual(link):
    at = app("workbench", **link)
    assert not at.exception
    assert present(at) == Experiment()
    text = html_of(at)
    assert "The address could not be read whole." in text
    assert "<b>x</b>" not in text


def test_a_long_experiment_is_offered_as_a_file_instead_of_a_link():
    drawn = edited(Experiment(), [("mask", (i, j), float(j > i)) for i in range(10) for j in range(10)])
    held = edited(drawn, [("scores", (h, i, j), 1.25) for h in range(3) for i in range(10) for j in range(10)])
    at = app("workbench")
    at.session_state["workbench"] = at.session_state["workbench"].changed(held)
    at.run()
    assert len(urlencode(held.link())) > LONGEST_ADDRESS
    assert "too long for a link" in html_of(at)
    assert "edits" not in at.query_params and "_seal" not in at.query_params


def test_steps_are_undone_and_redone_with_the_buttons():
    at = bench(change="mistake")
    assert at.button(key="undo").disabled and at.button(key="redo").disabled
    at.radio(key="variant").set_value("no_divisor").run()
    at.radio(key="variant").set_value("one_matrix").run()
    click(at, "undo")
    assert present(at).variant == "no_divisor"
    assert at.radio(key="variant").value == "no_divisor"
    assert at.query_params["variant"] == "no_divisor"
    click(at, "undo")
    assert present(at) == Experiment()
    assert at.button(key="undo").disabled
    click(at, "redo")
    assert present(at).variant == "no_divisor"
    click(at, "reset_all")
    assert present(at) == Experiment()
    click(at, "undo")
    assert present(at).variant == "no_divisor"


def test_two_hundred_steps_can_be_undone():
    at = bench()
    history = at.session_state["workbench"]
    for n in range(1, 201):
        history = history.changed(edited(Experiment(), [("divisor", (), float(2 + n))]))
    at.session_state["workbench"] = history
    at.run()
    for n in range(200, 190, -1):
        assert present(at).edits == (Edit("divisor", (), 2.0 + n),)
        click(at, "undo")
    assert len(at.session_state["workbench"].past) == 190


def sentence_of(at, row):
    return at.session_state["token_view memory"]["picture"]["row_sentences"][row]


def say(at, text):
    return at.text_input(key="own_words").set_value(text).run()


def test_a_sentence_of_ones_own_with_new_words_that_get_their_meaning_by_ticks():
    at = say(bench(change="sentence"), "The dog was tired.")
    assert present(at).words == ("The", "dog", "was", "tired", ".")
    assert at.session_state["ask"] == 4
    assert "mostly at dog" not in sentence_of(at, 3)
    at.pills(key="meaning_0").set_value(["alive"]).run()
    assert present(at).meanings == (("dog", ("alive",)), (".", ()))
    assert "mostly at dog" in sentence_of(at, 3)
    at.pills(key="meaning_0").set_value([]).run()
    assert "mostly at dog" not in sentence_of(at, 3)


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "sentence must have 1 to 32 words, but it has 0"), ("cat " * 33, "but it has 33"), ("x" * 41, "1 to 40")],
)
def test_what_is_no_sentence_is_refused_and_the_former_one_stays(text, why):
    at = say(bench(change="sentence"), text)
    assert present(at) == Experiment()
    assert why in html.unescape(html_of(at))
    at = say(at, "cat sat")
    assert present(at).words == ("cat", "sat")
    assert why not in html_of(at)


def test_back_to_the_toys_sentences():
    at = say(bench(change="sentence"), "cat sat")
    click(at, "toy_soft")
    assert present(at) == Experiment(ending="soft")
    assert at.session_state["ask"] == 9


def test_the_kind_of_the_mask_and_the_width_of_its_window():
    at = bench(change="mask")
    at.segmented_control(key="mask_kind").set_value("window").run()
    assert present(at).mask == "window 3"
    at.number_input(key="mask_width").set_value(2).run()
    assert present(at).mask == "window 2"
    assert at.query_params["mask"] == "window 2"
    at.segmented_control(key="mask_kind").set_value("none").run()
    assert present(at).mask == "none"


def test_the_lesson_pages_and_the_workbench_share_ending_and_mask():
    at = bench(change="mask")
    at.segmented_control(key="mask_kind").set_value("none").run()
    at.switch_page("pages/neighbours.py").run()
    assert at.toggle(key="causal").value is False
    assert "edits" not in at.query_params
    at.toggle(key="causal").set_value(True)
    at.segmented_control(key="ending").set_value("soft")
    at.run()
    at.switch_page("pages/workbench.py").run()
    assert (present(at).mask, present(at).ending) == ("causal", "soft")


def test_edits_survive_the_way_to_a_lesson_page_and_back_and_do_not_touch_it():
    at = bench(EDITED)
    at.switch_page("pages/neighbours.py").run()
    assert "edits" not in at.query_params
    assert "33 percent" not in sentence_of(at, 9)
    at.switch_page("pages/workbench.py").run()
    assert present(at).edits == EDITED.edits
    assert present(at).mask == "window 3"


def test_an_own_sentence_longer_or_shorter_than_the_toys_does_not_break_the_lesson_pages():
    for words in (("cat",), ("cat",) * 32):
        at = bench(Experiment(words=words))
        assert at.session_state["ask"] == len(words) - 1
        at.switch_page("pages/queries_and_keys.py").run()
        assert not at.exception


def test_a_number_that_was_set_is_put_back_by_its_label():
    at = bench(Experiment(edits=(Edit("scores", (0, 9, 1), 2.5), Edit("divisor", (), 4.0))))
    at.pills(key="put_back").set_value("scores tired, cat: 2 → 2.5 (pronoun)").run()
    assert present(at).edits == (Edit("divisor", (), 4.0),)
    assert at.query_params["edits"] == "divisor[]=4.0"


def test_heads_that_are_off_are_kept():
    at = bench(Experiment(heads=("sink",)))
    assert at.session_state["pronoun_on"] is False
    assert at.query_params["heads"] == "sink"
    at.segmented_control(key="change").set_value("W_O").run()
    assert at.toggle(key="sink_on").value is True
    at.toggle(key="sink_on").set_value(False).run()
    assert at.query_params["heads"] == "none"


def test_heads_switched_on_the_workbench_are_a_step_like_any_other():
    at = bench(change="W_O")
    at.toggle(key="pronoun_on").set_value(False).run()
    assert present(at).heads == ("previous", "sink")
    click(at, "reset_all")
    assert present(at) == Experiment() and at.toggle(key="pronoun_on").value is True
    click(at, "undo")
    assert at.query_params["heads"] == "previous,sink"


def test_mistake_mask_and_heads_stand_among_what_was_changed_and_are_put_back():
    at = bench(Experiment(variant="wrong_axis", mask="window 3", heads=("sink",)))
    labels = [
        "mistake: softmax over the wrong axis",
        "mask: window 3 instead of causal",
        "off: pronoun, previous heads",
    ]
    for label in labels:
        at.pills(key="put_back").set_value(label).run()
    assert present(at) == Experiment()


@pytest.mark.parametrize(
    ("edits", "variant"),
    [
        ("divisor[]=1e-300;W_Q[0,4,0]=1e6", "one_matrix"),
        ("divisor[]=1e-300;X[1,0]=1e6;W_K[0,0,0]=0;W_Q[0,4,0]=1e6", "right"),
    ],
)
def test_what_cannot_be_computed_is_said_and_can_be_undone(edits, variant):
    at = bench(edits=edits, change="mistake")
    if variant != "right":
        at.radio(key="variant").set_value(variant).run()
        assert present(at).variant == "right"
        assert "Nothing was changed." in html_of(at)
    else:
        assert "This cannot be computed" in html_of(at)
        click(at, "reset_all")
        assert present(at) == Experiment()
    assert not at.exception


def test_switching_the_last_word_keeps_the_edits_on_the_workbench_too():
    at = bench(edits="scores[0,9,1]=2", change="sentence")
    click(at, "toy_soft")
    assert present(at) == Experiment(ending="soft", edits=(Edit("scores", (0, 9, 1), 2.0),))


def test_a_window_wider_than_the_longest_sentence_is_shown_as_wide_as_that():
    assert bench(mask="window 9999", change="mask").number_input(key="mask_width").value == 32
