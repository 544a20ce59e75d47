"""10. The common mistakes: each beside the right way, with what gives it away."""

import html
from dataclasses import replace

import streamlit as st

from attention_core import Experiment, trace
from attention_core.experiment import shuffled
from attention_core.scaling import scaled
from attention_core.telltales import moved_weights, seeded_order
from attention_core.variants import divisor_of, masked_and_shared, projections_of
from attention_view import drawn, inputs, lesson, mistake_inputs, mistakes, offered, picture, workbench

lesson.require_frame()

mistake = mistake_inputs.pick_mistake()


def pair_of(experiment: Experiment) -> mistakes.Pair:
    """The right layer and the wrong one. Raises ValueError where this mistake cannot be made."""
    wrong = replace(experiment, variant=mistake.variant)
    right = trace(replace(experiment, variant="right"))
    return mistakes.Pair(wrong, right, trace(wrong), experiment.head_index, experiment.ask, inputs.layout())


def both_pictures(pair: mistakes.Pair, ask_key: str = "ask") -> None:
    with st.container(horizontal=True, key="both"):
        for name, record in (("right", pair.right), ("wrong", pair.wrong)):
            with st.container(key=f"side_{name}"):
                picture.beside(
                    record,
                    name=name,
                    head=pair.head,
                    parts=mistake.parts,
                    caption=f"{mistake.short if name == 'wrong' else name}, {record.head_names[pair.head]} head",
                    ask=pair.query,
                    ask_key=ask_key,
                    key=f"{name}_{ask_key}",
                )
            offered.offer(record, name)
    offered.offer(pair.right)
    workbench.write_link()


def in_order(experiment: Experiment) -> None:
    pair = pair_of(experiment)
    both_pictures(pair)
    earlier = ""
    if mistake.variant == "wrong_axis":
        versions = pair.versions()
        for name, record in versions.items():
            offered.offer(record, name)
        earlier = mistakes.earlier_row_table(pair, versions)
    lines = mistakes.telltale_lines(pair)
    picture.follow(pair.query, mistakes.telltale_table(lines, mistake.short), earlier)


def out_of_order(experiment: Experiment, order: list[int]) -> None:
    """The same words in another order, without a mask: in each order it would hide other words."""
    ask = mistake_inputs.asks_in(order)
    plain = replace(experiment, mask="none", edits=(), ask=order[ask])
    pair = pair_of(shuffled(plain, order))
    both_pictures(pair, mistake_inputs.SHUFFLED_ASK)
    right, wrong = (moved_weights(replace(plain, variant=name), order) for name in ("right", mistake.variant))
    lines = mistakes.moved_lines(pair, (right, wrong))
    picture.follow(plain.ask, mistakes.moved_note(experiment), mistakes.telltale_table(lines, mistake.short))


@st.fragment
def side_by_side() -> None:
    experiment = workbench.experiment()  # here, since a pick runs this part alone
    seed = mistake_inputs.shuffle_seed() if mistake.variant == "no_positions" else 0
    mistake_inputs.draw_shuffle(seed, shown=mistake.variant == "no_positions")
    try:
        if seed:
            out_of_order(experiment, seeded_order(len(experiment.tokens), seed))
        else:
            in_order(experiment)
    except ValueError as refusal:
        drawn.html(f'<p class="av-note">This mistake cannot be made here: {html.escape(str(refusal))}.</p>')
        return
    drawn.markdown(mistake.story(experiment, layout=inputs.layout()))
    lesson.fold_tables(lambda: mistakes.twin(pair_of(experiment), mistake.short, opens=not seed))


side_by_side()
drawn.header("Why a root, and of what?")
d_head = mistake_inputs.pick_d_head()
drawn.html(mistakes.scaling_pictures(d_head, scaled(d_head)))
drawn.markdown(mistakes.WHY_A_ROOT)
drawn.html(mistakes.scaling_table(d_head, scaled(d_head)))
lesson.fold_formula(mistake.part)
lesson.fold_source(divisor_of, projections_of, masked_and_shared)
lesson.try_this("Go through all ten. One of them is no mistake: which?", lights="mistake")
