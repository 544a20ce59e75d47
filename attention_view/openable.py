"""Numbers in markup that can be opened: each says where in the page's record it stands.

A table or strip names the arrays of its numbers once, in `data-of`, and each number the rest of its address, in
`data-open`: see opener/numbers.js, which reads them. So hundreds of numbers cost few bytes.
"""

import html
from typing import NamedTuple

from attention_core import AttentionRecord

BY_PLACE = "by place"


class Opens(NamedTuple):
    """The row of a record that some arithmetic is about; `record` is the name under which the page offers it."""

    head: int
    kv_head: int
    query: int
    record: str = ""

    @classmethod
    def row(cls, record: AttentionRecord, head: int, query: int, *, name: str = "") -> "Opens":
        """The row of one head and query of a record."""
        return cls(head, record.kv_head(head), query, name)

    def at(self, array: str, *place: int | str) -> str:
        """The address of a number, or of several: `*` stands for what each of them says itself.

        >>> Opens(0, 0, 9).at("Q", 0, 9, "*")
        'Q[0,9,*]'
        """
        return f"{self.record}{':' if self.record else ''}{array}[{','.join(map(str, place))}]"

    def of_row(self, array: str) -> str:
        """The numbers of an array at the head and the query."""
        return self.at(array, self.head, self.query, "*")


def letters(**arrays: str) -> str:
    """What a table with numbers of several arrays says of them, a letter for each: letters(q="Q[0,9,*]")."""
    return " ".join(f"{letter}={of}" for letter, of in arrays.items())


def number_at(text: str, at: str | int, *, strong: bool = False) -> str:
    """A number as shown, in an element that opens it; the text alone if there is nothing to open.

    `BY_PLACE` instead of an address leaves it to the place of the number among others.
    """
    if at == "":
        return f"<b>{text}</b>" if strong else text
    tag = "b" if strong else "u"
    return f"<{tag}{'' if at == BY_PLACE else f' data-open={html.escape(str(at))}'}>{text}</{tag}>"


def opening_attribute(of: str) -> str:
    """The attribute of a table or strip that holds such numbers; nothing if they open nothing."""
    return f' data-of="{html.escape(of)}"' if of else ""
