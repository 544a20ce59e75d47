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
from attention_view.own_text.reading import Reading, reading, run_of
from attention_view.own_text.text_input import READ, refused
from attention_view.own_text.versions_table import earlier_sentence, rows_table, way_sentence

FIRST, SECOND = "own_first", "own_second"  # the two fields
ASKED, OF = (
    "own_versions_asked",
    "own_versions_of",
)  # the two texts that are compared; the text that the fields began with
WHAT_TO_DO = """
Change the last word of one of the two, and press **Compare**: you see what the last token looks at in each. A pair puts
both its texts here; your text above stays as it is.
"""
SAME = "Both versions are the same. Change the last word of one."


def draw(chosen: Chosen, run: Run, head: Head) -> None:
    """Draw the two fields, and both last rows when the model has read them."""
    drawn.markdown(WHAT_TO_DO)
    texts = _fields()
    if not texts:
        return
    why = refused(chosen, texts[0]) or refused(chosen, texts[1])
    if why:
        st.html(f'<p class="av-note" role="status">{html.escape(why)}</p>')
        return
    first = _read(chosen, run, texts[0], FIRST)
    second = _read(chosen, run, texts[1], SECOND) if first is not None else None
    if first is not None and second is not None:
        both = first, second
        drawn.html(rows_table(last_rows(*both, *head), both))
        way = way_sentence(_pair_of(*texts), *both, head)
        drawn.html(f'<div class="av-own-notes">{way}{earlier_sentence(earlier_rows(*both), both)}</div>')


def _read(chosen: Chosen, run: Run, text: str, name: str) -> Run | None:
    """The run of a text: that of the page if it is the very same."""
    shown: Reading | None = visit.kept().get("own_reading")
    if shown is not None and shown.job.result is run and shown.asked == (chosen.key, text, run.causal):
        return run
    found = reading(chosen, text, causal=run.causal, name=f"{name}_reading")
    read: Run | None = run_of(chosen, found, key=f"{name}_reads")
    if read is None and not found.job.running:
        st.html(f'<p class="av-note" role="status">{html.escape(found.job.refusal) or "Reading was stopped."}</p>')
    return read


def _fields() -> tuple[str, str] | None:
    """The two texts that are to be compared. Both begin with the reader's own text, or the pair it is of."""
    kept = visit.kept()
    own = str(kept.get(READ, ""))
    if kept.get(OF) != own:
        kept.update({OF: own, ASKED: None})
        _put(*_begin_with(own))
    with st.container(horizontal=True, gap="small", key="own_pairs"):
        for place, pair in enumerate(examples.PAIRS):
            st.button(" / ".join(pair.endings), key=f"own_pair_{place}", type="tertiary", on_click=partial(_take, pair))
    with st.container(horizontal=True, key="own_versions"):
        for key, label in ((FIRST, "One version"), (SECOND, "The other version")):
            visit.restore(key, kept[key])
            st.text_area(label, key=key, height=92)
    drafts = str(visit.keep(FIRST)), str(visit.keep(SECOND))
    same = drafts[0] == drafts[1]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="own_compare_line"):
        st.button("Compare", key="own_compare", on_click=_ask, disabled=same or not all(map(str.strip, drafts)))
        st.html(f'<p class="av-caption" role="status">{SAME if same else ""}</p>')
    asked: tuple[str, str] | None = kept.get(ASKED)
    return asked


def _begin_with(own: str) -> tuple[str, str]:
    """The pair that a text is of, if it is one of an example; else the text twice."""
    pairs = ((pair.text(0), pair.text(1)) for pair in examples.PAIRS)
    return next((texts for texts in pairs if own in texts), (own, own))


def _put(first: str, second: str) -> None:
    for key, text in ((FIRST, first), (SECOND, second)):
        st.session_state[key] = visit.kept()[key] = text


def _pair_of(first_text: str, second_text: str) -> Pair | None:
    """The pair that both texts are, if they are one of the examples."""
    return next((pair for pair in examples.PAIRS if (pair.text(0), pair.text(1)) == (first_text, second_text)), None)


def _take(pair: Pair) -> None:
    _put(pair.text(0), pair.text(1))
    _ask()


def _ask() -> None:
    for key in (FIRST, SECOND):
        found = visit.kept().get(f"{key}_reading")
        if found is not None and not found.job.running and found.job.result is None:
            visit.kept().pop(f"{key}_reading")  # it was stopped or refused: read it anew
    visit.kept()[ASKED] = st.session_state[FIRST], st.session_state[SECOND]
