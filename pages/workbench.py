"""11. The workbench: change any number, word, mask cell or divisor, and see what follows."""

import streamlit as st

from attention_core import trace
from attention_view import lesson, offered, picture, workbench

lesson.require_frame()

experiment = workbench.experiment()
record = trace(experiment)
offered.offer(record)


@st.fragment
def lines() -> None:
    picture.tokens(record, head=experiment.head_index, parts=("lines", "numbers"))


lines()
lesson.try_this("Pick another word.", lights="token_view")
