"""Builders' markup read back as a tree, so that a test asks for cells and not for strings."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Element:
    """One element with what is inside it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    inside: list["Element | str"] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.inside)

    def all(self, *tags: str, having: str = "") -> list["Element"]:
        """All elements inside with one of the tags and, if named, a class, in the order of the text."""
        found = []
        for part in self.inside:
            if isinstance(part, Element):
                if part.tag in tags and (not having or having in part.classes):
                    found.append(part)
                found += part.all(*tags, having=having)
        return found

    def one(self, *tags: str, having: str = "") -> "Element":
        (only,) = self.all(*tags, having=having)
        return only


def read(markup: str) -> Element:
    """The tree of the markup; a tag that is not closed in its turn is an error."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    assert len(reader.open) == 1, f"not closed: {reader.open[-1].tag}"
    return reader.open[0]


def rows(markup: str) -> dict[str, list[str]]:
    """The body and foot of the only table: the text of each row's header → the texts of its cells."""
    table = read(markup).one("table")
    lines = [line for part in table.all("tbody", "tfoot") for line in part.all("tr")]
    named = {line.one("th").text: [cell.text for cell in line.all("td")] for line in lines}
    assert len(named) == len(lines), "two rows have the same header"
    return named


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(element)
        if tag not in ("br", "col"):
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def opened_by_place(markup):
    """Markup whose strips have the addresses that the page gives their numbers by their place."""

    def numbered(strip):
        first, *others = strip[0].split("<u>")
        return "".join((first, *(f"<u data-open={place}>{text}" for place, text in enumerate(others))))

    return re.sub(r'<figure class="av-strip[^>]*data-of=.*?</figure>', numbered, markup, flags=re.DOTALL)
