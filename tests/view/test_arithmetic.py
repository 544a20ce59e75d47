"""The arithmetic on screen is the record's: every term, sum, weight and share stands in its cell."""

import re
from dataclasses import replace

import numpy as np
import pytest

from attention_core import Edit, Experiment, attention_record, trace
from attention_view.arithmetic import dot_products, projection_steps, row_bars, softmax_steps, weighted_sum
from attention_view.numbers import GAP, number, percent
from tests.view.read_html import read, rows

CASES = [
    Experiment(ending=ending, mask=mask, head=head, ask=ask)
    for ending in ("tired", "soft")
    for mask in ("causal", "none")
    for head in ("pronoun", "previous", "sink")
    for ask in (0, 2, 7, 9)
]


def dots(experiment):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    return dot_products(
        r.Q[h, i],
        r.K[h],
        r.raw_scores[h, i],
        r.scores[h, i],
        key_tokens=r.key_tokens,
        names=r.query_dimension_names[h],
        divisor=r.divisor,
        mask_row=r.mask[i],
    )


def projection(experiment, kind="query"):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    matrix, result, names = {
        "query": (r.W_Q[h], r.Q[h, i], r.query_dimension_names[h]),
        "value": (r.W_V[h], r.V[h, i], r.value_dimension_names[h]),
    }[kind]
    return projection_steps(r.X[i], matrix, result, input_names=r.dimension_names, output_names=names, kind=kind)


def softmaxed(experiment, **options):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    return softmax_steps(
        r.masked_scores[h, i],
        r.exponentials[h, i],
        r.totals[h, i, 0],
        r.weights[h, i],
        key_tokens=r.key_tokens,
        mask_row=r.mask[i],
        shift=r.shift[h, i, 0],
        **options,
    )


def mixed(experiment):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    return weighted_sum(
        r.weights[h, i],
        r.V[h],
        r.weighted_values[h, i],
        r.head_outputs[h, i],
        key_tokens=r.key_tokens,
        names=r.value_dimension_names[h],
        mask_row=r.mask[i],
    )


def lit(markup):
    return [line.one("th").text for line in read(markup).all("tr", having="av-top")]


def value_of(text):
    return float(text.replace("−", "-").strip("()"))


# ---- projections ----


def test_the_query_of_tired_is_one_term_and_eleven_zeros():
    steps = read(projection(Experiment())).all("table")[0]
    lines = [[cell.text for cell in line.all("th", "td")] for line in steps.one("tbody").all("tr")]
    assert lines == [
        ["alive", "tired 1 × 4 +\u00a011 terms of 0", "= 4"],
        ["thing", "12 terms of 0", "= 0"],
        ["tired", "12 terms of 0", "= 0"],
        ["soft", "12 terms of 0", "= 0"],
    ]


def test_a_sum_without_zeros_leaves_no_term_out():
    markup = projection_steps([1, 2], [[3], [-4]], [-5], input_names=["a", "b"], output_names=["q"], kind="key")
    terms, total = (cell.text for cell in read(markup).all("tbody")[0].all("td"))
    assert terms == "a 1 × 3 +\u00a0b 2 × (−4)"
    assert total == "= −5"


def test_a_sum_of_rounded_terms_says_so():
    exact, rounded = read(projection(Experiment())), read(projection(Experiment(head="previous", ask=2)))
    assert "rounded" not in exact.all("caption")[0].text
    assert "≈: numbers shown rounded" in rounded.all("caption")[0].text
    assert "≈ 2.12" in rounded.all("tbody")[0].text  # 0.71 × 5 − 0.71 × 2 would be 2.13


# ---- query meets keys ----


def test_tired_meets_cat_term_by_term():
    assert rows(dots(Experiment()))["cat"] == ["4 × 2", "+ 0 × 0", "+ 0 × 0", "+ 0 × 0", "= 8", "= 4"]
    assert rows(dots(Experiment()))["mat"] == ["4 × 0", "+ 0 × 2", "+ 0 × 0", "+ 0 × 0", "= 0", "= 0"]
    assert lit(dots(Experiment())) == ["cat"]
    assert lit(dots(Experiment(ask=7))) == ["cat", "mat"]


@pytest.mark.parametrize("experiment", CASES)
def test_the_dot_products_on_screen_are_those_of_the_record(experiment):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    lines = [*rows(dots(experiment)).values()]
    assert len(lines) == len(r.key_tokens)  # "The" and "the" stay apart
    for j, line in enumerate(lines):
        *terms, total, score = line
        assert value_of(total.strip("=≈ ")) == pytest.approx(r.raw_scores[h, i, j], abs=0.005)
        factors = [tuple(map(value_of, term.strip("+ ").split(" × "))) for term in terms]
        assert np.allclose(factors, np.stack([r.Q[h, i], r.K[h, j]], axis=1), atol=0.005)
        if r.mask[i, j]:
            assert value_of(score.strip("= ")) == pytest.approx(r.scores[h, i, j], abs=0.005)
        else:
            assert score == "masked: −∞"


def test_the_divisor_stands_in_the_heading():
    assert read(dots(Experiment())).one("thead").all("th")[-1].text == "÷\u00a02\u00a0= score"


def test_a_score_that_was_set_by_hand_is_not_passed_off_as_a_quotient():
    changed = rows(dots(Experiment(edits=(Edit("scores", (0, 9, 1), 6.0),))))
    assert changed["cat"][-2:] == ["= 8", "changed to 6"]
    assert changed["mat"][-1] == "= 0"


def test_a_masked_key_is_hatched_and_never_lit():
    tree = read(dots(Experiment(head="previous", ask=2)))
    hidden = tree.all("tr", having="av-hidden")
    assert [line.one("th").text for line in hidden] == ["on", "the5", "mat", "because", "it", "was", "tired"]
    assert all("av-masked" in line.all("td")[-1].classes for line in hidden)
    assert lit(dots(Experiment(head="previous", ask=2))) == ["cat"]


def test_the_largest_score_is_lit_even_if_a_masked_key_has_a_larger_one():
    build, given = fitting()["dot_products"]
    assert lit(build(**{**given, "scores": np.array([1.0, 1.0 - 1e-12, 5.0])})) == ["a", "b"]
    assert lit(build(**{**given, "scores": np.array([1.0, 0.5, 5.0])})) == ["a"]


# ---- softmax ----


def test_the_softmax_of_tired_is_shown_step_by_step():
    lines = rows(softmaxed(Experiment()))
    assert lines["cat"][:5] == ["4", "54.60", "÷ 63.60", "= 0.858", f"86{GAP}%"]
    assert lines["mat"][:5] == ["0", "1.00", "÷ 63.60", "= 0.016", f"2{GAP}%"]
    assert lines["sum"][1::2] == ["63.60", "1", ""]


@pytest.mark.parametrize("experiment", CASES)
def test_the_steps_of_softmax_are_those_of_the_record(experiment):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    *lines, sums = rows(softmaxed(experiment)).values()
    for j, (score, power, total, weight, share, _) in enumerate(lines):
        assert score == (number(r.scores[h, i, j], whole=True) if r.mask[i, j] else "masked: −∞")
        assert value_of(power) == pytest.approx(r.exponentials[h, i, j], abs=0.005)
        assert total == f"÷ {number(r.totals[h, i, 0])}"
        assert value_of(weight.strip("= ")) == pytest.approx(r.weights[h, i, j], abs=0.0005)
        assert share == percent(r.weights[h, i, j])
    assert value_of(sums[1]) == pytest.approx(r.totals[h, i, 0], abs=0.005)
    assert sums[3] == "1"


@pytest.mark.parametrize("experiment", CASES)
def test_each_bar_is_as_long_as_its_weight(experiment):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    for j, cell in enumerate(read(softmaxed(experiment)).all("td", having="av-bar")):
        bars = [bar.attributes["style"] for bar in cell.all("div")]
        assert (not bars) == (r.weights[h, i, j] == 0)
        if bars:
            width = float(re.fullmatch(r"width:([\d.e-]+)%", bars[0])[1])
            assert width == pytest.approx(100 * r.weights[h, i, j], rel=1e-3)


def test_weights_that_do_not_add_up_as_shown_are_said_to_be_rounded():
    assert "rounded" in read(softmaxed(Experiment())).one("caption").text  # 0.858 + 9 × 0.016 = 1.002
    assert "rounded" not in read(softmaxed(Experiment(ask=3))).one("caption").text  # 4 × 0.25


def test_a_shift_is_said_and_stands_in_the_exponent():
    large = softmaxed(Experiment(edits=(Edit("scores", (0, 9, 1), 42.0),)))
    assert "12 was taken off every score first" in read(large).one("caption").text
    assert read(large).one("sup").text == "score − 12"
    assert read(softmaxed(Experiment())).one("sup").text == "score"


def test_the_moved_key_is_marked_in_words():
    marked = [head for head in rows(softmaxed(Experiment(), changed=1)) if head.endswith("changed")]
    assert marked == ["cat changed"]


def test_a_token_that_may_look_at_nothing_gets_a_statement_and_no_numbers():
    one = [[[1.0]]]
    r = attention_record([[1.0]], one, one, one, [[1.0]], mask=[[False]])
    row = {"key_tokens": ["it"], "mask_row": r.mask[0]}
    softmax = softmax_steps(r.masked_scores[0, 0], r.exponentials[0, 0], r.totals[0, 0, 0], r.weights[0, 0], **row)
    values = weighted_sum(r.weights[0, 0], r.V[0], r.weighted_values[0, 0], r.head_outputs[0, 0], names=["a"], **row)
    for markup in (softmax, values):
        assert "may look at nothing" in read(markup).text
        assert "every weight is 0" in read(markup).text
        assert "nan" not in markup
        assert not read(markup).all("table")


# ---- values ----


def test_what_tired_receives_comes_mostly_from_cat():
    lines = rows(mixed(Experiment()))
    assert lines["cat"] == ["0.858", "×", "1", "0", "0", "0", "=", "0.858", "0", "0", "0"]
    assert lines["sum = output"] == ["", "0.858", "0.016", "0.016", "0"]
    assert lit(mixed(Experiment())) == ["cat"]
    assert lit(mixed(Experiment(ending="soft"))) == ["mat"]
    assert lit(mixed(Experiment(ask=7))) == ["cat", "mat"]


@pytest.mark.parametrize("experiment", CASES)
def test_the_weighted_sum_on_screen_is_that_of_the_record(experiment):
    r, (h, i) = trace(experiment), (experiment.head_index, experiment.ask)
    *lines, sums = rows(mixed(experiment)).values()
    for j, line in enumerate(lines):
        assert line[0] == (number(r.weights[h, i, j], 3, whole=True) if r.mask[i, j] else "masked: 0")
        assert [*map(value_of, line[2:6])] == pytest.approx(r.V[h, j], abs=0.005)
        assert [*map(value_of, line[7:])] == pytest.approx(r.weighted_values[h, i, j], abs=0.0005)
    assert [*map(value_of, sums[1:])] == pytest.approx(r.head_outputs[h, i], abs=0.0005)


def test_nothing_is_lit_where_every_share_is_empty():
    assert lit(mixed(Experiment(head="sink", ask=0))) == []


def test_the_headings_of_values_and_shares_span_their_dimensions():
    groups = [head for head in read(mixed(Experiment())).all("th") if head.attributes["scope"] == "colgroup"]
    assert [(group.text, group.attributes["colspan"]) for group in groups] == [
        ("value", "4"),
        ("share = weight × value", "4"),
    ]


# ---- bars of one row ----


def bars(values, kind, mask=None):
    tokens = [f"t{j}" for j in range(len(values))]
    seen = np.ones(len(values), bool) if mask is None else np.array(mask)
    return row_bars(values, key_tokens=tokens, mask_row=seen, kind=kind, title="a row")


def test_weights_are_drawn_on_a_scale_from_0_to_1():
    drawn = read(bars([0.25, 0.75, 0], "weight"))
    assert [bar.attributes["style"] for bar in drawn.all("div", having="")[1:]] == ["width:25%", "width:75%"]


def test_scores_are_drawn_on_both_sides_of_zero():
    drawn = read(bars([-1, 3, 0], "score"))
    assert drawn.all("div")[0].attributes["style"] == "--zero:25%"
    minus, plus = drawn.all("div")[1:]
    assert (minus.classes, minus.attributes["style"]) == (["av-minus"], "width:25%")
    assert (plus.classes, plus.attributes["style"]) == ([], "left:25%;width:75%")


def test_a_hidden_key_has_no_bar_and_does_not_set_the_scale():
    hidden, free = bars([1, 2, -np.inf], "score", [True, True, False]), bars([1, 2], "score")
    assert rows(hidden)["t2"] == ["masked", ""]
    styles = [[bar.attributes["style"] for bar in read(m).all("div")[1:]] for m in (hidden, free)]
    assert styles[0] == styles[1]


# ---- what is refused ----


def fitting():
    """Arguments that fit, for three keys and two dimensions."""
    one, row, table = np.ones(2), np.ones(3), np.ones((3, 2))
    seen = np.array([True, True, False])
    tokens, names = ["a", "b", "c"], ["x", "y"]
    return {
        "projection_steps": (
            projection_steps,
            {"x": row, "W": table, "result": one, "input_names": tokens, "output_names": names, "kind": "query"},
        ),
        "dot_products": (
            dot_products,
            {
                "q": one, "K": table, "raw_scores": row, "scores": row,
                "key_tokens": tokens, "names": names, "divisor": 1.0, "mask_row": seen,
            },
        ),
        "softmax_steps": (
            softmax_steps,
            {
                "masked_scores": row, "exponentials": row, "total": 3.0, "weights": row / 3,
                "key_tokens": tokens, "mask_row": seen,
            },
        ),
        "weighted_sum": (
            weighted_sum,
            {
                "weights": row, "V": table, "weighted_values": table, "output": one,
                "key_tokens": tokens, "names": names, "mask_row": seen,
            },
        ),
        "row_bars": (
            row_bars,
            {"values": row, "key_tokens": tokens, "mask_row": seen, "kind": "weight", "title": "t"},
        ),
    }  # fmt: skip


ARRAYS = [(name, key) for name, (_, given) in fitting().items() for key in given if isinstance(given[key], np.ndarray)]


@pytest.mark.parametrize(("name", "argument"), ARRAYS)
def test_an_array_of_another_shape_is_refused_by_name(name, argument):
    build, given = fitting()[name]
    build(**given)
    longer = np.concatenate([given[argument], given[argument][-1:]])
    with pytest.raises(
        ValueError, match=rf"{argument} must have the shape \[.*\] = .*, but its shape is \({len(longer)},"
    ):
        build(**{**given, argument: longer})


@pytest.mark.parametrize(("name", "argument"), [pair for pair in ARRAYS if pair[1] != "mask_row"])
def test_nan_is_refused_with_its_place(name, argument):
    build, given = fitting()[name]
    broken = given[argument].copy()
    broken.flat[1] = np.nan
    with pytest.raises(ValueError, match=rf"{argument} must be finite, but at .* 1 it is nan"):
        build(**{**given, argument: broken})


@pytest.mark.parametrize("name", ["dot_products", "softmax_steps", "weighted_sum", "row_bars"])
def test_a_mask_that_is_not_boolean_is_refused(name):
    build, given = fitting()[name]
    with pytest.raises(ValueError, match="mask_row must be boolean .True = may look at., but its type is float64"):
        build(**{**given, "mask_row": np.ones(3)})


def test_an_unknown_kind_is_refused():
    for name, message in (("projection_steps", "query, key, value"), ("row_bars", "weight or score")):
        build, given = fitting()[name]
        with pytest.raises(ValueError, match=f"kind must be .*{message}, but it is 'guess'"):
            build(**{**given, "kind": "guess"})


def test_tokens_are_never_read_as_markup():
    build, given = fitting()["dot_products"]
    markup = build(**{**given, "key_tokens": ["<s>", "a&b", "\n"]})
    assert [*rows(markup)] == ["<s>", "a&b", "↵"]


def test_every_table_can_be_scrolled_by_keyboard_and_has_a_name():
    for experiment in (Experiment(), replace(Experiment(), head="previous", ask=2)):
        for markup in (dots(experiment), softmaxed(experiment), mixed(experiment), projection(experiment)):
            for table in read(markup).all("div", having="av-scroll"):
                assert (table.attributes["role"], table.attributes["tabindex"]) == ("region", "0")
                assert table.one("caption").text.startswith(table.attributes["aria-label"])
                assert all(head.attributes["scope"] in ("row", "col", "colgroup") for head in table.all("th"))
