"""The map of a long text: the text with one token's looks, its strongest keys, and the head's whole map with a lens.

The browser gets every weight of the head once, and again only when the head or the text changes; a pick is drawn at
once and then told. As with the token view, an answer to a pick repeats the last message to the letter, and Streamlit
leaves it out.
"""

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike

from attention_view import asked, drawn
from attention_view.assets import script, styles
from attention_view.layout import Layout
from attention_view.map_data import MapData, map_data, map_message
from attention_view.pictures.pieces import Map

__all__ = ["PARTS", "map_view"]

PARTS = ("text", "map")
HERE = Path(__file__).parent
STYLES = ("../picture.css", "view.css", "../picking.css", "strip.css", "strongest.css", "map.css")
SCRIPTS = (
    "../token_view/text.js",
    "../token_view/group.js",
    "../picks.js",
    "../painted.js",
    "message.js",
    "says.js",
    "shades.js",
    "strip.js",
    "strongest.js",
    "overview.js",
    "lens.js",
    "frame.js",
    "view.js",
)
_component = st.components.v2.component(
    "attention_map_view",
    css=styles(HERE, STYLES),
    js=script(HERE, SCRIPTS),
)


def map_view(
    weights: ArrayLike,
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    ask: int,
    mask: ArrayLike | None = None,
    causal: bool = False,
    hide_first: bool = False,
    caption: str = "",
    layout: Layout = "rows",
    parts: Sequence[str] = PARTS,
    opens: str = "",
    gaps: Sequence[int] = (),
    key: str = "map_view",
    ask_key: str = "ask",
) -> int:
    """Draw the map of one head over a text of up to 2,048 tokens; return the place of the query that asks.

    A pick writes `st.session_state[ask_key]`. Call it in a fragment, so that a pick runs the fragment alone.

    weights, mask, causal, hide_first: see `map_data`    ask: the place of a query, from 0
    parts: what to draw, of "text" (the text with the strongest keys) and "map" (overview and lens)
    opens: where a weight of the query that asks stands in the record that the page offers, as in "weights[0,0,{key}]",
        with {query} too if the record has all queries; nothing, nothing to open

    gaps: the places of tokens before which the text has a blank that their names leave away

    Raises ValueError if shapes or values do not fit, or if there is no query at `ask`.
    """
    if not parts or not set(parts) <= set(PARTS) or len(set(parts)) < len(parts):
        raise ValueError(f"parts must be some of {PARTS}, each once, got {parts!r}")
    if not 0 <= ask < max(len(query_tokens), 1):
        raise ValueError(f"ask must be the place of a query, 0 to {len(query_tokens) - 1}, got {ask}")
    look: dict[str, Any] = {"hide_first": hide_first, "caption": caption, "layout": layout}
    given = (_digest(weights, mask), tuple(query_tokens), tuple(key_tokens), causal, *look.values())
    memory = st.session_state.setdefault(f"{key} memory", {"turn": 0})
    if memory.get("given") != given:
        tokens: dict[str, Any] = {"query_tokens": query_tokens, "key_tokens": key_tokens}
        memory.update(given=given, data=map_data(weights, mask=mask, causal=causal, **tokens, **look))
        memory.pop("sent", None)
    drawn.note(Map(memory["data"], ask))
    more = {"parts": list(parts), "opens": opens, "gaps": list(gaps)}
    _component(data=_message(key, ask_key, more, ask), key=key, on_pick_change=partial(_take_pick, key, ask_key))
    return ask


def _message(key: str, ask_key: str, more: dict[str, Any], ask: int) -> bytes:
    """The last message again if the browser knows all this already, else a new one with the next turn number."""
    group, memory = asked.group_of(_group_key(ask_key), ask=ask), st.session_state[f"{key} memory"]
    sent = {**more, "asked": group["asked"]}
    if memory.get("sent") != sent:
        memory.update(sent=sent, turn=memory["turn"] + 1)
        state = {"group": ask_key, "session": group["session"], "turn": memory["turn"], "seen": group["seen"]}
        data: MapData = memory["data"]
        memory["message"] = map_message(data, id=f"{group['session']} {memory['turn']}", ask=ask, **more, **state)
    message: bytes = memory["message"]
    return message


def _take_pick(key: str, ask_key: str) -> None:
    n_queries = len(st.session_state[f"{key} memory"]["data"].query_tokens)
    asked.take_pick(_group_key(ask_key), st.session_state[key].get("pick"), ask_key, n_queries=n_queries)


def _group_key(ask_key: str) -> str:
    return f"{ask_key} map group"  # of maps alone: the browser counts their picks apart from those of token views


def _digest(*arrays: ArrayLike | None) -> tuple[Any, ...]:
    """What tells arrays apart: 2 ms for a million weights."""
    found = (None if array is None else np.ascontiguousarray(array) for array in arrays)
    return tuple(
        None
        if array is None
        else (array.shape, array.dtype.str, hashlib.sha1(array.data, usedforsecurity=False).digest())
        for array in found
    )
