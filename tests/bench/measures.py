"""What is measured, each with its budget: a learner's acts on the real app."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from timeit import repeat
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, Page, ViewportSize

from attention_core import Experiment, trace
from tests.bench.visit import Lap, Turn, Visit
from tests.browser.chromium import new_context, settled
from tests.browser.server import Server

SIZE = ViewportSize(width=1280, height=900)
SCORE, STEPS = 91, 200  # the cell of tired and cat in the table of scores; so many steps before they are undone
LINKS = '[data-testid="stSidebarNavLink"], [data-testid="stTopNavLink"]'


class Measure(NamedTuple):
    """One line of the table. `blank` and `frames` are None where nothing may be seen in between."""

    what: str
    unit: str
    budget: float  # of the 95th percentile
    samples: list[float]
    blank: int | None = None
    frames: int | None = None
    may_blank: bool = False  # Streamlit mounts a changed Plotly figure anew: no budget forbids its blank frames


def answers(what: str, budget: float, laps: list[Lap]) -> Measure:
    """The times of some laps, with their blank frames."""
    times = [lap.ms for lap in laps]
    return Measure(what, "ms", budget, times, sum(lap.blank for lap in laps), sum(lap.frames for lap in laps))


def bytes_sent(what: str, laps: list[Lap]) -> Measure:
    """What the server sent for each of some laps."""
    return Measure(what, "kB", 12, [lap.bytes / 1000 for lap in laps])


def tokens(page: Page) -> list[Locator]:
    """The tokens that can be asked, in the first picture if there are several."""
    view = page.locator(".token-view").first
    view.locator("[role=radio]").first.wait_for(timeout=10_000)
    return view.locator("[role=radio]").all()


def clicks(page: Page, n: int) -> Iterator[Turn]:
    """n clicks on tokens in turn, never the same twice running, and the place that each picks.

    The mouse is there before it clicks, as a hand's is.
    """
    places = list(enumerate(tokens(page)))
    return (Turn(token.click, str(i), before=token.hover) for i, token in islice(cycle(places), n))


def picking(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """Clicks and arrow keys on the first page."""
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(server.address)
    laps = visit.laps(clicks(visit.page, n), event="click", until="picked")
    yield answers("token click → token view painted", 30, laps)
    yield bytes_sent("sent per token click, page 1", laps)
    places = len(tokens(visit.page))
    tokens(visit.page)[0].click()
    tokens(visit.page)[0].focus()
    keys = (Turn(lambda: visit.page.keyboard.press("ArrowDown"), str(i % places)) for i in range(1, n + 1))
    yield answers("arrow key → token view painted", 30, visit.laps(keys, event="keydown", until="picked"))
    yield from faults(visit, "page 1, picking")


def following(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """Clicks on the pages where arithmetic follows the token."""
    pages = ((2, "queries_and_keys"), (3, "softmax"), (4, "values"), (6, "heads"), (8, "kv_cache"))
    for number, stem in pages:
        visit = Visit(new_context(browser, viewport=SIZE))
        visit.open(f"{server.address}/{stem}")
        laps = visit.laps(clicks(visit.page, n), event="click", until="followed")
        yield answers(f"token click → all that follows painted, page {number}", 120, laps)
        yield bytes_sent(f"sent per token click, page {number}", laps)
        yield from faults(visit, f"page {number}")


def switching(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """The shared inputs on the first page: ending, head and mask."""
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(server.address)
    ending, head = visit.page.locator(".st-key-ending"), visit.page.locator(".st-key-head")
    mask = visit.page.locator(".st-key-causal label").first
    pairs = {
        "ending switch": [ending.get_by_text(name, exact=True) for name in ("soft", "tired")],
        "head switch": [head.get_by_text(name, exact=True) for name in ("previous", "pronoun")],
        "mask toggle": [mask, mask],
    }
    for what, switches in pairs.items():
        if what == "mask toggle":
            tokens(visit.page)[0].click()  # with the mask off the first token sees more; the last one always sees all
        yield answers(f"{what} → token view painted", 150, alternate(visit, switches, "view", n))
    yield from faults(visit, "page 1, switching")
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(f"{server.address}/heads")
    head = visit.page.locator(".st-key-pronoun_on label").first
    laps = alternate(visit, [head, head], "followers", n)  # its view stays as it is
    yield answers("switch of a head → all that follows painted, page 6", 150, laps)
    yield from faults(visit, "page 6, switching")


def figures(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """The mask on the page with Plotly figures."""
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(f"{server.address}/every_token")
    mask = visit.page.locator(".st-key-causal label").first
    laps = alternate(visit, [mask, mask], "plots", n)
    yield answers("mask toggle → every Plotly figure painted, page 5", 350, laps)._replace(may_blank=True)
    yield from faults(visit, "page 5")


def alternate(visit: Visit, switches: list[Locator], part: str, n: int) -> list[Lap]:
    """n laps of clicking two switches in turn, each until the part shows what it showed after that switch before."""
    states = visit.both_states(switches, part)
    turns = (
        Turn(switch.click, state, before=switch.hover)
        for switch, state in islice(cycle(zip(switches, states, strict=True)), n)
    )
    return visit.laps(turns, event="click", until=part)


def typed(visit: Visit, field: Locator, texts: Sequence[str], part: str, n: int) -> list[Lap]:
    """n texts put into a field in turn, from the Enter key until a part of the page shows what follows."""
    states = {}
    for text in texts:
        field.fill(text)
        field.press("Enter")
        settled(visit.page)
        states[text] = visit.signature(part)
    turns = (
        Turn(partial(field.press, "Enter"), state, before=partial(field.fill, text))
        for text, state in islice(cycle(states.items()), n)
    )
    return visit.laps(turns, event="keydown", until=part)


def editing(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """A number typed in place on the page of two queries, from the Enter key."""
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(f"{server.address}/two_queries")
    box = visit.page.locator(".number-tables input").first
    laps = typed(visit, box, ("5", "2"), "view", n)
    yield answers("an edited number → token view painted, page 7", 150, laps)
    yield from faults(visit, "page 7")


def workbench(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """A score changed in its table, from the Enter key; then undo and redo behind two hundred steps."""
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(f"{server.address}/workbench")
    cells = visit.page.locator(".number-tables [role=gridcell]")
    states = {}
    for text in ("1.5", "4"):
        type_number(cells.nth(SCORE), text)
        visit.page.keyboard.press("Enter")
        settled(visit.page)
        states[text] = visit.signature("view")
    turns = (
        Turn(partial(visit.page.keyboard.press, "Enter"), state, before=partial(type_number, cells.nth(SCORE), text))
        for text, state in islice(cycle(states.items()), n)
    )
    laps = visit.laps(turns, event="keydown", until="view")
    yield answers("an edited score → token view painted, workbench", 150, laps)
    yield bytes_sent("sent per edited score, workbench", laps)
    for step in range(STEPS):
        type_number(cells.nth(SCORE), str(step))
        visit.page.keyboard.press("Enter")
    settled(visit.page)
    buttons = [visit.page.locator(f".st-key-{name} button") for name in ("undo", "redo")]
    yield answers(f"undo or redo after {STEPS} steps → token view painted", 150, alternate(visit, buttons, "view", n))
    laps = visit.laps(clicks(visit.page, n), event="click", until="picked")
    yield answers("token click → token view painted, workbench", 30, laps)
    yield from faults(visit, "workbench")


def type_number(cell: Locator, text: str) -> None:
    """Begin to change a cell of a table of numbers, up to the Enter key."""
    cell.dblclick()
    cell.page.keyboard.press("Control+A")
    cell.page.keyboard.type(text)


def page_switches(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """From page to page in the order of the lesson, after each has been seen once."""
    visit = Visit(new_context(browser, viewport=SIZE))
    visit.open(server.address)
    links = visit.page.locator(LINKS).all()
    pages = visit.both_states([*links[1:], links[0]], "page")
    turns = zip([*links[1:], links[0]], pages, strict=True)
    laps = visit.laps((Turn(link.click, page) for link, page in islice(cycle(turns), n)), event="click", until="page")
    yield answers("page switch, warm → the whole page painted", 350, laps)._replace(blank=None, frames=None)
    yield from faults(visit, "page switches")


def first_loads(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """The first picture: on a server that is only just started, and on a running one."""
    cold = []
    for _ in range(max(3, n // 6)):
        fresh = Server(server.script).wait()
        visit = Visit(new_context(browser, viewport=SIZE))
        cold.append(visit.open(fresh.address)["epoch"] - fresh.started * 1000)
        visit.page.context.close()
        fresh.stop()
    yield Measure("start of the server → first picture usable", "ms", 3000, cold)
    warm = []
    context = new_context(browser, viewport=SIZE)
    for _ in range(max(3, n // 3)):
        visit = Visit(context)
        warm.append(visit.open(server.address)["ms"])
        visit.page.close()
    yield Measure("a new visit to a running server → first picture usable", "ms", 3000, warm[1:])


def core(browser: Browser, server: Server, n: int) -> Iterator[Measure]:
    """The core alone."""
    trace(Experiment())
    times = repeat(lambda: trace(Experiment()), number=1, repeat=10 * n)
    yield Measure("trace of the toy", "ms", 1, [time * 1000 for time in times])


def faults(visit: Visit, where: str) -> Iterator[Measure]:
    """Requests to foreign hosts, script errors and console errors, if there were any; closes the visit's page."""
    visit.page.context.close()
    if visit.faults:
        yield Measure(f"{where}: {'; '.join(sorted(set(visit.faults)))}", "faults", 0, [float(len(visit.faults))])
