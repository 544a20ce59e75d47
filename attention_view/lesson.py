"""The lesson: its pages in order, and the furniture that every page shares."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from attention_core import Experiment
from attention_view import drawn, inputs
from attention_view.formula import Part, formula
from attention_view.layout import is_turned
from attention_view.pictures.pieces import Markup, Tables
from attention_view.source import source
from attention_view.spotlight import show_me

PAGES = Path(__file__).parent.parent / "pages"
PRODUCT = "Attention, by hand"
FRAMED = "framed"  # in the session while the frame runs a page


class Lesson(NamedTuple):
    """One page: the stem of its file (also its address), its title, the name of its Material icon, its promise.

    `inputs` are the shared inputs that change something on the page; the strip shows no others. `whole` pages show the
    whole experiment of the workbench, with every change made there.
    """

    stem: str
    title: str
    icon: str
    promise: str
    inputs: tuple[str, ...] = inputs.STRIP
    whole: bool = False


LESSONS = (
    Lesson(
        "neighbours",
        "A word needs its neighbours",
        "hub",
        "Attention lets every word look at other words and take what it needs.",
    ),
    Lesson(
        "queries_and_keys",
        "Queries and keys",
        "key",
        "Each word asks a question, and each word says what it has to offer: where the two match, the score is high.",
    ),
    Lesson(
        "softmax",
        "Softmax",
        "percent",
        "Scores can be any size, so softmax turns them into shares of one whole.",
    ),
    Lesson(
        "values",
        "Values",
        "redeem",
        "Looking is only half of it: each word also hands something over, in proportion to its weight.",
    ),
    Lesson(
        "every_token",
        "Every token at once",
        "grid_on",
        "All the words ask at the same time, and one table holds every answer.",
    ),
    Lesson(
        "heads",
        "Heads",
        "account_tree",
        "One head follows one pattern, so a layer has several heads that look at the same words at the same time.",
        inputs=("ending", "mask"),  # each head has a switch of its own on the page
    ),
    Lesson(
        "two_queries",
        "Two queries, by hand",
        "edit_note",
        "Change any number and watch the whole calculation follow, line by line as on paper.",
        inputs=(),
    ),
    Lesson(
        "kv_cache",
        "The KV cache",
        "inventory_2",
        "A model that writes keeps the keys and values of earlier words on a shelf, so each new word computes only its "
        "own.",
    ),
    Lesson(
        "check",
        "Check yourself",
        "task_alt",
        "Predict first, then look: the numbers of the picture are the judge.",
        inputs=(),
    ),
    Lesson(
        "mistakes",
        "The common mistakes",
        "rule",
        "Ten mistakes that are easy to make, each beside the right way: look for what gives it away.",
        whole=True,
    ),
    Lesson(
        "workbench",
        "The workbench",
        "handyman",
        "Everything can be changed here, and everything that depends on it follows.",
        inputs=("head",),
        whole=True,
    ),
    Lesson(
        "real_model",
        "In a real model",
        "neurology",
        "A trained model has heads like the three of the toy, and they show on the very same sentence.",
        inputs=("ending", "head"),
    ),
    Lesson(
        "own_text",
        "Your own text",
        "article",
        "Let a real model read a text of yours, and look into every one of its heads.",
        inputs=(),
    ),
)
STEMS = tuple(lesson.stem for lesson in LESSONS)


def page_list() -> list[StreamlitPage]:
    """The pages in the order of the lesson, for `st.navigation`, and after them the first once more.

    Streamlit serves the first page at "/" only (and reserves a second name for it); the hidden one at the end answers
    at the first page's own name.
    """
    first, *others = LESSONS
    return [
        _page(first, "start", default=True),
        *(_page(lesson, lesson.stem) for lesson in others),
        _page(first, first.stem, visibility="hidden"),
    ]


def lesson_of(page: StreamlitPage) -> Lesson:
    """The lesson that a page of the list shows."""
    return next(lesson for lesson in LESSONS if lesson.stem == (page.url_path or LESSONS[0].stem))


def _page(lesson: Lesson, address: str, **options: Any) -> StreamlitPage:
    title = f"{LESSONS.index(lesson) + 1}. {lesson.title}"
    return st.Page(PAGES / f"{lesson.stem}.py", title=title, url_path=address, **options)


def icon_styles() -> str:
    """The icons of the navigation as CSS: given to `st.Page` they would be fetched from a foreign host, as favicons."""
    return "\n".join(
        f'[data-testid="stSidebarNavItems"] li:nth-of-type({n}) a::before {{ content: "{lesson.icon}" / ""; }}'
        for n, lesson in enumerate(LESSONS, start=1)
    )


def require_frame() -> None:
    """Hand over to app.py when a fresh server was opened at a page's own address.

    Streamlit then runs the page file alone, as if there were no app.py; naming the page list ends that.
    """
    if not st.session_state.pop(FRAMED, False):
        st.navigation(page_list(), position="hidden")
        st.rerun()


def head_of(lesson: Lesson) -> None:
    """Draw the title and the promise, as the frame does before it runs the page."""
    st.session_state[FRAMED] = True
    st.title(lesson.title, anchor=False)
    st.html(f'<p class="av-promise">{lesson.promise}</p>')


def story(experiment: Experiment, text: str) -> None:
    """Tell what the picture shows, in Markdown. The lesson's words are about the pronoun head, and say so."""
    if experiment.head != "pronoun":
        drawn.html(
            f'<p class="av-note">The picture now shows the <strong>{experiment.head}</strong> head. '
            "The words below are about the <strong>pronoun</strong> head.</p>"
        )
    drawn.markdown(text)


def fold_formula(part: Part) -> None:
    """The formula, folded, with the part that this page is about lit up."""
    _fold("The formula", "formula", lambda: st.html(formula(part, layout=inputs.layout())))


def fold_matrices(*markup: Callable[[], str]) -> None:
    """The matrices that the page speaks of, folded."""
    drawn.note(Tables("The matrices", markup))
    _fold("The matrices", "matrices", lambda: st.html("".join(table() for table in markup)))


def fold_source(*functions: Callable[..., object]) -> None:
    """The real source of the core functions that computed what the page shows, folded."""
    note = '<p class="av-caption">The core keeps queries in rows; this page only turns what it shows.</p>'
    turned = is_turned(inputs.layout())
    _fold("The source that computed it", "source", lambda: st.html((note if turned else "") + source(*functions)))


def fold_tables(*markup: Callable[[], str]) -> None:
    """The text twin of the page's pictures, folded: tables with the same numbers."""
    drawn.note(Tables("The same numbers as a table", markup))
    _fold("The same numbers as a table", "tables", lambda: st.html("".join(table() for table in markup)))


def fold_origin(markup: str) -> None:
    """Which models the numbers of the page come from, folded."""
    drawn.note(Markup(markup))
    _fold("Where these numbers come from", "origin", lambda: st.html(markup))


def link_to(stem: str) -> None:
    """A link to another page, with its title."""
    other = next(lesson for lesson in LESSONS if lesson.stem == stem)
    st.page_link(PAGES / f"{stem}.py", label=other.title, icon=":material/arrow_forward:", icon_position="right")


@st.fragment
def _fold(label: str, key: str, draw: Callable[[], object]) -> None:
    """An expander whose content is made and sent only while it is open: what is folded costs no time."""
    with st.expander(label, key=key, on_change="rerun") as fold:
        if fold.open:
            draw()


def try_this(text: str, *, lights: str) -> None:
    """The one thing to try, in Markdown, with a button that lights up the control it means (by its key)."""
    with st.container(key="try_this"):
        st.markdown(f"**Try this.** {text}")
        show_me(lights)


def steps(current: Lesson, pages: list[StreamlitPage]) -> None:
    """The way to the previous and the next page."""
    place = LESSONS.index(current)
    with st.container(horizontal=True, horizontal_alignment="distribute", key="steps"):
        if place > 0:
            st.page_link(pages[place - 1], label=f"Back: {LESSONS[place - 1].title}", icon=":material/arrow_back:")
        if place + 1 < len(LESSONS):
            st.page_link(
                pages[place + 1],
                label=f"Next: {LESSONS[place + 1].title}",
                icon=":material/arrow_forward:",
                icon_position="right",
            )
