"""An experiment as a small JSON file: written with a version, and read back with care."""

import json
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from attention_core.checks import LONGEST_ECHO, quoted
from attention_core.edits import EDITABLE, LARGEST_EDIT, Edit
from attention_core.experiment import Experiment, trace

FORMAT, VERSION = "attention experiment", 1
LARGEST_FILE = 1_000_000  # characters

Read = Callable[[str, Any], Any]


def experiment_json(experiment: Experiment) -> str:
    """The text of a file that restores the experiment."""
    settings = {field.name: getattr(experiment, field.name) for field in fields(experiment)}
    settings["meanings"] = {word: list(names) for word, names in experiment.meanings}
    settings["edits"] = [edit._asdict() for edit in experiment.edits]
    whole = {"format": FORMAT, "version": VERSION, "experiment": settings}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def read_experiment(text: str) -> Experiment:
    """Read the text of such a file.

    Raises ValueError that names the place, such as experiment.edits[2].value, and what must hold there.
    """
    if len(text) > LARGEST_FILE:
        raise ValueError(f"the file must have at most {LARGEST_FILE:,} characters, but it has {len(text):,}")
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as fault:
        raise ValueError(f"line {fault.lineno}, column {fault.colno}: this is no JSON ({fault.msg})") from None
    except RecursionError:
        raise ValueError("this is no JSON of an experiment: it is nested too deeply") from None
    except ValueError:  # Python reads no whole number of thousands of digits
        raise ValueError("this is no JSON of an experiment: a number in it has too many digits") from None
    settings = _settings(whole)
    read = {name: READERS[name](f"experiment.{name}", value) for name, value in settings.items()}
    try:
        experiment = Experiment(**read)
    except ValueError as refusal:
        place = "experiment." if str(refusal).startswith("ask ") else "experiment: "
        raise ValueError(f"{place}{refusal}") from None
    _require_fitting_edits(experiment)
    return experiment


def _settings(whole: Any) -> dict[str, Any]:
    """What stands under "experiment" in a file of a format and version that is known."""
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise ValueError(f'format: it must be "{FORMAT}"; this is another kind of file')
    if type(whole.get("version")) is not int or whole["version"] != VERSION:
        raise ValueError(f"version: it must be {VERSION}, but it is {_short(whole.get('version'))}")
    settings: dict[str, Any] = _object("experiment", whole.get("experiment"))
    for name in settings:
        if name not in READERS:
            raise ValueError(f"experiment.{_named(name)}: there is no such setting; there are {', '.join(READERS)}")
    return settings


def _require_fitting_edits(experiment: Experiment) -> None:
    """Refuse an edit of a place that does not exist, naming the first."""
    try:
        trace(experiment)
    except ValueError as refusal:
        for n, edit in enumerate(experiment.edits):
            try:
                trace(Experiment(words=experiment.words, meanings=experiment.meanings, edits=(edit,)))
            except ValueError as of_this:
                raise ValueError(f"experiment.edits[{n}]: {of_this}") from None
        raise ValueError(f"experiment: {refusal}") from None


def _text(place: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{place}: a text must stand here, but it is {_short(value)}")
    return value


def _name(place: str, value: Any) -> str:
    """A text that is not too long to be a name."""
    if len(_text(place, value)) > LONGEST_ECHO:
        raise ValueError(f"{place}: a name must stand here, but it is {quoted(value)}")
    return str(value)


def _names(place: str, value: Any) -> tuple[str, ...]:
    return _list(place, value, _name)


def _whole(place: str, value: Any) -> int:
    if type(value) is not int or abs(value) > LARGEST_EDIT:
        raise ValueError(f"{place}: a whole number must stand here, but it is {_short(value)}")
    return value


def _number(place: str, value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= LARGEST_EDIT:  # also refuses NaN
        limit = f"{LARGEST_EDIT:,.0f}"
        raise ValueError(f"{place}: a number from −{limit} to {limit} must stand here, but it is {_short(value)}")
    return float(value)


def _list(place: str, value: Any, read: Read) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{place}: a list must stand here, but it is {_short(value)}")
    return tuple(read(f"{place}[{n}]", entry) for n, entry in enumerate(value))


def _object(place: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{place}: names and values must stand here, but it is {_short(value)}")
    return value


def _texts(place: str, value: Any) -> tuple[str, ...]:
    return _list(place, value, _text)


def _meanings(place: str, value: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((word, _texts(f"{place}.{_named(word)}", names)) for word, names in _object(place, value).items())


def _edit(place: str, value: Any) -> Edit:
    given = _object(place, value)
    for name in Edit._fields:
        if name not in given:
            raise ValueError(f"{place}.{name}: it is missing")
    array = _text(f"{place}.array", given["array"])
    if array not in EDITABLE:
        raise ValueError(f"{place}.array: it must be one of {', '.join(EDITABLE)}, but it is {_short(array)}")
    return Edit(array, _list(f"{place}.place", given["place"], _whole), _number(f"{place}.value", given["value"]))


def _edits(place: str, value: Any) -> tuple[Edit, ...]:
    return _list(place, value, _edit)


def _short(value: Any) -> str:
    """A value as it stands in the file, cut where it is long."""
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return quoted(shown)


def _named(name: str) -> str:
    """A name in a place of the file: as it is if it is plain, else quoted."""
    return name if len(name) <= LONGEST_ECHO and re.fullmatch(r"[^\W\d]\w*", name) else quoted(name)


READERS: dict[str, Read] = {
    "ending": _name,
    "mask": _name,
    "head": _name,
    "ask": _whole,
    "heads": _names,
    "edits": _edits,
    "variant": _name,
    "words": _texts,
    "meanings": _meanings,
}
