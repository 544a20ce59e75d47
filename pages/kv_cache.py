"""8. The KV cache: write the sentence word by word; what is computed, what lies on the shelf, what it costs."""

from dataclasses import replace

import streamlit as st

from attention_core import toy, trace
from attention_core.earlier_rows import earlier_rows
from attention_core.generation import generation
from attention_core.kv_cache import KVCache
from attention_view import calculator, counting, drawn, inputs, lesson, memory, offered, picture, tables
from attention_view.shelf import Shown, rows_sentence, shelf, step_sentence

lesson.require_frame()

shared = inputs.experiment()
# The newest word sees every word so far, mask or no mask: its row is that of the causal record.
record = trace(replace(shared, mask="causal", heads=toy.HEAD_NAMES))
offered.offer(record)
h = shared.head_index
steps = generation(record.X, record.W_Q, record.W_K, record.W_V)
shown = Shown(h, record.kv_head(h), record.query_dimension_names[h], record.value_dimension_names[h])
tokens = record.query_tokens
layout = inputs.layout()


def go_to(place: int) -> None:
    st.session_state["ask"] = place


@st.fragment
def writing() -> None:
    i = picture.tokens(record, head=h, parts=("tokens",))
    with st.container(horizontal=True, gap="small", key="step"):
        st.button("Back one word", on_click=go_to, args=(i - 1,), disabled=i == 0, key="back")
        st.button("Next word", on_click=go_to, args=(i + 1,), disabled=i == len(tokens) - 1, key="next")
    earlier = earlier_rows(record, i, causal=shared.mask == "causal")
    picture.follow(
        i,
        step_sentence(i, tokens=tokens),
        shelf(steps, i, earlier, tokens=tokens, shown=shown, layout=layout, opens=True),
        rows_sentence(i, earlier, tokens=tokens, causal=shared.mask == "causal"),
        counting.multiplications(steps, i),
    )


writing()
drawn.markdown(  # true of every head, so not told as the story of one
    """
A model writes one word after the other. Each time it reads the **newest** word, and only the query of that word asks.
It looks at the keys of all words so far and receives their values. So old keys and values are needed again at every
step, and old queries never: there is no shelf for queries. The shelf is called the **KV cache**.

The keys and values on the shelf give exactly the result that a new start would give. Without the shelf, the last word
takes 10 times as many multiplications. With it, a step grows only by the one key more that it looks at.

This works because of the **mask**. With it, a new word changes no earlier result. Switch it off: now every earlier word
looks at the new one too, and its result changes. A next layer would have to make all its keys and values again.
""",
)
drawn.header("What the shelf costs in memory")
calculator.draw()
lesson.fold_source(KVCache.append, KVCache.attend)
lesson.fold_tables(
    lambda: counting.all_steps(steps, tokens=tokens),
    lambda: tables.vectors_table(
        record.K[shown.kv_head],
        row_names=tokens,
        column_names=shown.query_names,
        caption="Keys on the shelf at the end",
        layout=layout,
        opens=f"K[{shown.kv_head},*]",
    ),
    lambda: tables.vectors_table(
        record.V[shown.kv_head],
        row_names=tokens,
        column_names=shown.value_names,
        caption="Values on the shelf at the end",
        layout=layout,
        opens=f"V[{shown.kv_head},*]",
    ),
    memory.settings_table,
)
lesson.try_this(
    "Go back to *cat*, then step to *sat*. Which numbers are new? Now switch the mask off.",
    lights="step",
)
