"""How many multiplications writing takes with a cache and without: numbers for this step and so far, and bars."""

from collections.abc import Sequence

from attention_core.generation import Step
from attention_view.numbers import number
from attention_view.table_parts import caption_text, cell, heading_row, result_cell, row, table, token_titles

WITH, WITHOUT = "with the cache", "without"


def multiplications(steps: Sequence[Step], place: int) -> str:
    """The counts of the step at `place` as a table, and those of all steps up to it as bars, in HTML.

    steps: one for each token of the whole text; the highest bar is that of the last one, so no scale ever changes
    """
    now = steps[place]
    body = (
        row(
            f'<i class="av-swatch-with"></i>{WITH}',
            (result_cell(f"{now.multiplications:,}"), cell(f"{now.so_far:,}", lit=True)),
        ),
        row(
            f'<i class="av-swatch-without"></i>{WITHOUT}',
            (result_cell(f"{now.without_cache:,}"), cell(f"{now.so_far_without_cache:,}", lit=True)),
        ),
    )
    times = (now.times_as_many, now.times_as_many_so_far)
    counts = table(
        body,
        caption=caption_text("Multiplications", "Counted while all heads compute."),
        head=heading_row(["writing", "this step", "so far"]),
        foot=row("times as many", (result_cell(number(x, 1)) for x in times)),
        style="av-counts",
    )
    return f'<div class="av-counting">{counts}{_bars(steps, place)}</div>'


def all_steps(steps: Sequence[Step], *, tokens: Sequence[str]) -> str:
    """The counts of every step as a table, with and without the cache."""
    body = (
        row(
            f"{step.place + 1}: {name}",
            (
                *(cell(f"{n:,}", lit=True) for n in (step.multiplications, step.without_cache)),
                *(cell(f"{n:,}", lit=True) for n in (step.so_far, step.so_far_without_cache)),
                cell(number(step.times_as_many_so_far, 1)),
            ),
        )
        for step, name in zip(steps, token_titles(tokens), strict=True)
    )
    head = heading_row(["step", WITH, WITHOUT, f"so far {WITH}", f"so far {WITHOUT}", "times as many so far"])
    return table(body, caption="Multiplications of every step", head=head, style="av-twin")


def _bars(steps: Sequence[Step], place: int) -> str:
    """A bar without the cache and in front of it one with it, for each step so far; the table says it in numbers."""
    highest = max(step.without_cache for step in steps)
    columns = "".join(
        f"<li>{_pair(step, highest) if step.place <= place else ''}<small>{step.place + 1}</small></li>"
        for step in steps
    )
    return f'<figure class="av-step-bars" aria-hidden="true"><ol>{columns}</ol><figcaption>step</figcaption></figure>'


def _pair(step: Step, highest: int) -> str:
    high, low = (100 * count / highest for count in (step.without_cache, step.multiplications))
    return f'<span style="height:{high:.4g}%"></span><b style="height:{low:.4g}%"></b>'
