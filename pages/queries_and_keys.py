"""2. Queries and keys: three vectors a token, and the dot product that compares a query with every key."""

import streamlit as st

from attention_core import attention_scores, trace
from attention_view import arithmetic, inputs, lesson, picture, tables, vectors

lesson.require_frame()

experiment = inputs.experiment()
record = trace(experiment)
h = experiment.head_index
g = record.kv_head(h)
asks, hands_over = record.query_dimension_names[h], record.value_dimension_names[h]


@st.fragment
def query_meets_keys() -> None:
    i = picture.tokens(record, head=h, parts=("tokens",))
    token = record.query_tokens[i]
    scores = arithmetic.dot_products(
        record.Q[h, i],
        record.K[g],
        record.raw_scores[h, i],
        record.scores[h, i],
        key_tokens=record.key_tokens,
        names=asks,
        divisor=record.divisor,
        mask_row=record.mask[i],
    )
    query = vectors.vector_strip(record.Q[h, i], asks, kind="query", title=f"query of {token}: what it looks for")
    key = vectors.vector_strip(record.K[g, i], asks, kind="key", title=f"key of {token}: what it offers")
    value = vectors.vector_strip(
        record.V[g, i], hands_over, kind="value", title=f"value of {token}: what it hands over"
    )
    word = vectors.vector_strip(record.X[i], record.dimension_names, kind="token", title=f"x, the vector of {token}")
    picture.follow(i, query, scores)
    st.subheader("Where query, key and value come from", anchor=False)
    picture.follow(i, word, query, key, value)
    with st.expander("x · W_Q, term by term", expanded=True):
        picture.follow(i, _projection(record.W_Q[h], record.Q[h, i], i, asks, "query"))
    with st.expander("x · W_K and x · W_V, term by term"):
        picture.follow(
            i,
            _projection(record.W_K[g], record.K[g, i], i, asks, "key"),
            _projection(record.W_V[g], record.V[g, i], i, hands_over, "value"),
        )
    with st.expander("The three matrices"):
        lit = tuple(record.X[i].nonzero()[0])
        for name, matrix, columns, kind in (
            ("W_Q", record.W_Q[h], asks, "query"),
            ("W_K", record.W_K[g], asks, "key"),
            ("W_V", record.W_V[g], hands_over, "value"),
        ):
            picture.follow(
                i,
                vectors.matrix_table(
                    matrix,
                    row_names=record.dimension_names,
                    column_names=columns,
                    kind=kind,
                    title=f"{name} of the {experiment.head} head",
                    lit_rows=lit,
                ),
            )


def _projection(matrix, result, i, names, kind):
    return arithmetic.projection_steps(
        record.X[i], matrix, result, input_names=record.dimension_names, output_names=names, kind=kind
    )


query_meets_keys()
lesson.story(
    experiment,
    """
Every word is a list of numbers, and here every number has a name: *cat* has **alive 1**. Three tables of weights turn
that list into three shorter ones. The **query** says what the word looks for. The **key** says what it offers. The
**value** is what it hands over if somebody looks.

To compare a query with a key, multiply them number by number and add up. This is the **dot product**. It is large when
both have large numbers in the same place. *Tired* looks for something alive: 4. The key of *cat* says alive: 2. So the
score is 4 × 2 = 8. No other key says alive, so every other score is 0.

Then each score is divided by the square root of the number of entries: √4 = 2. With long vectors dot products grow,
and without this step softmax (next page) would give nearly all the weight to a single word.

The weight tables W_Q, W_K and W_V were fixed before you came, here by hand, in a real model by training. Change the
sentence: the vectors change, the tables do not.
""",
)
lesson.fold_formula("scores")
lesson.fold_source(attention_scores)
with st.expander("The same numbers as a table"):
    for name, values, columns in (
        ("query", record.Q[h], asks),
        ("key", record.K[g], asks),
        ("value", record.V[g], hands_over),
    ):
        st.html(
            tables.vectors_table(
                values, row_names=record.query_tokens, column_names=columns, caption=f"The {name} of every token"
            )
        )
lesson.try_this(
    "Pick *tired*. Its query wants something alive, and only the key of *cat* says so. Then pick *it*: it wants both.",
    lights="token_view",
)
