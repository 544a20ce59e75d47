"""The workbench: the experiment that a learner builds by changing numbers, words, mask and variant."""

from attention_core import Experiment
from attention_view import inputs


def experiment() -> Experiment:
    """The experiment of the workbench as it stands: what the shared inputs say, and every change made there."""
    return inputs.experiment()
