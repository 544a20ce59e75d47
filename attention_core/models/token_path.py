"""One token's way through the layers, made from what a run keeps: no other token is read again."""

from collections.abc import Callable, Sequence

import numpy as np

from attention_core.checks import Array
from attention_core.models.model import Model
from attention_core.models.places import require_place
from attention_core.models.reading import FAMILIES, attended
from attention_core.models.run import Run


class TokenPath:
    """The vectors of one token of a text before each layer, made when they are asked for.

    What attention mixes into a token follows from its query and from the keys and values of all tokens, which a run
    keeps. So one row goes through the layers again, as when a model writes one token more, and not the whole text.
    """

    def __init__(self, model: Callable[[], Model], run: Run, ids: Sequence[int]) -> None:
        """model: gives the model while it is in memory, so that nothing here holds it"""
        self.model, self.run, self.ids = model, run, list(ids)
        self._of, self._rows = -1, list[Array]()

    def before(self, token: int, layer: int) -> Array:
        """The token's vector before each layer up to this one: [layer + 1, d_model], float32.

        The vectors of the token that was asked for last are kept.

        Raises ValueError if there is no such token or layer; what the model's file refuses passes through.
        """
        require_place("a token", token, self.run.n_tokens)
        require_place("layer", layer, self.run.settings.n_layers)
        rows = list(self._rows) if self._of == token else []
        while len(rows) <= layer:
            rows.append(self._next(token, rows))
        self._of, self._rows = token, rows
        return np.concatenate(rows[: layer + 1])

    def _next(self, token: int, rows: Sequence[Array]) -> Array:
        """The token's vector before the layer that follows those it has been before: [1, d_model]."""
        settings, tensors, n = self.run.settings, self.model().tensors, len(rows)
        family = FAMILIES[settings.family]
        if not rows:
            first: Array = family.first_vectors(settings, tensors, self.ids[token : token + 1], token)
            return first
        causal, end = self.run.causal, token + 1 if self.run.causal else None
        K, V = (table[n - 1, :, :end] for table in (self.run.K, self.run.V))
        mixed = attended(self.run.Q[n - 1, :, token : token + 1], K, V, causal=causal)
        after: Array = family.after_attention(settings, tensors, n - 1, rows[-1], mixed)
        return after
