"""The gallery of all heads of a model: a small map of each, by what it looks at or by its place; a click picks one.

The browser draws a pick at once and tells Python afterwards. All maps are sent once, as bytes: an answer to a pick
repeats the last message to the letter, and Streamlit leaves out what it has sent before.
"""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from numpy.typing import ArrayLike

from attention_core.models.small_maps import SmallMaps, small_maps, small_maps_of_run
from attention_view import drawn
from attention_view.assets import script, styles
from attention_view.head_gallery.groups import Group, Head
from attention_view.head_gallery.message import cell_bytes, gallery_words, new_pick
from attention_view.head_gallery.plain import gallery_twin
from attention_view.layout import Layout
from attention_view.pictures.gallery_picture import gallery_picture
from attention_view.pictures.pieces import Still

__all__ = ["Group", "SmallMaps", "gallery_twin", "head_gallery", "small_maps", "small_maps_of_run"]

HERE = Path(__file__).parent
STYLES = ("../picture.css", "gallery.css", "tiles.css")
SCRIPTS = ("../picks.js", "../painted.js", "paint.js", "fold.js", "tiles.js", "walk.js", "strip.js", "gallery.js")
_component = st.components.v2.component("attention_head_gallery", css=styles(HERE, STYLES), js=script(HERE, SCRIPTS))


def head_gallery(
    maps: ArrayLike | SmallMaps,
    *,
    groups: Sequence[Group],
    chosen: Head,
    tokens: Sequence[str],
    causal: bool = True,
    hide_first: bool = False,
    ask: int | None = None,
    layout: Layout = "rows",
    on_pick: Callable[[Head], None] | None = None,
    marked: Mapping[Head, str] | None = None,
    target: str = "",
    key: str = "head_gallery",
) -> Head:
    """Draw the gallery and return the layer and the head that is picked. Call it in a fragment.

    maps: [layer, head, query, key] weights; or small maps, which bring their own causal, hide_first and ask
    groups: every head in exactly one, in the order in which they are shown
    chosen: the head that another control means; as long as it is the same, the reader's own pick stays, and a page may
        also give back here what this function returned
    hide_first, ask: see `small_maps`; a change of them or of the maps sends all maps again
    on_pick: called with a pick before the script runs again, to let other controls follow
    marked: heads that carry a dot, and what is said of each
    target: the key of the container where the page shows the head that is picked; a button leads there

    Raises ValueError if shapes or values do not fit or there is no such head.
    """
    if not isinstance(maps, SmallMaps):
        maps = small_maps(maps, causal=causal, hide_first=hide_first, ask=ask)
    words = gallery_words(maps, groups=groups, tokens=tokens, layout=layout, marked=marked or {})
    if not (0 <= chosen[0] < words["layers"] and 0 <= chosen[1] < words["heads"]):
        raise ValueError(
            f"chosen must be a layer from 0 to {words['layers'] - 1} and a head from 0 to {words['heads'] - 1}, "
            f"but it is {chosen}"
        )
    memory = st.session_state.setdefault(f"{key} memory", _new_memory())
    _follow(memory, words, chosen)
    cells = cell_bytes(maps, layout=layout)
    as_svg = partial(
        gallery_picture, cells, groups=words["groups"], n_heads=words["heads"], picked=memory["picked"],
        caption=words["caption"], marked=[*words["marked"]],
    )  # fmt: skip
    drawn.note(Still("all heads", as_svg))
    message = _message(memory, key, {"words": words | {"target": target}, "cells": cells.tobytes()})
    _component(data=message, key=key, on_pick_change=partial(_take_pick, key, on_pick))
    memory["returned"] = memory["picked"]
    layer, head = divmod(memory["picked"], words["heads"])
    return layer, head


def _new_memory() -> dict[str, Any]:
    """What Python knows of a gallery: the head that is picked, the last pick seen, and what the browser was sent."""
    return {
        "session": secrets.token_hex(4),
        "given": None,
        "returned": None,
        "picked": 0,
        "asked": 0,
        "seen": 0,
        "turn": 0,
        "sizes": None,
    }


def _follow(memory: dict[str, Any], words: dict[str, Any], chosen: Head) -> None:
    """Take over what another control has chosen, if that is news; the heads of another model are all news.

    What the gallery itself returned is none: a page that keeps it gives it back when there may be a newer pick.
    """
    given, sizes = chosen[0] * words["heads"] + chosen[1], (words["layers"], words["heads"])
    is_own, is_other = given in (memory["given"], memory["returned"]), memory["sizes"] != sizes
    if is_other or not is_own:
        is_news = memory["picked"] != given or is_other
        memory.update(picked=given, sizes=sizes, asked=memory["asked"] + is_news)
    memory["given"] = given


def _message(memory: dict[str, Any], key: str, picture: dict[str, Any]) -> bytes:
    """The last message again if the browser knows all this already, else a new one: a line of JSON, then the cells."""
    if memory.get("picture") != picture or memory.get("sent") != memory["asked"]:
        memory.update(picture=picture, sent=memory["asked"], turn=memory["turn"] + 1)
        state = {name: memory[name] for name in ("session", "turn", "seen", "picked")}
        line = json.dumps({**picture["words"], **state, "key": key}, separators=(",", ":"))
        memory["message"] = line.encode() + b"\n" + picture["cells"]
    message: bytes = memory["message"]
    return message


def _take_pick(key: str, on_pick: Callable[[Head], None] | None) -> None:
    """Take the browser's pick, unless it names no head of this gallery or a newer one is known."""
    memory = st.session_state[f"{key} memory"]
    head, serial = new_pick(st.session_state[key].get("pick"), memory)
    if head is not None:
        memory.update(picked=head, seen=serial)
        if on_pick:
            on_pick(divmod(head, memory["sizes"][1]))
