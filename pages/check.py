"""9. Check yourself: predict, then look; the numbers of the picture are the judge."""

import streamlit as st

from attention_view import check, lesson, offered

lesson.require_frame()

questions = check.question_file().questions
st.session_state["visit"] = st.session_state.get("visit", 0) + 1


@st.fragment
def one_question() -> None:
    offered.begin()  # the numbers of the question before might tell the answer to this one
    question = check.choose(questions)
    following = questions[(questions.index(question) + 1) % len(questions)]
    check.question_view(question, following.id)


if questions:
    one_question()
lesson.try_this("Pick a question and say your answer aloud before you press *Check*.", lights="questions")
