"""5. Every token at once: the whole table, the mask, and what it costs."""

import streamlit as st

from attention_core import causal_mask, masked_scores, trace
from attention_view import drawn, figures, frame, inputs, lesson, offered, picture, tables
from attention_view.layout import words
from attention_view.plot import plot

STAGES = ("scores", "masked scores", "weights")
FIRST_STAGE = "masked scores"

lesson.require_frame()

experiment = inputs.experiment()
record = trace(experiment)
offered.offer(record)
h = experiment.head_index
tokens = {"query_tokens": record.query_tokens, "key_tokens": record.key_tokens, "layout": inputs.layout()}
how = words(inputs.layout())


@st.fragment
def table() -> None:
    picture.tokens(record, head=h, parts=("grid", "numbers"))


table()
drawn.header("The stages of the table")
stage = st.segmented_control(
    "Stage",
    STAGES,
    default=FIRST_STAGE,
    key="stage",
    bind="query-params",
    required=True,
    label_visibility="collapsed",
)
stage = stage or FIRST_STAGE  # an address may hold an empty stage
look = {**tokens, "theme": frame.theme(), "title": stage}
if stage == "scores":
    plot(figures.scores_heatmap(record.scores[h], **look, opens=f"scores[{h},*]"))
elif stage == "masked scores":
    plot(figures.scores_heatmap(record.masked_scores[h], **look, mask=record.mask, opens=f"masked_scores[{h},*]"))
else:
    plot(figures.weights_heatmap(record.weights[h], **look, mask=record.mask, opens=f"weights[{h},*]"))

lesson.story(
    experiment,
    f"""
One {how.line} for each word that asks, one {how.across} for each word that is looked at. Every {how.line} adds up to 1.
All the scores come from a single matrix product, **{how.product}**, and no {how.line} waits for another. Graphics cards
are built for just that, so attention is fast on them.

The **causal mask** hides every word that comes later. GPT and Llama only look back: while they write, the future does
not exist yet. BERT only reads, so its words look both ways. Compare what *sat* sees: with the mask it finds only
*cat*, its subject. Without the mask it also finds *mat*, which comes later.

The diagonal is each word looking at itself. With the mask on, only for the first word is it alone the darkest cell. And
the table is not the same when mirrored: *tired* looks at *cat*, but with the mask on *cat* does not look at *tired*.
""",
)
drawn.header("What it costs")
n = st.slider("Number of tokens", 1, 4096, 1024, key="n", bind="query-params")
plot(figures.cost_curve(n, theme=frame.theme()))
lesson.fold_formula("mask")
lesson.fold_source(causal_mask, masked_scores)
lesson.fold_tables(
    lambda: tables.scores_table(record.scores[h], **tokens, caption="Scores, not masked", opens=f"scores[{h},*]"),
    lambda: tables.scores_table(
        record.masked_scores[h], **tokens, caption="Masked scores", opens=f"masked_scores[{h},*]"
    ),
    lambda: tables.weights_table(record.weights[h], **tokens, mask=record.mask, opens=f"weights[{h},*]"),
    lambda: tables.vectors_table(
        [[size, size * size] for size in (n, 2 * n)],
        row_names=("n", "2n"),
        column_names=("tokens", "scores"),
        caption="What it costs",
    ),
)
lesson.try_this("Switch the mask off. Look at *sat* and at the first words: what do they see now?", lights="causal")
