"""A recording of real models: what they computed for the lesson's sentence, so that a page shows it without a model.

`python -m attention_core.models.record` makes the file.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from attention_core.checks import Array
from attention_core.models.pairs import Pair
from attention_core.models.recorded_checks import chances, counts, finite, flag, text, texts
from attention_core.models.recorded_runs import arrays, runs_of, stated
from attention_core.models.roles import ROLES
from attention_core.models.run import Run

FILE = Path(__file__).parent / "smollm2-135m.recording.npz"
LONGEST_ANSWER = 40  # tokens; a longer answer is stopped there
DAMAGE = (EOFError, IndexError, AttributeError, NotImplementedError, zipfile.BadZipFile, zlib.error)  # of a bad file


@dataclass(frozen=True, eq=False, kw_only=True)
class RecordedPair:
    """One sentence with two endings, and what the lesson's head computed for both."""

    pair: Pair
    runs: tuple[Run, Run]  # by the ending; one layer with one head


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the model itself answers, each time with its likeliest word."""

    question: str
    answer: str
    ended: bool  # whether the model ended it there; else it was stopped
    begun: str  # the answer up to the step that names a noun
    next_tokens: tuple[tuple[str, float], ...]  # the likeliest tokens of that step and their probabilities, best first

    @property
    def repeats(self) -> bool:
        """Whether it says the sentence before the question once more, instead of answering."""
        return self.answer.startswith(self.question.rpartition(". ")[0])


@dataclass(frozen=True, eq=False, kw_only=True)
class Recording:
    """What was recorded, and of which models."""

    about: Mapping[str, Any]  # model, licence, file, sha256, date, how; the same in "both_ways" of the second model
    runs: Mapping[str, Run]  # all heads, by the ending of the lesson's sentence: "tired", "soft"
    roles: Array  # [role, layer, head], as attention_core.models.roles scores them; roles in the order of ROLES
    n_texts: tuple[int, int]  # on how many texts roles were measured: plain ones, and ones with repeats
    pairs: tuple[RecordedPair, ...]
    both_ways: Mapping[str, Run]  # one head of a model that reads both ways, by the ending
    answers: Mapping[str, Answer]  # by the ending


def write_recording(path: Path, recording: Recording) -> None:
    """Write a recording; the same recording gives the same bytes."""
    pairs = {f"pair{n}": {"0": one.runs[0], "1": one.runs[1]} for n, one in enumerate(recording.pairs)}
    groups = {"runs": recording.runs, "both_ways": recording.both_ways, **pairs}
    head = {
        "about": recording.about, "roles": list(ROLES), "n_texts": recording.n_texts,
        "pairs": [asdict(one.pair) for one in recording.pairs],
        "answers": {ending: asdict(answer) for ending, answer in recording.answers.items()},
        "stated": {name: stated(runs) for name, runs in groups.items()},
    }  # fmt: skip
    numbers = {key: array for name, runs in groups.items() for key, array in arrays(name, runs).items()}
    text = np.array(json.dumps(head, ensure_ascii=True))
    np.savez_compressed(path, head=text, roles=recording.roles.astype(np.float32), **numbers)  # type: ignore[arg-type]


def read_recording(path: Path = FILE) -> Recording:
    """Read a recording.

    Raises ValueError if the file is missing, damaged or no recording.
    """
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            return _read(file, json.loads(str(file["head"])))
    except (*DAMAGE, OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise ValueError(f"{path.name} must be a recording, but it cannot be read: {error}") from error


def _read(file: Mapping[str, Array], head: Mapping[str, Any]) -> Recording:
    if head["roles"] != list(ROLES):
        raise ValueError(f"its roles are {head['roles']}, not {list(ROLES)}: it must be made anew")
    pairs = []
    for n, pair in enumerate(head["pairs"]):
        first, second = runs_of(file, f"pair{n}", head["stated"][f"pair{n}"]).values()
        nouns, endings = (texts(f"{part} of pair {n}", pair[part], 2) for part in ("nouns", "endings"))
        named = Pair(text(f"before of pair {n}", pair["before"]), (nouns[0], nouns[1]), (endings[0], endings[1]))
        pairs.append(RecordedPair(pair=named, runs=(first, second)))
    runs = runs_of(file, "runs", head["stated"]["runs"])
    shape = (len(ROLES), *next(iter(runs.values())).Q.shape[:2])
    return Recording(
        about=_about("about", head["about"]), runs=runs, roles=finite("roles", file["roles"], shape),
        n_texts=counts("n_texts", head["n_texts"]), pairs=tuple(pairs),
        answers={ending: _answer(f"the answer of {ending}", given) for ending, given in head["answers"].items()},
        both_ways=runs_of(file, "both_ways", head["stated"]["both_ways"]),
    )  # fmt: skip


def _about(name: str, given: Any) -> dict[str, Any]:
    """What is said of a model: texts, and for the second model the same within."""
    return {
        key: _about(f"{name}.{key}", value) if key == "both_ways" else text(f"{name}.{key}", value)
        for key, value in given.items()
    }


def _answer(name: str, given: Mapping[str, Any]) -> Answer:
    said = {part: text(f"{part} of {name}", given[part]) for part in ("question", "answer", "begun")}
    next_tokens = chances(f"next_tokens of {name}", given["next_tokens"])
    return Answer(ended=flag(f"ended of {name}", given["ended"]), next_tokens=next_tokens, **said)
