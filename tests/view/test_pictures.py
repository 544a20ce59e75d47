"""Pictures that leave the page: SVG that any reader of XML takes, CSV for a spreadsheet, a page as one file."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from attention_core import Experiment, trace
from attention_view import arithmetic, figures, table_parts, tables
from attention_view.colours import PALETTE
from attention_view.numbers import in_full
from attention_view.pictures import csv_text, page_file, token_picture
from attention_view.pictures.csv_text import MARK, tables_in
from attention_view.pictures.in_app import in_app
from attention_view.pictures.live import ENTRY, as_json, live_script
from attention_view.pictures.markdown import markdown
from attention_view.pictures.pieces import Figure, Follows, Heading, Listing, Markup, Tables, View, Words
from attention_view.pictures.svg import fitted, width_of
from attention_view.token_data import token_view_data

SVG = "{http://www.w3.org/2000/svg}"
RECORD = trace(Experiment())
NASTY = (
    "</script><script>alert(1)</script>",
    "&amp;<b>",
    "שלום!",
    "👩‍🔬",
    "",
    " a\n",
    "x" * 200,
    "\udc80",
    "\ufffe\x00",
    "=1",
)


LEAKING = trace(Experiment(variant="mask_as_zero"))


def toy(parts=("lines", "numbers"), size="normal", caption="pronoun head", record=RECORD, **more):
    data = token_view_data(
        query_tokens=record.query_tokens, key_tokens=record.key_tokens, weights=record.weights[0], mask=record.mask,
        scores=record.scores[0], parts=parts, caption=caption, may_leak=record is LEAKING, **more,
    )  # fmt: skip
    return {**data, "size": size}


def texts(svg):
    """All texts of an SVG, a title inside left out."""
    root = ET.fromstring(svg)
    found = []
    for text in root.iter(f"{SVG}text"):
        found.append((text.text or "") + "".join(part.text or "" for part in text.iter(f"{SVG}tspan")))
    return found


def places(svg, text):
    """Where a text stands in a picture of one part: (x, y) of each."""
    found = [one for one in ET.fromstring(svg).iter(f"{SVG}text") if one.text == text]
    return [(float(one.get("x")), float(one.get("y"))) for one in found]


def filled(svg, fill):
    """The elements of a picture that have a fill."""
    return [one for one in ET.fromstring(svg).iter() if one.get("fill") == fill]


def read_csv(text):
    assert text.startswith(MARK)
    return list(csv.reader(io.StringIO(text.removeprefix(MARK))))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["normal", "small", "half"])
@pytest.mark.parametrize("parts", [("lines",), ("grid", "numbers"), ("lines", "numbers", "grid")])
@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_the_picture_is_xml_of_its_own_with_its_sentence_and_caption(theme, size, parts, layout):
    svg = token_picture(toy(parts, size, layout=layout), ask=9, theme=theme, credit="A page · The product")
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert float(root.get("width")) > 300 and float(root.get("height")) > 300
    said = " ".join(texts(svg))
    assert "tired looks mostly at cat, 86 percent; the most another gets is 2 percent." in said
    assert "pronoun head" in said and "A page · The product" in said
    assert "var(" not in svg and "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    page = {"light": 0, "dark": 1}[theme]
    assert root.find(f"{SVG}rect").get("fill") == PALETTE["page"][page]


def test_each_token_has_its_row_also_if_tokens_are_equal():
    shown = texts(token_picture(toy(("lines",)), ask=9, theme="light"))
    for token in ("cat", "the", "The"):
        assert shown.count(token) == 2  # once on each side
    data = {
        **token_view_data(query_tokens=["a"] * 3, key_tokens=["a"] * 4, weights=np.full((3, 4), 0.25)),
        "size": "normal",
    }
    assert texts(token_picture(data, ask=0, theme="light")).count("a") == (3 + 4) + 4 + (3 + 4)  # lines, numbers, grid


def test_the_lines_are_as_thick_as_the_weights_and_the_row_that_asks_is_drawn_strong():
    root = ET.fromstring(token_picture(toy(("lines",)), ask=7, theme="light"))
    faint, strong = (group for group in root.iter(f"{SVG}g") if group.get("fill") == "none")
    assert faint.get("opacity") == "0.16"
    drawn = [float(path.get("stroke-width")) for path in strong]
    assert drawn == pytest.approx((16 * RECORD.weights[0, 7, :8]).tolist(), abs=0.006)
    assert len(faint) == np.count_nonzero(RECORD.weights[0])


def test_a_masked_cell_is_hatched_and_has_no_number():
    root = ET.fromstring(token_picture(toy(("grid",)), ask=0, theme="light"))
    hatched = [rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == "url(#hatch)"]
    assert len(hatched) == 45 + 1  # and the legend's
    assert root.find(f".//{SVG}pattern").get("id") == "hatch"


@pytest.mark.parametrize("size", ["normal", "half"])
def test_queries_in_columns_turn_every_cell_and_put_their_sums_below(size):
    weights, names = [[0.11, 0.24, 0.65], [0.33, 0.48, 0.19]], {"query_tokens": ["q", "r"], "key_tokens": list("klm")}
    shown = {w: f"{w}" if size == "normal" else f"{w}"[1:] for row in weights for w in row}

    def drawn(layout, **more):
        data = token_view_data(**names, weights=weights, parts=("grid",), layout=layout, **more)
        return token_picture({**data, "size": size}, ask=1, theme="light")

    for layout, across, down in (("rows", "klm", "qr"), ("columns", "qr", "klm")):
        svg = drawn(layout, column_sums=True)
        columns = {name: places(svg, name)[0][0] for name in across}
        rows = {name: places(svg, name)[0][1] for name in down}
        for i, j in np.ndindex(2, 3):
            pair = "qr"[i], "klm"[j]
            cell = pair if layout == "rows" else pair[::-1]
            assert places(svg, shown[weights[i][j]]) == [(columns[cell[1]], rows[cell[0]])]
        own, others = places(svg, "1.00"), [places(svg, total)[0] for total in ("0.44", "0.72", "0.84")]
        beside, below = (own, others) if layout == "rows" else (others, own)
        assert [y for _, y in beside] == [*rows.values()] and len({x for x, _ in beside}) == 1
        assert [x for x, _ in below] == [*columns.values()] and min(y for _, y in below) > max(rows.values())
        assert texts(svg).count("sum") == 2 and texts(drawn(layout)).count("sum") == 1
        (frame,) = (one for one in ET.fromstring(svg).iter(f"{SVG}rect") if one.get("stroke") == PALETTE["query"][0])
        x, y, wide, high = (float(frame.get(name)) for name in ("x", "y", "width", "height"))
        around = [places(svg, shown[w])[0] for w in weights[1]]
        assert all(x < column < x + wide and y < row < y + high for column, row in [*around, own[1]])
        other = [places(svg, shown[w])[0] for w in weights[0]]
        assert not any(x < column < x + wide and y < row < y + high for column, row in [*other, own[0]])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_leaks_is_hatched_and_keeps_its_number_and_is_said(theme):
    n_hidden = np.count_nonzero(~RECORD.mask)
    svg = token_picture(toy(("grid",), "half", record=LEAKING), ask=0, theme=theme)
    assert len(filled(svg, "url(#hatch)")) == n_hidden + 1  # and the legend's
    assert texts(svg).count(".10") + texts(svg).count(".02") + texts(svg).count(".01") > n_hidden
    assert "hatched number: leaks" in texts(svg)
    assert "It leaks: 90 percent goes to 9 tokens that it may not see." in " ".join(texts(svg))
    assert "hatched number: leaks" not in texts(token_picture(toy(("grid",), "half"), ask=0, theme=theme))

    svg = token_picture(toy(("lines", "numbers"), record=LEAKING), ask=7, theme=theme)
    assert texts(svg).count("leaks") == 2 + 2  # was and tired, beside the lines and among the numbers
    assert "masked" not in texts(svg) and texts(svg).count("0.009") == 8
    dashed = [one for one in ET.fromstring(svg).iter(f"{SVG}path") if one.get("stroke-dasharray")]
    assert len(dashed) == n_hidden + 2
    assert len(filled(svg, "url(#hatch)")) == 2 + 2


def test_of_two_that_stand_side_by_side_the_caption_stands_above():
    above, below = (token_picture(toy(("lines",), size), ask=9, theme="light") for size in ("half", "normal"))
    assert texts(above)[0] == "pronoun head" and texts(below)[-1] == "pronoun head"


def test_the_legend_has_its_room_where_the_grid_is_narrow():
    data = {**token_view_data(query_tokens="a", key_tokens="a", weights=[[1]], parts=("grid",)), "size": "small"}
    root = ET.fromstring(token_picture(data, ask=0, theme="light"))
    assert float(root.get("width")) > 228 + width_of("masked", 13)


def test_a_row_that_sees_nothing_and_a_sum_that_is_not_one_say_so():
    weights, mask = [[0, 0], [0.5, 0.2]], [[False, False], [True, True]]
    data = {**token_view_data(query_tokens="ab", key_tokens="ab", weights=weights, mask=mask), "size": "normal"}
    assert "no weights" in texts(token_picture(data, ask=0, theme="light"))
    shown = texts(token_picture(data, ask=1, theme="light"))
    assert "not 1" in shown and "1 row does not sum to 1: the sum is 0.7." in " ".join(shown)


def test_odd_tokens_stay_text():
    data = {
        **token_view_data(query_tokens=NASTY, key_tokens=NASTY, weights=np.eye(10), caption="</svg>&\x00"),
        "size": "normal",
    }
    svg = token_picture(data, ask=9, theme="light")
    assert "script" not in {element.tag.removeprefix(SVG) for element in ET.fromstring(svg).iter()}
    said = " ".join(texts(svg))
    assert "&amp;<b>" in said and "[empty]" in said and "<0x80>" in said and "</svg>&" in said
    turned = [text for text in ET.fromstring(svg).iter(f"{SVG}text") if text.get("direction") == "rtl"]
    assert {text.text for text in turned} == {"שלום!"}
    assert "x" * 30 not in "".join(texts(svg).pop(0))


def test_a_picture_without_tokens_says_why():
    data = {**token_view_data(query_tokens=[], key_tokens=[], weights=np.zeros((0, 0))), "size": "normal"}
    assert texts(token_picture(data, ask=0, theme="light")) == ["There is no token that asks."]


def test_a_text_is_cut_to_its_room():
    assert fitted("cat", 15, 80) == "cat"
    cut = fitted("internationalization" * 50, 15, 80)
    assert cut.endswith("…") and width_of(cut, 15) <= 80


def test_a_twin_table_has_every_digit_and_a_plain_minus():
    with in_full():
        markup = tables.weights_table(
            RECORD.weights[0], query_tokens=RECORD.query_tokens, key_tokens=RECORD.key_tokens, mask=RECORD.mask
        ) + tables.vectors_table(
            RECORD.masked_scores[0] - 1 / 3, row_names=RECORD.query_tokens, column_names=RECORD.key_tokens, caption="S"
        )
    weights, scores = (read_csv(csv_text(table)) for table in tables_in(markup))
    assert weights[0][1:] == [
        "The, token 1",
        "cat",
        "sat",
        "on",
        "the, token 5",
        "mat",
        "because",
        "it",
        "was",
        "tired",
        "sum",
    ]
    for i, row in enumerate(weights[1:]):
        assert row[1:-1] == [repr(float(w)) if w % 1 else str(int(w)) for w in RECORD.weights[0, i, : i + 1]] + [
            "masked"
        ] * (9 - i)
    assert scores[1][1:] == [repr(-1 / 3)] + ["-inf"] * 9
    assert tables_in(markup)[0].title == "Weights: how much each query looks at each key"


def test_a_table_as_shown_says_that_it_is_rounded():
    markup = arithmetic.weighted_sum(
        RECORD.weights[0, 5], RECORD.V[0], RECORD.weighted_values[0, 5], RECORD.head_outputs[0, 5],
        key_tokens=RECORD.key_tokens, names=RECORD.value_dimension_names[0], mask_row=RECORD.mask[5],
    )  # fmt: skip
    (table,) = tables_in(markup)
    first, second, *rows = read_csv(csv_text(table, rounded=True))
    assert first[0] == "token (hands over), shown (rounded)"
    assert len({len(line) for line in (first, second, *rows)}) == 1  # every row has all columns
    assert second[3:7] == list(RECORD.value_dimension_names[0])
    assert rows[1][:7] == ["cat", "0.167", "×", "1", "0", "0", "0"]
    assert rows[9][1] == "masked"


def test_what_leaks_keeps_its_number_and_stays_masked_where_it_has_none():
    names = {"query_tokens": RECORD.query_tokens, "key_tokens": RECORD.key_tokens, "mask": RECORD.mask}
    with in_full():
        markup = "".join(tables.weights_table(record.weights[0], **names) for record in (LEAKING, RECORD))
    leaking, right = (read_csv(csv_text(table)) for table in tables_in(markup))
    assert [float(x) for x in leaking[1][1:]] == [*LEAKING.weights[0, 0], 1]
    assert right[1][1:] == ["1", *["masked"] * 9, "1"]


def test_a_row_with_changed_numbers_has_its_old_ones_below_and_all_stay_numbers():
    body = [
        table_parts.row("a", [table_parts.was_now("4", "−2.5"), table_parts.cell("0"), table_parts.was_now("−∞", "1")]),
        table_parts.row("b", [table_parts.cell("1"), table_parts.masked("−∞"), table_parts.masked("0")]),
        table_parts.row("c", ['<td class="av-was-now"><b>3</b> <small>set by hand</small></td>']),
        table_parts.row("d", ['<td class="av-odd">0.10 to 2 <span class="av-badge">not 1</span></td>']),
    ]
    (table,) = tables_in(table_parts.table(body, caption="t", head=table_parts.heading_row(["", "x", "y", "z"])))
    assert read_csv(csv_text(table))[1:] == [
        ["a", "-2.5", "0", "1"],
        ["a, before", "4", "0", "-inf"],
        ["b", "1", "-inf", "masked"],
        ["c", "3"],
        ["d", "0.10 to 2 (not 1)"],
    ]


def test_large_numbers_have_no_separators():
    markup = tables.vectors_table([[1.0]], row_names=["n"], column_names=["k"], caption="").replace(
        ">1<", ">1,048,576<"
    )
    assert read_csv(csv_text(tables_in(markup)[0]))[1][1] == "1048576"
    huge = markup.replace("1,048,576", "−8.00·10³⁰⁰")
    assert read_csv(csv_text(tables_in(huge)[0]))[1][1] == "-8.00e300"


@pytest.mark.parametrize("token", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_no_token_becomes_a_formula(token):
    markup = tables.vectors_table([[-2.25]], row_names=[token], column_names=[token], caption="")
    assert read_csv(csv_text(tables_in(markup)[0])) == [["token", f"'{token}"], [f"'{token}", "-2.25"]]


def everything():
    record = RECORD
    return [
        View({**toy(("lines",)), "caption": "</script>"}, 3, "ask"),
        Follows('<div class="av-follows">of on</div>', 3),
        Follows('<div class="av-follows">more</div>', 3),
        Words("**Bold**, *soft*, `code` and [a link](https://example.org).\n\nNext <b>"),
        Heading("What <it> costs"),
        Listing("python -m x < y"),
        Markup("<p>facts</p>"),
        Figure(figures.weights_heatmap(record.weights[0], query_tokens=NASTY, key_tokens=NASTY, theme="light")),
        Tables("The same numbers", (lambda: "<table></table>",)),
    ]


def test_the_file_of_a_page_holds_all_that_is_drawn_and_asks_for_nothing_outside():
    file = page_file(
        everything(), title="A <page>", promise="It promises.", product="The product", link="ending=soft&ask=3",
        styles=".av-note { color: red; }", theme="light",
    )  # fmt: skip
    assert "<title>A &lt;page&gt; · The product</title>" in file
    assert "<p><strong>Bold</strong>, <em>soft</em>, <code>code</code> and " in file and "Next &lt;b&gt;" in file
    assert "<h2>What &lt;it&gt; costs</h2>" in file and "python -m x &lt; y" in file and "<p>facts</p>" in file
    assert file.count("Saved while <strong><bdi>on</bdi></strong> asked") == 1
    assert "<summary>The same numbers</summary><table></table>" in file
    assert "?ending=soft&amp;ask=3" in file and ".av-note { color: red; }" in file
    assert "alert(1)</script>" not in file
    own = re.sub(r"<script>.*?</script>", "", file, flags=re.DOTALL)
    assert not re.findall(r"<(?:link|img|iframe|script)[^>]*(?:src|href)=", own)
    data = json.loads(re.search(r'id="view-0">(.*?)</script>', file)[1])
    assert data["caption"] == "</script>" and data["ask"] == 3


def test_two_views_side_by_side_and_tables_that_stand_open_are_so_in_the_file():
    half = toy(("lines",), "half")
    file = page_file(
        [View(half, 3, "ask"), View(half, 3, "ask"), Words("then"), View(toy(), 3, "ask"), Tables("", (lambda: "",)),
         Tables("", (lambda: "<table>open</table>",))],
        title="t", promise="p", product="x", link="", styles="", theme="dark",
    )  # fmt: skip
    body = re.sub(r"<script.*?</script>", "", file, flags=re.DOTALL)
    assert re.search(
        r'<div class="side-by-side">(<div data-token-view="view-\d" data-size="half"></div>){2}</div>', body
    )
    assert body.count('"side-by-side"') == 1 and 'data-size="normal"' in body
    assert (
        "<p>then</p>" in body and body.count("<table>") == body.count('"open-tables"') == 1 and "<details" not in body
    )


def test_a_file_leaves_out_the_words_that_hold_in_the_app_alone_and_shows_the_whole_grid():
    said = f"<p>64 bars{in_app('; each opens')}.</p>"
    pieces = [View(toy(), 3, "ask"), Follows(said, 3), Markup(said), Tables("", (lambda: said,))]
    file = page_file(pieces, title="t", promise="p", product="x", link="", styles="", theme="dark")
    assert file.count("<p>64 bars.</p>") == 3 and "each opens" not in file
    assert file.index("max-height: none") > file.index("max-height: 80vh")


def test_a_file_without_a_figure_has_no_plotly():
    file = page_file(
        everything()[:7], title="t", promise="p", product="x", link="", styles="", theme="dark",
    )  # fmt: skip
    assert "Plotly" not in file and len(file) < 120_000
    assert "The view as it opens" in file


def test_the_script_of_the_token_view_has_one_entry_for_the_stand_in():
    assert ENTRY not in live_script()
    assert "const mount = function (" in live_script()


def test_json_in_a_file_cannot_end_its_element():
    text = as_json({"a": "</script><!--"}, name='n"')
    assert text.count("<") == 2 and 'id="n&quot;"' in text


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("a\nb", "<p>a b</p>"),
        ("- one\n- *two*", "<ul><li>one</li><li><em>two</em></li></ul>"),
        (r"4 \* 5 \* 6 and \<", "<p>4 * 5 * 6 and &lt;</p>"),
        ("2 × 3 < 7 & 8", "<p>2 × 3 &lt; 7 &amp; 8</p>"),
        ("[x](javascript:alert)", "<p>[x](javascript:alert)</p>"),
    ],
)
def test_the_lessons_words_become_html(text, markup):
    assert markdown(text) == markup
