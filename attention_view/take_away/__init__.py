"""The fold at the end of a page where all that stands on it can be saved as files."""

from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from attention_view import drawn, frame, lesson, offered
from attention_view.assets import script
from attention_view.take_away.files import Offer, Source, message, offers

__all__ = ["draw"]

KEY, LIST = "take_away", "take_away_list"
WANTED = "take_away wanted"  # in the session: what a button asked for, until the page has run
_component = st.components.v2.component(
    "attention_take_away",
    js=script(Path(__file__).parent, ("sheet.js", "plot.js", "markup.js", "save.js", "list.js")),
    isolate_styles=False,  # styled by take_away.css
)


def draw(current: lesson.Lesson) -> None:
    """Draw the fold, closed and empty at first. The frame does this at the end of every page.

    What a button asks for is made in a run of the whole page, so that the file holds what stands there now.
    """
    pieces = drawn.end()
    wanted = st.session_state.pop(WANTED, None)
    with st.expander("Take it away", key=KEY, on_change="rerun") as fold:
        if not fold.open:
            return
        source = Source(
            pieces,
            offered.offered(),
            stem=current.stem,
            title=current.title,
            promise=current.promise,
            product=lesson.PRODUCT,
            link=urlencode(st.query_params.to_dict()),
            styles=frame.STYLES,
            theme=frame.theme(),
        )
        listed: list[Offer] = offers(source)
        _component(data=message(listed, wanted), key=LIST, on_wanted_change=_take_wish)


def _take_wish() -> None:
    st.session_state[WANTED] = st.session_state[LIST].get("wanted")
