"""Which real models are on this machine: the tests that need one are skipped where it is not.

Where MODELS_FETCHED names a model, as .ci/run does once it is fetched, its tests run in any case: a model that is not
where it belongs is then a failure.
"""

import os

import pytest

from attention_core.models.fetching import FETCHABLE
from attention_core.models.files import models_folder

COMMANDS = {"smollm2": "make model", "minilm": "make model-minilm"}
PLACES = {name: models_folder() / fetchable.place for name, fetchable in FETCHABLE.items()}
SMOLLM2, MINILM = PLACES["smollm2"], PLACES["minilm"]


def needs(name):
    """The mark of tests that need a model."""
    missing = not PLACES[name].exists() and name not in os.environ.get("MODELS_FETCHED", "").split()
    return pytest.mark.skipif(missing, reason=f"needs {PLACES[name].name}: {COMMANDS[name]} fetches it")


needs_smollm2, needs_minilm = needs("smollm2"), needs("minilm")
