"""The shelf of keys and values while a text is written: one row a token, and the one query that is computed now."""

import html
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from attention_core.checks import Array
from attention_core.earlier_rows import EarlierRows
from attention_core.generation import Step
from attention_view.layout import Layout, is_turned
from attention_view.numbers import number
from attention_view.openable import Opens, letters, number_at, opening_attribute
from attention_view.table_parts import plain_names, token_names
from attention_view.tokens import distinct_names

RESTING, NEW, EMPTY = "from the shelf", "computed now", "not written yet"
GONE = "not needed again"

Cells = Iterable[tuple[str, str]]  # the name of the column, and what stands there


class Shown(NamedTuple):
    """Which head is shown, and what its dimensions are called."""

    head: int
    kv_head: int
    query_names: Sequence[str]  # of queries and keys
    value_names: Sequence[str]


def shelf(
    steps: Sequence[Step],
    place: int,
    earlier: EarlierRows,
    *,
    tokens: Sequence[str],
    shown: Shown,
    layout: Layout = "rows",
    opens: bool = False,
) -> str:
    """The shelf after the token at `place` was read, as a table in HTML. Later places stay empty, so nothing jumps.

    steps: one for each token of the whole text    earlier: what the newest token does to the results before it
    A token has a line of its own in both layouts; where vectors stand in columns, values come before their weights.
    opens: whether the page's record holds the same numbers, so that they can be opened

    Raises ValueError if steps and tokens differ in number, there is no token at `place`, or the layout is unknown.
    """
    if len(steps) != len(tokens) or not 0 <= place < len(tokens):
        raise ValueError(
            "there must be a step for each token and a token at place, but there are "
            f"{len(steps)} steps and {len(tokens)} tokens, and place is {place}"
        )
    names, now = token_names(tokens), steps[place]
    changes = [
        f"<b>yes</b>, {number(size, 3)}" if changed else "no"
        for size, changed in zip(earlier.vectors, earlier.changed, strict=True)
    ]
    rows = "".join(
        _token_row(names[j], step, now, "new" if step is now else changes[j], shown, opens=opens)
        if j <= place
        else _empty_row()
        for j, step in enumerate(steps)
    )
    title = f"The shelf after step {place + 1}: {html.escape(distinct_names(tokens)[place])} has been read"
    of = opening_attribute(_arrays(Opens(shown.head, shown.kv_head, place))) if opens else ""
    return (
        f"{_loose_query(names[place], now.query[shown.head], shown, of)}"
        f'<div class="av-shelf" role="table" aria-label="{title}"{of}>'
        f"{_heading(shown)}{rows}{_output_row(names[place], now.outputs[shown.head], turned=is_turned(layout))}</div>"
    )


def step_sentence(place: int, *, tokens: Sequence[str]) -> str:
    """What this step computes and what it takes from the shelf, as HTML."""
    taken = {0: "Nothing lies on the shelf yet.", 1: "One key and one value come from the shelf."}
    return (
        f'<p class="av-step">Step {place + 1} of {len(tokens)}: <strong>{token_names(tokens)[place]}</strong> has just '
        f"been read. It computes {_name('query', 'one')}, {_name('key', 'one')} and {_name('value', 'one')}. "
        f"{taken.get(place, f'{place} keys and {place} values come from the shelf.')}</p>"
    )


def rows_sentence(place: int, earlier: EarlierRows, *, tokens: Sequence[str], causal: bool) -> str:
    """Whether the newest token has changed earlier rows, and what that means for the shelf, as HTML."""
    name, n = f"<em>{token_names(tokens)[place]}</em>", int(earlier.changed.sum())
    counted = (
        f"<strong>{n} of {place} earlier {'result' if place == 1 else 'results'} changed when {name} came.</strong>"
    )
    if place == 0:
        words = f"{name} is the first word: there is no earlier result that it could change."
    elif causal:
        words = f"{counted} The mask lets no earlier word look at it, so all that lies on the shelf stays true."
    else:
        words = (
            f"{counted} Without the mask they look at {name} too; beside each stands the largest change in its new "
            "vector. The keys and values here are made of the vector of each word alone: they stay. But the next layer "
            "makes its keys and values of the new vectors, so <strong>its shelf is stale</strong>."
        )
    return f'<p class="av-note av-rows-note{"" if causal else " av-stale"}">{words}</p>'


def _heading(shown: Shown) -> str:
    """The names of the columns, and of the dimensions in them."""
    heads = (
        ("who", "token", ""),
        ("q", f"{_name('query')} (asks)", _dimensions(shown.query_names)),
        ("k", f"{_name('key')} (is looked at)", _dimensions(shown.query_names)),
        ("v", f"{_name('value')} (is handed over)", _dimensions(shown.value_names)),
        ("w", _name("weight"), ""),
        ("c", "result changed?", ""),
    )
    cells = "".join(
        f'<div class="av-{area}" role="columnheader"><span>{words}</span>{more}</div>' for area, words, more in heads
    )
    return f'<div class="av-shelf-row av-shelf-head" role="row">{cells}</div>'


def _arrays(opens: Opens) -> str:
    """Where the numbers on the shelf stand. Those of vectors need no address: they have that of their row and place."""
    rows = {letter: opens.of_row(array) for letter, array in (("q", "Q"), ("w", "weights"), ("o", "head_outputs"))}
    return letters(**rows, k=opens.at("K", opens.kv_head, "*"), v=opens.at("V", opens.kv_head, "*"))


def _token_row(name: str, step: Step, now: Step, change: str, shown: Shown, *, opens: bool) -> str:
    """A token that has been read: the newest one with its query, an earlier one without."""
    new = step is now
    weight = float(now.weights[shown.head, step.place])
    w = f"w{step.place}" if opens else ""
    cells = (
        ("q", _cells(now.query[shown.head]) if new else f"<span>{GONE}</span>"),
        ("k", _cells(step.new_key[shown.kv_head])),
        ("v", _cells(step.new_value[shown.kv_head])),
        ("w", f'{number_at(number(weight, 3, whole=True), w)}<s style="--w:{100 * weight:.4g}%"></s>'),
        ("c", f"<span>{change}</span>"),
    )
    return _row(name, NEW if new else RESTING, cells, style="av-new" if new else "av-resting")


def _empty_row() -> str:
    """A place for a token that does not exist yet."""
    return _row("…", EMPTY, ((area, "") for area in ("q", "k", "v", "w", "c")), style="av-empty")


def _output_row(name: str, outputs: Array, *, turned: bool) -> str:
    """What the values come to, each times its weight, below their column."""
    product = "values × weights" if turned else "weights × values"
    cells = (
        ("sum", f"<span>{product}, added up: what {name} receives</span>"),
        ("v", _cells(outputs)),
    )
    return _row("output", "", cells, style="av-output")


def _row(name: str, state: str, cells: Cells, *, style: str) -> str:
    inside = "".join(f'<div class="av-{area}" role="cell">{content}</div>' for area, content in cells)
    note = f"<small>{state}</small>" if state else ""
    who = f'<div class="av-who" role="rowheader"><span>{name}</span>{note}</div>'
    return f'<div class="av-shelf-row {style}" role="row">{who}{inside}</div>'


def _loose_query(name: str, query: Array, shown: Shown, of: str) -> str:
    """The query by itself, where the page is too narrow for a column that holds nothing else."""
    words = f"{_name('query')} of {name}, {NEW}; older ones are {GONE}"
    cells = _dimensions(shown.query_names) + f'<span class="av-cells">{_cells(query)}</span>'
    return f'<div class="av-loose-query av-q"{of}><span>{words}</span>{cells}</div>'


def _cells(vector: Array) -> str:
    """The numbers of a vector, one a cell; zeros are quiet."""
    return "".join(f"<b>{number(x, whole=True)}</b>" if x else "<u>0</u>" for x in vector)


def _dimensions(names: Sequence[str]) -> str:
    return f'<span class="av-cells av-names">{"".join(f"<i>{name}</i>" for name in plain_names(names))}</span>'


def _name(part: str, before: str = "") -> str:
    """The name of a part in its colour."""
    return f'{before}{" " if before else ""}<span class="av-{part}">{part}</span>'
