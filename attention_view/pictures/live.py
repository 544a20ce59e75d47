"""The token view outside the app: its own script and styles with a small stand-in for Streamlit, nothing fetched."""

import html
import json
from typing import Any

from attention_view.assets import token_view_script, token_view_styles
from attention_view.colours import css_variables

WHOLE = ".grid .scroll { max-height: none; }"  # a file has room for the whole grid: no last rows to scroll for
ENTRY = "export default function ("
MOUNT = """
for (const host of document.querySelectorAll("[data-token-view]")) {
  const tree = host.attachShadow({ mode: "open" });
  const style = document.createElement("style");
  style.textContent = document.getElementById("token-view-styles").textContent;
  tree.append(style);
  const data = new TextEncoder().encode(document.getElementById(host.dataset.tokenView).textContent);
  mount({ data, parentElement: tree, setStateValue() {} });
}
"""


def live_view(data: dict[str, Any], *, ask: int, group: str = "ask", name: str) -> str:
    """A place for a token view, with its numbers beside it; `live_script` brings it to life.

    data: see `token_view_data`, and its "size"    ask: the query that asks at first
    group: views of one group follow the same token    name: an id that no other element of the file has
    """
    message = {**data, "group": group, "session": "file", "turn": 1, "ask": ask, "seen": 0}
    label = html.escape(name, quote=True)
    return f'<div data-token-view="{label}" data-size="{data["size"]}"></div>{as_json(message, name=name)}'


def live_script() -> str:
    """What makes the token views of a file answer the mouse, a finger and the keyboard: put it at the file's end."""
    script = token_view_script()
    if script.count(ENTRY) != 1:
        raise ValueError(f"the script of the token view must have one entry, {ENTRY!r}, but has {script.count(ENTRY)}")
    script = script.replace(ENTRY, "const mount = function (")
    return (
        f'<script type="text/plain" id="token-view-styles">{token_view_styles()}{WHOLE}</script>'
        f'<script type="module">{script}{MOUNT}</script>'
    )


def as_json(value: Any, *, name: str) -> str:
    """A value as JSON inside an HTML file: nothing in it can end the element that holds it."""
    text = json.dumps(value, allow_nan=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="{html.escape(name, quote=True)}">{text}</script>'


def document(body: str, *, title: str, styles: str, language: str = "en") -> str:
    """An HTML file with its styles in it. It follows the light or dark theme of the reader's system."""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data: blob:\">\n"
        f"<title>{html.escape(title)}</title>\n<style>{css_variables()}{styles}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )
