"""The Plotly figures, read by their data: what is drawn, in which words, and what can never be drawn."""

import html
import itertools
import json
import math
import re
import tomllib
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Experiment, causal_mask, masked_scores, softmax, trace
from attention_view.colours import colour, colour_at, contrast, score_scale, weight_scale
from attention_view.figures import (
    PLOTLY_CONFIG,
    alt_text,
    cost_curve,
    ratio_curve,
    scores_heatmap,
    softmax_curve,
    weights_heatmap,
)

ROOT = Path(__file__).parents[2]
THEMES = ("light", "dark")
INFINITY = float("inf")
HOSTILE = ("<s>", "<b>x</b>", "&lt;", "2024-01-01", "12", "%{x}", "$x$", "", "  ", "<br>", "the", "the")


def toy(mask="causal"):
    return trace(Experiment(mask=mask))


def weights_of(n, *, tokens=None, theme="light", **settings):
    """A heat map of weights of n tokens that may look back."""
    tokens = tokens or [f"t{i}" for i in range(n)]
    mask = causal_mask(n)
    weights = softmax(masked_scores(np.arange(n * n).reshape(n, n) % 7.0, mask))
    return weights_heatmap(weights, query_tokens=tokens, key_tokens=tokens, mask=mask, theme=theme, **settings)


def of_two(weights=((1.0, 0.0), (0.5, 0.5)), **settings):
    settings = {"query_tokens": ["a", "b"], "key_tokens": ["a", "b"], "theme": "light", **settings}
    return weights_heatmap(weights, **settings)


def scores_of_two(scores=((1.0, 0.0), (-3.0, 2.0)), **settings):
    settings = {"query_tokens": ["a", "b"], "key_tokens": ["a", "b"], "theme": "light", **settings}
    return scores_heatmap(scores, **settings)


def every_figure(theme="light"):
    record = toy()
    tokens = {"query_tokens": record.query_tokens, "key_tokens": record.key_tokens, "theme": theme}
    return [
        weights_heatmap(record.weights[0], mask=record.mask, ask=9, title="weights", **tokens),
        weights_of(60, theme=theme),
        scores_heatmap(record.scores[1], title="scores", **tokens),
        scores_heatmap(record.masked_scores[1], mask=record.mask, **tokens),
        softmax_curve(record.scores[0, 9], moved=1, tokens=record.key_tokens, theme=theme),
        ratio_curve(1.5, theme=theme),
        cost_curve(1024, theme=theme),
    ]


def layers(figure):
    """The clear layers of a heat map that hold its numbers."""
    return [trace for trace in figure.data if trace.name == "numbers"]


def cell_texts(figure):
    """The number that stands in each cell, "" where there is none: [query][key]."""
    held = [np.char.strip(layer.text.astype(str)) for layer in layers(figure)]
    assert (sum((texts != "").astype(int) for texts in held) <= 1).all(), "a cell has two numbers"
    return ["".join(texts) for texts in np.array(held).reshape(len(held), -1).T]


def hatched(figure):
    """The cells that the hatching covers, from its rectangles."""
    shape = next((trace for trace in figure.data if trace.name == "masked"), None)
    cells = np.zeros(figure.data[0].z.shape, dtype=int)
    if shape is not None:
        corners = [(x, y) for x, y in zip(shape.x, shape.y, strict=True) if x is not None]
        for rectangle in (corners[i : i + 5] for i in range(0, len(corners), 5)):
            xs, ys = zip(*rectangle, strict=True)
            assert rectangle[0] == rectangle[-1]
            cells[math.ceil(min(ys)) : math.ceil(max(ys)), math.ceil(min(xs)) : math.ceil(max(xs))] += 1
    return cells


def point(figure, meaning="changed", theme="light"):
    """The marked point of a curve with the colour of a meaning: x, y, text."""
    marks = [t for t in figure.data if t.name == "point" and t.marker.color == colour(meaning, theme)]
    assert len(marks) == 1
    return float(marks[0].x[0]), float(marks[0].y[0]), marks[0].text[0].strip()


# Every figure


@pytest.mark.parametrize("theme", THEMES)
def test_a_finger_that_swipes_over_a_figure_scrolls_the_page(theme):
    for figure in every_figure(theme):
        assert figure.layout.dragmode is False
        assert figure.layout.xaxis.fixedrange is True
        assert figure.layout.yaxis.fixedrange is True
    assert PLOTLY_CONFIG["displayModeBar"] is False
    assert PLOTLY_CONFIG["responsive"] is True
    assert PLOTLY_CONFIG["scrollZoom"] is False


@pytest.mark.parametrize("theme", THEMES)
def test_every_figure_is_clear_states_its_height_and_has_no_grid(theme):
    for figure in every_figure(theme):
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
        assert 150 <= figure.layout.height <= 480
        assert figure.layout.width is None
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert axis.type == "linear"
            assert axis.showgrid is False
            assert axis.zeroline is False
            assert axis.title.text


@pytest.mark.parametrize("theme", THEMES)
def test_all_text_can_be_read_in_both_themes(theme):
    page = colour("page", theme)
    for figure in every_figure(theme):
        assert contrast(figure.layout.font.color, page) >= 4.5
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert contrast(axis.title.font.color, page) >= 4.5
            assert contrast(axis.tickfont.color, page) >= 4.5


def test_figures_are_written_in_the_font_of_the_page():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert {figure.layout.font.family for figure in every_figure()} == {config["theme"]["font"]}


def test_every_figure_can_be_heard():
    for figure in every_figure():
        assert len(alt_text(figure)) > 40
        assert figure.layout.meta["caption"].endswith(".")


def test_captions_hold_no_token_because_streamlit_reads_them_as_markdown():
    tokens = ["XYZ", "*XYZ*"]
    figures = [
        of_two(query_tokens=tokens, key_tokens=tokens, ask=0, title="XYZ"),
        scores_of_two(query_tokens=tokens, key_tokens=tokens, ask=0, title="XYZ"),
        softmax_curve([1.0, 2.0], moved=0, tokens=tokens, theme="light"),
    ]
    for figure in figures:
        assert "XYZ" not in figure.layout.meta["caption"]
        assert "XYZ" in alt_text(figure)


def test_figures_are_small_enough_to_send_at_each_change():
    for figure in every_figure():
        assert len(figure.to_json()) < (320_000 if len(figure.layout.xaxis.tickvals or ()) == 60 else 20_000)


def test_a_figure_without_alt_text_is_refused():
    with pytest.raises(ValueError, match=r"alt text in layout\.meta\['alt'\], but layout\.meta is None"):
        alt_text(go.Figure())


def test_an_unknown_theme_is_refused():
    with pytest.raises(ValueError, match="theme must be one of light, dark"):
        of_two(theme="sepia")


# Heat maps: tokens


@pytest.mark.parametrize("n", [1, 2, 12, 13, 60])
def test_n_equal_tokens_keep_n_rows_and_n_columns(n):
    figure = weights_of(n, tokens=["the"] * n)
    assert figure.data[0].z.shape == (n, n)
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert list(axis.tickvals) == list(range(n))
        assert len(axis.ticktext) == n


def test_queries_run_down_and_keys_run_right_under_fixed_words():
    layout = of_two([[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]], key_tokens=["x", "y", "z"]).layout
    assert layout.yaxis.range[0] > 1 > 0 > layout.yaxis.range[1]
    assert layout.xaxis.range[0] < 0 < 2 < layout.xaxis.range[1]
    assert layout.xaxis.side == "top"
    assert layout.yaxis.title.text == "query (asks)"
    assert layout.xaxis.title.text == "key (is looked at)"
    assert list(layout.yaxis.ticktext) == ["a", "b"]
    assert list(layout.xaxis.ticktext) == ["x", "y", "z"]


def test_cells_are_square():
    assert of_two().layout.yaxis.scaleanchor == "x"


def test_no_token_is_read_as_markup_a_date_a_number_or_a_template():
    n = len(HOSTILE)
    figure = weights_of(n, tokens=HOSTILE)
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.type == "linear"
        for token, label in zip(HOSTILE, axis.ticktext, strict=True):
            assert not re.search(r"[<>$%{}\d](?!\d*;)", label), label
            assert html.unescape(label) == {"": "[empty]", "  ": "␣␣"}.get(token, token)
    heat = figure.data[0]
    assert heat.hovertemplate is None
    assert heat.hoverinfo == "text"
    for j, token in enumerate(HOSTILE):
        words = html.unescape(re.sub("<br>", "|", heat.hovertext[n - 1][j]))
        assert words.startswith(f"the ({n}) looks at { {'': '[empty]', '  ': '␣␣'}.get(token, token) } ({j + 1})|")


@given(st.text(max_size=20))
def test_no_token_brings_a_tag_into_labels_hover_or_titles(token):
    heat = weights_heatmap([[1.0]], query_tokens=[token], key_tokens=[token], ask=0, theme="dark", title=token)
    curve = softmax_curve([1.0], moved=0, tokens=[token], theme="dark")
    written = [
        heat.layout.xaxis.ticktext[0],
        heat.layout.yaxis.ticktext[0],
        heat.layout.xaxis.title.text,
        heat.data[0].hovertext[0][0],
        curve.layout.xaxis.title.text,
        curve.layout.yaxis.title.text,
    ]
    ours = r"</?b>|<br>|<span style=\"color:#[0-9A-F]{6}\">|</span>"
    for text in written:
        assert "<" not in re.sub(ours, "", text)
        assert "$" not in text


def test_a_long_token_is_cut_in_the_label_and_whole_in_the_hover():
    figure = of_two(query_tokens=["a" * 200, "b"])
    assert len(figure.layout.yaxis.ticktext[0]) == 10
    assert "a" * 200 in figure.data[0].hovertext[0][0]
    assert figure.layout.height < 300


def test_of_many_tokens_only_some_are_named_and_none_beside_the_asked_one():
    labels = weights_of(60, ask=31).layout.yaxis.ticktext
    named = [i for i, label in enumerate(labels) if label]
    assert len(named) <= 24
    assert all(later - earlier >= 3 for earlier, later in itertools.pairwise(named))
    assert labels[31] == "<b>t&#51;&#49;</b>"


# Heat maps: numbers and colours


def test_the_toy_stands_in_the_figure_as_it_is():
    record = toy()
    figure = weights_heatmap(
        record.weights[0],
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        mask=record.mask,
        ask=9,
        theme="light",
    )
    shown = figure.data[0].z
    assert np.array_equal(shown[record.mask], record.weights[0][record.mask])
    assert np.isnan(shown[~record.mask]).all()
    assert cell_texts(figure)[-10:] == ["0.02", "0.86", *["0.02"] * 8]
    assert alt_text(figure) == (
        "Heat map of weights: 10 queries that ask, in rows; 10 keys looked at, in columns. Masked cells: 45 of 100. "
        "The visible weights run from 0.01 to 1.00. The framed row, tired, is largest at cat: 0.86."
    )


def test_hover_gives_every_digit():
    figure = of_two([[1.0, 0.0], [1 / 3, 2 / 3]])
    assert figure.data[0].hovertext[1][0].endswith("<br>0.3333333333333333")


def test_weights_have_one_fixed_scale():
    for weights in ([[1.0, 0.0], [0.0, 1.0]], [[0.5, 0.5], [0.4, 0.6]]):
        heat = of_two(weights).data[0]
        assert (heat.zmin, heat.zmax) == (0, 1)
        assert tuple(heat.colorscale) == tuple(weight_scale("light"))


def test_scores_part_at_0_and_the_farthest_sets_both_limits():
    heat = scores_of_two().data[0]
    assert (heat.zmin, heat.zmax) == (-3, 3)
    assert tuple(heat.colorscale) == tuple(score_scale("light"))


def test_masked_scores_set_no_limit():
    mask = [[True, False], [True, True]]
    for hidden in (-INFINITY, 1e6, -1e6):
        heat = scores_of_two([[1.0, hidden], [-3.0, 2.0]], mask=mask).data[0]
        assert (heat.zmin, heat.zmax) == (-3, 3)
        assert np.isnan(heat.z[0, 1])


@pytest.mark.parametrize("scores", [[[0.0, 0.0], [0.0, 0.0]], [[-INFINITY] * 2] * 2])
def test_scores_without_a_size_still_have_limits(scores):
    heat = scores_of_two(scores).data[0]
    assert (heat.zmin, heat.zmax) == (-1, 1)


@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=3, max_size=3))
def test_exactly_the_masked_cells_are_hatched_once_and_have_no_colour(mask):
    mask = np.array(mask)
    figure = weights_heatmap(
        np.where(mask, 0.2, 0.0), query_tokens=list("abc"), key_tokens=list("vwxyz"), mask=mask, theme="light"
    )
    assert np.array_equal(hatched(figure), ~mask)
    assert np.array_equal(np.isnan(figure.data[0].z), ~mask)


def test_the_hatching_is_a_pattern_without_a_colour_of_its_own():
    hatching = of_two(mask=[[True, False], [True, True]]).data[1]
    assert hatching.fillpattern.shape == "/"
    assert hatching.fillcolor == hatching.fillpattern.bgcolor == "rgba(0,0,0,0)"
    assert hatching.hoverinfo == "skip"


def test_masked_exactly_0_and_nearly_0_look_different():
    figure = of_two([[1.0, 0.0], [1.0 - 1e-9, 1e-9]], mask=[[True, False], [True, True]])
    assert cell_texts(figure) == ["1", "", "1.00", "0.00"]
    figure = of_two([[1.0, 0.0], [1.0 - 1e-9, 1e-9]])
    assert cell_texts(figure) == ["1", "0", "1.00", "0.00"]


def test_a_weight_that_leaks_through_the_mask_is_still_told():
    figure = of_two([[0.75, 0.25], [0.5, 0.5]], mask=[[True, False], [True, True]])
    assert np.isnan(figure.data[0].z[0, 1])
    assert cell_texts(figure)[1] == "0.25"
    assert figure.data[0].hovertext[0][1].endswith("<br>masked: 0.25")


def test_hidden_scores_are_written_as_minus_infinity():
    scores = [[1.0, -INFINITY], [-3.0, 2.0]]
    for mask in (None, [[True, False], [True, True]]):
        figure = scores_of_two(scores, mask=mask)
        assert cell_texts(figure) == ["1", "−∞", "−3", "2"]
        assert figure.data[0].hovertext[0][1].endswith("<br>masked: −∞")
        assert hatched(figure).tolist() == [[0, 1], [0, 0]]


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        ([[8.0, 0.0], [-4.0, 2.0]], ["8", "0", "−4", "2"]),
        ([[8.25, 0.0], [-4.0, -0.01]], ["8.2", "0.0", "−4.0", "0.0"]),
        ([[823.4, 0.0], [-1234.5, 1.0]], ["823", "0", "−1234", "1"]),
    ],
)
def test_scores_are_written_whole_where_they_are_and_as_short_as_they_must(scores, texts):
    assert cell_texts(scores_of_two(scores)) == texts


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("head", range(3))
def test_the_number_in_a_cell_can_be_read_on_its_colour(theme, head):
    record = toy("none")
    tokens = {"query_tokens": record.query_tokens, "key_tokens": record.key_tokens, "theme": theme}
    for figure in (weights_heatmap(record.weights[head], **tokens), scores_heatmap(record.scores[head], **tokens)):
        heat = figure.data[0]
        seen = 0
        for layer in layers(figure):
            for place in np.argwhere(np.char.strip(layer.text.astype(str)) != ""):
                share = (heat.z[tuple(place)] - heat.zmin) / (heat.zmax - heat.zmin)
                assert contrast(layer.textfont.color, colour_at(list(heat.colorscale), share)) >= 4.5
                seen += 1
        assert seen == 100


def test_all_numbers_get_one_size_because_all_layers_hold_a_text_of_one_length_in_every_cell():
    for figure in every_figure():
        lengths = {int(length) for layer in layers(figure) for length in np.char.str_len(layer.text.astype(str)).flat}
        assert len(lengths) <= 1
        assert 0 not in lengths
        assert all(layer.texttemplate == "%{text}" and layer.textfont.size is None for layer in layers(figure))


@pytest.mark.parametrize(("n", "numbers"), [(12, True), (13, False)])
def test_up_to_12_tokens_have_numbers_and_more_have_a_bar_of_colours(n, numbers):
    figure = weights_of(n)
    assert bool(layers(figure)) is numbers
    assert figure.data[0].showscale is not numbers


def test_the_asked_row_is_framed_and_strong():
    figure = weights_of(4, ask=2)
    frame = figure.layout.shapes[-1]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (-0.5, 3.5, 1.5, 2.5)
    assert frame.line.color == colour("query", "light")
    assert [label.startswith("<b>") for label in figure.layout.yaxis.ticktext] == [False, False, True, False]
    assert len(weights_of(4).layout.shapes) == 1  # the frame of the whole table


# Heat maps: words


@pytest.mark.parametrize(
    ("weights", "mask", "words"),
    [
        ([[1.0, 0.0], [0.5, 0.5]], None, "Each row adds up to 1."),
        ([[1.0, 0.0], [0.25, 0.5]], None, "The rows do not all add up to 1, but to 0.75 to 1.00."),
        ([[0.0, 0.0], [0.5, 0.5]], [[False] * 2, [True] * 2], "Each row that may look at something adds up to 1."),
        ([[0.0, 0.0], [0.0, 0.0]], [[False] * 2] * 2, "No query may look at anything."),
    ],
)
def test_the_caption_tells_what_the_rows_add_up_to(weights, mask, words):
    caption = of_two(weights, mask=mask).layout.meta["caption"]
    assert caption.startswith(words)
    assert ("Hatched" in caption) is (mask is not None)


def test_the_caption_says_when_the_numbers_are_rounded():
    assert "rounded" in of_two([[1.0, 0.0], [1 / 3, 2 / 3]]).layout.meta["caption"]
    assert "rounded" not in of_two([[1.0, 0.0], [0.25, 0.75]]).layout.meta["caption"]
    assert "rounded" not in weights_of(13).layout.meta["caption"]


def test_the_caption_of_scores_names_their_limits():
    assert scores_of_two().layout.meta["caption"] == "Violet: above 0, up to 3. Slate: below 0, down to −3."


@pytest.mark.parametrize(
    ("row", "mask_row", "words"),
    [
        ([0.75, 0.25, 0.0], None, "The framed row, b, is largest at x: 0.75."),
        ([0.5, 0.5, 0.0], None, "The framed row, b, is largest at x and the, token 2: 0.50."),
        ([0.0, 0.0, 0.0], [False] * 3, "The framed row, b, may look at nothing."),
    ],
)
def test_the_alt_text_tells_the_asked_row(row, mask_row, words):
    mask = None if mask_row is None else [[True] * 3, mask_row]
    figure = of_two([[0.0, 0.0, 1.0], row], key_tokens=["x", "the", "the"], mask=mask, ask=1)
    assert alt_text(figure).endswith(words)


def test_the_alt_text_of_an_even_row_counts_its_keys():
    figure = weights_heatmap([[0.25] * 4], query_tokens=["a"], key_tokens=list("wxyz"), ask=0, theme="light")
    assert "is largest at 4 keys: 0.25" in alt_text(figure)


def test_the_title_is_shown_and_heard():
    figure = of_two(title="a <b> title")
    assert "<b>a &#60;b&#62; title</b>" in figure.layout.xaxis.title.text
    assert alt_text(figure).startswith("a <b> title. ")


# Heat maps: what is refused


@pytest.mark.parametrize("builder", [of_two, scores_of_two])
@pytest.mark.parametrize(
    ("numbers", "settings", "message"),
    [
        ([[1.0, 0.0, 0.0]] * 2, {}, r"a row a query and a column a key \(2, 2\), but its shape is \(2, 3\)"),
        ([[[1.0, 0.0]] * 2], {}, r"a row a query and a column a key \(2, 2\), but its shape is \(1, 2, 2\)"),
        ([1.0, 0.0], {}, r"must have the axes \[query, key\], but its shape is \(2,\)"),
        ([[1.0, math.nan], [0.0, 1.0]], {}, "must be finite, but at query 0, key 1 it is nan"),
        ([[1.0, 0.0], [INFINITY, 1.0]], {}, "must be finite, but at query 1, key 0 it is inf"),
        ([["a", "b"]] * 2, {}, "must hold numbers"),
        (np.zeros((0, 2)), {"query_tokens": []}, "need a query and a key, but there are 0 query and 2 key tokens"),
        ([[1.0, 0.0]] * 2, {"ask": 2}, "ask must be a row from 0 to 1, but it is 2"),
        ([[1.0, 0.0]] * 2, {"ask": -1}, "ask must be a row from 0 to 1, but it is -1"),
        ([[1.0, 0.0]] * 2, {"mask": [[1, 0]] * 2}, r"mask must be boolean, .* but it is int64"),
        (
            [[1.0, 0.0]] * 2,
            {"mask": [[True] * 3] * 2},
            r"shape of the .* \(2, 2\), but it is bool with the shape \(2, 3\)",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_what_was_given(builder, numbers, settings, message):
    with pytest.raises(ValueError, match=message):
        builder(numbers, **settings)


def test_a_visible_score_of_minus_infinity_is_refused():
    with pytest.raises(
        ValueError, match="scores may be −∞ only where the mask hides the key, but query 1 may look at key 0"
    ):
        scores_of_two([[1.0, 0.0], [-INFINITY, 1.0]], mask=[[True, True], [True, True]])


@pytest.mark.parametrize("weight", [-0.25, 1.25])
def test_a_weight_that_is_no_share_is_refused(weight):
    with pytest.raises(ValueError, match=f"weights must be from 0 to 1, but at query 1, key 0 it is {weight}"):
        of_two([[1.0, 0.0], [weight, 0.0]])


# Curves


def test_the_softmax_curve_follows_the_moved_score_while_the_others_stay():
    row = [1.0, 4.0, -2.0, 0.5]
    curve = softmax_curve(row, moved=1, tokens=list("abcd"), theme="light").data[0]
    for score, weight in zip(curve.x[::20], curve.y[::20], strict=True):
        others = math.exp(1.0) + math.exp(-2.0) + math.exp(0.5)
        assert weight == pytest.approx(math.exp(score) / (math.exp(score) + others), abs=1e-12)


def test_the_point_of_the_toy_lies_at_its_score_and_weight():
    record = toy()
    figure = softmax_curve(
        record.scores[0, 9], moved=1, tokens=record.key_tokens, mask_row=record.mask[9], theme="light"
    )
    x, y, text = point(figure)
    assert (x, y) == (record.scores[0, 9, 1], pytest.approx(record.weights[0, 9, 1], abs=1e-12))
    assert text == "0.86"
    assert figure.layout.meta["caption"] == "At a score of 4 the weight is 0.858."
    assert figure.layout.xaxis.title.text == "score of cat"
    assert figure.layout.yaxis.title.text == "weight of cat"


def test_dotted_lines_lead_from_the_point_to_both_axes():
    figure = softmax_curve([1.0, 0.0], moved=0, tokens=["a", "b"], theme="light")
    x, y, _ = point(figure)
    lines = next(trace for trace in figure.data if trace.name == "to the axes")
    assert list(lines.x) == [figure.layout.xaxis.range[0], x, x]
    assert list(lines.y) == [y, y, figure.layout.yaxis.range[0]]


def test_masked_tokens_take_no_weight_in_the_curve():
    masked = softmax_curve([1.0, 9.0, 0.0], moved=0, tokens=list("abc"), mask_row=[True, False, True], theme="light")
    without = softmax_curve([1.0, 0.0], moved=0, tokens=list("ac"), theme="light")
    assert np.array_equal(masked.data[0].y, without.data[0].y)
    assert point(masked)[:2] == point(without)[:2]


@pytest.mark.parametrize("row", [([1.0, 2.0], [False, True]), ([-INFINITY, 2.0], None)])
def test_a_masked_token_stays_at_0_and_has_no_point(row):
    scores, mask_row = row
    figure = softmax_curve(scores, moved=0, tokens=["a", "b"], mask_row=mask_row, theme="light")
    assert (figure.data[0].y == 0).all()
    assert len(figure.data) == 1
    assert "its score stays −∞ and its weight 0" in figure.layout.meta["caption"]


def test_a_token_alone_keeps_all_the_weight():
    figure = softmax_curve([3.0], moved=0, tokens=["a"], theme="light")
    assert (figure.data[0].y == 1).all()
    assert point(figure)[:2] == (3.0, 1.0)


def test_the_axes_of_the_softmax_curve_stand_still_while_the_score_moves():
    ranges = {
        softmax_curve([score, 0.0, 1.0], moved=0, tokens=list("abc"), theme="light").layout.xaxis.range
        for score in np.arange(-3.0, 4.0, 0.5)
    }
    assert len(ranges) == 1


@given(score=st.floats(-300, 300), other=st.floats(-300, 300))
def test_the_point_always_lies_inside_the_axes(score, other):
    figure = softmax_curve([score, other], moved=0, tokens=["a", "b"], theme="light")
    x, y, _ = point(figure)
    assert figure.layout.xaxis.range[0] + 0.99 < x < figure.layout.xaxis.range[1] - 0.99
    assert figure.layout.yaxis.range[0] < y < figure.layout.yaxis.range[1]
    assert (np.diff(figure.data[0].y) > -1e-12).all()


def test_a_range_can_be_given():
    figure = softmax_curve([1.0, 0.0], moved=0, tokens=["a", "b"], shown_range=(-2, 3), theme="light")
    assert figure.layout.xaxis.range == (-2, 3)
    assert (figure.data[0].x[0], figure.data[0].x[-1]) == (-2, 3)


@pytest.mark.parametrize(
    ("row", "settings", "message"),
    [
        ([1.0, math.nan], {}, "scores_row must be finite, but at query 0, key 1 it is nan"),
        (
            [1.0, 2.0, 3.0],
            {},
            r"scores_row must have a row a query and a column a key \(1, 2\), but its shape is \(1, 3\)",
        ),
        ([1.0, 2.0], {"mask_row": [True]}, "mask must be boolean, .* but it is bool with the shape"),
        ([1.0, -INFINITY], {"mask_row": [True, True]}, "scores_row may be −∞ only where the mask hides the key"),
        ([1.0, 2.0], {"moved": 2}, "moved must be the place of a token from 0 to 1, but it is 2"),
        ([1.0, 2.0], {"moved": -1}, "moved must be the place of a token from 0 to 1, but it is -1"),
        ([1.0, 2.0], {"shown_range": (3, 3)}, "shown_range must run from a lower to a higher score, but it is 3 to 3"),
    ],
)
def test_a_softmax_curve_of_what_does_not_fit_is_refused(row, settings, message):
    with pytest.raises(ValueError, match=message):
        softmax_curve(row, **{"moved": 0, "tokens": ["a", "b"], "theme": "light", **settings})


def test_two_points_more_are_7_39_times_the_weight():
    figure = ratio_curve(theme="light")
    assert point(figure, "weight") == (2.0, pytest.approx(7.389, abs=1e-3), "e<sup>2</sup> = 7.39")
    assert np.array_equal(figure.data[0].y, np.exp(figure.data[0].x))
    assert figure.layout.meta["caption"] == "A score difference of 2: 7.39 times the weight."
    assert sum(trace.name == "point" for trace in figure.data) == 1


@pytest.mark.parametrize(
    ("difference", "text"),
    [(-1.0, "e<sup>−1</sup> = 0.37"), (1.5, "e<sup>1.5</sup> = 4.48"), (0, "e<sup>0</sup> = 1.00")],
)
def test_another_difference_is_marked_beside_the_two_points(difference, text):
    figure = ratio_curve(difference, theme="light")
    assert point(figure) == (difference, pytest.approx(math.exp(difference)), text)
    assert point(figure, "weight")[0] == 2.0


@pytest.mark.parametrize("difference", [-20, -4.5, -4, 4, 4.5, 20])
def test_a_far_difference_lies_inside_the_axes(difference):
    figure = ratio_curve(difference, theme="light")
    x, y, _ = point(figure)
    assert figure.layout.xaxis.range[0] < x < figure.layout.xaxis.range[1]
    assert figure.layout.yaxis.range[0] < y < figure.layout.yaxis.range[1]


@pytest.mark.parametrize("difference", [20.5, -21, math.nan, INFINITY])
def test_a_difference_beyond_sense_is_refused(difference):
    with pytest.raises(ValueError, match=f"difference must be from −20 to 20 points, but it is {difference}"):
        ratio_curve(difference, theme="light")


def test_twice_the_tokens_make_four_times_the_cells():
    figure = cost_curve(1024, theme="light")
    assert point(figure)[:2] == (1024, 1_048_576)
    assert point(figure, "ink")[:2] == (2048, 4_194_304)
    assert np.array_equal(figure.data[0].y, figure.data[0].x ** 2)
    words = "Cells: 1,024 × 1,024 = 1,048,576. For twice the tokens: 2,048 × 2,048 = 4,194,304, four times as many."
    assert figure.layout.meta["caption"] == words
    assert alt_text(figure).endswith(words)


@pytest.mark.parametrize("n", [1, 10, 4096, np.int64(1_000_000)])
def test_the_only_numbers_on_the_axes_are_n_and_2n_with_thousands_separated(n):
    layout = cost_curve(n, theme="light").layout
    assert list(layout.xaxis.tickvals) == [n, 2 * n]
    assert list(layout.yaxis.tickvals) == [n**2, 4 * n**2]
    assert layout.xaxis.tickformat == layout.yaxis.tickformat == ","
    assert layout.separators == ".,"


def test_the_axis_of_tokens_can_be_given():
    figure = cost_curve(100, n_max=1000, theme="light")
    assert figure.layout.xaxis.range == (0, 1000)
    assert figure.layout.xaxis.tickvals is None
    assert point(figure)[:2] == (100, 10_000)


@pytest.mark.parametrize("n", [0, -3, 2.5, "8", None])
def test_a_number_of_tokens_that_is_none_is_refused(n):
    with pytest.raises(ValueError, match="n must be a whole number of tokens from 1, but it is"):
        cost_curve(n, theme="light")


def test_an_axis_without_room_for_twice_the_tokens_is_refused():
    with pytest.raises(ValueError, match="n_max must leave room for 2n = 200 tokens, but it is 150"):
        cost_curve(100, n_max=150, theme="light")


def test_figures_are_valid_json_without_a_bare_nan():
    for figure in every_figure():
        json.loads(figure.to_json(), parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
