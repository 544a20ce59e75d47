"""7. Two queries, by hand: three positions, every number in the learner's hands, every line of arithmetic."""

from functools import partial

import streamlit as st

from attention_core import attend
from attention_core.two_queries import as_record, lines, two_queries
from attention_view import by_hand, drawn, inputs, lesson, offered, tables
from attention_view.on_paper import on_paper, results
from attention_view.token_view import token_view

NAMES = {"query_names": by_hand.QUERIES, "key_names": by_hand.KEYS}

lesson.require_frame()


@st.fragment
def calculator() -> None:
    layout = inputs.layout()
    setting = by_hand.draw_inputs()
    record = two_queries(**vars(setting))
    offered.offer(as_record(record, query_names=by_hand.QUERIES, key_names=by_hand.KEYS))
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
            opens={"weights": "weights[0,*]"},
        )

    left, right = st.columns([4, 5], gap="medium", vertical_alignment="center")
    with left:
        picture()
    with right:
        drawn.html(results(record, **NAMES, layout=layout, opens=True))
    drawn.header("On paper")
    drawn.html(on_paper(record, **NAMES, layout=layout, opens=True))
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
    vectors = partial(tables.vectors_table, column_names=by_hand.NUMBERS, digits=None, layout=layout)
    lesson.fold_tables(
        partial(vectors, record.Q, row_names=by_hand.QUERIES, caption="Queries", opens="Q[0,*]"),
        partial(vectors, record.K, row_names=by_hand.KEYS, caption="Keys", opens="K[0,*]"),
        partial(vectors, record.V, row_names=by_hand.VALUES, caption="Values", opens="V[0,*]"),
        lambda: tables.weights_table(
            record.weights,
            query_tokens=by_hand.QUERIES,
            key_tokens=by_hand.KEYS,
            mask=mask,
            digits=None,
            layout=layout,
            opens="weights[0,*]",
        ),
        partial(vectors, record.output, row_names=by_hand.QUERIES, caption="Mixed values", opens="head_outputs[0,*]"),
    )


calculator()
lesson.try_this("Switch the third key on. Which weights change?", lights="see_3")
