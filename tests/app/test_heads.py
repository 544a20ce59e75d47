"""The page of the heads as Streamlit's own test harness runs it: the switches and what follows them."""

import json

from attention_core import Experiment, trace
from tests.app.test_pages import app, ask, html_of
from tests.view.read_html import read


def views(at):
    """The messages of the token views, by their captions."""
    messages = [json.loads(part.proto.bytes) for part in at.get("bidi_component") if part.proto.bytes.startswith(b"{")]
    return {message["caption"]: message for message in messages if "caption" in message}


def new_vector(at):
    (figure,) = [f for f in read(html_of(at)).all("figure") if "after" in f.one("figcaption").text]
    return [cell.one("dd").text.removesuffix(", marked") for cell in figure.one("dl").all("div")]


def mean_of_heads(at):
    (bars,) = read(html_of(at)).all("div", having="av-row-bars")
    return {row.one("th").text: row.all("td")[0].text for row in bars.one("tbody").all("tr")}


def test_three_heads_and_their_mean_share_the_token_that_asks():
    at = ask(app("heads"), 7)
    r = trace(Experiment(ask=7))
    shown = views(at)
    assert list(shown) == ["pronoun head", "previous head", "sink head"]
    assert {(message["ask"], message["group"]) for message in shown.values()} == {(7, "ask")}
    for h, name in enumerate(r.head_names):
        assert shown[f"{name} head"]["weights"][7][:8] == r.weights[h, 7, :8].tolist()
    assert mean_of_heads(at)["cat"] == f"{r.weights[:, 7, 1].mean():.3f}"


def test_a_head_switched_off_changes_what_is_joined_the_mean_and_the_address_but_not_its_view():
    at = ask(app("heads"), 7)
    before, vector = views(at)["pronoun head"], new_vector(at)
    at.toggle(key="pronoun_on").set_value(False).run()
    assert at.query_params["heads"] == "previous,sink"
    assert "pronoun head: off" in html_of(at)
    assert views(at)["pronoun head"] == before
    assert "mean of the heads that are on (2)" in html_of(at)
    assert vector[:2] != new_vector(at)[:2] == ["0.02", "0.03"]
    at.toggle(key="pronoun_on").set_value(True).run()
    assert new_vector(at) == vector
    assert "heads" not in at.query_params


def test_with_all_heads_off_there_is_no_mean_and_the_token_stays_as_it_was():
    at = app("heads", heads="none")
    assert "All heads are off" in html_of(at)
    assert len(views(at)) == 3
    assert "nothing to average" in html_of(at)


def test_the_strip_leaves_the_head_control_out():
    assert [control.key for control in app("heads").segmented_control] == ["ending", "layout"]
