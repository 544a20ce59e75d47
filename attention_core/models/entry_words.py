"""The numbers before a query, key or value in words: what stands at an address, and what a reader must know of it."""

from collections.abc import Callable, Sequence

from attention_core.addresses import Address
from attention_core.in_words import token_name
from attention_core.models.entry_numbers import EntryNumbers

NAMES = {"Q": "query", "K": "key", "V": "value"}
TRAINED = "Training found it: nothing here computes it."
END = "The opening ends here."


class EntryWords:
    """The words for the numbers of one head. Dimensions and the numbers of a query count from 1, layers from 0."""

    def __init__(self, numbers: EntryNumbers, tokens: Sequence[str]) -> None:
        self.numbers, self.tokens = numbers, tuple(tokens)
        self.layer = f"layer {numbers.layer}"
        self.of_head = f"{self.layer}, head {numbers.head}"

    def token(self, t: int) -> str:
        return token_name(self.tokens, t)

    def name(self, address: Address) -> str:
        """What stands at an address."""
        return CALLED[address.array](self, *address.place)

    def of_matrix(self, letter: str, d: int, e: int) -> str:
        part = self.of_head if letter == "Q" else f"{self.layer}, KV head {self.kv_head}"
        return f"W_{letter}: dimension {d + 1} → number {e + 1}, {part}"

    @property
    def kv_head(self) -> int:
        return self.numbers.run.kv_head(self.numbers.head)

    def shared(self, letter: str) -> str:
        """Which heads share a key or value, if it is not one head's own."""
        settings = self.numbers.settings
        n = settings.n_heads // settings.n_kv_heads
        if letter == "Q" or n == 1:
            return ""
        first = self.kv_head * n
        return f"The heads {first} to {first + n - 1} share this {NAMES[letter]}: KV head {self.kv_head} makes it."

    def turned(self, t: int, e: int) -> str:
        """How a pair of numbers is turned."""
        half = self.numbers.settings.d_head // 2
        both = f"the numbers {e % half + 1} and {e % half + half + 1}"
        return f"Its place turns it: {both} turn together, like the hand of a clock. This is place {t}, counted from 0."

    def frequency(self, p: int) -> str:
        settings = self.numbers.settings
        power = f"{settings.rotary_base:,.0f} to the power of −{2 * p}/{settings.d_head}"
        by = 1.0 if settings.rotary_scaling is None else settings.rotary_scaling[p]
        slowed = "" if by == 1 else f", ÷ {by:.6g}: slow turns are made slower still, for long texts"
        return f"So far this pair turns from one place to the next, in radians. It is fixed: {power}{slowed}."

    def norm(self) -> str:
        name = "RMSNorm" if self.numbers.rotary else "LayerNorm"
        return f"The layer first brings the token's vector to size 1 and weighs each dimension by a gain: {name}."

    def vector(self) -> str:
        """What a token's vector in the layer is."""
        if self.numbers.layer == 0 and self.numbers.residual:
            return "Layer 0 is the first: nothing has been added yet."
        if self.numbers.residual:
            return "This is what the layers before have made of the token: what it began as, and all that they added."
        return (
            f"This is what the layers before have made of the token, normed after each of them. {END}"
            if self.numbers.layer
            else f"This is the token's own vector, and that of its place, added and normed. {END}"
        )

    def start(self) -> str:
        return f"The token began so: this is its row in the model's table of tokens, its embedding. {TRAINED} {END}"

    def added(self, n: int) -> str:
        return f"Layer {n} added it: what its attention mixed in, and what its feed-forward step made of that. {END}"


def _of_layer(what: str) -> Callable[..., str]:
    """The name of a number of a token, or of one of its dimensions."""

    def name(words: EntryWords, t: int, d: int | None = None) -> str:
        return f"{what} of {words.token(t)}{'' if d is None else f': dimension {d + 1}'}, {words.layer}"

    return name


def _of_pair(what: str) -> Callable[..., str]:
    return lambda w, t, p: f"{what} for {w.token(t)}: pair {p + 1}"


CALLED: dict[str, Callable[..., str]] = {
    **{name: lambda w, h, t, e, n=name: f"{NAMES[n]} of {w.token(t)}: number {e + 1}, {w.of_head}" for name in NAMES},
    **{
        f"{name}_unturned": lambda w, t, e, n=name: (
            f"{NAMES[n]} of {w.token(t)} before its place turns it: number {e + 1}, {w.of_head}"
        )
        for name in "QK"
    },
    **{f"W_{name}": lambda w, d, e, n=name: w.of_matrix(n, d, e) for name in NAMES},
    **{f"bias_{name}": lambda w, e, n=name: f"bias of the {NAMES[n]}: number {e + 1}, {w.of_head}" for name in NAMES},
    "X": lambda w, t, d: f"vector of {w.token(t)} before {w.layer}: dimension {d + 1}",
    "start": lambda w, t, d: f"vector of {w.token(t)} before layer 0: dimension {d + 1}",
    "embedding": lambda w, t, d: f"embedding of {w.token(t)}: dimension {d + 1}",
    "position": lambda w, t, d: f"vector of place {t + 1}: dimension {d + 1}",
    "added": lambda w, t, n, d: f"what layer {n} added to {w.token(t)}: dimension {d + 1}",
    "total": _of_layer("sum of the vector"),
    "mean_entry": _of_layer("mean of the vector"),
    "centred": _of_layer("vector less its mean"),
    "squares": _of_layer("sum of squares"),
    "mean_square": _of_layer("mean of squares"),
    "root": _of_layer("root mean square"),
    "standard": _of_layer("vector brought to size 1"),
    "normed": _of_layer("normed vector"),
    "gain": lambda w, d: f"gain of the norm: dimension {d + 1}, {w.layer}",
    "norm_bias": lambda w, d: f"bias of the norm: dimension {d + 1}, {w.layer}",
    "frequency": lambda w, p: f"turn from one place to the next: pair {p + 1}",
    "angle": _of_pair("angle"),
    "cosine": _of_pair("cosine of the angle"),
    "sine": _of_pair("sine of the angle"),
}
