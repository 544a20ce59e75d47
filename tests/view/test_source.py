"""The source on a page is the real one."""

import inspect

from attention_core import causal_mask, softmax
from attention_view.source import source
from tests.view.read_html import read


def test_the_listing_is_the_source_to_the_letter():
    listings = read(source(softmax, causal_mask)).all("pre")
    assert [listing.text for listing in listings] == [inspect.getsource(softmax), inspect.getsource(causal_mask)]


def test_docstrings_are_set_back():
    (docstring,) = read(source(softmax)).all("span")
    assert docstring.text.startswith('"""Turn each row of scores')
    assert docstring.text.endswith('"""')


def test_signs_of_html_in_the_source_stay_text():
    def smaller(a, b):
        return a < b & True

    assert "a &lt; b &amp; True" in source(smaller)


def test_a_keyboard_reaches_and_names_each_listing():
    listing = read(source(softmax)).one("pre")
    assert listing.attributes["tabindex"] == "0"
    assert listing.attributes["aria-label"] == "Source of attention_core.attention.softmax"
