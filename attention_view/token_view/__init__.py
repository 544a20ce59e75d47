"""The token view: who looks at whom, as lines, numbers and grid, in one component that answers by itself.

The browser draws a pick at once and tells Python afterwards. Streamlit leaves a message out that it has sent before,
so an answer to a pick repeats the last message to the letter; the browser remembers its own pick.

Views that write the same `ask_key` are a group: a pick in one of them moves all of them at once, in the browser, and
only the one that was picked tells Python.
"""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike, NDArray

from attention_view import asked, drawn
from attention_view.assets import token_view_script, token_view_styles
from attention_view.layout import Layout
from attention_view.pictures.pieces import View
from attention_view.token_data import PARTS, token_view_data

__all__ = ["PARTS", "token_view", "token_view_data"]

Size = Literal["normal", "small", "half"]

_component = st.components.v2.component("attention_token_view", css=token_view_styles(), js=token_view_script())


def token_view(
    *,
    query_tokens: Sequence[str],
    key_tokens: Sequence[str],
    weights: ArrayLike,
    ask: int,
    mask: ArrayLike | None = None,
    scores: ArrayLike | None = None,
    empty_rows: ArrayLike | None = None,
    may_leak: bool = False,
    column_sums: bool = False,
    parts: Sequence[str] = ("lines", "numbers", "grid"),
    caption: str = "",
    size: Size = "normal",
    key: str = "token_view",
    ask_key: str = "ask",
    layout: Layout = "rows",
    opens: Mapping[str, str] | None = None,
) -> int:
    """Draw the token view and return the place of the query that asks. A pick writes `st.session_state[ask_key]`.

    weights, mask, scores: [query, key], see `token_view_data`, also for may_leak and column_sums. ask: the place of a
    query, from 0. parts: what to draw, of "tokens", "lines", "numbers" and "grid". size: "small" fits a narrow column;
    its grid shows numbers of the query that asks only. "half" fits half of a page; its grid shows all numbers and sums.
    layout: whether the grid has queries in rows or in columns. Call it in a fragment, and all views of a group in the
    same one, so that a pick runs the fragment alone.

    opens: where "weights" and "scores" stand in the page's record, as in "weights[0,*]", if they can be opened

    Raises ValueError if shapes or values do not fit, or if there is no query at `ask`.
    """
    picture = _picture(
        key,
        query_tokens=tuple(query_tokens),
        key_tokens=tuple(key_tokens),
        weights=_kept(weights),
        mask=_kept(mask),
        scores=_kept(scores),
        empty_rows=_kept(empty_rows),
        may_leak=may_leak,
        column_sums=column_sums,
        parts=tuple(parts),
        caption=caption,
        layout=layout,
    )
    if not 0 <= ask < max(len(query_tokens), 1):
        raise ValueError(f"ask must be the place of a query, 0 to {len(query_tokens) - 1}, got {ask}")
    picture = {**picture, "size": size}
    drawn.note(View(picture, ask, ask_key))
    # As bytes: given a dictionary, Streamlit would load pandas to look for tables in it (0.4 s at the first visit).
    message = json.dumps(_message(key, ask_key, {**picture, "opens": dict(opens or {})}, ask)).encode()
    _component(data=message, key=key, on_pick_change=partial(_take_pick, key, ask_key))
    return ask


def _picture(key: str, **given: Any) -> dict[str, Any]:
    """What the view shows, made anew only if something else is given: a pick changes nothing of it."""
    memory = st.session_state.setdefault(_memory_key(key), {"turn": 0})
    last = memory.get("given", {})
    if not all(name in last and np.array_equal(last[name], value) for name, value in given.items()):
        memory["data"] = token_view_data(**given)
        memory["given"] = given
    data: dict[str, Any] = memory["data"]
    return data


def _kept(values: ArrayLike | None) -> NDArray[Any] | None:
    """A copy, to be compared with what is given next time."""
    return None if values is None else np.array(values)


def _message(key: str, ask_key: str, picture: dict[str, Any], ask: int) -> dict[str, Any]:
    """The last message again if the browser knows all this already, else a new one with the next turn number."""
    group = asked.group_of(_group_key(ask_key), ask=ask)
    memory = st.session_state[_memory_key(key)]
    if memory.get("picture") != picture or memory.get("asked") != group["asked"]:
        memory.update(picture=picture, asked=group["asked"], turn=memory["turn"] + 1)
        memory["message"] = {
            **picture,
            "group": ask_key,
            "session": group["session"],
            "turn": memory["turn"],
            "ask": ask,
            "seen": group["seen"],
        }
    message: dict[str, Any] = memory["message"]
    return message


def _take_pick(key: str, ask_key: str) -> None:
    n_queries = len(st.session_state[_memory_key(key)]["picture"]["query_tokens"])
    asked.take_pick(_group_key(ask_key), st.session_state[key].get("pick"), ask_key, n_queries=n_queries)


def _group_key(ask_key: str) -> str:
    return f"{ask_key} group"


def _memory_key(key: str) -> str:
    return f"{key} memory"
