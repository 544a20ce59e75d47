"""The field for the reader's text: examples, the limit in tokens, and the button that lets the model read."""

import html
from functools import partial
from typing import NamedTuple

import streamlit as st

from attention_core.models import Run
from attention_view.own_text import examples, visit
from attention_view.own_text.job import refusal_of
from attention_view.own_text.model_choice import Chosen
from attention_view.own_text.reading import most_tokens, n_bytes, reading, run_of
from attention_view.own_text.sizes import megabytes
from attention_view.tokens import markdown_text

TEXT, READ, OTHER_MASK = "own_text", "own_read", "own_other_mask"
MOST_CHARACTERS = 20_000


class Text(NamedTuple):
    """A text that the model has read."""

    run: Run
    ids: list[int]


def read(chosen: Chosen) -> Text | None:
    """Draw the field and let the model read what was asked for; None until that is done."""
    draft = _field(chosen)
    text = visit.kept().setdefault(READ, draft)
    _line(chosen, draft, text)
    causal = _mask(chosen)
    visit.write_link(own_text=None if text == examples.LESSON else text)
    if refused(chosen, text):
        return None
    found = reading(chosen, text, causal=causal)
    run = run_of(found, chosen.model.settings.n_layers)
    if run is None and not found.job.running:
        why = html.escape(found.job.refusal) or "Reading was stopped."
        st.html(f'<p class="av-note" role="status">{why} Press <strong>Read</strong> to read it anew.</p>')
    return None if run is None else Text(run, chosen.model.tokenizer.encode(text))


def refused(chosen: Chosen, text: str) -> str:
    """Why the model does not read a text, in one line; nothing if it does."""
    try:
        n, most = len(chosen.model.tokenizer.encode(text)), most_tokens(chosen.model)
    except ValueError as error:
        return refusal_of(error)
    if not text.strip() or not n:
        return "Write at least one word."
    return f"A text may have at most {most:,} tokens, but this one has {n:,}. Take some words away." if n > most else ""


def _field(chosen: Chosen) -> str:
    visit.restore(TEXT, visit.linked(TEXT) or examples.LESSON)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="own_examples"):
        for place, (label, text) in enumerate(examples.TEXTS.items()):
            st.button(label, key=f"own_example_{place}", type="tertiary", on_click=partial(take, text))
    st.text_area(
        "Your text",
        key=TEXT,
        height=92,
        max_chars=MOST_CHARACTERS,
        help="It stays on the computer that runs this page, and is sent to nobody else.",
    )
    draft: str = visit.keep(TEXT)
    return draft


def _line(chosen: Chosen, draft: str, text: str) -> None:
    """The button, and beside it how long the text is and may be, or why it is refused."""
    why = refused(chosen, draft)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="own_line"):
        st.button("Read", key="own_go", on_click=_ask, disabled=bool(why))
        if why:
            st.html(f'<p class="av-caption av-own-refused" role="status">{html.escape(why)}</p>')
            return
        n, most = len(chosen.model.tokenizer.encode(draft)), most_tokens(chosen.model)
        changed = "" if draft == text else " The text has changed: press Read."
        st.html(
            f'<p class="av-caption" role="status">{n:,} of at most {most:,} tokens. The text stays on this computer.'
            f"{changed}</p>"
        )


def _mask(chosen: Chosen) -> bool:
    """Whether the model reads with the causal mask: as it was trained, unless the reader turns that round."""
    causal = bool(chosen.model.settings.causal)
    visit.restore(OTHER_MASK, visit.linked(OTHER_MASK) == "1")
    st.toggle(
        "Take the causal mask away" if causal else "Put a causal mask on",
        key=OTHER_MASK,
        help="The model was trained the other way. It reads the text anew, and all its numbers change.",
    )
    other = bool(visit.keep(OTHER_MASK))
    visit.write_link(own_other_mask=1 if other else None)
    if other:
        trained, now = ("with", "without") if causal else ("without", "with")
        st.html(
            f'<p class="av-note" role="status">This model was trained <strong>{trained}</strong> the causal mask. '
            f"Now it reads <strong>{now}</strong> it, as it never did. These numbers do not show how it works.</p>"
        )
    return causal != other


def name_of(chosen: Chosen) -> str:
    """The name of the model, for Markdown."""
    return markdown_text(str(chosen.model.settings.name))


def size_line(run: Run) -> str:
    """How much memory a reading takes, in words."""
    return f"The queries, keys and values of this text take {megabytes(n_bytes(run))} until you read another one."


def take(text: str) -> None:
    """Put a text into the field and let the model read it."""
    st.session_state[TEXT] = text
    visit.kept().update({TEXT: text})
    _ask()


def _ask() -> None:
    """Let the model read what stands in the field."""
    found = visit.kept().get("own_reading")
    if found is not None and not found.job.running and found.job.result is None:
        visit.kept().pop("own_reading")  # it was stopped or refused: read it anew
    visit.kept()[READ] = st.session_state[TEXT]
