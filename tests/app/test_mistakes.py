"""The page of the mistakes as Streamlit's own test harness runs it: each mistake, its tell-tale, and its address."""

import json

import numpy as np
import pytest

from attention_core import Edit, Experiment, trace
from attention_core.addresses import read_address
from attention_core.scaling import scaled
from attention_core.telltales import seeded_order
from attention_core.toy import ENDINGS
from attention_core.variants import VARIANTS
from attention_view.mistakes import MISTAKES
from attention_view.mistakes.texts import ANYWHERE
from attention_view.offered import OFFERED
from tests.app.test_pages import app, ask, html_of
from tests.view.read_html import read

NAMES = [mistake.variant for mistake in MISTAKES]
OWN = Experiment(words=("Ann", "sat", "on", "it"), meanings=(("Ann", ("alive",)),), ask=1)


def views(at):
    """The messages of the token views, by the first word or words of their captions."""
    messages = [json.loads(part.proto.bytes) for part in at.get("bidi_component") if part.proto.bytes.startswith(b"{")]
    return {message["caption"].rpartition(",")[0]: message for message in messages if "caption" in message}


def lines(at):
    """The tell-tale: for each measure what stands beside it."""
    (table,) = [t for t in read(html_of(at)).all("table") if t.one("caption").text == "What gives it away"]
    rows = table.one("tbody").all("tr")
    return {line.one("th").text.strip(): [cell.text.strip() for cell in line.all("td")] for line in rows}


def words(at):
    return " ".join(markdown.value for markdown in at.markdown)


def pick(at, name):
    return at.segmented_control(key="mistake").set_value(name).run()


def shuffle(at):
    return at.button(key="shuffle_words").click().run()


def test_the_row_of_switches_has_every_variant_but_the_right_one():
    assert [name for name in VARIANTS if name != "right"] == NAMES
    assert app("mistakes").segmented_control(key="mistake").options == [mistake.short for mistake in MISTAKES]


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_mistake_stands_beside_the_right_layer_with_its_tell_tale_and_its_three_sentences(ending):
    at = app("mistakes", ending=ending, ask="3")
    for mistake in MISTAKES:
        _stands_beside_the_right_layer(pick(at, mistake.variant), mistake, ending)


def _stands_beside_the_right_layer(at, mistake, ending):
    shown = views(at)
    assert list(shown) == ["right", mistake.short]
    assert {(message["ask"], message["group"]) for message in shown.values()} == {(2, "ask")}
    for name, variant in (("right", "right"), (mistake.short, mistake.variant)):
        record = trace(Experiment(ending=ending, variant=variant))
        sent = np.array([[w or 0 for w in row] for row in shown[name]["weights"]])
        np.testing.assert_array_equal(sent, record.weights[0])
    assert len(lines(at)) >= 3
    for sentence in mistake.sentences(Experiment(ending=ending)):
        assert sentence in words(at)


@pytest.mark.parametrize(("head", "mask"), [("pronoun", "none"), ("previous", "causal"), ("sink", "none")])
def test_every_mistake_can_be_shown_in_every_head_with_and_without_the_mask(head, mask):
    at = app("mistakes", head=head, mask=mask, ask="1")
    for name in NAMES:
        assert not pick(at, name).exception
        assert lines(at)


def test_the_tell_tale_tells_the_records_numbers():
    at = app("mistakes", ask="1")
    of = {name: lines(pick(at, name)) for name in NAMES}
    assert of["no_divisor"]["scores are divided by"] == ["2", "1"]
    assert of["sqrt_d_model"]["scores are divided by"] == ["2", "3.46"]
    assert of["wrong_axis"]["sums of all columns"] == ["0.02 to 3.67", "1 each"]
    assert of["wrong_axis"]["sum of the row of The"] == ["1", "0.10 not 1"]
    change = of["wrong_axis"]["largest change in an earlier row when the last word becomes soft"]
    assert change == ["0 (to 12 decimals)", "0.45, it leaks"]
    assert of["mask_as_zero"]["weight of The on words it may not see"] == ["0", "0.900 leaks"]
    assert of["mask_as_zero"]["a hidden score becomes"] == ["−∞", "0"]
    assert of["mask_after"]["sums of all rows"] == ["1 each", "0.03 to 1 not 1"]
    assert of["mask_after_renormalised"]["largest difference of a weight, all heads"] == ["–", "0 (to 12 decimals)"]
    assert of["mask_after_renormalised"]["sums of all rows before they are divided again"] == ["–", "0.03 to 1"]
    assert of["one_matrix"]["scores, mirrored: largest difference"] == ["4.00", "0 (to 12 decimals)"]
    assert of["one_matrix"]["weights, mirrored: largest difference"] == ["0.96", "0.50"]
    assert of["no_positions"]["entropy of a row, previous head (1 = even)"] == ["0.09", "1.00"]
    assert of["cut_first"]["it loses"] == ["–", "tired, soft"]
    assert lines(app("mistakes", mistake="mean_of_heads"))["largest weight of tired"] == ["0.858, cat", "0.334, was"]


def test_the_tell_tale_follows_the_word_that_asks():
    at = app("mistakes", mistake="mask_as_zero")
    assert lines(at)["weight of tired on words it may not see"] == ["0", "0"]
    assert lines(ask(at, 1))["weight of cat on words it may not see"] == ["0", "0.800 leaks"]


def test_over_the_wrong_axis_the_row_of_an_earlier_word_stands_there_with_both_last_words():
    at = app("mistakes", mistake="wrong_axis")
    (table,) = [t for t in read(html_of(at)).all("table") if t.one("caption").text.startswith("The row of it")]
    rows = {line.one("th").text: [cell.text for cell in line.all("td")] for line in table.one("tbody").all("tr")}
    assert list(rows) == ["right, tired", "right, soft", "wrong axis, tired", "wrong axis, soft"]
    assert rows["right, tired"] == rows["right, soft"]
    assert rows["wrong axis, tired"][5] == "0.932" and rows["wrong axis, soft"][5] == "0.487"
    _opens_each_number(at, table)


def _opens_each_number(at, table):
    (region,) = read(html_of(at)).all("div", having="av-earlier")
    patterns = dict(one.split("=", 1) for one in region.attributes["data-of"].split())
    for line, name in zip(table.one("tbody").all("tr"), ("right", "right_other", "wrong", "wrong_other"), strict=True):
        weights = at.session_state[OFFERED][name].weights
        for j, number in enumerate(line.all("u")):
            own = number.attributes["data-open"]
            address = read_address(patterns[own[0]].replace("*", own[1:]).removeprefix(f"{name}:"))
            assert address == ("weights", (0, 7, j))
            assert number.text in ("masked", f"{weights[address.place]:.3f}", "0", "1")


def test_the_row_of_an_earlier_word_turns_with_the_layout():
    at = app("mistakes", mistake="wrong_axis", layout="columns")
    (table,) = [t for t in read(html_of(at)).all("table") if t.one("caption").text.startswith("The column of it")]
    heads = [head.text for head in table.one("thead").all("th")]
    assert heads[1:] == ["right, tired", "right, soft", "wrong axis, tired", "wrong axis, soft"]
    rows = {line.one("th").text: [cell.text for cell in line.all("td")] for line in table.one("tbody").all("tr")}
    assert rows["mat"][2:] == ["0.932", "0.487"] and list(rows)[-1] == "last word"


def test_the_largest_numbers_and_the_divisor_of_the_tell_tale_can_be_opened():
    html = html_of(app("mistakes"))
    for name in ("right", "wrong"):
        assert f"data-open={name}:divisor[]" in html
        assert f"data-open={name}:scores[0,9,1]" in html and f"data-open={name}:weights[0,9,1]" in html


def test_a_head_that_likes_all_alike_names_no_word():
    at = app("mistakes", mistake="mean_of_heads", ask="7")
    assert lines(at)["what the pronoun head likes best for because"] == ["0.143, all alike", "–"]
    it = lines(ask(at, 7))["what the pronoun head likes best for it"]
    assert it[0] == "0.474, cat; 0.474, mat" and it[1].endswith(", mat")


def test_without_a_mask_nothing_leaks_through_it():
    for head in ("pronoun", "previous", "sink"):
        at = app("mistakes", mistake="wrong_axis", mask="none", head=head)
        assert "leaks" not in "".join(map("".join, lines(at).values())) and "mask no longer" in words(at)


def test_the_address_keeps_the_mistake_and_the_first_one_needs_nothing_there():
    at = app("mistakes")
    at.segmented_control(key="mistake").set_value("cut_first").run()
    assert at.query_params["mistake"] == "cut_first"
    assert "cut first" in views(at)
    at.segmented_control(key="mistake").set_value(NAMES[0]).run()
    assert "mistake" not in at.query_params


@pytest.mark.parametrize("value", ["", "right", "x" * 6000, ["cut_first", "nobody"]])
def test_nonsense_for_the_mistake_shows_the_first_one(value):
    at = app("mistakes", mistake=value)
    assert list(views(at)) == ["right", MISTAKES[0].short]
    assert "mistake" not in at.query_params


@pytest.mark.parametrize("value", ["-1", "99999", "٣"])
def test_nonsense_for_the_shuffle_leaves_the_words_in_order(value):
    at = app("mistakes", mistake="no_positions", shuffle=value)
    assert views(at)["right"]["query_tokens"] == list(Experiment().tokens)
    assert "shuffle" not in at.query_params


@pytest.mark.parametrize("value", ["513", "many"])
def test_nonsense_for_the_size_of_a_query_falls_back(value):
    assert app("mistakes", d_head=value).session_state["d_head"] == 64


def test_shuffled_words_keep_their_weights_without_positions_and_the_address_restores_the_order():
    at = shuffle(app("mistakes", mistake="no_positions", head="previous", ask="2"))
    assert at.query_params["shuffle"] == "1"
    tokens = [Experiment().tokens[old] for old in seeded_order(10, 1)]
    for message in views(at).values():
        assert message["query_tokens"] == tokens
        assert message["ask"] == tokens.index("cat")  # the token that asks went with its word
    assert lines(at)["previous head: weights that changed"] == ["100 of 100, by up to 0.98", "0 of 100"]
    assert lines(at)["pronoun head: weights that changed"] == ["0 of 100", "0 of 100"]
    assert "The mask is off for this comparison" in html_of(at)
    assert views(app("mistakes", **at.query_params)).keys() == views(at).keys()
    assert lines(app("mistakes", **at.query_params)) == lines(at)
    assert lines(shuffle(at)) != lines(at) or at.query_params["shuffle"] == "2"
    at.button(key="in_order").click().run()
    assert views(at)["right"]["query_tokens"] == list(Experiment().tokens)
    assert "shuffle" not in at.query_params


def test_a_pick_among_shuffled_words_asks_for_the_same_word_everywhere():
    at = shuffle(app("mistakes", mistake="no_positions"))
    tokens = views(at)["right"]["query_tokens"]
    at.session_state["shuffled_ask"] = tokens.index("sat")
    at.run()
    assert at.session_state["ask"] == 2
    assert at.query_params["ask"] == "3"
    ask(at, 1)  # and asked elsewhere, the shuffled pictures follow
    assert {tokens[message["ask"]] for message in views(at).values()} == {"cat"}


def test_another_mistake_is_shown_in_order_and_the_shuffle_comes_back():
    at = shuffle(app("mistakes", mistake="no_positions"))
    at.segmented_control(key="mistake").set_value("cut_first").run()
    assert views(at)["right"]["query_tokens"] == list(Experiment().tokens)
    assert "shuffle" not in at.query_params
    at.segmented_control(key="mistake").set_value("no_positions").run()
    assert at.query_params["shuffle"] == "1"


@pytest.fixture
def at_the_workbench(monkeypatch):
    """Let the workbench hold another experiment."""

    def hold(experiment):
        monkeypatch.setattr("attention_view.workbench.experiment", lambda: experiment)

    return hold


@pytest.mark.parametrize("more", [{"mask": "none"}, {"mask": "window 2"}, {"edits": (Edit("X", (1, 0), 3.0),)}])
def test_a_sentence_of_ones_own_gets_its_numbers_and_no_words_about_the_toy(at_the_workbench, more):
    own = Experiment(words=OWN.words, meanings=OWN.meanings, ask=1, **more)
    at_the_workbench(own)
    at = app("mistakes")
    for mistake in MISTAKES:
        pick(at, mistake.variant)
        assert views(at)["right"]["query_tokens"] == list(OWN.words)
        assert mistake.see not in words(at)
        assert all(sentence in words(at) for sentence in mistake.sentences(own))
        assert ANYWHERE in words(at)
        assert lines(at)


@pytest.mark.parametrize("words_of_it", [("cat",), ("cat", "sat") * 16])
def test_the_shortest_and_the_longest_sentence_can_be_compared(at_the_workbench, words_of_it):
    at_the_workbench(Experiment(words=words_of_it, ask=0))
    at = app("mistakes")
    for name in NAMES:
        assert not pick(at, name).exception
        assert len(views(at)["right"]["query_tokens"]) == len(words_of_it)
    assert not shuffle(pick(at, "no_positions")).exception


def test_an_edited_toy_gets_no_words_about_the_toy_as_it_is(at_the_workbench):
    at_the_workbench(Experiment(edits=(Edit("scores", (0, 9, 1), 0.0),)))
    at = app("mistakes")
    assert MISTAKES[0].see not in words(at) and ANYWHERE in words(at)
    assert lines(at)["largest weight of tired"][0] == "0.100, all alike"


def test_a_word_that_may_see_nothing_and_leaks_everything_is_no_error(at_the_workbench):
    at_the_workbench(Experiment(ask=0, edits=(Edit("mask", (0, 0), 0),)))
    at = app("mistakes")
    for name in NAMES:
        assert not pick(at, name).exception
        assert "nan" not in html_of(at).lower()
    assert lines(pick(at, "mask_as_zero"))["weight of The on words it may not see"] == ["0", "1 leaks"]


def test_where_a_mistake_cannot_be_made_its_reason_stands_there(at_the_workbench, monkeypatch):
    monkeypatch.setattr(
        "attention_core.layer.projections_of", lambda *_: (_ for _ in ()).throw(ValueError("3 do <not> divide 11"))
    )
    at = app("mistakes", mistake="cut_first")
    assert "This mistake cannot be made here: 3 do &lt;not&gt; divide 11." in html_of(at)


def test_both_layers_are_offered_to_be_opened():
    at = app("mistakes", mistake="cut_first")
    offered = at.session_state[OFFERED]
    assert offered["right"].variant == VARIANTS["right"] and offered["wrong"].variant == VARIANTS["cut_first"]
    assert offered["page"] is offered["right"]


@pytest.mark.parametrize("d_head", [1, 64, 512])
def test_the_slider_shows_the_random_scores_of_its_size(d_head):
    html = html_of(app("mistakes", d_head=str(d_head)))
    for one in scaled(d_head):
        assert f"spread {one.spread:.2f}, entropy {one.entropy_share:.2f}" in html
    assert html.count('class="av-columns"') == 3
