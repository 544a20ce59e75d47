"""What Python knows of the pictures that ask by the same key: which query asks, and the last pick seen of them."""

import secrets
from typing import Any

import streamlit as st


def group_of(name: str, *, ask: int) -> dict[str, Any]:
    """The group of this name, told which query asks: session, last pick seen, how often another control has asked."""
    group = _group(name)
    if group["ask"] != ask:  # asked by another control than a picture of the group
        group.update(ask=ask, asked=group["asked"] + 1)
    return group


def take_pick(name: str, told: object, ask_key: str, *, n_queries: int) -> None:
    """Write the browser's pick to the session, unless it names no query of the picture or the group has a newer one."""
    group = _group(name)
    match told:
        case {"ask": int(ask), "serial": int(serial)} if 0 <= ask < n_queries and serial > group["seen"]:
            group.update(ask=ask, seen=serial)
            st.session_state[ask_key] = ask


def _group(name: str) -> dict[str, Any]:
    new = {"session": secrets.token_hex(4), "ask": None, "asked": 0, "seen": 0}
    group: dict[str, Any] = st.session_state.setdefault(name, new)
    return group
