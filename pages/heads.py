"""6. Heads: three at once, joined and mixed; which pattern each follows; what real models share."""

import streamlit as st

from attention_core import multi_head_attention, toy, trace
from attention_core.memory import PRESETS
from attention_core.patterns import even_weights, mean_of_heads, pattern_score, pattern_scores
from attention_view import drawn, heads, inputs, lesson, offered, picture
from attention_view.layout import is_turned

WHY = {
    "pronoun": "Finds the word that fits in meaning: W_Q and W_K read **alive, thing, tired, soft**, "
    "and W_Q also **action** and **pronoun**.",
    "previous": "Finds the word just before: W_Q and W_K read only the place, **sin 16, cos 16, sin 4, cos 4**, "
    "and W_Q turns it back by one step.",
    "sink": "Parks its weight on the first word: W_Q reads only **always 1** and W_K only **first**, "
    "so all words ask alike and one key answers.",
}
OPINION = """
<p>This <strong>mean</strong> is no head's opinion. Switch off the sink alone and pick the last word: each of the two
heads that are left points at one word, and their mean at both. The layer never uses it: it joins what each head hands
over.</p>
"""
SINK = toy.HEAD_NAMES.index("sink")

lesson.require_frame()

record = trace(inputs.experiment())
layout = inputs.layout()
pronouns, nouns = (toy.words_with(record.query_tokens, *names) for names in (("pronoun",), ("alive", "thing")))


@st.fragment
def side_by_side() -> None:
    record = trace(inputs.experiment())  # here again: a switch of a head runs this part alone
    offered.offer(record)
    mean = mean_of_heads(record.weights, record.heads_on) if record.heads_on.any() else None
    with st.container(horizontal=True, key="heads"):
        for h, name in enumerate(record.head_names):
            with st.container(key=f"head_{name}"):
                inputs.head_switch(name, f"{name} head")
                drawn.markdown(WHY[name])
                i = picture.tokens(record, head=h, parts=("lines", "grid"), size="small", key=f"view_{name}")
    sink = heads.baseline_sentence(record, even_weights(record.mask), head=SINK, query=i)
    picture.follow(
        i,
        heads.joining(record, i, layout=layout),
        "<h2>May you average the heads?</h2>",
        heads.averaging(record, mean, i, words=f'{OPINION}<p class="av-note">{sink}</p>'),
    )
    lesson.fold_tables(lambda: heads.twin(record, mean, layout=layout))


side_by_side()
drawn.html(
    heads.patterns_table(
        {
            name: pattern_scores(weights, record.mask, pronouns=pronouns, nouns=nouns)
            for name, weights in zip(record.head_names, record.weights, strict=True)
        }
    )
)
drawn.markdown(
    """
Why does everything look at the first word? Weights must add up to 1, so a head with nothing to look for has to park
them somewhere. This sink parks them on *The*, whose value is empty: almost nothing is handed over.
"""
)
drawn.header("Does order matter?")
drawn.markdown(
    """
A vector also says where its word stands: **first**, and two clock hands, which turn from word to word. The slow one
(**sin 16, cos 16**) turns once in 16 words, the fast one (**sin 4, cos 4**) once in 4. The previous head turns its own
hands back by one step and looks for the word whose hands stand there.

Take the place numbers away, switch the mask off and shuffle the words: every weight stays the same and moves along with
its words. Attention itself knows no order. Only these numbers tell it.
"""
)
drawn.header("What is split?")
drawn.html(heads.splitting(record, layout=layout))
how_they_lie = (
    "One tall **W_Q** holds the three heads one above the other"
    if is_turned(layout)
    else "One wide **W_Q** holds the three heads side by side"
)
drawn.markdown(
    f"""
Heads do not share out the words, and they do not cut a word's vector. Every head reads the whole of it.
{how_they_lie}, and the **product** is cut: four numbers for each head. So with W_K and W_V.

Then each head works alone. Their outputs are **joined** end to end, and **W_O** mixes them into the word: it says which
number of which head is added to which dimension.
"""
)
drawn.header("Heads of real models")
drawn.html(heads.sharing(model for model in PRESETS if model.name in ("GPT-2 small", "Llama 3.1 8B")))
lesson.fold_matrices(lambda: heads.matrices(record, layout=layout))
lesson.fold_formula("heads")
lesson.fold_source(multi_head_attention, pattern_score, mean_of_heads)
lesson.try_this(
    "Pick *it* and switch the pronoun head off. Which numbers does *it* no longer receive?", lights="pronoun_on"
)
