"""12. In a real model: the lesson's three heads beside their twins in SmolLM2, and all other heads of it."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention_core import AttentionRecord, Experiment, attention_weights, toy, trace
from attention_core.given_vectors import record_of_vectors
from attention_core.models.all_heads import share_of_first
from attention_core.models.roles import clear_role
from attention_core.telltales import other_last_word
from attention_view import drawn, inputs, lesson, offered, picture, real_model
from attention_view.head_gallery import gallery_twin, head_gallery, small_maps
from attention_view.numbers import percent

STORY = """
Nobody wrote these numbers: training found them. Yet a few of SmolLM2's **30 layers of 9 heads** do much what the toy's
three do: switch the head above.

Two things differ. A query and a key have **64 numbers** here instead of 4, and none of these numbers has a name. And
what comes to layer 13 is more than the word itself: the layers 0 to 12 have mixed other words into it.
"""
GALLERY = """
In this sentence **{share}** of all the weight of later words rests on the first word. With it most maps would be one
stripe, so the small maps leave it out.

The heads are sorted by what they do over **{n_texts} other texts**, because one sentence says little: a head that waits
for a repeat has nothing to do here, and rests. **Dots** mark the lesson's three heads. Layer 13, head 8 stands under
*No clear role*: where it looks depends on the words, not on a place or a repeat. The sentences further down measure it.
"""

lesson.require_frame()

recording = real_model.recording()


def sides_of(experiment: Experiment) -> real_model.Sides:
    """The toy, looking back only, as the model does, and the twin of its head."""
    plain = replace(experiment, mask="causal", heads=toy.HEAD_NAMES)
    twin = real_model.record_of(plain.ending, *real_model.TWINS[plain.head])
    return real_model.Sides(trace(plain), twin, plain.head_index, plain.ask)


def opened_numbers(record: AttentionRecord, query: int, name: str) -> None:
    """The arithmetic of one head, a step at a time, for the token that asks and a key that the reader picks."""
    with st.container(horizontal=True, key=f"{name}_choices"):
        step = real_model.pick_step(f"{name}_step")
        key = real_model.pick_key(record, query, key=f"{name}_key")
    picture.follow(query, real_model.opened_step(real_model.Place(record, query, key, name, inputs.layout()), step))


def opened_place() -> real_model.Place:
    """The query and the key of the twin that stand open on the page."""
    sides = sides_of(inputs.experiment())
    return real_model.Place(sides.model, sides.query, st.session_state["model_key"], "model", inputs.layout())


@st.fragment
def side_by_side() -> DeltaGenerator:
    experiment = inputs.experiment()  # here, since a pick runs this part alone
    sides = sides_of(experiment)
    with st.container(horizontal=True, key="both"):
        for name, record, head, caption in sides.pictures():
            with st.container(key=f"side_{name}"):
                picture.beside(
                    record, name=name, head=head, parts=("lines",), caption=caption, ask=sides.query, key=f"{name}_ask"
                )
            offered.offer(record, name)
    inputs.write_link()
    picture.follow(sides.query, real_model.sides_note(sides, sides_of(other_last_word(experiment))))
    below = st.container()  # for the words, which no pick sends again
    drawn.header("Open the numbers of this head")
    opened_numbers(sides.model, sides.query, "model")
    return below


@st.fragment
def all_heads() -> None:
    ending, head = inputs.experiment().ending, inputs.experiment().head
    place = head_gallery(
        real_model.maps_of(ending),
        groups=real_model.role_groups(recording.roles),
        chosen=real_model.chosen_head(*recording.roles.shape[1:], first=real_model.TWINS[head]),
        tokens=real_model.run_of(ending).tokens,
        hide_first=real_model.pick_hide_first(),
        layout=inputs.layout(),
        on_pick=lambda head: real_model.keep_chosen(*head),
        marked={place: f"the lesson's {name} head" for name, place in real_model.TWINS.items()},
        target="picked",
    )
    record = real_model.record_of(ending, *place)
    offered.offer(record, "chosen")
    with st.container(key="picked"):
        drawn.header(f"The head you picked: {record.head_names[0]}")
        picked_head(place)
        drawn.html(real_model.role_table(recording.roles, *place, n_texts=recording.n_texts))


@st.fragment
def picked_head(place: real_model.Head) -> None:
    record = real_model.record_of(inputs.experiment().ending, *place)
    query = picture.beside(
        record,
        name="chosen",
        head=0,
        parts=("lines", "numbers"),
        size="normal",
        caption=record.head_names[0],
        ask=inputs.asking(len(record.query_tokens), real_model.ASK),
        ask_key=real_model.ASK,
        key="chosen_ask",
    )
    with st.expander(f"Open the numbers of {record.head_names[0]}", key="open_chosen", on_change="rerun") as fold:
        if fold.open:
            opened_numbers(record, query, "chosen")


with side_by_side():
    drawn.markdown(STORY)
drawn.header("All 270 heads")
share = percent(share_of_first(real_model.maps_of(inputs.experiment().ending)))
drawn.markdown(GALLERY.format(share=share, n_texts=sum(recording.n_texts)))
all_heads()
drawn.header("What this does not show")
real_model.honestly()
lesson.fold_formula("neighbours")
lesson.fold_source(attention_weights, record_of_vectors, clear_role)
lesson.fold_tables(
    lambda: real_model.sides_twin(sides_of(inputs.experiment()), layout=inputs.layout()),
    lambda: real_model.head_twin(opened_place()),
    lambda: gallery_twin(
        small_maps(real_model.maps_of(inputs.experiment().ending), causal=True),
        groups=real_model.role_groups(recording.roles),
        tokens=real_model.run_of(inputs.experiment().ending).tokens,
    ),
)
lesson.fold_origin(real_model.about_note())
drawn.markdown(
    "Does it hold for your own sentences? On the next page the model itself reads **your own text**. There the opening "
    "goes further: each number of a query, key or value leads through the model's matrices to the token's vector."
)
lesson.link_to("own_text")
lesson.try_this(
    "Switch the last word and watch both thick lines swing. Then switch the head to *previous* and click any word.",
    lights="ending",
)
