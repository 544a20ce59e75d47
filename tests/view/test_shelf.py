"""The shelf while a text is written: what is new, what rests, what does not exist yet, and what it costs."""

import pytest

from attention_core import Experiment, attention_record, trace
from attention_core.earlier_rows import earlier_rows
from attention_core.generation import generation
from attention_view.counting import all_steps, multiplications
from attention_view.shelf import EMPTY, GONE, NEW, RESTING, Shown, rows_sentence, shelf, step_sentence
from tests.view.read_html import read, rows

SAT, IT = 2, 7


def toy(head=0, **settings):
    record = trace(Experiment(**settings))
    names = record.query_dimension_names[head], record.value_dimension_names[head]
    return record, generation(record.X, record.W_Q, record.W_K, record.W_V), Shown(head, record.kv_head(head), *names)


def drawn(place, *, head=0, causal=True, **settings):
    record, steps, shown = toy(head, **settings)
    earlier = earlier_rows(record, place, causal=causal)
    return read(shelf(steps, place, earlier, tokens=record.query_tokens, shown=shown))


def lines(tree):
    return [line for line in tree.all("div", having="av-shelf-row") if line.attributes["role"] == "row"][1:-1]


def text_of(line, column):
    return line.one("div", having=f"av-{column}").text


def numbers_of(line, column):
    return [cell.text for cell in line.one("div", having=f"av-{column}").all("b", "u")]


@pytest.mark.parametrize("place", range(10))
def test_there_is_one_row_for_each_token_whatever_the_step(place):
    states = [line.one("small").text for line in lines(drawn(place))]
    assert states == [RESTING] * place + [NEW] + [EMPTY] * (9 - place)


def test_only_the_newest_token_has_a_query():
    sheet = lines(drawn(SAT))
    assert [text_of(line, "q") for line in sheet[:SAT]] == [GONE] * SAT
    assert numbers_of(sheet[SAT], "q") == ["4", "4", "0", "0"]
    assert [text_of(line, "q") for line in sheet[SAT + 1 :]] == [""] * 7


def test_keys_values_weights_and_output_are_those_of_the_record():
    tree = drawn(SAT)
    sheet, record = lines(tree), trace(Experiment())
    assert numbers_of(sheet[1], "k") == ["2", "0", "0", "0"]
    assert numbers_of(sheet[1], "v") == ["1", "0", "0", "0"]
    assert [text_of(line, "w") for line in sheet[:3]] == [f"{w:.3f}" for w in record.weights[0, SAT, :3]]
    assert numbers_of(tree.all("div", having="av-output")[0], "v") == ["0.96", "0", "0", "0"]


def test_words_that_are_not_written_yet_are_not_on_the_shelf():
    assert "because" not in drawn(SAT).text
    assert "because" in drawn(IT).text


def test_tokens_are_no_markup():
    record, steps, shown = toy()
    tokens = ("<s>", *record.query_tokens[1:])
    markup = shelf(steps, 0, earlier_rows(record, 0, causal=True), tokens=tokens, shown=shown)
    assert "<s>" not in markup.replace('<s style="--w', "")
    assert "&lt;s&gt;" in markup


@pytest.mark.parametrize("head", range(3))
@pytest.mark.parametrize("ending", ["tired", "soft"])
@pytest.mark.parametrize("place", range(1, 10))
def test_each_earlier_row_says_whether_it_has_changed(place, ending, head):
    with_mask = lines(drawn(place, head=head, ending=ending))
    without = lines(drawn(place, head=head, ending=ending, causal=False))
    assert [text_of(line, "c") for line in with_mask[:place]] == ["no"] * place
    assert all(text_of(line, "c").startswith("yes, ") for line in without[:place])
    assert not any(text_of(line, "c") == "yes, 0.000" for line in without)


def test_the_sentence_about_earlier_rows_counts_them():
    record, _, _ = toy()

    def said(place, causal):
        rows = earlier_rows(record, place, causal=causal)
        return read(rows_sentence(place, rows, tokens=record.query_tokens, causal=causal)).text

    assert said(IT, True).startswith("0 of 7 earlier results changed when it came. The mask")
    assert said(IT, False).startswith("7 of 7 earlier results changed when it came. Without the mask")
    assert said(1, True).startswith("0 of 1 earlier result changed when cat came.")
    assert "no earlier result" in said(0, False)


def test_the_step_says_what_comes_from_the_shelf():
    tokens = trace(Experiment()).query_tokens
    assert "Nothing lies on the shelf yet." in step_sentence(0, tokens=tokens)
    assert "One key and one value come from the shelf." in step_sentence(1, tokens=tokens)
    assert "7 keys and 7 values come from the shelf." in step_sentence(IT, tokens=tokens)


def test_the_counts_are_those_of_the_core():
    _, steps, _ = toy()
    # 3 queries, 3 keys, 3 values of 4 numbers from 12 each; then 3 heads, 4 numbers, 3 tokens, scores and shares
    assert 9 * 12 * 4 + 2 * 3 * 4 * 3 == 504
    assert rows(multiplications(steps, SAT)) == {
        "with the cache": ["504", "1,440"],
        "without": ["1,512", "2,928"],
        "times as many": ["3.0", "2.0"],
    }


def test_bars_grow_step_by_step_on_one_scale():
    _, steps, _ = toy()
    bars = read(multiplications(steps, SAT)).one("figure").all("li")
    assert len(bars) == 10
    assert [len(bar.all("span")) for bar in bars] == [1] * 3 + [0] * 7
    last = read(multiplications(steps, 9)).one("figure").all("li")
    assert last[-1].one("span").attributes["style"] == "height:100%"
    assert [bar.one("span").attributes for bar in last[:3]] == [bar.one("span").attributes for bar in bars[:3]]


def test_the_twin_has_every_step():
    record, steps, _ = toy()
    lines = rows(all_steps(steps, tokens=record.query_tokens))
    assert len(lines) == 10
    assert lines["10: tired"] == ["672", "6,720", "5,640", "33,000", "5.9"]


def test_steps_that_do_not_fit_the_tokens_are_refused():
    record, steps, shown = toy()
    earlier = earlier_rows(record, 0, causal=True)
    with pytest.raises(ValueError, match="there are 9 steps and 10 tokens, and place is 0"):
        shelf(steps[:9], 0, earlier, tokens=record.query_tokens, shown=shown)
    with pytest.raises(ValueError, match="place is 10"):
        shelf(steps, 10, earlier, tokens=record.query_tokens, shown=shown)


def test_shared_key_and_value_heads_are_read_from_their_group():
    record = attention_record([[1.0, 2.0]], [[[1.0], [0.0]]] * 2, [[[0.0], [1.0]]], [[[1.0], [1.0]]], [[1.0, 0.0]] * 2)
    steps = generation(record.X, record.W_Q, record.W_K, record.W_V)
    shown = Shown(1, record.kv_head(1), ["a"], ["b"])
    (line,) = lines(read(shelf(steps, 0, earlier_rows(record, 0, causal=True), tokens=["x"], shown=shown)))
    assert numbers_of(line, "k") == ["2"]
    assert numbers_of(line, "v") == ["3"]
