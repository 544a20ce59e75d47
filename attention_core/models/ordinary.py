"""Only ordinary files inside the models folder are read: no pipe, no device, no link that leads out of it."""

from pathlib import Path

from attention_core.models.refusal import ModelFileError, os_reason


def require_ordinary(path: Path, *, within: Path) -> None:
    """Refuse what is no ordinary file, and a link that leads out of a folder. Raises ModelFileError."""
    try:
        real, inside = path.resolve(strict=True), within.resolve(strict=True)
        if not real.is_relative_to(inside):
            raise ModelFileError(
                path, f"is a link that leads out of the folder {within.name}: only what is there is read"
            )
        if not real.is_file():
            raise ModelFileError(path, "is no ordinary file")
    except OSError as error:
        raise ModelFileError(path, os_reason(error)) from None
    except RuntimeError:  # older Pythons, for a link that leads to itself
        raise ModelFileError(path, "is a link that leads to itself") from None
