"""A running job on the page: its bar, and a button that stops it. Nothing else on the page waits."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from attention_view.own_text.job import Job

AT_ONCE = 0.35  # seconds: work that is done so soon shows no bar
LOOK_AGAIN = 0.3  # seconds between two looks at a job


def is_done(job: Job[Any], words: Callable[[], str], *, key: str, stop: Callable[[], None], label: str) -> bool:
    """Whether a job has ended. While it runs, its bar is drawn, with a button that calls `stop`.

    At its end the page runs anew. words: what the bar says
    """
    if job.wait(AT_ONCE):
        return True
    with st.container(key=key):
        _bar(job, words, f"{key}_stop", stop, label)
    return False


@st.fragment(run_every=LOOK_AGAIN)
def _bar(job: Job[Any], words: Callable[[], str], key: str, stop: Callable[[], None], label: str) -> None:
    if not job.running:
        st.rerun()
    st.progress(job.fraction, text="Stopping …" if job.stopped else words())
    if st.button(label, key=key, disabled=job.stopped):
        stop()
        st.rerun()
