"""`python -m attention_core.models.record` makes the recording that the page "In a real model" shows.

It needs the two models that `make model` and `make model-minilm` fetch, and takes a minute.
"""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np

from attention_core.attention import softmax
from attention_core.models.chat import answer_steps
from attention_core.models.fetchable import FETCHABLE
from attention_core.models.files import load, models_folder
from attention_core.models.model import Model
from attention_core.models.pairs import PAIRS
from attention_core.models.recording import (
    FILE,
    LONGEST_ANSWER,
    Answer,
    RecordedPair,
    Recording,
    write_recording,
)
from attention_core.models.role_texts import PLAIN, WITH_REPEATS
from attention_core.models.roles import role_scores
from attention_core.models.run import Run

SENTENCE = "The cat sat on the mat because it was"
NOUNS = ("cat", "mat")
ENDINGS = ("tired", "soft")
LESSONS_HEAD = (13, 8)  # layer and head of SmolLM2, from 0: from the last word to the noun
BOTH_WAYS_HEAD = (3, 1)  # of MiniLM
N_NEXT = 5
HOW = "python -m attention_core.models.record, in float32 with NumPy; weights are kept to within 1e-5"


def named(model: Model, name: str) -> Model:
    """The model under the name that it is known by; its file may state another."""
    given = f"{name} computed it. The vectors before it are not recorded."
    return replace(model, settings=replace(model.settings, name=name), about=given)


def run_of(model: Model, text: str) -> Run:
    return model.read(model.tokenizer.encode(text))


def recorded_pairs(model: Model) -> tuple[RecordedPair, ...]:
    """What the lesson's head computes for every pair."""
    return tuple(
        RecordedPair(
            pair=pair,
            runs=(
                run_of(model, pair.text(0)).excerpt(*LESSONS_HEAD),
                run_of(model, pair.text(1)).excerpt(*LESSONS_HEAD),
            ),
        )
        for pair in PAIRS
    )


def answer_of(model: Model, question: str) -> Answer:
    """What the model answers, and how likely it found each word at the step that names a noun.

    Raises ValueError if the answer names none.
    """
    written: list[int] = []
    begun: str | None = None
    next_tokens: tuple[tuple[str, float], ...] = ()
    ended = False
    tokenizer = model.tokenizer
    for one in answer_steps(model, question, LONGEST_ANSWER):
        if ended := one.id == tokenizer.end:
            break
        if begun is None and tokenizer.decode([one.id]).strip() in NOUNS:
            begun, next_tokens = tokenizer.decode(written), likeliest(model, one.run)
        written.append(one.id)
    answer = tokenizer.decode(written)
    if begun is None:
        raise ValueError(f"the answer must name one of {NOUNS}, but it is {answer!r}")
    return Answer(question=question, answer=answer, ended=ended, begun=begun, next_tokens=next_tokens)


def likeliest(model: Model, run: Run) -> tuple[tuple[str, float], ...]:
    """The tokens that fit best after a text, with their probabilities: softmax over the whole vocabulary."""
    probabilities = softmax(model.final_scores(run)[0])
    best = np.argsort(-probabilities, kind="stable")[:N_NEXT]
    return tuple((model.tokenizer.decode([i]), round(float(probabilities[i]), 6)) for i in best)


def about_model(key: str, file: Path, place: Path) -> dict[str, str]:
    """Which model it is, under which licence, and the file that its numbers come from."""
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    known = FETCHABLE[key]
    name = file.name if file == place else f"{place.name}/{file.name}"
    return {"model": known.name, "licence": known.licence, "file": name, "sha256": sha256}


def recorded(smollm2: Path, minilm: Path, day: date) -> Recording:
    """Everything that is recorded, computed anew."""
    about = about_model("smollm2", smollm2, smollm2) | {"date": day.isoformat(), "how": HOW}
    about_both_ways = about_model("minilm", minilm / "model.safetensors", minilm) | {
        "date": day.isoformat(),
        "how": HOW,
    }
    writer, reader = named(load(smollm2), about["model"]), named(load(minilm), about_both_ways["model"])
    texts = {ending: f"{SENTENCE} {ending}" for ending in ENDINGS}
    plain, with_repeats = ([run_of(writer, text) for text in some] for some in (PLAIN, WITH_REPEATS))
    return Recording(
        about={**about, "both_ways": about_both_ways},
        runs={ending: run_of(writer, text) for ending, text in texts.items()},
        roles=role_scores(plain, with_repeats=with_repeats),
        n_texts=(len(plain), len(with_repeats)),
        pairs=recorded_pairs(writer),
        both_ways={ending: run_of(reader, text).excerpt(*BOTH_WAYS_HEAD) for ending, text in texts.items()},
        answers={ending: answer_of(writer, f"{text}. What was {ending}?") for ending, text in texts.items()},
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the recording and write it to its place, or elsewhere when told; return 0 if it is there then."""
    parser = argparse.ArgumentParser(prog="python -m attention_core.models.record", description=__doc__)
    parser.add_argument("--to", type=Path, default=FILE, help="where to write it (default: where the app reads it)")
    parser.add_argument("--date", type=date.fromisoformat, help="the date to note (default: today)")
    given = parser.parse_args(arguments)
    smollm2, minilm = (models_folder() / FETCHABLE[key].place for key in ("smollm2", "minilm"))
    day = given.date or datetime.now(UTC).date()
    missing = [path.name for path in (smollm2, minilm) if not path.exists()]
    if missing:
        print(f"{' and '.join(missing)} must be in {models_folder()}: make model model-minilm", file=sys.stderr)
        return 1
    try:
        write_recording(given.to, recorded(smollm2, minilm, day))
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{given.to.name}: {given.to.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
