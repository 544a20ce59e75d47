"""The token view on a page, and what follows the token that asks."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_core.variants import may_leak
from attention_view import drawn, inputs
from attention_view.pictures.pieces import Follows
from attention_view.token_view import token_view


def tokens(
    record: AttentionRecord,
    *,
    head: int,
    parts: Sequence[str],
    size: Literal["normal", "small"] = "normal",
    key: str = "token_view",
) -> int:
    """Draw the token view of one head and return the place of the token that asks. Call it inside a fragment.

    The page offers the record, so its numbers can be opened. Several views on one page need a `key` each; all of them
    follow the same token.
    """
    ask = token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[head],
        mask=record.mask,
        scores=shown_scores(record, head),
        may_leak=may_leak(record.variant),
        ask=inputs.asking(len(record.query_tokens)),
        parts=parts,
        caption="" if tuple(parts) == ("tokens",) else f"{record.head_names[head]} head",
        size=size,
        key=key,
        layout=inputs.layout(),
        opens={"weights": f"weights[{head},*]", "scores": f"{_array_of_scores(record)}[{head},*]"},
    )
    inputs.write_link()
    return ask


def beside(
    record: AttentionRecord,
    *,
    name: str,
    head: int,
    parts: Sequence[str],
    caption: str,
    key: str,
    ask: int,
    ask_key: str = "ask",
    size: Literal["normal", "half"] = "half",
) -> int:
    """Draw one of two token views that stand side by side, in the same fragment, and return the token that asks.

    One that stands alone has the normal size.

    name: that under which the page offers the record
    """
    return token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[head],
        mask=record.mask,
        scores=shown_scores(record, head),
        may_leak=may_leak(record.variant),
        column_sums="grid" in parts,
        ask=ask,
        parts=parts,
        caption=caption,
        size=size,
        key=key,
        ask_key=ask_key,
        layout=inputs.layout(),
        opens={"weights": f"{name}:weights[{head},*]", "scores": f"{name}:{_array_of_scores(record)}[{head},*]"},
    )


def shown_scores(record: AttentionRecord, head: int) -> Array:
    """The scores; where the mask leaks, a hidden one is what it was set to."""
    scores: Array = getattr(record, _array_of_scores(record))[head]
    return scores


def follow(ask: int, *markup: str) -> None:
    """Draw markup that belongs to the token that asks; the page tells by `data-follows-ask` which token that is."""
    whole = f'<div class="av-follows" data-follows-ask="{ask}">{"".join(markup)}</div>'
    drawn.note(Follows(whole, ask))
    st.html(whole)


def _array_of_scores(record: AttentionRecord) -> str:
    return "masked_scores" if may_leak(record.variant) else "scores"
