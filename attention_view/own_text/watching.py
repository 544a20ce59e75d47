"""A running job on the page: its bar, and a button that stops it. Nothing else on the page waits."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from attention_view.own_text.job import Job

AT_ONCE = 0.35  # seconds: work that is done so soon shows no bar
LOOK_AGAIN = 0.3  # seconds between two looks at a job


def is_done(job: Job[Any], words: Callable[[], str], *, key: str, stop: Callable[[], None]) -> bool:
    """Whether a job has ended. While it runs, its bar is drawn, with a button that calls `stop`.

    At its end the page runs anew. words: what the bar says
    """
    if job.wait(AT_ONCE):
        return True
    st.session_state[f"{key} pressed"] = False
    _bar(job, words, key, stop)
    return False


@st.fragment(run_every=LOOK_AGAIN)
def _bar(job: Job[Any], words: Callable[[], str], key: str, stop: Callable[[], None]) -> None:
    if not job.running or st.session_state[f"{key} pressed"]:
        st.rerun()

    def press() -> None:
        st.session_state[f"{key} pressed"] = True
        stop()

    with st.container(key=key):
        st.progress(job.fraction, text="Stopping …" if job.stopped else words())
        st.button("Stop", key=f"{key}_stop", disabled=job.stopped, on_click=press)
