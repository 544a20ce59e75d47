"""4. Values: each value times its weight, added up; the token before and after."""

from dataclasses import replace

import streamlit as st

from attention_core import attend, trace
from attention_view import arithmetic, inputs, lesson, offered, picture, tables, vectors
from attention_view.openable import Opens

lesson.require_frame()

shared = inputs.experiment()
experiment = replace(shared, heads=(shared.head,))  # on this page the shown head alone is switched on
record = trace(experiment)
offered.offer(record)
h = experiment.head_index
g = record.kv_head(h)
layout = inputs.layout()


@st.fragment
def weights_times_values() -> None:
    i = picture.tokens(record, head=h, parts=("tokens",))
    token = record.query_tokens[i]
    picture.follow(
        i,
        arithmetic.weighted_sum(
            record.weights[h, i],
            record.V[g],
            record.weighted_values[h, i],
            record.head_outputs[h, i],
            key_tokens=record.key_tokens,
            names=record.value_dimension_names[h],
            mask_row=record.mask[i],
            layout=layout,
            opens=Opens.row(record, h, i),
        ),
        "<h2>Before and after</h2>",
        vectors.before_after(
            record.X[i],
            record.new_X[i],
            record.dimension_names,
            title=f"{token}, before and after this head",
            opens=i,
        ),
    )


weights_times_values()
lesson.story(
    experiment,
    """
The weights say how much. The **values** say what. Each word's value is multiplied by its weight, and the products are
added up. The sum is the **output** of the head for the word that asks. A word whose value is empty hands over nothing,
however large its weight.

The output is then added to the word's own vector, at the entries of the same names. On this page one head is switched
on, the others are off. *It* goes in as a bare pronoun: **pronoun 1**. It comes out with a share of *cat*, **alive
0.47**, and a share of *mat*, **thing 0.47**. *Tired* comes out mostly with what the cat handed over, *soft* with what
the mat did.

Keep the directions apart: a word **looks at** others with its query, and the others **hand over** their values to it.
""",
)
lesson.fold_formula("values")
lesson.fold_source(attend)
lesson.fold_tables(
    lambda: tables.vectors_table(
        record.head_outputs[h],
        row_names=record.query_tokens,
        column_names=record.value_dimension_names[h],
        caption=f"What the {experiment.head} head hands to every token",
        layout=layout,
        opens=f"head_outputs[{h},*]",
    ),
    lambda: tables.vectors_table(
        record.new_X,
        row_names=record.query_tokens,
        column_names=record.dimension_names,
        caption="The vector of every token after this head",
        layout=layout,
        opens="new_X[*]",
    ),
)
lesson.try_this(
    "Pick the last word and look at its output. Now switch it to the other one. What is handed over, and by whom?",
    lights="ending",
)
