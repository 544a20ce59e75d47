"""How a model's file is refused: in one sentence that says what is wrong with which file."""

import unicodedata
from pathlib import Path


class ModelFileError(ValueError):
    """A file that cannot be read as a model, or must not be; its text is fit for the screen.

    The text begins with the file's name; `reason` goes on from it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, printable(reason)
        super().__init__(f"{printable(path.name)}: {self.reason}")

    def reason_of(self, model: Path) -> str:
        """What goes on from the name of a model: a file inside of it is named, the model itself is not once more."""
        return self.reason if self.path == model else str(self)


class FetchError(ValueError):
    """A model that could not be fetched; its text says why and what to do, fit for the screen."""


def printable(name: str) -> str:
    """A name as a screen can show it: what has no sign of its own is written as in Python, a stray byte as \\xff.

    >>> printable("bad\\udcff.gguf")
    'bad\\\\xff.gguf'
    """
    return "".join(map(_sign, name))


def _sign(sign: str) -> str:
    if "\udc80" <= sign <= "\udcff":  # how Python keeps a byte of a name that is not UTF-8
        return f"\\x{ord(sign) - 0xDC00:02x}"
    return ascii(sign)[1:-1] if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} else sign


def os_reason(error: OSError) -> str:
    """Why the system did not let a file be read, in plain words."""
    if isinstance(error, FileNotFoundError):
        return "is not there any more"
    if isinstance(error, PermissionError):
        return "may not be read: the permission is missing"
    return f"cannot be read: {error.strerror or error}"
