"""All numbers between a token's vector and its query, key and value in one head of a model, by name."""

from functools import cached_property

import numpy as np

from attention_core.addresses import Address
from attention_core.checks import Array
from attention_core.models.norms import centred, layer_norm, rms_norm, root_mean_square
from attention_core.models.places import require_place
from attention_core.models.reading import FAMILIES
from attention_core.models.rotary import frequencies, turns
from attention_core.models.tensors import Tensors, linear, rows_of
from attention_core.models.token_path import TokenPath

LETTERS = ("Q", "K", "V")
NORM = "norm_1"


class EntryNumbers:
    """The numbers of one head that stand before its queries, keys and values.

    Of the head, by `of_head`: W_Q, W_K, W_V [d_model, d_head]; bias_Q, bias_K, bias_V [d_head]; gain, norm_bias
    [d_model]; frequency [d_head / 2].
    Of a token, by `of_token`: X [d_model], the vector before the layer; start [d_model], the one before layer 0, and
    what it is made of in GPT-2, embedding and position; added [layer, d_model], what each layer before this one added;
    total, mean_entry [], centred [d_model]; squares, mean_square, root []; standard, normed [d_model]; angle, cosine,
    sine [d_head / 2]; Q_unturned, K_unturned [d_head].

    A name that the family has no use for is missing: a bias in Llama, a rotation elsewhere, a norm first in BERT.
    """

    def __init__(self, path: TokenPath, layer: int, head: int) -> None:
        require_place("layer", layer, path.run.settings.n_layers)
        require_place("head", head, path.run.settings.n_heads)
        self.path, self.layer, self.head = path, layer, head
        self.settings, self.run = path.run.settings, path.run
        self._of: tuple[int, dict[str, Array]] = (-1, {})

    @property
    def rotary(self) -> bool:
        """Whether queries and keys are turned by their place."""
        return self.settings.family == "llama"

    @property
    def residual(self) -> bool:
        """Whether a token's vector is the sum of what it began as and of what the layers added."""
        return self.settings.family != "bert"

    def heads(self, letter: str) -> slice:
        """The place of the head among those of the queries, or of its kv head among those of the keys and values."""
        head = self.head if letter == "Q" else self.run.kv_head(self.head)
        return slice(head, head + 1)

    def rows(self, letter: str) -> slice:
        """The rows of a layer's matrix that belong to the head."""
        head = self.heads(letter).start
        return slice(head * self.settings.d_head, (head + 1) * self.settings.d_head)

    def value(self, address: Address) -> float:
        """The number at an address: of a token, its place comes first; of Q, K and V, 0 for the head before it.

        Raises ValueError if there is no such number.
        """
        name, place = address
        table, rest = self.of_head.get(name), place
        if name in LETTERS:
            table = getattr(self.run, name)[self.layer, self.heads(name)]
        elif table is None and place and 0 <= place[0] < self.run.n_tokens:
            table, rest = self.of_token(place[0]).get(name), place[1:]
        if table is None or len(rest) != table.ndim or not _is_within(rest, table.shape):
            raise ValueError(f"{address} must name a number of layer {self.layer}, head {self.head}, but there is none")
        return float(table[rest])

    @cached_property
    def of_head(self) -> dict[str, Array]:
        tensors, made = self.path.model().tensors, dict[str, Array]()
        for letter in LETTERS:
            made[f"W_{letter}"] = rows_of(tensors, f"{self.layer}.{letter}", self.rows(letter)).T
            if f"{self.layer}.{letter}.bias" in tensors:
                made[f"bias_{letter}"] = tensors[f"{self.layer}.{letter}.bias"][self.rows(letter)]
        if self.residual:
            made["gain"] = tensors[f"{self.layer}.{NORM}"]
            if f"{self.layer}.{NORM}.bias" in tensors:
                made["norm_bias"] = tensors[f"{self.layer}.{NORM}.bias"]
        return {**made, "frequency": frequencies(self.settings)} if self.rotary else made

    def of_token(self, token: int) -> dict[str, Array]:
        """The numbers of a token; those of the one that was asked for last are kept."""
        if self._of[0] != token:
            self._of = token, self._made(token)
        return self._of[1]

    def _made(self, token: int) -> dict[str, Array]:
        rows, tensors = self.path.before(token, self.layer), self.path.model().tensors
        X = rows[-1:]
        made = {"X": X[0]}
        if self.residual:
            made |= {"start": rows[0], "added": np.diff(rows, axis=0), **self._norm(X)}
        if self.settings.family == "gpt2":
            made["embedding"] = rows_of(tensors, "embedding", self.path.ids[token : token + 1])[0]
            made["position"] = rows_of(tensors, "positions", slice(token, token + 1))[0]
        return made | self._rotation(tensors, made["normed"][None], token) if self.rotary else made

    def _norm(self, X: Array) -> dict[str, Array]:
        """The steps of the norm before attention. X: [1, d_model]"""
        settings, tensors = self.settings, self.path.model().tensors
        plain = np.ones_like(X[0])
        if settings.family == "llama":
            moved, standard, steps = X, rms_norm(X, plain, settings.norm_epsilon), dict[str, Array]()
        else:
            moved, standard = centred(X), layer_norm(X, plain, 0 * plain, settings.norm_epsilon)
            steps = {"total": X.sum(), "mean_entry": X.mean(), "centred": moved[0]}
        squares = np.square(moved).sum()
        normed = FAMILIES[settings.family].before_attention(settings, tensors, self.layer, X)
        return steps | {
            "squares": squares, "mean_square": squares / X.size, "standard": standard[0], "normed": normed[0],
            "root": root_mean_square(moved, settings.norm_epsilon)[0, 0],
        }  # fmt: skip

    def _rotation(self, tensors: Tensors, normed: Array, token: int) -> dict[str, Array]:
        """Queries and keys before they are turned, and the turn. normed: [1, d_model]"""
        unturned = {
            f"{letter}_unturned": linear(normed, tensors, f"{self.layer}.{letter}")[0, self.rows(letter)]
            for letter in ("Q", "K")
        }
        cosine, sine = (turn[0] for turn in turns(self.settings, token, token + 1))
        return {**unturned, "cosine": cosine, "sine": sine, "angle": np.float32(token) * frequencies(self.settings)}


def _is_within(place: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return all(0 <= i < n for i, n in zip(place, shape, strict=True))
