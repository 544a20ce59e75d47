"""What the tests of the app share: a machine without a model, whatever has been fetched on this one."""

import pytest


@pytest.fixture(autouse=True)
def no_models(tmp_path, monkeypatch):
    """The models folder, which does not exist yet."""
    monkeypatch.setenv("ATTENTION_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"
