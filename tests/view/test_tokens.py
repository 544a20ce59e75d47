"""Tokens on screen: whatever a tokenizer yields is seen as it is and read as nothing else."""

import html
import re
import unicodedata
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attention_view.tokens import (
    EMPTY,
    INVISIBLE,
    JOINERS,
    WORD_JOINER,
    distinct_names,
    html_text,
    markdown_text,
    plotly_text,
    shortened,
    showable,
)

any_token = st.text(st.characters(), max_size=12)  # surrogates too: raw bytes of a tokenizer
troublesome = st.sampled_from(
    ["<s>", "<b>x</b>", "&lt;", "2024-01-01", "12", "1e5", "$x$", ":red[x]", ":smile:", "[a](b)", "*", "_", "`", "\\",
     "</script>", "<br>", "%{x}", "->", "--", "www.a.de", "a@b.de", "", " ", "\n", "\t", "\u202e", "\ufeff", "שלום"]
)  # fmt: skip
token = any_token | troublesome


@pytest.mark.parametrize(
    ("given_token", "seen"),
    [
        (" cat", "␣cat"),
        ("a\nb", "a↵b"),
        ("\t", "⇥"),
        ("", "[empty]"),
        ("\x00", "␀"),
        ("a\u202eb", "a[U+202E]b"),
        ("\udce2", "<0xE2>"),
        ("\u0301", "◌\u0301"),
        ("naïve", "naïve"),
        ("猫", "猫"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("x\u200dy", "x[U+200D]y"),
    ],
)
def test_blanks_and_unseen_characters_get_signs(given_token, seen):
    assert showable(given_token) == seen


@given(token)
@example("")
def test_a_shown_token_is_never_invisible(given_token):
    shown = showable(given_token)
    assert shown
    assert all(unicodedata.category(sign) not in INVISIBLE or sign in JOINERS for sign in shown)


@given(token)
def test_showing_twice_changes_nothing(given_token):
    assert showable(showable(given_token)) == showable(given_token)


@given(st.text("abcXYZ012 \n\t"), st.text("abcXYZ012 \n\t"))
def test_tokens_that_differ_look_different(one, other):
    assert (showable(one) == showable(other)) == (one == other)


@given(token, st.integers(1, 40))
def test_a_shortened_token_fits_and_says_that_it_was_cut(given_token, limit):
    shown, cut = showable(given_token), shortened(given_token, limit)
    assert len(cut) <= limit
    assert cut == shown or (cut.endswith("…") and shown.startswith(cut[:-1]) and len(shown) > limit)


def test_shortening_to_nothing_is_refused():
    with pytest.raises(ValueError, match="at least 1 character, got 0"):
        shortened("cat", 0)


@given(token)
def test_html_holds_one_isolated_text_and_no_other_tag(given_token):
    tags, texts = [], []
    reader = HTMLParser(convert_charrefs=True)
    reader.handle_starttag = lambda tag, attributes: tags.append(tag)
    reader.handle_data = texts.append
    reader.feed(html_text(given_token))
    reader.close()
    assert tags == ["bdi"]
    assert "".join(texts) == showable(given_token)


@given(token)
def test_plotly_reads_no_tag_entity_maths_template_date_or_number(given_token):
    text = plotly_text(given_token)
    assert not set("<>$%{}") & set(text)
    assert not re.search(r"&(?!#\d+;)", text)
    assert not re.match(r"\s*[-+]?\d", text)
    assert html.unescape(text).strip("\u2068\u2069") == showable(given_token)


@given(token)
def test_markdown_finds_every_mark_escaped_and_cut_off_from_the_next(given_token):
    text = markdown_text(given_token).strip("\u2068\u2069")
    bare = re.sub(rf"\\[!-/:-@\[-`{{-~]{WORD_JOINER}", "", text)
    assert not set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") & set(bare)
    assert re.sub(rf"\\(.){WORD_JOINER}", r"\1", text) == showable(given_token)


def test_right_to_left_text_is_set_apart_from_its_surroundings():
    assert plotly_text("שלום") == "\u2068שלום\u2069"
    assert markdown_text("שלום") == "\u2068שלום\u2069"


def test_equal_tokens_are_named_by_position_whatever_their_case():
    assert distinct_names(["The", "cat", "the"]) == ["The, token 1", "cat", "the, token 3"]
    assert distinct_names(["", "", " "]) == [f"{EMPTY}, token 1", f"{EMPTY}, token 2", "␣"]
    assert distinct_names([]) == []


@given(st.lists(token | st.sampled_from(["The", "the", "The, token 1"]), max_size=8))
@example(["a", "A", "a, token 1"])
def test_no_two_names_sound_alike(tokens):
    names = distinct_names(tokens)
    assert len({name.casefold() for name in names}) == len(tokens)
    assert all(name.startswith(showable(one)) for name, one in zip(names, tokens, strict=True))
