"""Tables of a page's markup as CSV text for a spreadsheet."""

import csv
import io
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from attention_view.numbers import MINUS, PLAIN

MARK = "\ufeff"  # a spreadsheet then reads the text as UTF-8
ROUNDED = "shown (rounded)"
DIGITS = re.compile(rf"{MINUS}?(\d{{1,3}}(,\d{{3}})+|\d+)(\.\d+)?(e[{MINUS}+-]?\d+)?")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would calculate a text that begins so
BADGE, CHANGED = "av-badge", "av-was-now"  # classes: a word on what is wrong; a number that is another one now
BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass
class Table:
    """A table of the markup: its title, and its rows of texts, the headers first."""

    title: str = ""
    rows: list[list[str]] = field(default_factory=list)


def tables_in(markup: str) -> list[Table]:
    """The tables of a piece of markup, with their titles."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.tables


def csv_text(table: Table, *, rounded: bool = False) -> str:
    """A table as CSV: its headers, then a line for each row that begins with the row's name.

    Numbers have a plain minus, minus infinity is "-inf"; a masked cell is "masked" unless a number stands in it, as
    where it leaks. A row with numbers that are others now has a row "before" below it. A text that a spreadsheet would
    take for a formula is quoted by an apostrophe. `rounded` says in the first header that numbers are as shown.
    """
    file = io.StringIO()
    rows = [[*row] for row in table.rows]
    if rounded and rows and rows[0]:
        rows[0][0] = f"{rows[0][0]}, {ROUNDED}" if rows[0][0] else ROUNDED
    csv.writer(file).writerows(rows)
    return MARK + file.getvalue()


def _value(text: str) -> str:
    """The text of a cell of numbers: a number as a machine reads it, anything else as a name."""
    return _number(re.sub(r"^[=÷×] (?=[\d−])", "", text)) or as_text(text)


def _masked(text: str) -> str:
    """A masked cell: the number that stands in it all the same, but 0, which every masked weight is."""
    bare = text.removeprefix("masked: ")
    return "masked" if bare == "0" else _number(bare) or "masked"


def _number(text: str) -> str:
    """A number as a machine reads it; nothing if it is none."""
    if text in (f"{MINUS}∞", "∞"):
        return text.replace(f"{MINUS}∞", "-inf").replace("∞", "inf")
    digits, power, exponent = text.partition("·10")
    text = f"{digits}e{exponent.translate(PLAIN)}" if power and exponent else text
    return text.replace(MINUS, "-").replace(",", "") if DIGITS.fullmatch(text) else ""


def as_text(text: str) -> str:
    """A text of a table that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


class _Reader(HTMLParser):
    """Collects the tables; what is for eyes only (bars) gives empty cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self._cell: list[str] | None = None
        self._open: list[tuple[str, str]] = []  # the elements around, with their classes
        self._kind = self._classes = ""
        self._span = self._deep = 1
        self._row_taken: set[int] = set()
        self._taken: set[int] = set()  # columns of the next row that a cell of this one reaches into
        self._was: list[str] = []  # what stood in a cell before
        self._before: dict[int, str] = {}  # the same of the row, by its columns

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in ("br", "col"):  # these have no end
            self._open.append((tag, given.get("class", "")))
        if tag == "br":
            self.handle_data(" ")
        elif tag == "table":
            self.tables.append(Table())
        elif tag == "tr" and self.tables:
            self.tables[-1].rows.append([])
            self._row_taken, self._taken = self._taken, set()
        elif tag in ("th", "td", "caption") and self.tables:
            self._cell, self._was, self._kind, self._classes = [], [], tag, given.get("class", "")
            self._span, self._deep = int(given.get("colspan", 1)), int(given.get("rowspan", 1))
        elif tag in ("small", "bdi") and self._cell:
            self.handle_data(" ")
        elif given.get("class") == BADGE:
            self.handle_data("(")

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open.pop()[1] == BADGE:
            self.handle_data(")")
        if tag == "tr" and self._before:
            name, *cells = self.tables[-1].rows[-1]
            before = [self._before.get(column, text) for column, text in enumerate(cells, start=1)]
            self.tables[-1].rows.append([f"{name}, before", *before])
            self._before = {}
        if tag != self._kind or self._cell is None:
            return
        text = _joined(self._cell)
        if tag == "caption":
            self.tables[-1].title = text
        elif CHANGED in self._classes.split():
            self._add(_value(text), was=_value(_joined(self._was)))
        else:
            masked = "av-masked" in self._classes.split()
            self._add(_masked(text) if masked else as_text(text) if tag == "th" else _value(text))
        self._cell = None

    def _add(self, text: str, *, was: str = "") -> None:
        """Put a cell at the next free column of its row."""
        row = self.tables[-1].rows[-1]
        while len(row) in self._row_taken:
            row.append("")
        if self._deep > 1:
            self._taken |= set(range(len(row), len(row) + self._span))
        if was:
            self._before[len(row)] = was
        row += [text, *[""] * (self._span - 1)]

    def handle_data(self, data: str) -> None:
        tags, classes = zip(*self._open, strict=True) if self._open else ((), ())
        if self._cell is None or (self._kind == "caption" and "small" in tags):
            return
        if CHANGED in self._classes.split() and ("av-visually-hidden" in classes or "small" in tags):
            return  # the words between the two numbers
        into = self._was if "s" in tags else self._cell
        into.append(data.translate(BELOW) if tags and tags[-1] == "sub" else data)


def _joined(parts: list[str]) -> str:
    return " ".join("".join(parts).split())
