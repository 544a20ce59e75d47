"""A question to the model about the text: asked and answered in its own place; the reader's text stays as it is."""

import html
from functools import partial

import streamlit as st

from attention_core.models.chat import answer_steps, takes_questions
from attention_core.models.record import LONGEST_ANSWER
from attention_view import drawn
from attention_view.own_text import examples, told, visit
from attention_view.own_text.model_choice import Chosen
from attention_view.own_text.reading import ASKS, WRITES
from attention_view.own_text.text_input import READ
from attention_view.own_text.watching import LOOK_AGAIN
from attention_view.own_text.writing import Writing, begun, end_sentence

QUESTION = "own_question"  # the field
LONGEST_QUESTION = 500  # characters
TOO_LONG = f"A question may have at most {LONGEST_QUESTION} characters, but this one has {{:,}}."
ABOUT = (
    "A model that was trained to answer can also be **asked**. The answer comes from all heads and layers together: it "
    "need not agree with what one head attends to."
)


def draw(chosen: Chosen) -> None:
    """Draw the field for a question about the text, the recorded question as a button, and the answer."""
    if not takes_questions(chosen.model.tokenizer):
        return
    drawn.markdown(ABOUT)
    found: Writing | None = visit.kept().get(ASKS)
    if found is not None and found.asked[0] != chosen.key:
        found.job.stop()
        found = None
    running = found is not None and found.job.running
    visit.restore(QUESTION, "")
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="own_question_line"):
        st.text_input("Ask it something about your text", key=QUESTION, placeholder="Who was tired?")
        own = str(visit.keep(QUESTION)).strip()
        long = len(own) > LONGEST_QUESTION
        st.button("Ask", key="own_ask_it", on_click=partial(_ask_own, chosen), disabled=running or not own or long)
        st.button(
            f"Ask it: “{examples.QUESTION}”",
            key="own_ask_soft",
            on_click=partial(_ask, chosen, examples.QUESTION),
            disabled=running,
        )
    if long:
        st.html(f'<p class="av-caption av-own-refused" role="status">{TOO_LONG.format(len(own))}</p>')
    if found is not None:
        st.fragment(_answer, run_every=LOOK_AGAIN if running else None)(chosen, found, running)


@told.in_one_line()
def _answer(chosen: Chosen, found: Writing, was_running: bool) -> None:
    if was_running and not found.job.running:
        st.rerun()
    text = chosen.model.tokenizer.decode(found.text_ids) if found.text_ids else ""
    st.html(answer_markup(found.asked[1], text or ("…" if was_running else "")))
    if was_running:
        st.button("Stop", key="own_answer_stop", on_click=found.job.stop)
    elif found.job.refusal:
        st.html(f'<p class="av-note" role="status">{html.escape(found.job.refusal)}</p>')
    elif not text or found.job.stopped:
        said = end_sentence(len(found.text_ids), by_itself=found.ended_itself, stopped=found.job.stopped)
        st.html(f'<p class="av-caption" role="status">{said}</p>')


def answer_markup(question: str, answer: str) -> str:
    """A question and what the model has answered so far, if anything, as HTML."""
    answered = f"<p><b>It answers:</b> <bdi>{html.escape(answer)}</bdi></p>" if answer else ""
    return f'<div class="av-own-text"><p><b>Asked:</b> <bdi>{html.escape(question)}</bdi></p>{answered}</div>'


def about_text(text: str, question: str) -> str:
    """A question with the text that it is about before it, in the form of the recorded ones.

    >>> about_text("The cat sat", "Who sat?")
    'The cat sat. Who sat?'
    """
    text = text.strip()
    return f"{text}{'' if text[-1:] in '.!?…' else '.'} {question.strip()}"


def _ask_own(chosen: Chosen) -> None:
    _ask(chosen, about_text(visit.kept()[READ], st.session_state[QUESTION]))


def _ask(chosen: Chosen, question: str) -> None:
    for other in (ASKS, WRITES):
        if other in visit.kept():
            visit.kept()[other].job.stop()  # one at a time
    visit.kept()[ASKS] = begun(
        chosen, (chosen.key, question), lambda model: answer_steps(model, question, LONGEST_ANSWER), LONGEST_ANSWER
    )
