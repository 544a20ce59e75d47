"""The formula: the same words in every form, and exactly one part lit."""

import pytest

from attention_view.formula import PIECES, formula
from tests.view.read_html import read


def drawn(part=None):
    return read(formula(part)).one("p", having="av-formula")


def test_the_formula_reads_as_in_the_paper():
    assert drawn().text == "softmax(Q·KT√dhead)·V"
    assert drawn().one("span", having="av-fraction").text == "Q·KT√dhead"


def test_each_letter_has_the_colour_of_its_meaning():
    assert [(letter.text, letter.classes) for letter in drawn().all("b")] == [
        ("Q", ["av-query"]),
        ("K", ["av-key"]),
        ("V", ["av-value"]),
    ]


@pytest.mark.parametrize(
    ("part", "lit"),
    [
        ("neighbours", "softmax(Q·KT√dhead)·V"),
        ("scores", "Q·KT"),
        ("scale", "√dhead"),
        ("mask", "mask"),
        ("softmax", "softmax"),
        ("values", "·V"),
        ("heads", "·WO"),
    ],
)
def test_exactly_the_part_in_question_is_lit_and_explained(part, lit):
    assert drawn(part).one("span", having="av-part").text == lit
    assert PIECES[part].words.format(line="row") in read(formula(part)).one("p", having="av-caption").text


def test_no_part_is_lit_unless_asked_for():
    assert drawn().all("span", having="av-part") == []
    assert read(formula()).all("p", having="av-caption") == []


def test_the_mask_is_written_only_where_it_is_the_question():
    assert "mask" in drawn("mask").text
    assert all("mask" not in drawn(part).text for part in PIECES if part != "mask")


def test_the_formula_has_a_name_in_words():
    name = "softmax of Q times K transposed, divided by the square root of d head, times V"
    maths = [span for span in drawn("scores").all("span") if span.attributes.get("role") == "math"]
    assert [span.attributes["aria-label"] for span in maths] == [name]
    masked = [span for span in drawn("mask").all("span") if span.attributes.get("role") == "math"]
    assert "plus the mask" in masked[0].attributes["aria-label"]


def test_an_unknown_part_is_refused():
    with pytest.raises(ValueError, match="part must be one of neighbours, scores, .*, heads, but it is 'magic'"):
        formula("magic")


def test_several_heads_are_each_the_formula_and_then_joined():
    one, joined = [span for span in drawn("heads").all("span") if span.attributes.get("role") == "math"]
    assert one.text == "head\u00a0=\u00a0softmax(Q·KT√dhead)·V"
    assert joined.text == "[head1, head2, …]·WO"
    assert joined.attributes["aria-label"] == "the heads joined end to end, times W O"
