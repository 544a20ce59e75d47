"""The memory calculator: which model, how long a text, how many at once, how large a number; product and curve."""

import streamlit as st

from attention_core.memory import BYTES_A_NUMBER, PRESETS, ModelSettings
from attention_view import drawn, figures, frame, memory
from attention_view.plot import plot

BY_NAME = {preset.name: preset for preset in PRESETS}
FIRST_MODEL, FIRST_BYTES = "Llama 3.1 8B", 2
POSITIONS = (*(2**n for n in range(20)), 1_010_000)
REQUESTS = tuple(2**n for n in range(9))


def draw() -> None:
    """Draw the inputs, the product factor by factor, and the curve. The address keeps what is chosen."""
    name = st.segmented_control(
        "Model", list(BY_NAME), default=FIRST_MODEL, key="model", bind="query-params", required=True
    )
    settings = BY_NAME[name or FIRST_MODEL]  # an address may hold an empty model
    drawn.html(memory.settings_line(settings))
    left, right = st.columns([2, 3], gap="large")
    with left:
        chosen = _pick_numbers(settings)
    with right:
        drawn.html(memory.product_table(settings, **chosen))
    plot(figures.memory_curve(settings, **chosen, theme=frame.theme()))


def _pick_numbers(settings: ModelSettings) -> dict[str, int]:
    """Positions, requests and bytes a number. More positions than the model reads are cut, and that is said."""
    wished = st.select_slider(
        "Positions (tokens so far)", POSITIONS, 8192, format_func="{:,}".format, key="positions", bind="query-params"
    )
    requests = st.select_slider("Requests at the same time", REQUESTS, 1, key="requests", bind="query-params")
    size = st.segmented_control(
        "Bytes a number",
        BYTES_A_NUMBER,
        default=FIRST_BYTES,
        format_func=lambda n: f"{n} ({8 * n}-bit)",
        key="bytes",
        bind="query-params",
        required=True,
    )
    positions = min(wished, settings.longest)
    if wished > positions:
        st.html(
            f'<p class="av-note">{settings.name} reads at most {settings.longest:,} positions, so {positions:,} are '
            f"counted instead of {wished:,}.</p>"
        )
    return {"positions": positions, "requests": requests, "bytes_a_number": size or FIRST_BYTES}
