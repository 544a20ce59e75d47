"""The frame: navigation, page configuration, title, shared inputs; then the page itself. Start: streamlit run app.py"""

import streamlit as st

from attention_view import frame, inputs, lesson, progress

QUESTIONS: tuple[str, ...] = ()  # the ids of the questions that the lesson asks

pages = lesson.page_list()
page = st.navigation(pages)
current = lesson.lesson_of(page)
frame.dress(f"{current.title} · {lesson.PRODUCT}", more_styles=lesson.icon_styles())
lesson.head_of(current)
inputs.draw_strip(current.inputs)
page.run()
lesson.steps(current, pages)
progress.draw(current.stem, [each.stem for each in lesson.LESSONS], QUESTIONS)
