"""The token view on a page, and what follows the token that asks."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from numpy.typing import ArrayLike

from attention_core import AttentionRecord
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

    Several views on one page need a `key` each; all of them follow the same token.
    """
    drawn.note_record(record, key)
    ask = token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=record.weights[head],
        mask=record.mask,
        scores=record.scores[head],
        ask=st.session_state["ask"],
        parts=parts,
        caption="" if tuple(parts) == ("tokens",) else f"{record.head_names[head]} head",
        size=size,
        key=key,
        layout=inputs.layout(),
    )
    inputs.write_link()
    return ask


def mean(record: AttentionRecord, weights: ArrayLike, *, ask: int, key: str) -> None:
    """Draw the token view of the mean of the heads that are on, in the fragment of the heads' own views.

    weights: [query, key]
    """
    token_view(
        query_tokens=record.query_tokens,
        key_tokens=record.key_tokens,
        weights=weights,
        mask=record.mask,
        ask=ask,
        parts=("lines", "grid"),
        caption=f"mean of the heads that are on ({record.heads_on.sum()})",
        size="small",
        key=key,
        layout=inputs.layout(),
    )


def follow(ask: int, *markup: str) -> None:
    """Draw markup that belongs to the token that asks; the page tells by `data-follows-ask` which token that is."""
    whole = f'<div class="av-follows" data-follows-ask="{ask}">{"".join(markup)}</div>'
    drawn.note(Follows(whole, ask))
    st.html(whole)
