"""The stylesheet knows what the builders write, and uses only colours that exist."""

import re
from pathlib import Path

import numpy as np

from attention_view import vectors
from attention_view.colours import PALETTE

VIEW = Path(vectors.__file__).parent
SHARED, *OF_PAGES = (
    "style.css", "shelf.css", "paper.css", "heads.css", "check.css", "mistakes.css", "workbench.css",
    "real_model.css", "own_text.css", "opening.css",
    "take_away.css",
)  # fmt: skip
SHEETS = {name: (VIEW / name).read_text(encoding="utf-8") for name in (SHARED, *OF_PAGES)}
STYLE = "".join(SHEETS.values())


def names(pattern, text):
    return set(re.findall(pattern, text))


def builders():
    names = (
        "table_parts",
        "laid_table",
        "vectors",
        "tables",
        "formula",
        "facts",
        "picture",
        "shelf",
        "counting",
        "memory",
        "on_paper",
    )
    files = [VIEW / f"{name}.py" for name in names]
    files += [file for folder in ("arithmetic", "heads", "check", "mistakes") for file in (VIEW / folder).glob("*.py")]
    return "".join(path.read_text(encoding="utf-8") for path in files)


def test_every_colour_of_the_stylesheet_is_in_the_palette():
    given = {"--shade", "--zero", "--w", "--n", "--share", "--rows", "--columns"}  # by the builders
    defined = names(r"(--[\w-]+):", STYLE) | {f"--av-{meaning}" for meaning in PALETTE} | given
    assert names(r"var\((--[\w-]+)", STYLE) <= defined


def test_no_colour_is_written_into_the_stylesheet_itself():
    assert names(r"#[0-9A-Fa-f]{3,8}\b|\brgba?\(|\bhsla?\(", STYLE) == set()


def test_every_class_that_a_builder_writes_has_a_rule():
    written = {name for name in names(r"(?<![\w-])av-[a-z-]*[a-z](?![\w{-])", builders())}
    styled = names(r"\.(av-[\w-]+)", STYLE)
    plain = {"av-row-bars", "av-before-after", "av-wrong", "av-even-slice"}  # to find them by; they look like others
    assert written - plain <= styled
    assert len(written) > 20


def test_braces_of_the_stylesheet_match():
    depth = np.cumsum([{"{": 1, "}": -1}.get(sign, 0) for sign in STYLE])
    assert depth.min() == 0 == depth[-1]


def test_what_the_sheet_of_one_page_names_is_styled_by_no_other_page():
    """All sheets are sent to all pages: a name that two of them style means two things at once."""
    own = {
        sheet: names(r"\.(av-[\w-]+)", SHEETS[sheet]) - names(r"\.(av-[\w-]+)", SHEETS[SHARED]) for sheet in OF_PAGES
    }
    for sheet, classes in own.items():
        others = set().union(*(named for other, named in own.items() if other != sheet))
        assert classes & others == set()
