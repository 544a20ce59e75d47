"""The scripts and styles of components lie in files of their own, one a part; each component gets them as one text."""

from collections.abc import Iterable
from pathlib import Path

ELEMENTS = Path(__file__).with_name("elements.js")


def joined(folder: Path, names: Iterable[str]) -> str:
    """The texts of some files of a folder, one after the other."""
    return _texts(folder / name for name in names)


def script(folder: Path, names: Iterable[str]) -> str:
    """The script of a component that builds elements: the files of its folder, after those that make elements."""
    return _texts([ELEMENTS, *(folder / name for name in names)])


def _texts(files: Iterable[Path]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
