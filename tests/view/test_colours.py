"""The palette: readable, told apart by all eyes, and the same in CSS and in Plotly."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_view.colours import (
    ENOUGH_FOR_TEXT,
    PALETTE,
    colour,
    colour_at,
    contrast,
    css_variables,
    readable_on,
    score_scale,
    weight_scale,
)

THEMES = ("light", "dark")
FAMILIES = ("query", "key", "value", "changed")
TEXTS = ("ink", "quiet", "weight", "score-negative", *(f"{family}-text" for family in FAMILIES))

# How eyes without one kind of cone see linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def seen(text, eyes):
    """A colour in CIE Lab (D65), as the given eyes see it: differences of about 2 can just be told apart."""
    rgb = np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = (EYES[eyes] @ linear).clip(0, 1)
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ linear / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["page", "surface"])
@pytest.mark.parametrize("text", TEXTS)
def test_text_colours_can_be_read_on_page_and_surface(text, ground, theme):
    assert contrast(colour(text, theme), colour(ground, theme)) >= ENOUGH_FOR_TEXT


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("family", FAMILIES)
def test_on_a_soft_ground_the_ink_and_its_own_text_colour_can_be_read(family, theme):
    soft = colour(f"{family}-soft", theme)
    assert contrast(colour("ink", theme), soft) >= ENOUGH_FOR_TEXT
    assert contrast(colour(f"{family}-text", theme), soft) >= ENOUGH_FOR_TEXT


@pytest.mark.parametrize("theme", THEMES)
def test_the_focus_ring_and_the_end_of_each_scale_stand_out_from_the_page(theme):
    for meaning in ("focus", "weight", "score-negative"):
        assert contrast(colour(meaning, theme), colour("page", theme)) >= 3


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
def test_no_two_meanings_look_alike_to_any_eyes(theme, eyes):
    shades = {meaning: seen(colour(meaning, theme), eyes) for meaning in (*FAMILIES, "weight")}
    for one, other in itertools.combinations(shades, 2):
        enough = 9 if other == "weight" else 12  # weights are lines and cells, the others vectors: shape tells as well
        assert np.linalg.norm(shades[one] - shades[other]) > enough, f"{one} and {other} look alike with {eyes}"


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("theme", THEMES)
def test_negative_and_positive_scores_do_not_look_alike_to_any_eyes(theme, eyes):
    negative, positive = (seen(end, eyes) for _, end in score_scale(theme)[::2])
    assert np.linalg.norm(negative - positive) > 20


def test_okabe_and_ito_are_kept_in_the_light_theme():
    assert [colour(family, "light") for family in FAMILIES] == ["#0072B2", "#E69F00", "#009E73", "#D55E00"]


def test_the_stylesheet_gets_every_colour_of_the_palette_for_both_themes():
    css = css_variables()
    found = re.findall(r"--av-([a-z-]+): light-dark\((#[0-9A-F]{6}), (#[0-9A-F]{6})\);", css)
    assert {name: (light, dark) for name, light, dark in found} == PALETTE
    assert css.startswith(".stApp, :root {")


@pytest.mark.parametrize("theme", THEMES)
def test_weights_start_at_the_page_colour_and_scores_have_it_in_the_middle(theme):
    page = colour("page", theme)
    assert weight_scale(theme)[0] == (0.0, page)
    assert score_scale(theme)[1] == (0.5, page)
    assert weight_scale(theme)[-1] == score_scale(theme)[-1] == (1.0, colour("weight", theme))


@pytest.mark.parametrize("theme", THEMES)
def test_more_weight_always_stands_out_more(theme):
    page = colour("page", theme)
    steps = [contrast(colour_at(weight_scale(theme), w), page) for w in np.linspace(0, 1, 21)]
    assert steps[0] == 1
    assert all(more > less for less, more in itertools.pairwise(steps))


def test_a_scale_is_blended_evenly_and_ends_where_it_ends():
    scale = [(0.0, "#000000"), (0.5, "#404040"), (1.0, "#FFFFFF")]
    assert [colour_at(scale, place) for place in (-1, 0, 0.25, 0.5, 1, 2)] == [
        "#000000",
        "#000000",
        "#202020",
        "#404040",
        "#FFFFFF",
        "#FFFFFF",
    ]


def test_contrast_matches_known_values():
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # the grey that just fails
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.005)  # the grey that just passes


@given(rgb=st.tuples(*[st.integers(0, 255)] * 3), theme=st.sampled_from(THEMES))
def test_text_can_be_read_on_any_background(rgb, theme):
    background = "#{:02X}{:02X}{:02X}".format(*rgb)
    assert contrast(readable_on(background, theme), background) >= ENOUGH_FOR_TEXT


def test_an_unknown_theme_or_meaning_is_refused():
    with pytest.raises(ValueError, match="theme must be one of light, dark, but it is 'sepia'"):
        colour("ink", "sepia")
    with pytest.raises(ValueError, match=r"meaning must be one of query, .*, but it is 'mood'"):
        colour("mood", "dark")
