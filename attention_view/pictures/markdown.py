"""The lesson's words as HTML: the little Markdown that they use, and no more."""

import html
import re

MARKS = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*(.+?)\*"), r"<em>\1</em>"),
    (re.compile(r"`(.+?)`"), r"<code>\1</code>"),
    (re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+)\)"), r'<a href="\2">\1</a>'),
)
BACKSLASHED = re.compile(r"\\([!-/:-@\[-`{-~])")


def markdown(text: str) -> str:
    """Paragraphs of Markdown as HTML: bold, italics, code, links and lists; anything else stays as it is written."""
    return "".join(_block(block.strip()) for block in re.split(r"\n\s*\n", text) if block.strip())


def _block(block: str) -> str:
    lines = [line.strip() for line in block.splitlines()]
    if all(line.startswith("- ") for line in lines):
        return "<ul>" + "".join(f"<li>{_inline(line[2:])}</li>" for line in lines) + "</ul>"
    return f"<p>{_inline(' '.join(lines))}</p>"


def _inline(text: str) -> str:
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(html.escape(match[1]))
        return f"\0{len(kept) - 1}\0"

    text = html.escape(BACKSLASHED.sub(keep, text.replace("\0", "")), quote=False)
    for mark, element in MARKS:
        text = mark.sub(element, text)
    return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], text)
