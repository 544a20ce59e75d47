"""1. A word needs its neighbours: the lines, the mask, one row of weights as numbers."""

import streamlit as st

from attention_core import attention_weights, trace
from attention_view import drawn, facts, inputs, lesson, offered, picture, tables

lesson.require_frame()

experiment = inputs.experiment()
record = trace(experiment)
offered.offer(record)
h = experiment.head_index


@st.fragment
def lines() -> None:
    picture.tokens(record, head=h, parts=("lines", "numbers"))


lines()

lesson.story(
    experiment,
    """
Each word on the left **asks**. Each word on the right can be **looked at**. The thicker the line, the more attention.
The numbers beside the picture are the **weights** of the word you picked: shares of one whole.

*Tired* can only be said of something alive. So the last word looks at *cat*. Switch it to *soft*: now it looks at
*mat*. No other word of the sentence has changed, and with the mask on no other line has moved.

A language model writes one word after the other. So the **causal mask** lets a word look back, and at itself, but never
ahead. Turn the mask off, pick *cat*, and see it look ahead at the last word when that word is *tired*.
""",
)
lesson.fold_formula("neighbours")
lesson.fold_source(attention_weights)
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
drawn.html(facts.facts_card(layout=inputs.layout()))
lesson.try_this(
    "Switch the last word between *tired* and *soft*. Watch the thick line of the last word. Then click that word.",
    lights="ending",
)
