"""11. The workbench: change any number, word, mask cell or divisor, and see what follows."""

import streamlit as st

from attention_core import attention_record, trace
from attention_core.changes import as_the_lesson_has_it, require_numbers
from attention_view import drawn, inputs, lesson, offered, picture, tables, workbench

lesson.require_frame()


@st.fragment
def bench() -> None:
    experiment = workbench.experiment()
    try:
        require_numbers(experiment)
    except ValueError as refusal:
        drawn.html(workbench.refused_note(f"this cannot be computed: {refusal}"))
        workbench.draw_steps()
        return
    record, before = trace(experiment), trace(as_the_lesson_has_it(experiment))
    h = experiment.head_index
    offered.offer(record)
    offered.offer(before, "before")

    @st.fragment
    def lines() -> None:
        i = picture.tokens(record, head=h, parts=("lines", "numbers"))
        picture.follow(i, workbench.before_note(before, record, head=h, query=i))
        workbench.write_link()

    lines()
    workbench.draw_editor(experiment)
    workbench.draw_following(before, record, head=h)
    workbench.draw_file(experiment)
    lesson.fold_tables(
        lambda: tables.weights_table(
            record.weights[h],
            query_tokens=record.query_tokens,
            key_tokens=record.key_tokens,
            mask=record.mask,
            layout=inputs.layout(),
            opens=f"weights[{h},*]",
        )
    )


bench()
drawn.markdown(
    """
Everything is one calculation, from the words to the new vectors. Change a number, and the core runs it again. Each
number that changed is marked, with the old one beside it.

A **score** or a **value** is computed from other numbers. If you set it yourself, it is held: what lies before it no
longer feeds it. Put it back, and it follows again.
"""
)
lesson.fold_formula("scores")
lesson.fold_source(attention_record)
lesson.try_this(
    "Choose *W_Q* and set the 4 of *tired, alive* to 0. Where does the last word look now? Then undo it.",
    lights="change",
)
