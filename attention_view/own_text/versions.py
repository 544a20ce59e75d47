"""Two versions of a text in the same head: what the last token looks at when the last word is another one."""

import html
from functools import partial

import streamlit as st

from attention_core.models import Run
from attention_core.models.pairs import Pair
from attention_core.models.two_texts import earlier_rows, last_rows
from attention_view import drawn
from attention_view.own_text import examples, visit
from attention_view.own_text.head_choice import Head
from attention_view.own_text.model_choice import Chosen
from attention_view.own_text.reading import reading, run_of
from attention_view.own_text.text_input import MOST_CHARACTERS, READ, refused, take
from attention_view.own_text.versions_table import earlier_sentence, rows_table, way_sentence

SECOND, ASKED = "own_second", "own_second_asked"


def draw(chosen: Chosen, run: Run, head: Head) -> None:
    """Draw the second field, and both last rows when the model has read it."""
    text = _field(chosen)
    if not text:
        return
    why = refused(chosen, text)
    if why:
        st.html(f'<p class="av-note" role="status">{html.escape(why)}</p>')
        return
    found = reading(chosen, text, causal=run.causal, name="own_second_reading")
    second = run_of(found, run.settings.n_layers, key="own_second_reads")
    if second is not None:
        drawn.html(rows_table(last_rows(run, second, *head), (run, second)))
        way = way_sentence(_pair_of(visit.kept().get(READ, ""), text), run, second, head)
        drawn.html(way + earlier_sentence(earlier_rows(run, second), causal=run.causal))
    elif not found.job.running:
        st.html(f'<p class="av-note" role="status">{html.escape(found.job.refusal) or "Reading was stopped."}</p>')


def _field(chosen: Chosen) -> str:
    with st.container(horizontal=True, gap="small", key="own_pairs"):
        for place, pair in enumerate(examples.PAIRS):
            st.button(" / ".join(pair.endings), key=f"own_pair_{place}", type="tertiary", on_click=partial(_take, pair))
    visit.restore(SECOND, "")
    st.text_area("The other version", key=SECOND, height=68, max_chars=MOST_CHARACTERS)
    draft: str = visit.keep(SECOND)
    st.button("Compare", key="own_compare", on_click=_ask, disabled=not draft.strip())
    asked: str = visit.kept().get(ASKED, "")
    return asked


def _pair_of(first_text: str, second_text: str) -> Pair | None:
    """The pair that both texts are, if they are one of the examples."""
    return next((pair for pair in examples.PAIRS if (pair.text(0), pair.text(1)) == (first_text, second_text)), None)


def _take(pair: Pair) -> None:
    take(pair.text(0))
    st.session_state[SECOND] = pair.text(1)
    visit.kept()[SECOND] = pair.text(1)
    _ask()


def _ask() -> None:
    found = visit.kept().get("own_second_reading")
    if found is not None and not found.job.running and found.job.result is None:
        visit.kept().pop("own_second_reading")
    visit.kept()[ASKED] = st.session_state[SECOND]
