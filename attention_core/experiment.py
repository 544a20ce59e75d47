"""An experiment is everything that a person chose, as one small frozen value; `trace` turns it into numbers."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from attention_core import toy
from attention_core.edits import EDITABLE, Edit
from attention_core.layer import attention_record
from attention_core.masks import named_mask
from attention_core.record import AttentionRecord, Names
from attention_core.text_forms import TEXT_FORMS, Meanings
from attention_core.variants import VARIANTS

LONGEST_LINK_VALUE = 6_000
SEAL = "_seal"  # a name before all others where they are sorted: of a link cut short the seal is left
SEALED = ("words", "meanings", "edits", "variant")  # a link with one of these has a seal
CUT = "the link was changed or cut short, so nothing of it is taken"
LAST = -1  # for `ask`: the last token


@dataclass(frozen=True)
class Experiment:
    """What is looked at: the sentence, the mask, the heads, the token that asks, the edits, the variant.

    Raises ValueError if a field holds something that does not exist, naming what would.
    """

    ending: str = "tired"
    mask: str = "causal"  # or none, or window 3: the token itself and the two before it
    head: str = "pronoun"  # the head that is shown
    ask: int = LAST  # the place of the token that asks, from 0
    heads: tuple[str, ...] = toy.HEAD_NAMES  # the heads that are switched on
    edits: tuple[Edit, ...] = ()
    variant: str = "right"
    words: tuple[str, ...] = ()  # a sentence of one's own; the toy's if there are none
    meanings: Meanings = ()  # of words that the toy does not know: the names of the dimensions that are 1

    def __post_init__(self) -> None:
        for field, known in (("ending", toy.ENDINGS), ("head", toy.HEAD_NAMES), ("variant", tuple(VARIANTS))):
            _require_one_of(known, field, getattr(self, field))
        for head in self.heads:
            _require_one_of(toy.HEAD_NAMES, "heads", head)
        object.__setattr__(self, "heads", tuple(head for head in toy.HEAD_NAMES if head in self.heads))
        object.__setattr__(self, "words", tuple(self.words))
        object.__setattr__(self, "meanings", tuple((word, tuple(names)) for word, names in self.meanings))
        toy.require_sentence(self.tokens, dict(self.meanings))
        named_mask(self.mask, len(self.tokens))
        _require_place(self)
        object.__setattr__(self, "edits", tuple(Edit(*edit) for edit in self.edits))
        for edit in self.edits:
            _require_one_of(EDITABLE, "the array of an edit", edit.array)

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the sentence."""
        return self.words or toy.sentence(self.ending)

    @property
    def head_index(self) -> int:
        """The place of the shown head among the heads of a record."""
        return toy.HEAD_NAMES.index(self.head)

    def link(self) -> dict[str, str]:
        """The text form for an address: only what differs from the default. The token that asks counts from 1.

        >>> Experiment(ending="soft", ask=7).link()
        {'ending': 'soft', 'ask': '8'}
        """
        usual = {field.name: field.default for field in fields(self)} | {"ask": len(self.tokens) - 1}
        link = {name: TEXT_FORMS[name][0](getattr(self, name)) for name in usual if getattr(self, name) != usual[name]}
        return {SEAL: _seal(link), **link} if any(name in link for name in SEALED) else link

    @classmethod
    def from_link(cls, link: Mapping[str, str]) -> "Experiment":
        """Read the text form. What is missing, broken or unknown falls back to its default; other names are ignored.

        >>> Experiment.from_link({"ending": "soft", "ask": "99", "utm": "x"}) == Experiment(ending="soft")
        True
        """
        return cls.from_link_with_refusals(link)[0]

    @classmethod
    def from_link_with_refusals(cls, link: Mapping[str, str]) -> tuple["Experiment", list[str]]:
        """Read the text form, and say for each part that was left out what is wrong with it.

        A link may be written by hand, and then has no seal. One whose seal does not fit was changed or cut short.
        """
        chosen: dict[str, object] = {}
        experiment, refusals = cls(), []
        if SEAL in link and link[SEAL] != _seal(link):
            return cls(), [CUT]
        for names in READ_TOGETHER:
            given = {name: link[name] for name in names if name in link}
            try:
                read = {name: TEXT_FORMS[name][1](_short_text(text)) for name, text in given.items()}
                changed = cls(**{**chosen, **read})
                trace(changed)  # an edit may name a place that does not exist
            except ValueError as refusal:
                refusals.append(_refusal(given, str(refusal), len(experiment.tokens)))
                continue
            chosen.update(read)
            experiment = changed
        return experiment, refusals


# The fields of a link in the order of reading: the sentence decides which places there are.
READ_TOGETHER = (
    ("ending",),
    ("words", "meanings"),
    *((name,) for name in ("mask", "head", "ask", "heads", "edits", "variant")),
)


def trace(experiment: Experiment) -> AttentionRecord:
    """Every number of an experiment. The same experiment always gives the same numbers.

    Raises ValueError if an edit names a place that does not exist.

    >>> weights = trace(Experiment(ending="soft")).weights
    >>> weights.shape, round(float(weights[0, 9, 5]), 3)
    ((3, 10, 10), 0.858)
    """
    tokens, variant = experiment.tokens, VARIANTS[experiment.variant]
    return attention_record(
        toy.token_vectors(tokens, meanings=dict(experiment.meanings), positions=variant.positions),
        toy.input_matrix("W_Q"),
        toy.input_matrix("W_K"),
        toy.input_matrix("W_V"),
        toy.output_matrix(),
        mask=named_mask(experiment.mask, len(tokens)),
        heads_on=[head in experiment.heads for head in toy.HEAD_NAMES],
        edits=experiment.edits,
        variant=variant,
        names=toy_names(tokens),
    )


def toy_names(tokens: tuple[str, ...]) -> Names:
    """The names of a record of the toy's heads."""
    return Names(
        query_tokens=tokens,
        key_tokens=tokens,
        head_names=toy.HEAD_NAMES,
        dimension_names=toy.DIMENSIONS,
        query_dimension_names=tuple(head.asks for head in toy.HEADS.values()),
        value_dimension_names=tuple(head.hands_over for head in toy.HEADS.values()),
    )


def shuffled(experiment: Experiment, order: Sequence[int]) -> Experiment:
    """The same words in another order; the token that asks goes with its word. Edits name places, so they are left out.

    order: for each new place the old one

    Raises ValueError if the order does not name each place once.
    """
    if sorted(order) != list(range(len(experiment.tokens))):
        raise ValueError(f"an order must name each of {len(experiment.tokens)} places once, but it is {list(order)}")
    words = tuple(experiment.tokens[old] for old in order)
    return replace(experiment, words=words, ask=list(order).index(experiment.ask), edits=())


def _require_place(experiment: Experiment) -> None:
    """Set the asking token if it is the last one, and refuse a place that the sentence does not have."""
    n, ask = len(experiment.tokens), experiment.ask
    if type(ask) is not int or not (ask == LAST or 0 <= ask < n):
        raise ValueError(f"ask must be a place from 0 to {n - 1}, but it is {ask!r}")
    object.__setattr__(experiment, "ask", n - 1 if ask == LAST else ask)


def _require_one_of(known: tuple[str, ...], what: str, given: object) -> None:
    if given not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}, but it is {given!r}")


def _seal(link: Mapping[str, str]) -> str:
    """A checksum of all parts of a link."""
    parts = [f"{name}={link[name]}" for name in TEXT_FORMS if name in link]
    return f"{zlib.crc32('&'.join(parts).encode('utf-8', 'surrogatepass')):08x}"


def _refusal(given: Mapping[str, object], why: str, n_tokens: int) -> str:
    """What is wrong with a part of a link. The token that asks counts from 1 there."""
    if "ask" in given:
        return f"ask must be a whole number from 1 to {n_tokens}, but it is {str(given['ask'])[:40]!r}"
    names = " and ".join(given)
    return why if why.startswith(names) else f"{names}: {why}"


def _short_text(text: object) -> str:
    if not isinstance(text, str) or len(text) > LONGEST_LINK_VALUE:
        raise ValueError(f"it must be one text of at most {LONGEST_LINK_VALUE:,} characters")
    return text
