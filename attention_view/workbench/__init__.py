"""The workbench: the experiment that a learner builds by changing numbers, words, mask and variant."""

from attention_view.workbench.editor import draw_editor, draw_steps
from attention_view.workbench.keeping import draw_file
from attention_view.workbench.state import experiment, write_link
from attention_view.workbench.view import draw_following
from attention_view.workbench.words import before_note, refused_note

__all__ = [
    "before_note",
    "draw_editor",
    "draw_file",
    "draw_following",
    "draw_steps",
    "experiment",
    "refused_note",
    "write_link",
]
