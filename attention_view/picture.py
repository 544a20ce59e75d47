"""The token view on a page, and what follows the token that asks."""

from collections.abc import Sequence

import streamlit as st

from attention_core import AttentionRecord
from attention_view import inputs
from attention_view.token_view import token_view


def tokens(record: AttentionRecord, *, head: int, parts: Sequence[str]) -> int:
    """Draw the token view of one head and return the place of the token that asks. Call it inside a fragment."""
    ask = token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[head],
        mask=record.mask,
        scores=record.scores[head],
        ask=st.session_state["ask"],
        parts=parts,
        caption="" if tuple(parts) == ("tokens",) else f"{record.head_names[head]} head",
    )
    inputs.write_link()
    return ask


def follow(ask: int, *markup: str) -> None:
    """Draw markup that belongs to the token that asks; the page tells by `data-follows-ask` which token that is."""
    st.html(f'<div class="av-follows" data-follows-ask="{ask}">{"".join(markup)}</div>')
