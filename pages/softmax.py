"""3. Softmax: from scores to weights; two points more is 7.39 times the weight."""

from dataclasses import replace

import streamlit as st

from attention_core import Edit, softmax, softmax_steps, trace
from attention_view import arithmetic, figures, frame, inputs, lesson, offered, picture, tables
from attention_view.moved import moved_sentence
from attention_view.numbers import signed
from attention_view.openable import Opens
from attention_view.plot import plot
from attention_view.tokens import distinct_names

DIFFERENCES = range(-4, 5)

lesson.require_frame()

experiment = inputs.experiment()
before = trace(experiment)
offered.offer(before)
h = experiment.head_index
names = distinct_names(before.key_tokens)
layout = inputs.layout()

if st.session_state.get("moved", names[0]) not in names:  # the last word was switched: stay at its place
    st.session_state["moved"] = names[-1]
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="move"):
    moved = names.index(st.selectbox("Move the score of", names, index=1, key="moved", bind="query-params", width=220))
    points = st.slider("by this many points", -4.0, 4.0, 0.0, 0.5, key="points", bind="query-params", width=360)
points = round(2 * points) / 2  # an address may hold what the slider cannot: to the next half


@st.fragment
def scores_to_weights() -> None:
    i = picture.tokens(before, head=h, parts=("tokens",))
    edit = Edit("scores", (h, i, moved), float(before.scores[h, i, moved]) + points)
    after = trace(replace(experiment, edits=(edit,) if points else ()))
    offered.offer(after, "after")
    picture.follow(
        i,
        arithmetic.softmax_steps(
            after.masked_scores[h, i],
            after.exponentials[h, i],
            after.totals[h, i, 0],
            after.weights[h, i],
            key_tokens=after.key_tokens,
            mask_row=after.mask[i],
            shift=after.shift[h, i, 0],
            changed=moved if points else None,
            layout=layout,
            opens=Opens.row(after, h, i, name="after"),
        ),
        f'<p class="av-note">{moved_sentence(before, after, head=h, query=i, key=moved)}</p>',
    )


scores_to_weights()
left, right = st.columns(2, gap="large")
for column, figure in (
    (left, figures.ratio_curve(points, theme=frame.theme())),
    (right, figures.softmax_curve([points, 0.0], moved=0, tokens=("A", "B"), theme=frame.theme())),
):
    with column:
        plot(figure)

lesson.story(
    experiment,
    """
A score can be any number, and scores do not add up to anything. **Softmax** makes shares of them. It raises *e*, about
2.718, to each score: now every number is positive. Then it divides each by their sum: now they add up to 1.

Because of the powers, **differences** count. Two points more is e² ≈ 7.39 times the weight, whatever the two scores
are. Add the same number to all scores of one query and no weight
changes.

A masked score is −∞, and e to the power of −∞ is 0. So a masked word gets a weight of exactly 0, and the other weights
still add up to 1. A score of 0 would not hide it: e⁰ is 1.

The same function ends every language model: there it turns a score for each word of the vocabulary into the
probability that this word comes next.
""",
)
lesson.fold_formula("softmax")
lesson.fold_source(softmax_steps)
lesson.fold_tables(
    lambda: tables.weights_table(
        before.weights[h],
        query_tokens=before.query_tokens,
        key_tokens=before.key_tokens,
        mask=before.mask,
        caption="Weights before a score is moved",
        layout=layout,
        opens=f"weights[{h},*]",
    ),
    lambda: tables.vectors_table(
        [[a, b, a / b] for a, b in (softmax([difference, 0.0]) for difference in DIFFERENCES)],
        row_names=[signed(difference, whole=True) for difference in DIFFERENCES],
        column_names=("weight of A", "weight of B", "A / B = e^difference"),
        caption="Two tokens: A has so many points more than B",
        digits=3,
    ),
)
lesson.try_this(
    "Move the score of *cat* by 2 points. How much more does it count than before? Now pick another word that asks.",
    lights="move",
)
