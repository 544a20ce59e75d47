"""Queries in rows or in columns: the same numbers, each at the transposed place, under the words that then hold."""

from collections import Counter
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Experiment, attention_record, trace
from attention_core.earlier_rows import earlier_rows
from attention_core.generation import generation
from attention_core.two_queries import two_queries
from attention_view import heads
from attention_view.arithmetic import dot_products, projection_steps, softmax_steps, weighted_sum
from attention_view.colours import colour
from attention_view.facts import facts_card
from attention_view.figures import alt_text, scores_heatmap, weights_heatmap
from attention_view.formula import IN_WORDS, PIECES, Part, formula
from attention_view.laid_table import laid_table
from attention_view.layout import LAYOUTS, layout_of, words
from attention_view.on_paper import on_paper, results
from attention_view.shelf import Shown, shelf
from attention_view.tables import scores_table, vectors_table, weights_table
from attention_view.token_view import token_view_data
from attention_view.vectors import matrix_table
from tests.view.read_html import read, rows

RECORD = trace(Experiment(ask=2))
TOKENS = {"query_tokens": RECORD.query_tokens, "key_tokens": RECORD.key_tokens}
BY_HAND = {"query_names": ("q1", "q2"), "key_names": ("a", "b", "c")}
SAT = 2
# every size another one: 4 tokens of 2 numbers, 3 heads of 1 number
SMALL = attention_record(np.eye(4, 2), np.ones((3, 2, 1)), np.ones((3, 2, 1)), np.ones((3, 2, 1)), np.ones((3, 2)))


def table(name, layout):
    """One of the tables that turn, made of the record."""
    r, asks = RECORD, RECORD.query_dimension_names
    more = {"layout": layout}
    builders = {
        "weights": lambda: weights_table(r.weights[0], **TOKENS, mask=r.mask, **more),
        "every digit": lambda: weights_table(r.weights[0], **TOKENS, mask=r.mask, digits=None, **more),
        "scores": lambda: scores_table(r.masked_scores[0], **TOKENS, caption="", **more),
        "queries": lambda: vectors_table(r.Q[0], row_names=r.query_tokens, column_names=asks[0], caption="", **more),
        "W_Q": lambda: matrix_table(
            r.W_Q[0], row_names=r.dimension_names, column_names=asks[0], kind="query", title="W_Q", lit_rows=[1], **more
        ),
        "by hand": lambda: results(two_queries(), **BY_HAND, **more),
        "lines": lambda: laid_table(
            [["<td>1</td>", "<td>2</td>", "<td>3</td>"], ["<td>4</td>", "<td>5</td>", "<td>6</td>"]],
            line_names="ab", place_names="xyz", corner="", caption="", ends=["<td>6</td>", "<td>15</td>"], **more
        ),
    }  # fmt: skip
    return builders[name]()


TABLES = ("weights", "every digit", "scores", "queries", "W_Q", "by hand", "lines")


def places(markup):
    """Row header and column header of each cell → what stands there."""
    across = [head.text for head in read(markup).one("thead").all("th")][1:]
    return {
        (name, over): text for name, cells in rows(markup).items() for over, text in zip(across, cells, strict=True)
    }


def formulas(part, layout):
    return [span.text for span in read(formula(part, layout=layout)).all("span") if "role" in span.attributes]


# Tables


@pytest.mark.parametrize("name", TABLES)
def test_every_cell_stands_at_the_transposed_place(name):
    in_rows, in_columns = places(table(name, "rows")), places(table(name, "columns"))
    assert in_columns == {(across, down): text for (down, across), text in in_rows.items()}
    assert len(in_rows) >= 8


@given(st.integers(0, 4), st.integers(1, 4), st.booleans(), st.data())
def test_whatever_its_size_a_table_keeps_its_cells_when_it_turns(n_lines, n_places, has_ends, data):
    texts = data.draw(st.lists(st.integers(), min_size=n_lines * n_places, max_size=n_lines * n_places))
    cells = [[f"<td>{x}</td>" for x in texts[i * n_places : (i + 1) * n_places]] for i in range(n_lines)]
    settings = {
        "line_names": [f"line {i}" for i in range(n_lines)],
        "place_names": [f"place {j}" for j in range(n_places)],
        "ends": [f"<td>end {i}</td>" for i in range(n_lines)] if has_ends else [],
        "corner": "corner",
        "caption": "",
    }
    in_rows, in_columns = (places(laid_table(cells, **settings, layout=layout)) for layout in LAYOUTS)
    assert in_columns == {(across, down): text for (down, across), text in in_rows.items()}
    assert len(in_rows) == n_lines * (n_places + (has_ends and n_lines > 0))


def test_queries_and_keys_swap_sides_and_the_sums_become_a_row():
    turned = read(table("weights", "columns")).one("table")
    corner, *across = turned.one("thead").all("th")
    assert corner.text == "key (is looked at) ↓query (asks) →"
    assert [head.text for head in across][:3] == ["The, token 1", "cat", "sat"]
    assert [cell.text for cell in turned.one("tfoot").all("td")] == ["1"] * 10
    assert turned.one("tfoot").one("th").text == "sum"
    assert [cell.text for cell in turned.one("tbody").all("tr")[9].all("td")].count("masked") == 9
    assert not read(table("weights", "rows")).all("tfoot")
    assert read(table("weights", "rows")).one("thead").all("th")[-1].text == "sum"


def test_a_query_that_may_look_at_nothing_says_so_below_its_column():
    markup = weights_table(
        [[0, 0], [0.5, 0.25]],
        query_tokens=["a", "b"],
        key_tokens=["x", "y"],
        mask=np.array([[False, False], [True, True]]),
        layout="columns",
    )
    assert rows(markup) == {
        "x": ["masked", "0.500"], "y": ["masked", "0.250"], "sum": ["0: may look at nothing", "0.750"],
    }  # fmt: skip


def test_a_token_is_a_column_of_its_vector():
    turned = table("queries", "columns")
    assert rows(turned)["alive"][SAT] == "4"
    assert [head.text for head in read(turned).one("thead").all("th")][:3] == ["dimension", "The, token 1", "cat"]


def test_the_rows_that_x_picks_out_become_columns():
    in_rows, turned = (read(table("W_Q", layout)).one("table") for layout in LAYOUTS)
    assert "Marked rows: x is not 0 there." in in_rows.one("caption").text
    assert "Marked columns: x is not 0 there." in turned.one("caption").text
    assert not turned.all("tr", having="av-lit-row") + in_rows.all("col")
    assert [i for i, column in enumerate(turned.all("col")) if "av-lit-column" in column.classes] == [2]
    assert turned.one("th", having="av-lit-head").text == RECORD.dimension_names[1]
    assert turned.one("thead").all("th")[0].text == "dimension of x →"


def test_cells_that_do_not_fit_their_names_are_refused():
    fitting = {"line_names": ["a"], "place_names": ["x", "y"], "corner": "", "caption": ""}
    with pytest.raises(ValueError, match=r"must be 1 lines of 2 cells, .* but the lines have \[1\] cells"):
        laid_table([["<td></td>"]], **fitting)
    with pytest.raises(ValueError, match="there are 2 ends"):
        laid_table([["<td></td>", "<td></td>"]], ends=["<td></td>"] * 2, **fitting)


# Words and formulas


def test_a_layout_has_its_words_and_an_unknown_one_is_refused():
    assert [words(layout).line for layout in LAYOUTS] == ["row", "column"]
    assert [words(layout).across for layout in LAYOUTS] == ["column", "row"]
    with pytest.raises(ValueError, match="layout must be one of rows, columns, but it is 'diagonal'"):
        words("diagonal")
    with pytest.raises(ValueError, match="layout must be one of rows, columns"):
        table("weights", "diagonal")


@given(st.one_of(st.none(), st.text(), st.integers(), st.lists(st.text())))
def test_any_address_names_a_layout(text):
    assert layout_of(text) == ("columns" if text == "columns" else "rows")


@pytest.mark.parametrize("part", [None, *get_args(Part)])
def test_with_vectors_as_columns_every_product_is_written_the_other_way_round(part):
    mask = "\u00a0+\u00a0mask" if part == "mask" else ""
    first = "head\u00a0=\u00a0" if part == "heads" else ""
    assert formulas(part, "rows")[0] == f"{first}softmax(Q·KT√dhead{mask})·V"
    assert formulas(part, "columns")[0] == f"{first}V·softmax(KT·Q√dhead{mask})"
    named = [span.attributes["aria-label"] for span in read(formula(part, layout="columns")).all("span")
             if "role" in span.attributes]  # fmt: skip
    assert IN_WORDS["columns"].format(mask=", plus the mask" if part == "mask" else "") in named[0]


@pytest.mark.parametrize(
    ("part", "lit"),
    [("scores", "KT·Q"), ("scale", "√dhead"), ("softmax", "softmax"), ("values", "V·"), ("heads", "WO·")],
)
def test_the_same_part_is_lit_in_the_turned_formula(part, lit):
    markup = read(formula(part, layout="columns"))
    assert markup.one("span", having="av-part").text == lit
    assert PIECES[part].words.format(line="column") in markup.one("p", having="av-caption").text


def test_the_formula_says_how_a_vector_lies_and_along_what_softmax_runs():
    assert "along each row, which belongs to one query" in formula("softmax")
    assert "along each column, which belongs to one query" in formula("softmax", layout="columns")
    assert "A vector is a row, as in the paper: q\u00a0=\u00a0x·W" in formula("scores")
    assert "A vector is a column, as in 3Blue1Brown's videos: q\u00a0=\u00a0W" in formula("scores", layout="columns")


def test_joined_heads_are_stacked_and_mixed_from_the_left():
    assert formulas("heads", "columns")[1] == "WO·head1head2⋮"


def test_the_facts_keep_the_papers_formula_beside_the_turned_one():
    assert "V·softmax(Kᵀ·Q / √d_head), with vectors as columns" in facts_card(layout="columns")
    assert all("softmax(Q·Kᵀ / √d_head)·V" in facts_card(layout=layout) for layout in LAYOUTS)


# Arithmetic


def steps(name, layout):
    r, names = RECORD, RECORD.query_dimension_names[0]
    of_keys = {"key_tokens": r.key_tokens, "mask_row": r.mask[SAT], "layout": layout}
    builders = {
        "projection": lambda: projection_steps(
            r.X[SAT], r.W_Q[0], r.Q[0, SAT], input_names=r.dimension_names, output_names=names, kind="query",
            layout=layout,
        ),
        "products": lambda: dot_products(
            r.Q[0, SAT], r.K[0], r.raw_scores[0, SAT], r.scores[0, SAT], names=names, divisor=r.divisor, **of_keys
        ),
        "softmax": lambda: softmax_steps(
            r.masked_scores[0, SAT], r.exponentials[0, SAT], r.totals[0, SAT, 0], r.weights[0, SAT], **of_keys
        ),
        "sum": lambda: weighted_sum(
            r.weights[0, SAT], r.V[0], r.weighted_values[0, SAT], r.head_outputs[0, SAT], names=names, **of_keys
        ),
    }  # fmt: skip
    return read(builders[name]())


@pytest.mark.parametrize("name", ["projection", "products", "softmax", "sum"])
def test_arithmetic_keeps_a_line_for_each_key_and_its_numbers(name):
    in_rows, turned = (
        [
            Counter(part for cell in line.all("td") for part in cell.text.split())
            for line in steps(name, layout).all("tr")
        ]
        for layout in LAYOUTS
    )
    assert in_rows == turned


def test_the_order_of_factors_follows_the_formula():
    starts = {
        "projection": ("query = x · WQ", "query = WQ · x"),
        "products": ("query · key", "key · query"),
        "softmax": ("From scores to weights: one row of the table", "From scores to weights: one column of the table"),
        "sum": ("weight × value", "value × weight"),
    }
    for name, of_layouts in starts.items():
        for layout, start in zip(LAYOUTS, of_layouts, strict=True):
            assert steps(name, layout).one("caption").text.startswith(start)


def test_the_key_comes_first_and_keeps_its_brackets():
    settings = {"key_tokens": ["k"], "names": ["d", "e"], "divisor": 1.0, "mask_row": np.array([True])}
    in_rows, turned = (
        rows(dot_products([2.0, -3.0], [[5.0, 7.0]], [-11.0], [-11.0], **settings, layout=layout))["k"]
        for layout in LAYOUTS
    )
    assert in_rows == ["2 × 5", "+ −3 × 7", "= −11", "= −11"]
    assert turned == ["5 × 2", "+ 7 × (−3)", "= −11", "= −11"]


def test_each_factor_keeps_its_colour():
    """The stylesheet colours the first and the second factor; a turned table swaps the two colours."""
    assert "av-turned" in steps("products", "columns").one("div").classes
    assert "av-turned" in steps("projection", "columns").one("div").classes
    assert "av-turned" not in steps("products", "rows").one("div").classes


def test_a_value_comes_before_its_weight():
    turned = steps("sum", "columns")
    assert "share = value × weight" in turned.one("thead").text
    cat = next(line for line in turned.one("tbody").all("tr") if line.one("th").text == "cat")
    assert [cell.text for cell in cat.all("td")] == ["1", "0", "0", "0", "×", "0.965", "=", "0.965", "0", "0", "0"]


def test_on_paper_vectors_stand_upright_and_are_heard_as_before():
    lines = [line.text.strip() for line in read(on_paper(two_queries(), **BY_HAND, layout="columns")).all("p")]
    assert "a [1, 0] · [2, 0] = 1 × 2 + 0 × 0 = 2" in lines
    assert "[1, 0] × 0.804 + [0, 2] × 0.196 + [3, 3] × 0 ≈ [0.804, 0.391]" in lines
    for layout, upright in (("rows", 0), ("columns", 2 + 12 + 8)):
        markup = read(on_paper(two_queries(), **BY_HAND, layout=layout))
        assert len(markup.all("span", having="av-standing")) == upright
    negative = read(on_paper(two_queries(K=[[-1, 0], [0, 1], [1, 1]]), **BY_HAND, layout="columns"))
    assert any("= −1 × 2 + 0 × 0 = −2" in line.text for line in negative.all("p"))


def test_the_shelf_says_the_order_of_its_product():
    r = RECORD
    shown = Shown(0, 0, r.query_dimension_names[0], r.value_dimension_names[0])
    made = {
        layout: read(
            shelf(
                generation(r.X, r.W_Q, r.W_K, r.W_V), SAT, earlier_rows(r, SAT, causal=True), tokens=r.query_tokens,
                shown=shown, layout=layout,
            )
        ).text
        for layout in LAYOUTS
    }  # fmt: skip
    assert "weights × values, added up" in made["rows"]
    assert made["columns"] == made["rows"].replace("weights × values", "values × weights")


# Heads


def test_one_wide_matrix_becomes_one_tall_one():
    settings = {
        "head_names": RECORD.head_names[:2],
        "row_names": RECORD.dimension_names,
        "column_names": [[f"{head} {name}" for name in "abcd"] for head in RECORD.head_names[:2]],
        "kind": "query",
        "title": "W_Q",
    }
    wide, tall = (heads.wide_matrix(RECORD.W_Q[:2], **settings, layout=layout) for layout in LAYOUTS)
    lines = {name: cells for name, cells in rows(tall).items() if cells}
    assert list(lines) == [name for names in settings["column_names"] for name in names]
    assert [*zip(*lines.values(), strict=True)] == [tuple(cells) for cells in rows(wide).values()]
    assert [line.text for line in read(tall).all("tr", having="av-slice-name")] == ["pronoun", "previous"]
    assert "12 × 8: 2 slices of 4 columns" in read(wide).one("caption").text
    assert "8 × 12: 2 slices of 4 rows" in read(tall).one("caption").text


def drawn(layout):
    """The right way and the mistaken one: what is heard, and the blocks with their names and whether queries' own."""
    return [
        (
            part.attributes["aria-label"],
            [(block.all("span")[-1].text, "av-block-of-query" in block.classes) for block in blocks],
        )
        for part in read(heads.splitting(SMALL, layout=layout)).all("div")
        if (blocks := part.all("span", having="av-block")) and part.attributes.get("role") == "img"
    ]


def test_what_is_split_is_a_tall_matrix_cut_across():
    (heard, right), (_, wrong) = drawn("rows")
    assert "X, 4 tokens by 2 numbers, goes whole into one wide W_Q, 2 by 3. The product Q is cut into 3 slices" in heard
    assert "of 1 columns" in heard
    assert right == wrong == [("X 4 × 2", False), ("WQ 2 × 3", True), ("Q 4 × 3", True)]
    (heard, right), (_, wrong) = drawn("columns")
    assert "X, 2 numbers by 4 tokens, goes whole into one tall W_Q, 3 by 2. The product Q is cut into 3 slices" in heard
    assert "of 1 rows" in heard
    assert right == wrong == [("WQ 3 × 2", True), ("X 2 × 4", False), ("Q 3 × 4", True)]


def test_w_o_comes_before_what_it_mixes_with_its_sizes_swapped():
    in_rows, turned = (read(heads.joining(SMALL, 0, layout=layout)).text for layout in LAYOUTS)
    assert "× WO 3 × 2" in in_rows and "output joined · W_O" in in_rows
    assert "WO × 2 × 3" in turned and "output W_O · joined" in turned


@pytest.mark.parametrize("build", [lambda layout: heads.twin(RECORD, RECORD.weights[0], layout=layout),
                                   lambda layout: heads.matrices(RECORD, layout=layout)])  # fmt: skip
def test_all_tables_of_the_heads_hold_the_same_numbers(build):
    in_rows, turned = (
        [Counter(cell.text for cell in one.all("td") if cell.text) for one in read(build(layout)).all("table")]
        for layout in LAYOUTS
    )
    assert in_rows == turned


# Pictures


@pytest.mark.parametrize("n_keys", [7, 10, 14])
@pytest.mark.parametrize("stage", ["weights", "scores"])
def test_a_heat_map_is_mirrored_with_its_axes_its_hatching_and_its_numbers(stage, n_keys):
    n = 10
    mask = np.tri(n, n_keys, dtype=bool)
    shares = np.where(mask, 1 / mask.sum(axis=1, keepdims=True), 0)
    build, array = (
        (weights_heatmap, shares) if stage == "weights" else (scores_heatmap, np.where(mask, 5 * shares - 1, -np.inf))
    )
    settings = {"query_tokens": [f"q{i}" for i in range(n)], "key_tokens": [f"k{j}" for j in range(n_keys)]}
    in_rows, turned = (build(array, **settings, mask=mask, ask=4, theme="light", layout=layout) for layout in LAYOUTS)
    assert (turned.layout.xaxis.ticktext, turned.layout.yaxis.ticktext) == (
        in_rows.layout.yaxis.ticktext,
        in_rows.layout.xaxis.ticktext,
    )
    assert turned.layout.xaxis.title.text == "query (asks)"
    assert turned.layout.xaxis.title.font.color == colour("query-text", "light")
    assert turned.layout.yaxis.title.text == "key (is looked at)"
    assert turned.layout.yaxis.title.font.color == colour("key-text", "light")
    np.testing.assert_array_equal(turned.data[0].z, in_rows.data[0].z.T)
    assert [*map(list, zip(*turned.data[0].hovertext, strict=True))] == [*map(list, in_rows.data[0].hovertext)]
    for one, other in zip(turned.data, in_rows.data, strict=True):
        if one.name == "numbers":
            np.testing.assert_array_equal(one.text, other.text.T)
    np.testing.assert_array_equal(hatched(turned), hatched(in_rows).T)
    frame = turned.layout.shapes[1]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (3.5, 4.5, -0.5, n_keys - 0.5)
    assert f"{n} queries that ask, in columns; {n_keys} keys looked at, in rows." in alt_text(turned)
    assert "The framed column, q4, is largest" in alt_text(turned)


def hatched(figure):
    """The middles of the cells that the hatching covers."""
    shape = next(trace for trace in figure.data if trace.name == "masked")
    covered = np.zeros(figure.data[0].z.shape, dtype=int)
    corners = [(x, y) for x, y in zip(shape.x, shape.y, strict=True) if x is not None]
    for i in range(0, len(corners), 5):
        xs, ys = zip(*corners[i : i + 5], strict=True)
        covered[round(min(ys) + 0.5) : round(max(ys) + 0.5), round(min(xs) + 0.5) : round(max(xs) + 0.5)] += 1
    return covered


def test_captions_of_sums_speak_of_columns():
    def caption(weights, **more):
        figure = weights_heatmap(weights, query_tokens="ab", key_tokens="xy", theme="light", layout="columns", **more)
        return figure.layout.meta["caption"]

    assert caption([[1, 0], [0.5, 0.5]]).startswith("Each column adds up to 1.")
    assert caption([[1, 0], [0.5, 0.25]]).startswith("The columns do not all add up to 1, but to 0.75 to 1.00.")
    nothing = np.array([[True, True], [False, False]])
    assert caption([[1, 0], [0, 0]], mask=nothing).startswith("Each column that may look at something adds up to 1.")


def test_the_token_view_gets_the_same_arrays_and_speaks_of_columns():
    arrays = {**TOKENS, "weights": RECORD.weights[0] * 0.5, "mask": RECORD.mask}
    in_rows, turned = (token_view_data(**arrays, layout=layout) for layout in LAYOUTS)
    assert turned.pop("layout") == "columns" and in_rows.pop("layout") == "rows"
    assert turned.pop("notice") == in_rows.pop("notice").replace("rows", "columns")
    assert turned == in_rows
    with pytest.raises(ValueError, match="layout must be one of rows, columns"):
        token_view_data(**arrays, layout="diagonal")
