"""All heads of the model on the text at hand, as small maps; made in the background, since long texts take time."""

from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from attention_core.checks import Array
from attention_core.models import Run
from attention_core.models.progress import Progress
from attention_core.models.roles import scores_of_one_text
from attention_core.models.small_maps import SmallMaps, small_maps_of_run
from attention_view import drawn, inputs
from attention_view.head_gallery import head_gallery
from attention_view.own_text import head_choice, visit
from attention_view.own_text.head_choice import Head
from attention_view.own_text.job import Job
from attention_view.own_text.on_this_text import ON_THIS_TEXT, groups_on_this_text
from attention_view.own_text.watching import is_done
from attention_view.real_model import recording, role_groups

KEPT, HIDE = "own_maps", "own_hide_first"
FOR_MAPS = 0.5  # of the work


MEASURED = """
The heads stand in groups by the **roles** that they play over many other texts, as the page before has them. On your
text a head may do something else: one that waits for a repeat rests on the first token until there is one.
"""


@dataclass(eq=False)
class Maps:
    """The small maps of a text, which are being made or are there."""

    run: Run
    hides_first: bool
    job: Job[tuple[SmallMaps, Array]] = field(init=False)  # the maps, and the scores of the roles


def draw(run: Run, head: Head) -> None:
    """Draw the gallery; a pick there chooses the head of the page."""
    many = run.n_tokens > 1
    visit.restore(HIDE, many)
    st.toggle("Hide the first token", key=HIDE, disabled=not many, help="Only in the small maps: no number changes.")
    measured = _measured_roles(run)
    drawn.markdown(ON_THIS_TEXT if measured is None else MEASURED)
    found = _maps(run, hides_first=bool(visit.keep(HIDE)) and many)
    if not is_done(
        found.job,
        lambda: f"Making the small maps: {100 * found.job.fraction:.0f} %",
        key="own_makes_maps",
        stop=found.job.stop,
    ):
        return
    if found.job.result is None:
        st.html('<p class="av-note" role="status">The small maps were not made. Read the text anew to make them.</p>')
        return
    maps, scores = found.job.result
    head_gallery(
        maps,
        groups=groups_on_this_text(scores) if measured is None else role_groups(measured),
        chosen=(head.layer, head.head),
        tokens=run.tokens,
        layout=inputs.layout(),
        on_pick=lambda picked: head_choice.choose(*picked),
        target="own_head_fields",
        key="own_gallery",
    )


def _measured_roles(run: Run) -> Array | None:
    """The recorded roles of the heads if this is the model that was recorded and it reads as it was trained."""
    known = recording()
    recorded, sizes = next(iter(known.runs.values())).settings, run.settings
    same = sizes.name.startswith(recorded.name) and replace(sizes, name=recorded.name) == recorded
    return known.roles if same and run.causal == sizes.causal else None


def _maps(run: Run, *, hides_first: bool) -> Maps:
    found: Maps | None = visit.kept().get(KEPT)
    if found is None or found.run is not run or found.hides_first != hides_first:
        if found is not None:
            found.job.stop()
        here = visit.name()
        found = visit.kept()[KEPT] = Maps(run, hides_first)
        found.job = Job(lambda tell: _made(run, hides_first, tell), wanted=lambda: visit.is_there(here))
    return found


def _made(run: Run, hides_first: bool, tell: Progress) -> Any:
    maps = small_maps_of_run(run, hide_first=hides_first, progress=lambda share: tell(FOR_MAPS * share))
    scores = scores_of_one_text(run, progress=lambda share: tell(FOR_MAPS + (1 - FOR_MAPS) * share))
    return maps, scores
