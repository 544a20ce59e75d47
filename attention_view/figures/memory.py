"""The memory of a KV cache over the length of the text: two straight lines, with and without shared KV heads."""

import plotly.graph_objects as go

from attention_core.memory import ModelSettings, cache_bytes
from attention_view.colours import Theme, colour
from attention_view.figures.sheet import SIZE, plain_axis, sheet
from attention_view.memory import STEP, UNITS, size_text

HEIGHT = 320  # px
ROOM = 1.12  # of the highest point, above it


def memory_curve(
    settings: ModelSettings, *, positions: int, requests: int = 1, bytes_a_number: int = 2, theme: Theme
) -> go.Figure:
    """How the memory grows with the positions: KV heads as published, and one for every query head.

    positions: the number that is marked on both lines

    Raises ValueError if positions are not from 1 to the model's longest, or another number is below 1.
    """
    if not 1 <= positions <= settings.longest or min(requests, bytes_a_number) < 1:
        raise ValueError(
            f"positions must be from 1 to {settings.longest:,} and the other numbers at least 1, but got "
            f"{positions=}, {requests=}, {bytes_a_number=}"
        )

    def size(n: int, *, shared: bool) -> int:
        return cache_bytes(settings, positions=n, requests=requests, bytes_a_number=bytes_a_number, shared=shared)

    same = settings.n_kv_heads == settings.n_heads
    highest = size(settings.longest, shared=False)
    power = next(n for n in range(len(UNITS)) if highest < STEP ** (n + 1) or n == len(UNITS) - 1)
    traces = []
    for shared, name in ((False, "without sharing"), (True, "shared, as published")):
        ends = [size(n, shared=shared) / STEP**power for n in (0, settings.longest)]
        marked = size(positions, shared=shared)
        looks = {"color": colour("weight" if shared else "quiet", theme), "dash": "solid" if shared else "dash"}
        traces += _line(
            [0, settings.longest],
            ends,
            name="" if same and not shared else name if not same else "no heads shared",
            **looks,
            theme=theme,
        )
        traces.append(_mark(positions, marked / STEP**power, looks["color"], theme))
    here, there = (size_text(size(positions, shared=shared)) for shared in (True, False))
    caption = f"{positions:,} positions: {here} with the KV heads as published, {there} without sharing."
    if same:
        caption = f"{positions:,} positions: {here}. This model shares no KV heads, so both lines are one."
    return sheet(
        traces,
        xaxis=plain_axis(theme, title="positions", range=[0, settings.longest * 1.02], tickformat=",", nticks=6),
        yaxis=plain_axis(
            theme, title=f"memory ({UNITS[power]})", range=[0, highest / STEP**power * ROOM], tickformat=",", nticks=6
        ),
        height=HEIGHT,
        alt=f"Memory of the KV cache of {settings.name} over positions, two straight lines. {caption}",
        caption=caption,
        theme=theme,
    )


def _line(x: list[int], y: list[float], *, name: str, color: str, dash: str, theme: Theme) -> list[go.Scatter]:
    """A line with its name written at its end."""
    return [
        go.Scatter(
            x=x, y=y, mode="lines+text", line={"color": color, "dash": dash, "width": 2.5}, text=["", name],
            textposition="top left", textfont={"color": colour("ink", theme), "size": SIZE}, cliponaxis=False,
            hovertemplate="%{x:,} positions: %{y:,.2f}<extra></extra>", name=name,
        )
    ]  # fmt: skip


def _mark(x: int, y: float, color: str, theme: Theme) -> go.Scatter:
    """The chosen number of positions on a line."""
    look = {"color": color, "size": 11, "line": {"color": colour("page", theme), "width": 2}}
    return go.Scatter(x=[x], y=[y], mode="markers", marker=look, hoverinfo="skip", cliponaxis=False, name="chosen")
