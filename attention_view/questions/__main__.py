"""`python -m attention_view.questions my-questions.toml` looks through a file and names what is broken, by line."""

import sys
from pathlib import Path

from attention_view.questions import QUESTIONS, load_questions

PAGES = Path(__file__).parents[2] / "pages"


def main(arguments: list[str]) -> int:
    """Look through the file that is named, or the app's own. Returns 1 if something in it is broken."""
    path = Path(arguments[0]) if arguments else QUESTIONS
    found = load_questions(path, pages=sorted(page.stem for page in PAGES.glob("*.py")))
    for line, words in found.faults:
        print(f"{path}, line {line}: {words}" if line else f"{path}: {words}")
    print(f"{len(found.questions)} questions can be asked.")
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
