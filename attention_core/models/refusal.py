"""How a model's file is refused: in one sentence that says what is wrong with which file."""

from pathlib import Path


class ModelFileError(ValueError):
    """A file that cannot be read as a model, or must not be; its text is fit for the screen."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path.name}: {reason}")
        self.path, self.reason = path, reason


class FetchError(ValueError):
    """A model that could not be fetched; its text says why and what to do, fit for the screen."""


def os_reason(error: OSError) -> str:
    """Why the system did not let a file be read, in plain words."""
    if isinstance(error, FileNotFoundError):
        return "is not there any more"
    if isinstance(error, PermissionError):
        return "may not be read: the permission is missing"
    return f"cannot be read: {error.strerror or error}"
