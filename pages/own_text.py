"""13. Your own text: a real model reads what the learner wrote, here and now."""

import streamlit as st

from attention_core import attend, attention_weights
from attention_core.models import Run
from attention_core.models.asks_first import asks_first
from attention_core.models.token_path import TokenPath
from attention_view import drawn, lesson, opener
from attention_view.own_text import (
    asking,
    gallery,
    given,
    head_choice,
    model_choice,
    numbers,
    picture,
    text_input,
    told,
    versions,
    writing,
)

lesson.require_frame()


def show(chosen: model_choice.Chosen, text: text_input.Text, head: head_choice.Head) -> None:
    run, ids = text.run, text.ids
    first = asks_first(chosen.model.tokenizer, ids)
    path = TokenPath(chosen.held.model, run, ids)

    @st.fragment
    def look() -> None:
        with told.in_one_line():
            numbers.follow(path, head, picture.draw(run, head, first, text.in_words()))

    look()
    drawn.markdown(
        f"""
This is **{text_input.name_of(chosen)}**, and the numbers are its own, for your text. A line says that a token **attends
to** another one: the thicker the line, the larger the weight. It does not say that the model has understood anything,
and **a weight is not an explanation**: what a head hands over is mixed with all others, layer after layer.
"""
    )
    drawn.header("All heads on this text")
    with told.in_one_line():
        gallery.draw(run, head)
    drawn.header("Two versions")
    with told.in_one_line():
        versions.draw(chosen, run, head)
    drawn.header("What comes next")
    with told.in_one_line():
        writing.draw(chosen, run, head, ids)
        asking.draw(chosen)
    drawn.header("What the model was given")
    with told.in_one_line():
        given.draw(chosen, run, ids)
    lesson.fold_source(attention_weights, attend, Run.record)


fold, field = st.container(key="own_fold_place"), st.container()
with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="own_choices"):
    heads = st.container(horizontal=True, gap="small", width="content")
    texts = st.container(width="content")
files = model_choice.listed()
with told.in_one_line():
    chosen = model_choice.pick(fold, files)
    if chosen:
        with heads:
            head = head_choice.pick(chosen.model.settings)
        with texts:
            text_input.pick_example(chosen)
        causal = text_input.pick_mask(chosen)
        text = text_input.read(chosen, field=field, causal=causal)
        if text:
            text_input.mask_note(chosen, causal=text.run.causal)
            opener.place("above_own")
            show(chosen, text, head)
if model_choice.is_any(files):
    lesson.try_this(
        "Write a sentence that says the same thing twice. What do the heads look at the second time?", lights="own_text"
    )
else:
    lesson.try_this("Fetch a model, then let it read a sentence of yours.", lights="fetch_card")
