"""`python -m attention_view.questions my-questions.toml` looks through a file and names what is broken, by line."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from attention_core.terminal import OneLineParser, begin_output
from attention_view.questions import QUESTIONS, load_questions

PAGES = Path(__file__).parents[2] / "pages"


def main(arguments: Sequence[str] | None = None) -> int:
    """Look through the file that is named, or the app's own. Returns 1 if something in it is broken."""
    begin_output()
    path: Path = _parser().parse_args(arguments).file
    found = load_questions(path, pages=sorted(page.stem for page in PAGES.glob("*.py")))
    for line, words in found.faults:
        print(f"{path}, line {line}: {words}" if line else f"{path}: {words}")
    print(f"{len(found.questions)} questions can be asked.")
    return 1 if found.faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog="python -m attention_view.questions", description="Looks through a file of questions.")
    parser.add_argument(
        "file", nargs="?", type=Path, default=QUESTIONS, help="the file; the app's own if none is named"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
