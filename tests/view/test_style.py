"""The stylesheet knows what the builders write, and uses only colours that exist."""

import re
from pathlib import Path

import numpy as np

from attention_view import vectors
from attention_view.colours import PALETTE

VIEW = Path(vectors.__file__).parent
STYLE = "".join((VIEW / name).read_text(encoding="utf-8") for name in ("style.css", "shelf.css"))


def names(pattern, text):
    return set(re.findall(pattern, text))


def builders():
    names = ("table_parts", "vectors", "tables", "formula", "facts", "picture", "shelf", "counting", "memory")
    files = [VIEW / f"{name}.py" for name in names]
    return "".join(path.read_text(encoding="utf-8") for path in [*files, *(VIEW / "arithmetic").glob("*.py")])


def test_every_colour_of_the_stylesheet_is_in_the_palette():
    defined = names(r"(--[\w-]+):", STYLE) | {f"--av-{meaning}" for meaning in PALETTE} | {"--shade", "--zero", "--w"}
    assert names(r"var\((--[\w-]+)", STYLE) <= defined


def test_no_colour_is_written_into_the_stylesheet_itself():
    assert names(r"#[0-9A-Fa-f]{3,8}\b|\brgba?\(|\bhsla?\(", STYLE) == set()


def test_every_class_that_a_builder_writes_has_a_rule():
    written = {name for name in names(r"(?<![\w-])av-[a-z-]*[a-z](?![\w{-])", builders())}
    styled = names(r"\.(av-[\w-]+)", STYLE)
    plain = {"av-row-bars", "av-before-after"}  # names to find them by; they look like any table
    assert written - plain <= styled
    assert len(written) > 20


def test_braces_of_the_stylesheet_match():
    depth = np.cumsum([{"{": 1, "}": -1}.get(sign, 0) for sign in STYLE])
    assert depth.min() == 0 == depth[-1]
