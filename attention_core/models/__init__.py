"""Real models in NumPy: their files, their tokens, and a forward pass built from the lesson's own functions."""

from attention_core.models.model import Model, Step
from attention_core.models.progress import Progress, Stopped
from attention_core.models.run import Run
from attention_core.models.settings import Settings

__all__ = ["Model", "Progress", "Run", "Settings", "Step", "Stopped"]
