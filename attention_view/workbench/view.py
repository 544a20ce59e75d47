"""What follows a change, on the page: a sentence, and one stage at a time with its old and new numbers."""

import streamlit as st

from attention_core import AttentionRecord
from attention_view import drawn
from attention_view.inputs import keep_in_address, layout
from attention_view.workbench.following import STAGES, changed_in_words, changed_table, stage_counts

KEY, FIRST = "following", "weights"
NAMES = [stage.name for stage in STAGES]


def draw_following(before: AttentionRecord, after: AttentionRecord, *, head: int) -> None:
    """Draw what changed. `before` is the same sentence as the lesson has it."""
    drawn.header("What follows")
    drawn.html(f'<p class="av-status" role="status">{changed_in_words(before, after)}</p>')
    counts = stage_counts(before, after, head)
    with st.container(key="stages"):
        if any(counts.values()):
            _draw_stage(before, after, counts, head)


def _draw_stage(before: AttentionRecord, after: AttentionRecord, counts: dict[str, int], head: int) -> None:
    """One stage at a time, with its old and new numbers."""
    asked = st.query_params.get(KEY)
    st.session_state.setdefault(KEY, asked if asked in NAMES else FIRST)
    # Not bound to the address by Streamlit: that would write the counts into it.
    chosen = st.segmented_control(
        "Stage",
        NAMES,
        format_func=lambda name: f"{name} {counts[name]}" if counts[name] else name,
        key=KEY,
        required=True,
        label_visibility="collapsed",
    )
    keep_in_address(KEY, chosen if chosen != FIRST else None)
    drawn.html(changed_table(STAGES[NAMES.index(chosen or FIRST)], before, after, head, layout=layout()))
