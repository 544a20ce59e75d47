"""Reads a file of questions. What is broken is left out and named with its line; the rest can be asked."""

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

from attention_view.questions.lines import line_of
from attention_view.questions.question import Kind, Option, Question
from attention_view.questions.rules import Broken, check_meaning, experiment_of
from attention_view.questions.settings import MISTAKES, address

QUESTIONS = Path(__file__).parent / "questions.toml"
ALWAYS = {"id": str, "kind": str, "page": str, "text": str}
OF_KIND: dict[str, dict[str, type]] = {
    "click": {"because": dict, "reason": str},
    "bars": {"row": str, "because": dict, "reason": str},
    "switch": {"goal": str, "switches": list, "because": dict, "reason": str},
    "choice": {"option": list},
}
MAY: dict[str, dict[str, type]] = {
    "click": {"shows": str, "confusion": str, "ties": bool, "most": str, "least": str},
    "bars": {"shows": str, "confusion": str, "within": float},
    "switch": {"shows": str, "confusion": str},
    "choice": {"shows": str, "confusion": str},
}
OPTION = {"text": str, "reason": str, "right": bool}
IN_WORDS = {str: "a text in quotes", list: "a list", dict: "a table", bool: "true or false", float: "a number"}


class Fault(NamedTuple):
    """What is broken in a file, and on which line."""

    line: int
    words: str


class QuestionFile(NamedTuple):
    """The questions that can be asked, and what is broken."""

    questions: tuple[Question, ...]
    faults: tuple[Fault, ...]


def load_questions(path: Path, *, pages: Collection[str]) -> QuestionFile:
    """Read a file, again only if it has changed. `pages` are the stems of the pages that a question may name."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError as missing:
        return QuestionFile((), (Fault(0, f"the file cannot be read: {missing.strerror}"),))
    return _load(path, changed, tuple(pages))


@lru_cache(maxsize=8)
def _load(path: Path, changed: int, pages: tuple[str, ...]) -> QuestionFile:
    try:
        return read_questions(path.read_bytes().decode("utf-8-sig"), pages=pages)
    except OSError as missing:
        return QuestionFile((), (Fault(0, f"the file cannot be read: {missing.strerror}"),))
    except UnicodeDecodeError as odd:
        line = odd.object.count(b"\n", 0, odd.start) + 1
        return QuestionFile((), (Fault(line, "the file must be saved as UTF-8, but this line is not"),))


def read_questions(text: str, *, pages: Collection[str]) -> QuestionFile:
    """Read the text of a file of questions."""
    try:
        entries = tomllib.loads(text)
    except (ValueError, RecursionError) as broken:  # also numbers of too many digits, lists in too many lists
        return QuestionFile((), (_syntax_fault(text, str(broken)),))
    faults: list[Fault] = []
    questions: list[Question] = []
    for name in entries.keys() - {"question"}:
        faults.append(Fault(line_of(text, (name,)), f"only [[question]] may stand here, but it is {name!r}"))
    given = entries.get("question", [])
    if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
        return QuestionFile((), (Fault(line_of(text, ("question",)), "a question must begin with [[question]]"),))
    if not given and not faults:
        faults.append(Fault(1, "the file holds no [[question]]"))
    for place, entry in enumerate(given):
        try:
            question = _question(entry, pages=pages)
            if question.id in [other.id for other in questions]:
                raise Broken(f"the id {question.id!r} is taken by a question above", "id")
        except Broken as broken:
            faults.append(Fault(line_of(text, ("question", place, *broken.path)), str(broken)))
        except (ValueError, TypeError, OverflowError) as odd:  # whatever no rule foresees: the other questions stay
            faults.append(Fault(line_of(text, ("question", place)), f"this question cannot be asked: {odd}"))
        else:
            questions.append(question)
    return QuestionFile(tuple(questions), tuple(sorted(faults)))


def _syntax_fault(text: str, message: str) -> Fault:
    found = re.search(r" \(at line (\d+), column \d+\)", message)
    line = int(found[1]) if found else text.count("\n") + 1
    words = message.removesuffix(found[0] if found else "").removesuffix(" (at end of document)")
    return Fault(line, f"this is not TOML: {words[:1].lower()}{words[1:]}")


def _question(entry: Mapping[str, Any], *, pages: Collection[str]) -> Question:
    kind: Any = entry.get("kind")
    if kind not in get_args(Kind):
        raise Broken(f"kind must be one of {', '.join(get_args(Kind))}, but it is {kind!r}", "kind")
    _check_fields(entry, must={**ALWAYS, **OF_KIND[kind]}, may=MAY[kind], what=f"a {kind} question")
    least = "least" in entry
    if kind == "click" and least == ("most" in entry):
        raise Broken("a click question must have either most or least")
    experiment = experiment_of(entry)
    stem, _, query = entry["page"].partition("?")
    if stem not in pages:
        raise Broken(f"page must be one of {', '.join(pages)}, but it is {stem!r}", "page")
    if experiment.variant != "right" and stem != MISTAKES:
        raise Broken(f"page must be {MISTAKES} if shows names a variant, but it is {stem!r}", "page")
    link = "&".join(part for part in (*address(experiment, stem), query) if part)
    question = Question(
        id=entry["id"],
        kind=kind,
        page=stem,
        link=f"{stem}?{link}" if link else stem,
        text=entry["text"].strip(),
        reason=entry.get("reason", "").strip(),
        confusion=entry.get("confusion", ""),
        experiment=experiment,
        pictured=kind != "choice" or "shows" in entry,
        named=entry["least"] if least else next((entry[key] for key in ("most", "row", "goal") if key in entry), ""),
        least=least,
        ties=entry.get("ties", False),
        within=float(entry.get("within", Question.within)),
        switches=tuple(entry.get("switches", ())),
        options=tuple(_options(entry.get("option", ()))),
        because=_reasons(entry.get("because", {})),
    )
    check_meaning(question)
    return question


def _reasons(given: Mapping[str, Any]) -> dict[str, str]:
    for key, reason in given.items():
        if not isinstance(reason, str):
            raise Broken(f"the reason for {key} must be {IN_WORDS[str]}, but it is {reason!r}", "because", key)
    return {key: reason.strip() for key, reason in given.items()}


def _options(given: Any) -> list[Option]:
    for place, option in enumerate(given):
        if not isinstance(option, dict):
            raise Broken("an option must begin with [[question.option]]", "option")
        _check_fields(option, must={"text": str, "reason": str}, may=OPTION, what="an option", at=("option", place))
    return [Option(one["text"].strip(), one["reason"].strip(), one.get("right", False)) for one in given]


def _check_fields(
    entry: Mapping[str, Any],
    *,
    must: Mapping[str, type],
    may: Mapping[str, type],
    what: str,
    at: tuple[str | int, ...] = (),
) -> None:
    """Refuse an unknown field, a missing one, or one of another type."""
    known = {**must, **may}
    for name, value in entry.items():
        if name not in known:
            raise Broken(f"{what} may have {', '.join(known)}, but not {name!r}", *at, name)
        wanted = (int, float) if known[name] is float else known[name]
        if not isinstance(value, wanted) or (known[name] is float and isinstance(value, bool)):
            raise Broken(f"{name} must be {IN_WORDS[known[name]]}, but it is {value!r}", *at, name)
        if isinstance(value, str) and not value.strip():
            raise Broken(f"{name} must not be empty", *at, name)
    for name in must:
        if name not in entry:
            raise Broken(f"{what} must have {name}", *at)
