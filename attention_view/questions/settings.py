"""Settings of an experiment as text, read strictly: mask=none&ask=8. What an address forgives, a file is told."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from attention_core import Experiment, trace
from attention_core.text_forms import TEXT_FORMS

SETTABLE = ("ending", "mask", "head", "ask", "heads", "variant")  # what the picture of a question can show
MISTAKES = "mistakes"  # the page that shows the variants; its address calls them by the name of its own switch


def settings(text: str) -> dict[str, Any]:
    """The fields that a text sets, such as {"mask": "none", "ask": 7}.

    Raises ValueError for an unknown field, or a value that the field cannot have.
    """
    fields: dict[str, Any] = {}
    for name, value in parse_qsl(text, keep_blank_values=True, strict_parsing=True) if text else ():
        if name not in SETTABLE:
            raise ValueError(f"a setting must be one of {', '.join(SETTABLE)}, but it is {name!r}")
        try:
            fields[name] = TEXT_FORMS[name][1](value)
            trace(with_fields(Experiment(), {name: fields[name]}))
        except ValueError as refusal:
            raise ValueError(f"{name}={value} does not work: {refusal}") from None
    return fields


def with_fields(experiment: Experiment, fields: Mapping[str, Any]) -> Experiment:
    """The experiment with these fields changed."""
    return replace(experiment, **fields)


def address(experiment: Experiment, page: str) -> list[str]:
    """The settings of an experiment in the address of a page: ["ending=soft", "ask=8"]."""
    if page == MISTAKES and experiment.variant != "right":
        link = {**replace(experiment, variant="right").link(), "mistake": experiment.variant}
    else:
        link = experiment.link()
    return [f"{name}={value}" for name, value in link.items()]


def holds(fields: dict[str, Any], experiment: Experiment) -> bool:
    """Whether an experiment has all these settings."""
    return all(getattr(experiment, name) == value for name, value in fields.items())
