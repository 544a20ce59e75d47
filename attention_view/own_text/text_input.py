"""The field for the reader's text: examples, the limit in tokens, and the button that lets the model read."""

import html
from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from attention_core.models import Run
from attention_view.own_text import examples, visit
from attention_view.own_text.job import refusal_of
from attention_view.own_text.model_choice import Chosen
from attention_view.own_text.reading import Reading, most_tokens, n_bytes, reading, run_of
from attention_view.own_text.sizes import megabytes
from attention_view.tokens import markdown_text

TEXT, READ, OTHER_MASK, EXAMPLE = "own_text", "own_read", "own_other_mask", "own_example"
SHOWN_OF_IT = 40  # characters of a text in the caption of its picture
MOST_CHARACTERS = 200_000  # a longer text is not even cut into tokens


class Text(NamedTuple):
    """A text that the model has read."""

    run: Run
    ids: list[int]
    words: str

    def in_words(self) -> str:
        """What the caption of its picture adds while another text stands in the field."""
        if self.words == st.session_state[TEXT]:
            return ""
        line = " ".join(self.words.split())
        return f", in the text read last: “{line[:SHOWN_OF_IT]}{'…' if len(line) > SHOWN_OF_IT else ''}”"


def read(chosen: Chosen, *, field: DeltaGenerator, causal: bool) -> Text | None:
    """Draw the field and let the model read what was asked for.

    While it reads, and where it was stopped or refused, the text before stays; None if there is none of this model.
    """
    with field:
        text, found = _field(chosen, causal=causal)
    visit.write_link(own_text=None if text == examples.LESSON else text)
    run = found.job.result if found is not None else None
    if run is not None:
        visit.kept()[visit.SHOWN] = chosen.key, Text(run, chosen.model.tokenizer.encode(text), text)
    return _shown(chosen)


def _shown(chosen: Chosen) -> Text | None:
    """The text that this model read last."""
    of, shown = visit.kept().get(visit.SHOWN, ("", None))
    return shown if of == chosen.key else None


def refused(chosen: Chosen, text: str) -> str:
    """Why the model does not read a text, in one line; nothing if it does."""
    if len(text) > MOST_CHARACTERS:
        return f"{_at_most(MOST_CHARACTERS, 'characters', len(text))} Take some words away."
    try:
        n, most = len(chosen.model.tokenizer.encode(text)), most_tokens(chosen.model)
    except ValueError as error:
        return refusal_of(error)
    if not text.strip() or not n:
        return "Write at least one word."
    return f"{_at_most(most, 'tokens', n)} Take some words away." if n > most else ""


def _at_most(most: int, what: str, n: int) -> str:
    return f"A text may have at most {most:,} {what}, but this one has {n:,}."


def _field(chosen: Chosen, *, causal: bool) -> tuple[str, Reading | None]:
    """What was asked for, and the reading of that; none if it is refused."""
    visit.restore(TEXT, visit.linked(TEXT) or examples.LESSON)
    with st.container(horizontal=True, gap="small", vertical_alignment="top", key="own_field"):
        st.text_area("Your text", key=TEXT, height=68, label_visibility="collapsed")
        draft = str(visit.keep(TEXT))
        why = refused(chosen, draft)
        # Never disabled: the field tells what was typed when it is left, which a press on the button does.
        st.button("Read", key="own_go", on_click=partial(_ask, chosen))
    text = str(visit.kept().setdefault(READ, draft))
    found = None if refused(chosen, text) else reading(chosen, text, causal=causal)
    with st.container(key="own_line"):
        if found is not None and run_of(chosen, found) is None and found.job.running:
            return text, found
        style, said = _said(chosen, found, draft, text, why)
        st.html(f'<p class="av-caption {style}" role="status">{said}</p>')
    return text, found


def _said(chosen: Chosen, found: Reading | None, draft: str, text: str, why: str) -> tuple[str, str]:
    """The line below the field, with its style: what stands in the way of reading, or how long the text is."""
    if why:
        stays = " Below you still see the text read last." if _shown(chosen) else ""
        return "av-own-refused", html.escape(why) + stays
    if found is not None and found.job.result is None:
        reason = html.escape(found.job.refusal) or "Reading was stopped."
        return "av-own-refused", f"{reason} Press <strong>Read</strong> to read it anew."
    return "", size_note(chosen, draft, text)


def size_note(chosen: Chosen, draft: str, text: str) -> str:
    """How long the text in the field is and may be, where it stays, and whether it is the one that was read."""
    n, most = len(chosen.model.tokenizer.encode(draft)), most_tokens(chosen.model)
    parts = [f"{n:,} of at most {most:,} tokens, counted when you leave the field. The text stays on this computer."]
    if len(draft) > visit.LONGEST_IN_ADDRESS:
        parts.append(f"It has more than {visit.LONGEST_IN_ADDRESS} characters, so a link to this page leaves it out.")
    if draft != text:
        parts.append("The text has changed: press Read.")
    return " ".join(parts)


def pick_example(chosen: Chosen) -> None:
    """Draw the list of examples: a pick puts one into the field and lets the model read it.

    The list names the example that stands in the field, and none while it holds another text.
    """
    visit.restore(TEXT, visit.linked(TEXT) or examples.LESSON)
    text = st.session_state[TEXT]
    st.session_state[EXAMPLE] = next((name for name, example in examples.TEXTS.items() if example == text), None)
    take = partial(_take_example, chosen)
    st.selectbox("Try a text", list(examples.TEXTS), key=EXAMPLE, on_change=take, placeholder="Your own", width=210)


def pick_mask(chosen: Chosen) -> bool:
    """Whether the model reads with the causal mask, chosen in the fold: as it was trained, unless that is turned."""
    causal = bool(chosen.model.settings.causal)
    visit.restore(OTHER_MASK, visit.linked_switch(OTHER_MASK))
    chosen.fold.toggle(
        "Read without the causal mask" if causal else "Read with the causal mask",
        key=OTHER_MASK,
        help="The model was trained the other way. It reads the text anew, and all its numbers change.",
    )
    other = bool(visit.keep(OTHER_MASK))
    visit.write_link(own_other_mask=1 if other else None)
    return causal != other


def mask_note(chosen: Chosen, *, causal: bool) -> None:
    """Say at the picture that the model reads otherwise than it was trained, if it does."""
    if causal != chosen.model.settings.causal:
        trained, now = ("without", "with") if causal else ("with", "without")
        st.html(
            f'<p class="av-note" role="status">This model was trained <strong>{trained}</strong> the causal mask. '
            f"Now it reads <strong>{now}</strong> it, as it never did. These numbers do not show how it works.</p>"
        )


def name_of(chosen: Chosen) -> str:
    """The name of the model, for Markdown."""
    return markdown_text(chosen.name)


def size_line(run: Run) -> str:
    """How much memory a reading takes, in words."""
    return f"The queries, keys and values of this text take {megabytes(n_bytes(run))} until you read another one."


def _take_example(chosen: Chosen) -> None:
    """Put the picked example into the field and let the model read it."""
    name = st.session_state[EXAMPLE]
    if name is not None:  # the choice was cleared: the text stays
        st.session_state[TEXT] = visit.kept()[TEXT] = examples.TEXTS[name]
        _ask(chosen)


def _ask(chosen: Chosen) -> None:
    """Let the model read what stands in the field, if it can; else the text that was read last stays."""
    if refused(chosen, st.session_state[TEXT]):
        return
    found = visit.kept().get("own_reading")
    if found is not None and not found.job.running and found.job.result is None:
        visit.kept().pop("own_reading")  # it was stopped or refused: read it anew
    visit.kept()[READ] = st.session_state[TEXT]
