"""The inputs that all pages share, and the address that keeps them: one experiment, one link."""

import html
from collections.abc import Sequence
from typing import Any

import streamlit as st

from attention_core import Experiment, toy
from attention_core.experiment import SEAL
from attention_view.history import one_entry_a_page
from attention_view.layout import LAYOUTS, Layout, layout_of

SHARED = ("ending", "mask", "head", "ask", "heads")  # what an address keeps, by the names of an experiment's fields
MORE = (SEAL, "words", "meanings", "edits", "variant")  # what it keeps besides on pages of the whole experiment
STRIP = ("ending", "mask", "head")  # what the strip can show
SWITCHES = {head: f"{head}_on" for head in toy.HEAD_NAMES}  # the keys of the toggles that switch a head on and off
WIDGETS = ("ending", "causal", "head", "layout", *SWITCHES.values())  # the keys of all inputs that are widgets


def are_drawn() -> bool:
    """Whether the frame has drawn the shared inputs in this visit."""
    return "ask" in st.session_state


def draw_strip(shown: Sequence[str] = STRIP, *, whole: bool = False) -> None:
    """Draw the slim strip of shared inputs, those of `shown`, and at its end the layout, which every page has.

    A new visit starts from the address.

    whole: whether the page shows the whole experiment of the workbench, and so keeps more in its address
    """
    if not are_drawn():
        linked, refusals = Experiment.from_link_with_refusals(st.query_params)
        st.session_state.update(linked=linked, refusals=refusals)
        st.session_state["layout"] = layout_of(st.query_params.get("layout"))
        choose(linked)
    st.session_state["whole"] = whole
    for key in WIDGETS:  # Streamlit forgets a widget that a page does not draw, unless its value is set again
        st.session_state[key] = _value(key)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="strip"):
        for name in shown:
            _INPUTS[name]()
        _pick_layout()
    _draw_refusals()
    one_entry_a_page()
    write_link()


def linked() -> Experiment:
    """The experiment of the address that this visit began with."""
    found: Experiment = st.session_state["linked"]
    return found


def head_switch(head: str, label: str) -> None:
    """Draw the toggle that switches a head on and off."""
    st.toggle(label, key=SWITCHES[head], help="Off: this head contributes nothing.")


def asking(n_tokens: int, key: str = "ask") -> int:
    """The place of the token that asks, among so many; the last one if there is no such place.

    key: under which the session has it; a picture with a token of its own has a key of its own
    """
    place: int = min(st.session_state.get(key, n_tokens - 1), n_tokens - 1)
    return place


def experiment() -> Experiment:
    """What the shared inputs say right now: the toy as the lesson shows it."""
    return Experiment(
        ending=_value("ending"),
        mask="causal" if _value("causal") else "none",
        head=_value("head"),
        ask=asking(len(toy.sentence(toy.ENDINGS[0]))),
        heads=tuple(head for head, key in SWITCHES.items() if _value(key)),
    )


def layout() -> Layout:
    """How tables and formulas lie: a way of looking, and no part of the experiment."""
    return layout_of(_value("layout"))


def write_link(whole: Experiment | None = None) -> None:
    """Keep the address in step, so that a reload or a copied link restores the view.

    whole: the experiment of the workbench, which pages that show it give
    """
    if whole is None and st.session_state["whole"]:
        return  # the page writes it itself
    link = (whole or experiment()).link()
    if SEAL in link and SEAL not in st.query_params:  # it goes first: of a link cut short it is left
        for name in (*MORE, *SHARED):
            keep_in_address(name, None)
    for name in (*MORE, *SHARED):
        keep_in_address(name, link.get(name))
    keep_in_address("layout", None if layout() == LAYOUTS[0] else layout())


def keep_in_address(name: str, text: str | None) -> None:
    """Write one part of the address if it is not so already; None takes it away."""
    if text is not None and st.query_params.get_all(name) != [text]:
        st.query_params[name] = text
    elif text is None and name in st.query_params:
        del st.query_params[name]


def _value(key: str) -> Any:
    """What a widget says; what it last said if Streamlit forgot it in a run that a newer click cut short."""
    kept = st.session_state.setdefault("kept", {})
    kept[key] = st.session_state[key] if key in st.session_state else kept[key]
    return kept[key]


def choose(chosen: Experiment) -> None:
    """Set the shared inputs. Of a mask they can say only whether there is one."""
    st.session_state.update(ending=chosen.ending, head=chosen.head, causal=chosen.mask != "none", ask=chosen.ask)
    st.session_state.update({key: head in chosen.heads for head, key in SWITCHES.items()})


def _draw_refusals() -> None:
    """Say what could not be read in the address that this visit began with, until it is closed."""
    if st.session_state.get("refusals"):
        with st.container(horizontal=True, vertical_alignment="center", key="refusals"):
            st.html(refusals_note(st.session_state["refusals"]))
            st.button("Close", on_click=lambda: st.session_state.update(refusals=[]), key="close_refusals")


def refuse(refusal: str) -> None:
    """Say in the line on the address what a page could not read in it. The page runs anew, since that line is above.

    A page says one thing once; then it is as usual there.
    """
    st.session_state["refusals"] = [*st.session_state.get("refusals", ()), refusal]
    st.rerun()


def refusals_note(refusals: Sequence[str]) -> str:
    """What is wrong with a link, as HTML, and that the rest is as it should be."""
    lines = "".join(f"<br>{html.escape(refusal)}" for refusal in refusals)
    return (
        '<p class="av-note" role="status"><strong>The address could not be read whole.</strong> '
        f"What was wrong in it is as usual now:{lines}</p>"
    )


def _pick_ending() -> None:
    st.segmented_control("Last word", toy.ENDINGS, key="ending", required=True)


def _pick_mask() -> None:
    st.toggle("Causal mask", key="causal", help="On: no token sees a later one. Off: every token sees all.")


def _pick_head() -> None:
    st.segmented_control("Head", toy.HEAD_NAMES, key="head", required=True)


def _pick_layout() -> None:
    st.segmented_control(
        "Queries in",
        LAYOUTS,
        key="layout",
        required=True,
        help="Rows: as in the paper, Q·Kᵀ. Columns: as in 3Blue1Brown's videos, Kᵀ·Q. Only the display turns; "
        "every number stays the same.",
    )


_INPUTS = {"ending": _pick_ending, "mask": _pick_mask, "head": _pick_head}
