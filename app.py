"""The frame: navigation, page configuration, title, shared inputs; then the page itself. Start: streamlit run app.py"""

import streamlit as st

from attention_view import check, drawn, frame, inputs, lesson, offered, opener, progress, take_away

pages = lesson.page_list()
page = st.navigation(pages, expanded=True)
current = lesson.lesson_of(page)
frame.dress(f"{current.title} · {lesson.PRODUCT}", more_styles=lesson.icon_styles())
lesson.head_of(current)
inputs.draw_strip(current.inputs, whole=current.whole)
offered.begin()
drawn.begin()
opener.place()
page.run()
opener.draw(current.stem)
take_away.draw(current)
lesson.steps(current, pages)
progress.draw(current.stem, lesson.STEMS, check.question_ids())
