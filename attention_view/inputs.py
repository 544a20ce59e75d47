"""The inputs that all pages share, and the address that keeps them: one experiment, one link."""

import streamlit as st

from attention_core import Experiment, toy

SHARED = ("ending", "mask", "head", "ask")


def are_drawn() -> bool:
    """Whether the frame has drawn the shared inputs in this visit."""
    return "ask" in st.session_state


def draw_strip() -> None:
    """Draw the slim strip of shared inputs. A new visit starts from the address."""
    if not are_drawn():
        _set(Experiment.from_link(st.query_params))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="strip"):
        st.segmented_control("Last word", toy.ENDINGS, key="ending", required=True)
        st.toggle("Causal mask", key="causal", help="On: no token sees a later one. Off: every token sees all.")
        st.segmented_control("Head", toy.HEAD_NAMES, key="head", required=True)
    write_link()


def experiment() -> Experiment:
    """What the shared inputs say right now."""
    state = st.session_state
    return Experiment(
        ending=state["ending"],
        mask="causal" if state["causal"] else "none",
        head=state["head"],
        ask=state["ask"],
    )


def write_link() -> None:
    """Keep the address in step, so that a reload or a copied link restores the view."""
    link = experiment().link()
    for name in SHARED:
        if name in link and st.query_params.get_all(name) != [link[name]]:
            st.query_params[name] = link[name]
        elif name not in link and name in st.query_params:
            del st.query_params[name]


def _set(chosen: Experiment) -> None:
    st.session_state.update(ending=chosen.ending, head=chosen.head, causal=chosen.mask == "causal", ask=chosen.ask)
