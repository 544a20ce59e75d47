"""The token view in a real browser: it answers by itself at once, tells Python afterwards, and leaves nobody out."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from attention_core import Experiment, trace
from attention_view.numbers import number
from tests.browser.chromium import axe_violations, begun, settled

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "apps" / "token_view_app.py"
PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}
RECORD = trace(Experiment(ending="tired"))


@pytest.fixture
def open_view(serve, page):
    """Open the test app on the page and wait until the picture is painted."""

    def opened(query: str = "") -> Page:
        page.goto(f"{serve(SCRIPT).address}/?{query}")
        expect(view(page)).to_have_attribute("data-turn", re.compile(r"\d+"))
        settled(page)
        return page

    return opened


def view(page: Page) -> Locator:
    return page.locator(".token-view")


def asks(page: Page, name: str) -> Locator:
    return page.get_by_role("radiogroup", name="query (asks)").get_by_role("radio", name=name, exact=True)


def looked_at(page: Page, name: str) -> Locator:
    return page.get_by_role("toolbar").get_by_role("button", name=name, exact=True)


def end_of(page: Page, name: str) -> Locator:
    """What stands around a token that is looked at: its share and the end of its line."""
    return page.locator(".token-row.key").filter(has=page.get_by_role("button", name=name, exact=True))


def grid_row(page: Page, name: str) -> Locator:
    rows = page.get_by_role("grid").get_by_role("row")
    return rows.filter(has=page.get_by_role("rowheader", name=name, exact=True))


def numbers(page: Page) -> Locator:
    return page.locator(".numbers table")


def weights_shown(page: Page) -> list[str]:
    return numbers(page).locator("tbody td.weight").all_inner_texts()


def python_knows(page: Page, ask: int) -> None:
    expect(page.get_by_text("Python knows:")).to_have_text(f"Python knows: {ask}")


def boxes(page: Page) -> dict[str, float]:
    """Where everything stands."""
    script = """root => Object.fromEntries([...root.querySelectorAll('*')]
      .filter(e => e.matches('.token-row, svg, table, tr, .sentence > *, .legend, .caption, td, th'))
      .map((e, n) => { const b = e.getBoundingClientRect(); return [n + e.tagName, [b.x, b.y, b.width, b.height]] }))"""
    return view(page).evaluate(script)


def expected(weights, mask) -> list[str]:
    return [f"{weight:.3f}" if seen else "masked" for weight, seen in zip(weights, mask, strict=True)]


def test_a_click_draws_the_row_at_once_and_then_tells_python(open_view):
    page = open_view()
    asks(page, "sat").click()
    assert weights_shown(page) == expected(RECORD.weights[0, 2], RECORD.mask[2])  # no waiting: already drawn
    expect(asks(page, "sat")).to_be_checked()
    expect(asks(page, "tired")).not_to_be_checked()
    expect(view(page)).to_have_attribute("data-painted-ask", "2")
    python_knows(page, 2)


def test_a_click_costs_few_bytes_and_no_new_message(open_view, page):
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    open_view()
    turn = view(page).get_attribute("data-turn")
    received.clear()
    asks(page, "sat").click()
    python_knows(page, 2)
    settled(page)
    assert 0 < sum(received) <= 12_000
    assert view(page).get_attribute("data-turn") == turn


def test_arrow_keys_pick_and_home_and_end_go_to_the_ends(open_view):
    page = open_view()
    asks(page, "tired").focus()
    page.keyboard.press("ArrowUp")
    expect(asks(page, "was")).to_be_focused()
    expect(asks(page, "was")).to_be_checked()
    python_knows(page, 8)
    page.keyboard.press("Home")
    expect(asks(page, "The, token 1")).to_be_checked()
    page.keyboard.press("ArrowUp")
    expect(asks(page, "tired")).to_be_checked()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(asks(page, "tired")).to_be_focused()
    python_knows(page, 9)


def test_each_part_is_one_stop_of_the_tab_key(open_view):
    page = open_view()
    asks(page, "tired").focus()
    page.keyboard.press("Tab")
    expect(looked_at(page, "The, token 1")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(looked_at(page, "cat")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("gridcell").first).to_be_focused()
    page.keyboard.press("Tab")
    assert view(page).evaluate("root => root.getRootNode().activeElement") is None


def test_hover_shows_a_row_and_leaving_or_escape_brings_the_picked_one_back(open_view):
    page = open_view()
    subject = numbers(page).locator("caption")
    asks(page, "sat").hover()
    expect(subject).to_have_text("sat looks at")
    expect(asks(page, "tired")).to_be_checked()
    page.keyboard.press("Escape")
    expect(subject).to_have_text("tired looks at")
    asks(page, "cat").hover()
    expect(subject).to_have_text("cat looks at")
    page.mouse.move(5, 5)
    expect(subject).to_have_text("tired looks at")
    python_knows(page, 9)


def test_a_key_tells_who_looks_at_it_and_stays_until_a_second_click_or_escape(open_view):
    page = open_view()
    subject, cat = numbers(page).locator("caption"), looked_at(page, "cat")
    cat.click()
    page.mouse.move(5, 5)
    expect(cat).to_have_attribute("aria-pressed", "true")
    expect(subject).to_have_text("cat is looked at by")
    assert weights_shown(page) == expected(RECORD.weights[0, :, 1], RECORD.mask[:, 1])
    expect(numbers(page).locator("tfoot")).to_have_text("")  # a column of weights has no sum to speak of
    cat.click()
    page.mouse.move(5, 5)
    expect(subject).to_have_text("tired looks at")
    cat.click()
    page.mouse.move(5, 5)
    page.keyboard.press("Escape")
    expect(cat).to_have_attribute("aria-pressed", "false")
    expect(subject).to_have_text("tired looks at")
    python_knows(page, 9)


def test_a_pick_takes_the_place_of_a_pin(open_view):
    page = open_view()
    looked_at(page, "cat").click()
    asks(page, "it").click()
    expect(looked_at(page, "cat")).to_have_attribute("aria-pressed", "false")
    expect(numbers(page).locator("caption")).to_have_text("it looks at")


def line_widths(page: Page, layer: str) -> dict[tuple[int, int], float]:
    lines = page.locator(f".lines .{layer} path").evaluate_all(
        "paths => paths.map(p => [+p.dataset.query, +p.dataset.key, parseFloat(getComputedStyle(p).strokeWidth)])"
    )
    return {(i, j): width for i, j, width in lines}


def test_lines_are_as_wide_as_their_weights_and_nothing_else(open_view):
    page = open_view()
    widths = line_widths(page, "all")
    assert len(widths) == 100
    for (i, j), width in widths.items():
        assert width == pytest.approx(16 * RECORD.weights[0, i, j], abs=0.001)
    strong = line_widths(page, "strong")
    assert strong == {pair: width for pair, width in widths.items() if pair[0] == 9}


def test_masked_is_hatched_and_said_and_never_a_zero(open_view):
    page = open_view()
    asks(page, "sat").click()
    row, seen = end_of(page, "mat"), end_of(page, "cat")
    expect(row.locator(".share")).to_have_text("masked")
    expect(row.locator(".hatch")).to_be_visible()
    expect(looked_at(page, "mat")).to_have_attribute("title", "mat: masked")
    expect(seen.locator(".share")).to_have_text("96 %")
    expect(seen.locator(".hatch")).to_be_hidden()
    cell = grid_row(page, "sat").get_by_role("gridcell").nth(5)
    expect(cell).to_have_accessible_name("masked")
    expect(cell).to_have_class(re.compile("hatch"))


def test_the_grid_holds_every_weight_and_the_sums(open_view):
    page = open_view()
    for i, row in enumerate(page.get_by_role("grid").locator("tbody tr").all()):
        seen = [f"{w:.2f}" if m else "masked" for w, m in zip(RECORD.weights[0, i], RECORD.mask[i], strict=True)]
        assert row.get_by_role("gridcell").all_text_contents() == [*seen, "1.00"]
    assert page.get_by_role("grid").get_by_role("columnheader").count() == 12
    for name in ("The, token 1", "cat", "the, token 5"):
        expect(grid_row(page, name)).to_be_visible()


def test_the_grid_is_walked_by_keys_and_picks_its_rows(open_view):
    page = open_view("parts=grid,numbers")
    cells = page.get_by_role("grid").locator("tbody tr td[tabindex]")
    page.get_by_role("gridcell").first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(cells.nth(2 * 10 + 1)).to_be_focused()
    page.keyboard.press("End")
    expect(cells.nth(2 * 10 + 9)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(cells.nth(2 * 10)).to_be_focused()
    page.keyboard.press("Enter")
    python_knows(page, 2)
    cells.nth(10).click()
    expect(page.get_by_role("row", selected=True).get_by_role("rowheader")).to_have_text("cat")
    python_knows(page, 1)


def test_another_ending_swings_one_line_and_leaves_all_others(open_view):
    page = open_view()
    before, turn = line_widths(page, "all"), int(view(page).get_attribute("data-turn") or 0)
    page.get_by_role("radio", name="soft").click()
    expect(view(page)).to_have_attribute("data-turn", str(turn + 1))
    expect(view(page)).not_to_have_class(re.compile("gliding"))
    after = line_widths(page, "all")
    assert {pair for pair in before if abs(before[pair] - after[pair]) > 1e-6} == {(9, 1), (9, 5)}
    assert after[9, 5] == pytest.approx(before[9, 1], abs=0.01)
    expect(page.locator(".sentence .shown")).to_have_text(re.compile("^soft looks mostly at mat, 86 percent"))


def glides(page: Page) -> list[list[str]]:
    """Which lines change their width in a glide when the ending changes: query and key of each."""
    view(page).evaluate("""root => {
      window.glides = [];
      root.addEventListener("transitionrun", ({ target, propertyName }) => {
        const { query, key } = target.dataset;
        if (propertyName === "stroke-width" && target.closest(".all")) window.glides.push([query, key]);
      });
    }""")
    assert line_widths(page, "all")[9, 1] > 13
    page.get_by_role("radio", name="soft").click()
    expect(page.locator(".sentence .shown")).to_have_text(re.compile("^soft"))
    expect(view(page)).not_to_have_class(re.compile("gliding"))
    assert line_widths(page, "all")[9, 1] < 1
    return sorted(page.evaluate("window.glides"))


def test_the_two_lines_that_change_glide_and_no_other(open_view):
    assert glides(open_view()) == [["9", "1"], ["9", "5"]]


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_nothing_glides_where_less_motion_is_asked_for(open_view):
    assert glides(open_view()) == []


def test_a_late_answer_never_undoes_a_newer_pick(open_view):
    page = open_view("slow=0.4")
    seen: list[str] = []
    page.expose_function("note", lambda place: seen.append(place))
    view(page).evaluate("""root => new MutationObserver(() =>
      window.note(root.querySelector('[role=radio][aria-checked=true]').dataset.query)
    ).observe(root, {subtree: true, attributes: true, attributeFilter: ['aria-checked']})""")
    asks(page, "cat").click()
    page.get_by_role("radio", name="soft").click()  # a new message is on its way while the next picks are made
    begun(page)
    asks(page, "sat").click()
    asks(page, "it").click()
    python_knows(page, 7)
    settled(page, quiet=700)
    expect(asks(page, "it")).to_be_checked()
    assert seen and [place for n, place in enumerate(seen) if n == 0 or place != seen[n - 1]] == ["9", "1", "2", "7"]


def test_a_question_asked_elsewhere_is_shown_also_after_own_picks(open_view):
    page = open_view()
    asks(page, "it").click()
    python_knows(page, 7)
    page.get_by_role("button", name="Ask token 3").click()
    expect(asks(page, "sat")).to_be_checked()
    asks(page, "it").click()
    python_knows(page, 7)
    page.get_by_role("button", name="Ask token 3").click()
    expect(asks(page, "sat")).to_be_checked()
    python_knows(page, 2)


def test_the_pick_is_still_there_after_another_page(open_view):
    page = open_view()
    asks(page, "it").click()
    python_knows(page, 7)
    page.get_by_role("link", name="Other").click()
    expect(page.get_by_text("Elsewhere")).to_be_visible()
    page.get_by_role("link", name="Picture").click()
    expect(asks(page, "it")).to_be_checked()
    python_knows(page, 7)
    asks(page, "cat").click()
    python_knows(page, 1)


def test_what_is_picked_or_pinned_is_spoken_and_hover_is_not(open_view):
    page = open_view()
    spoken = page.locator("[aria-live=polite]").filter(visible=True).first
    expect(spoken).to_have_text("tired looks mostly at cat, 86 percent; the most another gets is 2 percent.")
    asks(page, "sat").hover()
    expect(page.locator(".sentence .shown")).to_have_text(re.compile("^sat looks"))
    expect(spoken).to_have_text(re.compile("^tired looks"))
    looked_at(page, "cat").click()
    expect(spoken).to_have_text(re.compile("^cat is looked at most by sat, 96 percent"))


@pytest.mark.parametrize("page", [{}, PHONE], indirect=True, ids=["wide", "phone"])
def test_nothing_moves_whatever_is_shown(open_view):
    page = open_view()
    still = boxes(page)
    for place in range(10):
        page.get_by_role("radiogroup", name="query (asks)").get_by_role("radio").nth(place).click()
        assert boxes(page) == still, f"row {place}"
        page.get_by_role("toolbar").get_by_role("button").nth(place).click()
        assert boxes(page) == still, f"column {place}"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
@pytest.mark.parametrize("query", ["", "case=odd", "case=many", "parts=grid,numbers"])
def test_no_barrier_and_no_sideways_scrolling(serve, new_page, scheme, width, query):
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.goto(f"{serve(SCRIPT).address}/?{query}")
    expect(view(page)).to_have_attribute("data-turn", re.compile(r"\d+"))
    settled(page)
    assert [
        found for found in axe_violations(page) if "token-view" in str(found["where"]) or "Bidi" in str(found)
    ] == []
    assert page.locator(".stMain").evaluate("main => main.scrollWidth - main.clientWidth") == 0
    goes_on, is_soft = page.locator(".grid .scroll").evaluate(
        "e => [e.scrollWidth > e.clientWidth, getComputedStyle(e).maskImage !== 'none']"
    )
    assert is_soft == goes_on


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_touch_picks_and_no_hover_sticks(open_view):
    page = open_view()
    subject = numbers(page).locator("caption")
    asks(page, "sat").tap()
    expect(subject).to_have_text("sat looks at")
    looked_at(page, "cat").tap()
    expect(subject).to_have_text("cat is looked at by")
    looked_at(page, "cat").tap()
    expect(subject).to_have_text("sat looks at")
    python_knows(page, 2)


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_swipe_over_the_picture_scrolls_the_page(open_view):
    page = open_view()
    box = asks(page, "was").bounding_box()
    assert box
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + 20, box["y"] + 10
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        point = {"x": x, "y": y - 20 * step}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    swiped = asks(page, "was").bounding_box()
    assert swiped and swiped["y"] < box["y"] - 100
    expect(numbers(page).locator("caption")).to_have_text("tired looks at")
    python_knows(page, 9)


def test_tokens_are_text_and_zero_masked_and_odd_sums_look_different(open_view):
    page = open_view("case=odd")
    expect(page.get_by_text("1 row does not sum to 1: the sum is 0.9.")).to_be_visible()
    expect(numbers(page).locator("tfoot")).to_contain_text("0.900")
    expect(numbers(page).locator("tfoot")).to_contain_text("not 1")
    expect(looked_at(page, "<b>x</b>")).to_have_text("<b>x</b>")
    expect(looked_at(page, "␣cat")).to_be_visible()
    assert weights_shown(page) == ["0.500", "0.200", "0", "0", "0.200"]
    asks(page, "[empty]").click()
    assert weights_shown(page) == ["masked"] * 5
    expect(numbers(page).locator("caption")).to_have_text("[empty] may look at nothing")
    expect(page.locator(".sentence .shown")).to_have_text("[empty] may look at nothing: every token is masked.")
    assert grid_row(page, "&lt;").get_by_role("gridcell").all_text_contents() == ["0.50", "0.50", "0", "0", "0", "1.00"]
    assert grid_row(page, "[empty]").get_by_role("gridcell").all_text_contents() == [*["masked"] * 5, "none"]


def test_no_token_is_a_clear_statement(open_view):
    page = open_view("case=none")
    expect(page.get_by_text("There is no token that asks.")).to_be_visible()
    assert page.get_by_role("radio", name=re.compile("token")).count() == 0


def test_many_tokens_scroll_in_the_grids_own_box_under_its_headers(open_view):
    page = open_view("case=many")
    box = page.locator(".grid .scroll")
    box.evaluate("box => box.scrollTo(400, 400)")
    grid = page.get_by_role("grid")
    inner, head = box.bounding_box(), grid.get_by_role("columnheader").nth(20).bounding_box()
    name = grid.get_by_role("rowheader").nth(20).bounding_box()
    assert inner and head and name
    assert head["y"] == pytest.approx(inner["y"], abs=4)
    assert name["x"] == pytest.approx(inner["x"], abs=4)


def test_what_leaks_is_hatched_and_has_its_number_and_the_word_in_lines_numbers_and_grid(open_view):
    page = open_view("case=leaks")
    leaking = trace(Experiment(variant="mask_as_zero")).weights[0]
    asks(page, "cat").click()
    expect(end_of(page, "sat").locator(".share")).to_have_text("10 % leaks")
    expect(end_of(page, "sat").locator(".end")).to_be_visible()
    expect(end_of(page, "The, token 1").locator(".share")).to_have_text("10 %")
    line = page.locator('.lines .strong path[data-query="1"][data-key="2"]')
    assert line.evaluate("path => getComputedStyle(path).strokeDasharray") == "5px, 4px"
    assert page.locator('.lines .strong path[data-query="1"][data-key="0"]').get_attribute("class") != "leaks"
    assert weights_shown(page)[1:3] == [f"{leaking[1, 1]:.3f}", f"leaks {leaking[1, 2]:.3f}"]
    cells = grid_row(page, "cat").get_by_role("gridcell")
    expect(cells.nth(2)).to_have_accessible_name(".10, masked, but leaks")
    expect(cells.nth(1)).to_have_accessible_name(".10")
    assert "repeating-linear-gradient" in cells.nth(2).evaluate("cell => getComputedStyle(cell).backgroundImage")
    expect(page.locator(".grid .sums td").nth(1)).to_have_text(f"{leaking[:, 1].sum():.2f}")
    expect(page.locator(".sentence .shown")).to_contain_text("It leaks: 80 percent goes to 8 tokens")
    expect(page.get_by_text("hatched number: leaks")).to_be_visible()
    assert axe_violations(page) == []
    looked_at(page, "tired").click()
    expect(page.locator(".token-row.query").nth(0).locator(".share")).to_have_text("10 % leaks")


def test_huge_numbers_are_as_short_in_the_browser_as_in_python(page):
    values = [8e300, -7.99e300, 1e9, -1.5e12, 9.9e8, -0.001, 2.5]
    script = (ROOT / "attention_view/token_view/text.js").read_text(encoding="utf-8")
    shown = page.evaluate(f"values => {{ {script}\n return values.map(value => decimals(value, 2)) }}", values)
    assert shown == [number(value) for value in values]
    assert shown[:2] == ["8.00·10³⁰⁰", "−7.99·10³⁰⁰"]
