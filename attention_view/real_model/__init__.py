"""A real model beside the toy: its twins of the lesson's heads, any head opened, and what none of this shows."""

from attention_view.real_model.choices import ASK, chosen_head, keep_chosen, pick_hide_first, pick_key, pick_step
from attention_view.real_model.honesty import about_note, honestly
from attention_view.real_model.opened_head import Place, opened_step
from attention_view.real_model.recorded import TWINS, Head, maps_of, record_of, recording, run_of
from attention_view.real_model.role_groups import role_groups, role_table
from attention_view.real_model.sides import Sides, sides_note
from attention_view.real_model.tables import head_twin, sides_twin

__all__ = [
    "ASK", "TWINS", "Head", "Place", "Sides", "about_note", "chosen_head", "head_twin", "honestly", "keep_chosen",
    "maps_of", "opened_step", "pick_hide_first", "pick_key", "pick_step", "record_of", "recording", "role_groups",
    "role_table", "run_of", "sides_note", "sides_twin",
]  # fmt: skip
