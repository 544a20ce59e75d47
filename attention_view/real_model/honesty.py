"""What the pictures of a real model do not show: the counter-examples, drawn one after the other."""

import html

import streamlit as st

from attention_core import toy
from attention_core.models.recorded_runs import SAME
from attention_view import drawn, offered
from attention_view.real_model.choices import guess
from attention_view.real_model.counter_examples import answer_card, fitting_table, guess_note, pair_list, rows_table
from attention_view.real_model.recorded import TWINS, measured_pairs, record_of, recording, rows_of_it

NOUNS = ("cat", "mat")
FIT = """
**It need not swing.** Here are {n} other sentences, written down before any of them was measured. The first ending fits
the first noun, the second ending the second noun. How often does the last word attend more to the noun that fits, with
both endings?
"""
BACK = """
**A later word changes nothing before it.** SmolLM2 looks back only: when it reads *it*, the last word has not come yet.
So the weights of *it* cannot depend on what comes. MiniLM reads both ways, and there the last word changes them.
"""
KEPT_ONCE = (
    "The recording keeps the words that both sentences begin with once, so the difference of 0 shown for SmolLM2 "
    "compares a copy with itself. It was checked when it was recorded: the model read both sentences, and for these "
    f"words all queries, keys and values of all heads had to be the same to within {SAME}."
)
ANSWER = """
**A head is not the model.** It hands its numbers on to other heads and layers, and the answer comes from all of them.
Here is what the model itself says. So say what you see: this head attends to this word.
"""


def honestly() -> None:
    """Draw all of it."""
    _does_it_fit()
    drawn.markdown(BACK)
    tables = rows_of_it()
    for rows in tables:
        for name, record in rows.offered().items():
            offered.offer(record, name)
    drawn.html(f'<div class="av-follows">{"".join(map(rows_table, tables))}</div>')
    drawn.markdown(ANSWER)
    drawn.html(f'<div class="av-answers">{"".join(map(_answer, toy.ENDINGS))}</div>')


@st.fragment
def _does_it_fit() -> None:
    pairs = measured_pairs()
    drawn.markdown(FIT.format(n=len(pairs)))
    drawn.html(pair_list(pairs))
    said = guess(len(pairs))
    if said is not None:
        drawn.html(guess_note(pairs, said) + fitting_table(pairs))


def _answer(ending: str) -> str:
    record = record_of(ending, *TWINS["pronoun"])
    return answer_card(recording().answers[ending], record.weights[0, -1], record.key_tokens, NOUNS)


def about_note() -> str:
    """Which models the numbers come from, under which licence, from which file, when and how they were recorded."""
    about = recording().about
    models = (about, about["both_ways"])
    lines = "<br>".join(
        f"{html.escape(one['model'])}, licence {html.escape(one['licence'])}, file {html.escape(one['file'])}, "
        f"recorded {html.escape(one['date'])}, <span>SHA-256 {html.escape(one['sha256'])}</span>"
        for one in models
    )
    made = f"{html.escape(about['how'])}. {KEPT_ONCE}"
    return f'<p class="av-caption av-about">Recorded numbers of: {lines}<br>{made}</p>'
