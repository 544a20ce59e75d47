"""The real model beside the toy: every sentence, table and bar is made of the records, and says what they say."""

import re

import numpy as np
import pytest

from attention_core import Experiment, toy, trace
from attention_core.addresses import read_address, value_at
from attention_core.models.all_heads import share_of_first, weights_of_all_heads
from attention_core.models.pairs import Pair
from attention_core.models.roles import ROLES, clear_role
from attention_view.numbers import percent, read_shown
from attention_view.real_model.counter_examples import Measured, answer_card, fitting_table, guess_note, rows_table
from attention_view.real_model.many import Vector, vectors_picture
from attention_view.real_model.opened_head import STEPS, Place, most_looked_at, opened_step
from attention_view.real_model.recorded import TWINS, maps_of, measured_pairs, record_of, recording, rows_of_it, run_of
from attention_view.real_model.role_groups import IN_WORDS, role_groups, role_table
from attention_view.real_model.sides import Sides, sides_sentence, swing_sentence
from attention_view.real_model.tables import head_twin, sides_twin
from tests.view.read_html import read

LAST = 9
CLICK = 12_000  # bytes that a click may cost
FURNITURE = 4_300  # bytes of a click that are not the step: the sentence, the switches, Streamlit's own
PLACES = [(13, 8), (16, 0), (18, 8), (0, 0), (5, 2), (29, 8)]


def sides(ending, head, query):
    experiment = Experiment(ending=ending, head=head)
    return Sides(trace(experiment), record_of(ending, *TWINS[head]), experiment.head_index, query)


def plain(markup):
    return read(markup).text.replace("\u00a0", " ")


EVERY = [(ending, head, query) for ending in toy.ENDINGS for head in toy.HEAD_NAMES for query in range(10)]


@pytest.mark.parametrize(("ending", "head", "query"), EVERY)
def test_the_sentence_about_both_sides_is_true_of_both_rows(ending, head, query):
    both = sides(ending, head, query)
    said = plain(sides_sentence(both))
    tokens = both.toy.query_tokens
    if query == 0:
        assert said == "The may look only at itself, so both give it all their weight."
        return
    names = ["itself" if place == query else token for place, token in enumerate(tokens)]
    toy_row, model_row = both.rows()
    top = np.flatnonzero(toy_row >= toy_row.max() - 1e-9)
    most = names[int(model_row.argmax())]
    assert tokens[query] in said and percent(model_row.max()).replace("\u00a0", " ") in said
    assert percent(toy_row.max()).replace("\u00a0", " ") in said
    if len(top) == 1 and top[0] == model_row.argmax():
        assert said.startswith(f"In both, {tokens[query]} looks most at {most}:")
    else:
        assert re.search(rf"in SmolLM2 (it looks most )?at {most}, ", said)
        assert not said.startswith("In both")
    if len(top) > 1:
        assert "looks equally at" in said and "all 2 words" not in said


@pytest.mark.parametrize("head", toy.HEAD_NAMES)
def test_what_becomes_of_it_with_the_other_last_word_is_told_of_the_last_token_alone(head):
    for query in range(10):
        said = swing_sentence(sides("tired", head, query), sides("soft", head, query))
        assert bool(said) == (query == LAST)
    swung = {name: plain(swing_sentence(sides("tired", name, LAST), sides("soft", name, LAST))) for name in [head]}[
        head
    ]
    favourites = [[int(row.argmax()) for row in sides(ending, head, LAST).rows()] for ending in toy.ENDINGS]
    if head == "pronoun":
        assert favourites == [[1, 1], [5, 5]] and swung.strip() == "With soft as the last word, both look most at mat."
    else:
        (key,) = {*favourites[0], *favourites[1]}
        most = toy.sentence("soft")[key]
        assert swung.strip() == f"With soft as the last word, both still look most at {most}."


def test_the_thick_line_of_both_swings_from_cat_to_mat():
    for ending, noun in (("tired", 1), ("soft", 5)):
        toy_row, model_row = sides(ending, "pronoun", LAST).rows()
        assert toy_row.argmax() == model_row.argmax() == noun and min(toy_row.max(), model_row.max()) > 0.7


def letters_of(markup):
    """Whose numbers each element with data-of holds, by letter, in the order of the markup."""
    return [dict(one.split("=", 1) for one in of.split()) for of in re.findall(r'data-of="([^"]*)"', markup)]


@pytest.mark.parametrize(("layer", "head"), PLACES)
@pytest.mark.parametrize("step", ["score", "output"])
def test_every_bar_shows_the_number_that_its_place_opens(layer, head, step):
    record = record_of("soft", layer, head)
    for query, key in ((9, 5), (3, 3), (0, 2)):
        markup = opened_step(Place(record, query, key, "model"), step)
        of = letters_of(markup)[0]
        lines = read(markup).all("div", having="av-bars")
        assert len(lines) == 3
        for line in lines:
            letter = line.attributes["data-letter"]
            numbers = line.all("u")
            assert len(numbers) == 64
            if letter == "r":
                assert of[letter] == f"model:raw_scores[0,{query},{key}]"
                assert "; each opens, a product as part of the raw score." in plain(markup)
                continue
            for d, number in enumerate(numbers):
                address = read_address(of[letter].removeprefix("model:").replace("*", str(d)))
                assert float(read_shown(number.text)) == pytest.approx(value_at(record, address), abs=0.00501)


@pytest.mark.parametrize(("layer", "head"), PLACES)
@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_the_largest_products_and_the_rest_come_to_the_raw_score(layer, head, layout):
    record = record_of("tired", layer, head)
    for query, key in ((9, 1), (9, 0), (4, 2), (0, 9), (2, 4), (2, 6)):
        markup = opened_step(Place(record, query, key, "model", layout), "score")
        table = read(markup).one("table")
        lines = table.one("tbody").all("tr")
        shown = [line.all("td")[1].text.lstrip("= ") for line in lines]
        values = [float(read_shown(text)) for text in shown]
        products = sorted(record.Q[0, query] * record.K[0, key], key=lambda x: -abs(x))
        assert values[:5] == pytest.approx(products[:5], abs=0.00501)
        assert values[5] == pytest.approx(sum(products[5:]), abs=0.00501)
        assert sum(products) == pytest.approx(record.raw_scores[0, query, key])
        raw, score, after = (line.all("td")[1].text for line in table.one("tfoot").all("tr"))
        assert float(read_shown(raw)) == pytest.approx(record.raw_scores[0, query, key], abs=0.00501)
        assert float(read_shown(score)) == pytest.approx(record.raw_scores[0, query, key] / 8, abs=0.00501)
        assert ("−∞" in after) == (key > query) and (after == score) == (key <= query)
        rounded = "Numbers are shown rounded." in plain(markup)
        assert rounded or sum(map(read_shown, shown)) == read_shown(raw)
        factors = [line.all("td")[0].text.replace("(", "").replace(")", "").split(" × ") for line in lines[:5]]
        come_out = [read_shown(a) * read_shown(b) == read_shown(c) for (a, b), c in zip(factors, shown, strict=False)]
        assert rounded or all(come_out)


def addresses_in(markup):
    """The addresses of the numbers that say their place themselves."""
    found, of = [], {}
    for name, quoted, bare in re.findall(r'data-(of|open)=(?:"([^"]*)"|([^\s>]+))', markup):
        text = quoted or bare
        if name == "of":
            of = dict(one.split("=", 1) for one in text.split()) if "=" in text else {"": text}
        else:
            letter = "" if "" in of else text[0]
            found.append(of[letter].replace("*", text[len(letter) :]))
    return found


@pytest.mark.parametrize("step", STEPS)
def test_every_number_of_a_step_has_its_place_in_the_record(step):
    record = record_of("soft", 5, 2)
    for query in range(10):
        for text in addresses_in(opened_step(Place(record, query, 4, "chosen"), step)):
            name, _, address = text.rpartition(":")
            assert name == "chosen" and value_at(record, read_address(address)) is not None


def test_a_step_fits_into_a_click_for_every_twin_token_key_and_layout():
    for ending, (layer, head) in ((e, place) for e in toy.ENDINGS for place in PLACES):
        record = record_of(ending, layer, head)
        for query, key, layout in ((q, k, way) for q in (0, 4, 9) for k in range(10) for way in ("rows", "columns")):
            place = Place(record, query, key, "chosen", layout)
            assert max(len(opened_step(place, step).encode()) for step in STEPS) < CLICK - FURNITURE


def test_an_unknown_step_is_refused():
    with pytest.raises(ValueError, match="step must be one of score, weight, output, but it is 'magic'"):
        opened_step(Place(record_of("soft", 0, 0), 0, 0, "model"), "magic")


def test_vectors_of_different_lengths_are_refused_and_one_scale_is_shared():
    with pytest.raises(ValueError, match="dimension"):
        vectors_picture([Vector("a", [1, 2], "c"), Vector("b", [1], "c")], title="t", note="", of="")
    markup = vectors_picture(
        [Vector("a", [4, -2], "c", "a", "same"), Vector("b", [1, 0], "c", "b", "same")], title="t", note="", of=""
    )
    assert re.findall(r"--w:(-?\d+)", markup) == ["100", "-50", "25", "0"]


def test_every_head_stands_in_one_group_that_its_scores_over_several_texts_give():
    scores = recording().roles
    groups = role_groups(scores)
    assert sorted(head for group in groups for head in group.heads) == [*np.ndindex(30, 9)]
    for group in groups:
        (role,) = (role for role, words in IN_WORDS.items() if words.name == group.name)
        assert {clear_role(scores[:, layer, head]) for layer, head in group.heads} == {role}
        if role:
            of_role = [scores[[*ROLES].index(role), layer, head] for layer, head in group.heads]
            assert of_role == sorted(of_role, reverse=True)


def test_the_roles_of_the_twins_are_those_of_the_toys_heads_where_they_have_one():
    scores = recording().roles
    assert clear_role(scores[:, *TWINS["previous"]]) == "previous"
    assert clear_role(scores[:, *TWINS["sink"]]) == "first"
    table = read(role_table(scores, *TWINS["sink"], n_texts=(6, 4)))
    assert [cell.text for cell in table.one("tbody").all("td", having="av-clear")] == ["1.00"]


def test_the_table_of_roles_says_when_the_first_token_counts():
    scores = recording().roles
    by_name = dict(zip(ROLES, scores[:, 5, 6], strict=True))
    assert by_name["first"] > by_name["duplicate"] and clear_role(scores[:, 5, 6]) == "duplicate"
    said = plain(role_table(scores, 5, 6, n_texts=(6, 4)))
    assert "A head plays its clearest role; the first token counts only if no other is clear." in said


def test_the_share_of_the_first_token_is_that_of_all_heads_and_later_words():
    run = run_of("tired")
    by_hand = [run.weights(layer, head)[1:, 0].mean() for layer in range(30) for head in range(9)]
    assert share_of_first(maps_of("tired")) == pytest.approx(np.mean(by_hand), abs=1e-6)
    np.testing.assert_allclose(weights_of_all_heads(run)[13, 8], run.weights(13, 8), atol=1e-7)
    with pytest.raises(ValueError, match="two tokens"):
        share_of_first(np.ones((1, 1, 1, 1)))


@pytest.mark.parametrize("ending", toy.ENDINGS)
def test_the_row_of_it_is_the_same_looking_back_and_another_reading_both_ways(ending):
    back, both = rows_of_it()
    assert back.apart() == 0 and both.apart() > 0.1
    for rows in (back, both):
        table = read(rows_table(rows)).one("table")
        record = rows.records[ending]
        column = 2 * [*toy.ENDINGS].index(ending)
        shown = [line.all("td")[column].text for line in table.one("tbody").all("tr")]
        i = record.query_tokens.index("it")
        row = zip(record.weights[0, i], record.mask[i], strict=True)
        expected = [("<0.001" if w < 0.0005 else f"{w:.3f}") if seen else "masked" for w, seen in row]
        assert [text.replace("masked: ", "") for text in shown] == expected
        for text in addresses_in(rows_table(rows)):
            name, _, address = text.rpartition(":")
            assert value_at(rows.offered()[name], read_address(address)) is not None


def test_the_pairs_are_counted_by_the_core_and_the_odd_ones_marked():
    pairs = measured_pairs()
    assert len(pairs) == 16
    fits = [w[0][0] > w[0][1] and w[1][1] > w[1][0] for w in (np.asarray(one.weights) for one in pairs)]
    moves = [w[0][0] / sum(w[0]) > w[1][0] / sum(w[1]) for w in (np.asarray(one.weights) for one in pairs)]
    first = sum(row[0] > row[1] for one in pairs for row in np.asarray(one.weights))
    said = plain(guess_note(pairs, 16))
    assert f"You said 16: in {sum(fits)} of 16" in said and f"In {sum(moves)} of 16" in said
    assert f"With {first} of 32 endings" in said and "each noun's part is larger with its own ending" in said
    assert plain(guess_note(pairs, sum(fits))).startswith("That is right")
    lines = [line for line in read(fitting_table(pairs)).one("tbody").all("tr") if line.all("td")]
    assert len(lines) == 32
    marked = [bool(line.all("span", having="av-badge")) for line in lines]
    shown = [[float(read_shown(line.all("td")[n].text.split()[-1])) for n in (0, 2)] for line in lines]
    assert all(odd or fit >= other for odd, (fit, other) in zip(marked, shown, strict=True))
    assert sum(marked) == sum(
        int(w[0][0] <= w[0][1]) + int(w[1][1] <= w[1][0]) for w in map(np.asarray, (p.weights for p in pairs))
    )


def test_a_sentence_is_data_and_no_markup():
    pair = Measured(Pair("<b>The</b>", ("<i>", "y"), ("<u>", "w")), [[0.5, 0.2], [0.1, 0.3]])
    assert "<b>" not in fitting_table([pair]) and "<i>" not in fitting_table([pair]).replace("<i>masked", "")
    assert pair.fits and pair.margin == pytest.approx(0.2)


@pytest.mark.parametrize("ending", toy.ENDINGS)
def test_the_models_own_answer_stands_beside_what_the_head_gives(ending):
    answer, record = recording().answers[ending], record_of(ending, *TWINS["pronoun"])
    said = plain(answer_card(answer, record.weights[0, -1], record.key_tokens, ("cat", "mat")))
    row, likely = record.weights[0, -1], {token.strip(): p for token, p in answer.next_tokens}
    gives = f"The head gives cat {percent(row[1])} and mat {percent(row[5])}.".replace("\u00a0", " ")
    assert not re.search("[“”]", said)  # the model's own quotes are straight, and no others stand beside them
    assert gives in said and answer.question in said and answer.answer in said
    assert ("…" in said) == ("It was stopped after 40 tokens." in said) == (not answer.ended) == (ending == "soft")
    assert f"cat {percent(likely['cat'])} and mat {percent(likely['mat'])}.".replace("\u00a0", " ") in said
    repeats = answer.answer.startswith(f"The cat sat on the mat because it was {ending}.")
    assert (
        "Here it repeats the sentence instead of answering: cat is only the start of that repeat." in said
    ) == repeats
    assert repeats == (ending == "soft")


@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_the_tables_hold_the_numbers_of_both_sides_and_of_the_head(layout):
    both = sides("soft", "pronoun", LAST)
    twin = sides_twin(both, layout=layout)
    assert [title.text for title in read(twin).all("caption")][1].startswith("Weights: SmolLM2, layer 13, head 8")
    place = Place(both.model, LAST, most_looked_at(both.model, LAST), "model", layout)
    table = read(head_twin(place)).one("table")
    lines = table.one("tbody").all("tr")
    assert len(lines) == 64
    q, k = (both.model.Q[0, LAST], both.model.K[0, 5])
    factors = (q, k) if layout == "rows" else (k, q)
    for d in (0, 63):
        cells = [float(read_shown(cell.text)) for cell in lines[d].all("td")]
        expected = [*(x[d] for x in factors), q[d] * k[d], both.model.V[0, 5, d]]
        assert cells[:4] == pytest.approx(expected, abs=0.000501)
        assert cells[5] == pytest.approx(both.model.head_outputs[0, LAST, d], abs=0.000501)
