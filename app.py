"""The frame: navigation, page configuration, title, shared inputs; then the page itself. Start: streamlit run app.py"""

import streamlit as st

from attention_view import check, frame, inputs, lesson, offered, progress

pages = lesson.page_list()
page = st.navigation(pages)
current = lesson.lesson_of(page)
frame.dress(f"{current.title} · {lesson.PRODUCT}", more_styles=lesson.icon_styles())
lesson.head_of(current)
inputs.draw_strip(current.inputs)
offered.begin()
page.run()
lesson.steps(current, pages)
progress.draw(current.stem, lesson.STEMS, check.question_ids())
