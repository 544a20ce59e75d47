"""7. Two queries, by hand: three positions, every number in the learner's hands, every line of arithmetic."""

import streamlit as st

from attention_core import attend
from attention_core.two_queries import lines, two_queries
from attention_view import by_hand, drawn, lesson, tables
from attention_view.on_paper import on_paper, results
from attention_view.token_view import token_view

NAMES = {"query_names": by_hand.QUERIES, "key_names": by_hand.KEYS}

lesson.require_frame()


@st.fragment
def calculator() -> None:
    setting = by_hand.draw_inputs()
    record = two_queries(**vars(setting))
    drawn.note_record(record, "two_queries")
    mask = [record.visible.tolist()] * len(by_hand.QUERIES)

    @st.fragment
    def picture() -> None:
        token_view(
            query_tokens=by_hand.QUERIES,
            key_tokens=by_hand.KEYS,
            weights=record.weights,
            mask=mask,
            ask=by_hand.asking(),
            parts=("lines",),
            key="by_hand_view",
            ask_key=by_hand.ASK,
        )

    left, right = st.columns([4, 5], gap="medium", vertical_alignment="center")
    with left:
        picture()
    with right:
        drawn.html(results(record, **NAMES))
    drawn.header("On paper")
    drawn.html(on_paper(record, **NAMES))
    drawn.markdown(
        """
A key whose switch is off is **masked**: its score becomes −∞, so its weight is exactly 0. Switch the third key on and
look again. **One allowed key changes all the weights**: they are shares of one sum, and the sum has
grown.

The same in a terminal:
"""
    )
    drawn.code(setting.command())
    drawn.code("\n".join(lines(record)))
    lesson.fold_formula("neighbours")
    lesson.fold_source(two_queries, attend)
    lesson.fold_tables(
        lambda: tables.vectors_table(
            record.Q, row_names=by_hand.QUERIES, column_names=by_hand.NUMBERS, caption="Queries", digits=None
        ),
        *(
            lambda array=array, names=names, caption=caption: tables.vectors_table(
                array, row_names=names, column_names=by_hand.NUMBERS, caption=caption, digits=None
            )
            for array, names, caption in ((record.K, by_hand.KEYS, "Keys"), (record.V, by_hand.VALUES, "Values"))
        ),
        lambda: tables.weights_table(
            record.weights, query_tokens=by_hand.QUERIES, key_tokens=by_hand.KEYS, mask=mask, digits=None
        ),
        lambda: tables.vectors_table(
            record.output, row_names=by_hand.QUERIES, column_names=by_hand.NUMBERS, caption="Mixed values", digits=None
        ),
    )


calculator()
lesson.try_this("Switch the third key on. Which weights change?", lights="see_3")
