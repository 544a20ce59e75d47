"""The scripts and styles of components lie in files of their own, one a part; each component gets them as one text."""

from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent
TOKEN_VIEW = HERE / "token_view"
TOKEN_VIEW_SCRIPTS = (
    "text.js",
    "../picks.js",
    "../painted.js",
    "group.js",
    "leaks.js",
    "lines.js",
    "tokens.js",
    "numbers.js",
    "grid.js",
    "view.js",
)
TOKEN_VIEW_STYLES = (
    "../picture.css",
    "view.css",
    "../picking.css",
    "lines.css",
    "tokens.css",
    "numbers.css",
    "grid.css",
    "small.css",
    "leaks.css",
)


def token_view_script() -> str:
    """The script of the token view: of the component on a page, and of the live picture in a file."""
    return script(TOKEN_VIEW, TOKEN_VIEW_SCRIPTS)


def token_view_styles() -> str:
    """The styles of the token view."""
    return styles(TOKEN_VIEW, TOKEN_VIEW_STYLES)


def joined(folder: Path, names: Iterable[str]) -> str:
    """The texts of some files of a folder, one after the other."""
    return _texts(folder / name for name in names)


def script(folder: Path, names: Iterable[str]) -> str:
    """The script of a component that builds elements: the files of its folder, after those that make elements."""
    return _texts([HERE / "elements.js", *(folder / name for name in names)])


def styles(folder: Path, names: Iterable[str]) -> str:
    """The styles of a component that builds elements: the files of its folder, after those of elements."""
    return _texts([HERE / "elements.css", *(folder / name for name in names)])


def _texts(files: Iterable[Path]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
