"""2. Queries and keys: three vectors a token, and the dot product that compares a query with every key."""

from functools import partial

import streamlit as st

from attention_core import attention_scores, trace
from attention_view import arithmetic, drawn, inputs, lesson, offered, picture, tables, vectors
from attention_view.openable import Opens

lesson.require_frame()

experiment = inputs.experiment()
record = trace(experiment)
offered.offer(record)
h = experiment.head_index
g = record.kv_head(h)
tokens = record.query_tokens
layout = inputs.layout()
asks, hands_over = record.query_dimension_names[h], record.value_dimension_names[h]

projections = {
    "query": ("Q", h, asks, "what it looks for"),
    "key": ("K", g, asks, "what it offers"),
    "value": ("V", g, hands_over, "what it hands over"),
}


@st.fragment
def query_meets_keys() -> None:
    i = picture.tokens(record, head=h, parts=("tokens",))
    opens = Opens.row(record, h, i)
    x = vectors.vector_strip(
        record.X[i], record.dimension_names, kind="token", title=f"x, the vector of {tokens[i]}", opens=f"X[{i},*]"
    )
    strips = {
        kind: vectors.vector_strip(
            getattr(record, name)[head, i],
            names,
            kind=kind,
            title=f"{kind} of {tokens[i]}: {meaning}",
            opens=f"{name}[{head},{i},*]",
        )
        for kind, (name, head, names, meaning) in projections.items()
    }
    scores = arithmetic.dot_products(
        record.Q[h, i],
        record.K[g],
        record.raw_scores[h, i],
        record.scores[h, i],
        key_tokens=record.key_tokens,
        names=asks,
        divisor=record.divisor,
        mask_row=record.mask[i],
        layout=layout,
        opens=opens,
    )
    terms = (
        arithmetic.projection_steps(
            record.X[i],
            getattr(record, f"W_{name}")[head],
            getattr(record, name)[head, i],
            input_names=record.dimension_names,
            output_names=names,
            kind=kind,
            layout=layout,
            opens=opens,
        )
        for kind, (name, head, names, _) in projections.items()
    )
    heading = "<h2>Where query, key and value come from</h2>"
    picture.follow(i, strips["query"], scores, heading, x, *strips.values(), *terms)


query_meets_keys()
matrices = (
    vectors.matrix_table(
        getattr(record, f"W_{name}")[head],
        row_names=record.dimension_names,
        column_names=names,
        kind=kind,
        title=f"W_{name}: {experiment.head} head",
        layout=layout,
        opens=f"W_{name}[{head},*]",
    )
    for kind, (name, head, names, _) in projections.items()
)
drawn.html(f'<div class="av-follows">{"".join(matrices)}</div>')
lesson.story(
    experiment,
    """
Every word is a list of numbers, and here every number has a name: *cat* has **alive 1**. Three tables of weights turn
that list into three shorter ones. The **query** says what the word looks for. The **key** says what it offers. The
**value** is what it hands over if somebody looks.

To compare a query with a key, multiply them number by number and add up. This is the **dot product**. It is large when
both have large numbers in the same place. *Tired* looks for something alive: 4. The key of *cat* says alive: 2. So the
score is 4 × 2 = 8. No other key says alive, so every other score is 0.

Why two tables? If W_K were the same as W_Q, a word could only look for what it offers itself, and each score would be
the same both ways. *Tired* could not look for something alive.

Then each score is divided by the square root of the number of entries: √4 = 2. With long vectors dot products grow,
and without this step softmax (next page) would give nearly all the weight to a single word.

The weight tables W_Q, W_K and W_V were fixed before you came, here by hand, in a real model by training. Change the
sentence: the vectors change, the tables do not.
""",
)
lesson.fold_formula("scores")
lesson.fold_source(attention_scores)
lesson.fold_tables(
    *(
        partial(
            tables.vectors_table,
            getattr(record, name)[head],
            row_names=tokens,
            column_names=names,
            caption=f"{kind} of every token",
            layout=layout,
            opens=f"{name}[{head},*]",
        )
        for kind, (name, head, names, _) in projections.items()
    ),
    partial(
        tables.scores_table,
        record.scores[h],
        query_tokens=tokens,
        key_tokens=record.key_tokens,
        caption="every score",
        layout=layout,
        opens=f"scores[{h},*]",
    ),
)
lesson.try_this(
    "Pick *it*. Its query wants something alive or a thing: which keys say so? Then pick the last word: it wants one.",
    lights="token_view",
)
