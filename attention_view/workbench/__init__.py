"""The workbench: the experiment that a learner builds by changing numbers, words, mask and variant."""

from attention_view.workbench.state import experiment, write_link

__all__ = ["experiment", "write_link"]
