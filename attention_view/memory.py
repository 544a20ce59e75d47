"""The memory of a real model's KV cache, factor by factor, and where its settings are published."""

import html
from collections.abc import Iterable

from attention_core.memory import PRESETS, ModelSettings, cache_bytes
from attention_view.numbers import number
from attention_view.table_parts import caption_text, cell, heading_row, result_cell, row, table

UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")
STEP = 1024
GIB_NOTE = "1 KiB is 1,024 bytes, 1 MiB 1,024 KiB, and so on: 1 GiB is 1.07 GB."


def size_text(n_bytes: int) -> str:
    """A number of bytes in the largest unit of which it has at least one.

    >>> size_text(36 * 1024), size_text(16 * 2**30), size_text(1000), size_text(1536)
    ('36 KiB', '16 GiB', '1000 bytes', '1.50 KiB')
    """
    size, unit = float(n_bytes), 0
    while size >= STEP and unit < len(UNITS) - 1:
        size, unit = size / STEP, unit + 1
    return f"{number(size, whole=True)} {UNITS[unit]}"


def settings_line(settings: ModelSettings) -> str:
    """The settings of a model in a line, with their source as a link."""
    heads = (
        f"{settings.n_heads} query heads that share {settings.n_kv_heads} key and value heads"
        if settings.n_kv_heads < settings.n_heads
        else f"{settings.n_heads} heads, each with keys and values of its own"
    )
    return (
        f'<p class="av-settings"><strong>{html.escape(settings.name)}</strong>: {settings.n_layers} layers, {heads}, '
        f"{settings.d_head} numbers in each key and value, up to {settings.longest:,} positions. {_link(settings)}</p>"
    )


def product_table(settings: ModelSettings, *, positions: int, requests: int, bytes_a_number: int) -> str:
    """The memory, factor by factor: with the KV heads as published, and with one for every query head.

    Raises ValueError if a number is negative.
    """
    chosen = {"positions": positions, "requests": requests, "bytes_a_number": bytes_a_number}
    both = [cache_bytes(settings, **chosen, shared=shared) for shared in (True, False)]
    factors = (
        ("keys and values", 2, 2),
        ("× layers", settings.n_layers, settings.n_layers),
        ("× key and value heads", settings.n_kv_heads, settings.n_heads),
        ("× numbers in each (d_head)", settings.d_head, settings.d_head),
        ("× bytes a number", bytes_a_number, bytes_a_number),
        ("× positions", positions, positions),
        ("× requests", requests, requests),
    )
    body = (
        row(name, (cell(f"{x:,}", lit=True) for x in pair), style="av-top" if pair[0] != pair[1] else "")
        for name, *pair in factors
    )
    return table(
        [*body, row("= bytes", (result_cell(f"{size:,}") for size in both))],
        caption=caption_text("Memory of the shelf", GIB_NOTE),
        head=heading_row(["factor", "as published", "without sharing"]),
        foot=row("memory", (result_cell(size_text(size)) for size in both)),
        style="av-memory",
    )


def settings_table(presets: Iterable[ModelSettings] = PRESETS) -> str:
    """The settings of all models, each with its source as a link."""
    body = (
        row(
            html.escape(one.name),
            (
                *(
                    cell(f"{x:,}", lit=True)
                    for x in (one.n_layers, one.n_heads, one.n_kv_heads, one.d_head, one.longest)
                ),
                cell(_link(one)),
            ),
        )
        for one in presets
    )
    head = heading_row(["model", "layers", "query heads", "KV heads", "d_head", "longest", "source"])
    return table(body, caption="Settings of the models", head=head, style="av-twin")


def _link(settings: ModelSettings) -> str:
    return f'<a href="{html.escape(settings.source)}" target="_blank">{html.escape(settings.source_name)}</a>'
