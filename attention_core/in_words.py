"""The numbers of a record in words: what stands at an address, and the names of its tokens, heads and dimensions."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from attention_core.addresses import MEAN, Address
from attention_core.record import AttentionRecord


def name_of(record: AttentionRecord, address: Address) -> str:
    """What stands at an address, in words: "weight of tired on cat, pronoun head"."""
    return NAMES[address.array](Words(record), *address.place)


class Words:
    """The words for the tokens, heads and dimensions of a record. Tokens that sound alike carry their place, from 1."""

    def __init__(self, record: AttentionRecord) -> None:
        self.record = record

    def query(self, i: int) -> str:
        return token_name(self.record.query_tokens, i)

    def key(self, j: int) -> str:
        return token_name(self.record.key_tokens, j)

    def pair(self, i: int, j: int) -> str:
        return f"{self.query(i)} on {self.key(j)}"

    def head(self, h: int) -> str:
        name = self.record.head_names[h]
        if name.isdecimal():
            return f"head {name}"
        return name if "head" in name.split() else f"{name} head"  # "layer 13, head 8" says it itself

    def kv_head(self, g: int) -> str:
        """The first head that uses a key-and-value head, or all of them if it is not alone."""
        heads = [h for h in range(len(self.record.head_names)) if self.record.kv_head(h) == g]
        return self.head(g) if len(heads) == 1 else f"key-and-value head {g} of heads {heads[0]} to {heads[-1]}"

    def dimension(self, d: int) -> str:
        return _dimension(self.record.dimension_names[d])

    def asks(self, h: int, e: int) -> str:
        return _dimension(self.record.query_dimension_names[h][e])

    def hands_over(self, h: int, e: int) -> str:
        return _dimension(self.record.value_dimension_names[h][e])

    def first_head(self, g: int) -> int:
        return g * len(self.record.W_Q) // len(self.record.W_K)

    def joined(self, m: int) -> str:
        h, e = divmod(m, self.record.head_outputs.shape[-1])
        return f"{self.head(h)}, {self.hands_over(h, e)}"


NAMES: dict[str, Callable[..., str]] = {
    "X": lambda w, i, d: f"vector of {w.query(i)}: {w.dimension(d)}",
    "X_key": lambda w, j, d: f"vector of {w.key(j)}: {w.dimension(d)}",
    "W_Q": lambda w, h, d, e: f"W_Q: {w.dimension(d)} → {w.asks(h, e)}, {w.head(h)}",
    "W_K": lambda w, g, d, e: f"W_K: {w.dimension(d)} → {w.asks(w.first_head(g), e)}, {w.kv_head(g)}",
    "W_V": lambda w, g, d, e: f"W_V: {w.dimension(d)} → {w.hands_over(w.first_head(g), e)}, {w.kv_head(g)}",
    "W_O": lambda w, m, d: f"W_O: {w.joined(m)} → {w.dimension(d)}",
    "Q": lambda w, h, i, e: f"query of {w.query(i)}: {w.asks(h, e)}, {w.head(h)}",
    "K": lambda w, g, j, e: f"key of {w.key(j)}: {w.asks(w.first_head(g), e)}, {w.kv_head(g)}",
    "V": lambda w, g, j, e: f"value of {w.key(j)}: {w.hands_over(w.first_head(g), e)}, {w.kv_head(g)}",
    "divisor": lambda w: "divisor of the scores",
    "raw_scores": lambda w, h, i, j: f"raw score of {w.pair(i, j)}, {w.head(h)}",
    "scores": lambda w, h, i, j: f"score of {w.pair(i, j)}, {w.head(h)}",
    "mask": lambda w, i, j: f"mask: may {w.query(i)} look at {w.key(j)}?",
    "masked_scores": lambda w, h, i, j: f"masked score of {w.pair(i, j)}, {w.head(h)}",
    "shift": lambda w, h, i, j: f"shift of the scores {_whose(w, i, j)}, {w.head(h)}",
    "exponentials": lambda w, h, i, j: f"exponential of {w.pair(i, j)}, {w.head(h)}",
    "totals": lambda w, h, i, j: f"total over {_all(w, i, j)}, {w.head(h)}",
    "shares": lambda w, h, i, j: f"share of {w.pair(i, j)}, {w.head(h)}",
    "weights": lambda w, h, i, j: f"weight of {w.pair(i, j)}, {w.head(h)}",
    MEAN: lambda w, i, j: f"mean weight of {w.pair(i, j)}, heads that are on",
    "weighted_values": lambda w, h, i, j, e: (
        f"what {w.key(j)} hands to {w.query(i)}: {w.hands_over(h, e)}, {w.head(h)}"
    ),
    "head_outputs": lambda w, h, i, e: f"head output for {w.query(i)}: {w.hands_over(h, e)}, {w.head(h)}",
    "heads_on": lambda w, h: f"switch of the {w.head(h)}",
    "joined": lambda w, i, m: f"joined outputs for {w.query(i)}: {w.joined(m)}",
    "output": lambda w, i, d: f"output for {w.query(i)}: {w.dimension(d)}",
    "new_X": lambda w, i, d: f"new vector of {w.query(i)}: {w.dimension(d)}",
}


def _whose(words: Words, i: int, j: int) -> str:
    """Whose scores softmax takes together."""
    return f"on {words.key(j)}" if words.record.variant.shares_of == "column" else f"of {words.query(i)}"


def _all(words: Words, i: int, j: int) -> str:
    """What softmax adds up, without a word for how the tables lie."""
    variant = words.record.variant
    if variant.shares_of == "column":
        return f"all who look at {words.key(j)}"
    if variant.hide == "−∞ before softmax":
        return f"all keys that {words.query(i)} may look at"
    return f"all keys for {words.query(i)}, hidden or not"


def token_name(tokens: tuple[str, ...], place: int) -> str:
    """A token by its name, with its place, from 1, where another one sounds alike."""
    token = tokens[place]
    if token.isdecimal():
        return f"token {token}"
    return f"{token} ({place + 1})" if token.casefold() in _said_twice(tokens) else token


@lru_cache(maxsize=16)
def _said_twice(tokens: tuple[str, ...]) -> frozenset[str]:
    """The tokens that sound like another one, in lower case."""
    return frozenset(token for token, times in Counter(map(str.casefold, tokens)).items() if times > 1)


def _dimension(name: str) -> str:
    return f"dimension {name}" if name.isdecimal() else name
