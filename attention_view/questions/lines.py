"""On which line of a TOML file something stands. The reader of the standard library tells it for broken syntax only.

A line is a header or a field only if what stands before it is complete: inside a text of several lines it is not.
"""

import re
import tomllib
from functools import lru_cache

Path = tuple[str | int, ...]  # such as ("question", 3, "option", 0, "reason"); numbers count from 0

HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
FIELD = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*=""")


def line_of(text: str, path: Path) -> int:
    """The line, from 1, of the deepest part of `path` that stands in the text; 1 if none does."""
    best, depth = 1, 0
    for number, found in _places(text):
        shared = _shared(found, path)
        if shared > depth:
            best, depth = number, shared
    return best


@lru_cache(maxsize=4)
def _places(text: str) -> list[tuple[int, Path]]:
    """The headers and fields of a text with their lines, in order."""
    places: list[tuple[int, Path]] = []
    table: Path = ()
    counts: dict[Path, int] = {}
    since = ""  # what stands between the last header or field and this line
    for number, line in enumerate(text.split("\n"), start=1):
        header, field = HEADER.fullmatch(line.rstrip()), FIELD.match(line)
        if not (header or field) or not _complete(since):
            since += line + "\n"
            continue
        since = line + "\n"
        if header:
            table = _table(header[1], counts, is_list=line.lstrip().startswith("[["))
            places.append((number, table))
        elif field:
            places.append((number, (*table, field[1] or field[2] or field[3])))
    return places


def _table(name: str, counts: dict[Path, int], *, is_list: bool) -> Path:
    """The path of a header such as question.option, whose lists are at the entries counted so far."""
    path: Path = ()
    keys = [key.strip(" \"'") for key in name.split(".")]
    for place, key in enumerate(keys):
        path = (*path, key)
        if is_list and place == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _complete(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _shared(a: Path, b: Path) -> int:
    """How many parts `a`, as a whole, shares with the beginning of `b`; 0 if it goes another way."""
    return len(a) if b[: len(a)] == a else 0
