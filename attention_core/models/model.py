"""A model that was read from a file, and what it can be asked: to read a text, for its final scores, to write on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from attention_core.checks import Array, quoted
from attention_core.models.places import require_at_least, whole_numbers
from attention_core.models.progress import Progress
from attention_core.models.reading import read_on
from attention_core.models.run import Run, weights_of_heads
from attention_core.models.settings import Settings
from attention_core.models.shelf import Shelf
from attention_core.models.tensors import Tensors, rows_of
from attention_core.models.tokenizer import Tokenizer

ROWS_AT_ONCE = 8192  # of the vocabulary, when final scores are made: a source that reads by rows need not hold it all
ROOM_AHEAD = 64  # tokens to be written that have room from the start


@dataclass(frozen=True, eq=False, kw_only=True)
class Model:
    """A model: its sizes, its numbers, its tokens, and one sentence on the file that they come from."""

    settings: Settings
    tensors: Tensors
    tokenizer: Tokenizer
    about: str

    def read(self, ids: Sequence[int], *, causal: bool | None = None, progress: Progress | None = None) -> Run:
        """Read a text and keep the queries, keys and values of every head.

        causal: whether a token looks back only; unless told, as the model was trained

        Raises ValueError if there is no token, one is not in the vocabulary, there are more than the model was made
        for, or a number on the way is not finite; what `progress` raises passes through.
        """
        ids = self._known(ids)
        if not isinstance(causal, bool | np.bool_ | None):
            raise ValueError(f"causal must be True, False or None (as trained), but it is {quoted(causal)}")
        causal = self.settings.causal if causal is None else causal
        shelf = Shelf(self.settings, room=len(ids))
        read_on(self.settings, self.tensors, shelf, ids, causal=causal, progress=progress)
        return self._run(ids, shelf.vectors(), causal=causal)

    def final_scores(self, run: Run, queries: slice = slice(-1, None)) -> Array:
        """How well each token of the vocabulary would fit next, after the last token or after those asked for.

        returns: [token, n_vocabulary]

        Raises ValueError if the model does not write (BERT), queries are no slice, or the run has no last vectors (a
        recording).
        """
        if self.settings.family == "bert":
            raise ValueError(f"{self.settings.name} reads and does not write: it has no final scores")
        if not isinstance(queries, slice):
            raise ValueError(f"queries must be a slice such as slice(-1, None), but it is {quoted(queries)}")
        if run.hidden is None:
            raise ValueError("final scores need the last vectors of the run, but a recording does not keep them")
        return self._scores(run.hidden[queries])

    def write(self, ids: Sequence[int], n: int, *, progress: Progress | None = None) -> Iterator["Step"]:
        """Write n tokens after a text, each time the one with the highest final score, with a KV cache.

        progress: of reading the text, before the first token

        Raises ValueError as `read` does, and if text and new tokens are more than the model was made for.
        """
        if self.settings.family == "bert":
            raise ValueError(f"{self.settings.name} reads and does not write")
        require_at_least("the number of tokens to write", n, 0)
        return self._steps(self._known(ids, n_new=n), n, progress)

    def _steps(self, ids: list[int], n: int, progress: Progress | None) -> Iterator["Step"]:
        shelf = Shelf(self.settings, room=len(ids) + min(n, ROOM_AHEAD))
        new = ids
        for _ in range(n):
            read_on(self.settings, self.tensors, shelf, new, causal=True, progress=progress)
            new, progress = [int(self._scores(shelf.hidden[shelf.n_tokens - 1 :][:1]).argmax())], None
            yield Step(id=new[0], vectors=shelf.vectors(), run_of=partial(self._run, ids, causal=True))
            ids = ids + new

    def _run(self, ids: Sequence[int], vectors: Mapping[str, Any], *, causal: bool) -> Run:
        tokens, pieces = self.tokenizer.shown(ids), self.tokenizer.pieces(ids)
        return Run(settings=self.settings, tokens=tokens, pieces=pieces, causal=causal, given=self.about, **vectors)

    def _scores(self, hidden: Array) -> Array:
        """The final scores that last vectors give: [token, n_vocabulary]."""
        scores = np.empty((len(hidden), self.settings.n_vocabulary), dtype=np.float32)
        for start in range(0, scores.shape[1], ROWS_AT_ONCE):
            rows = rows_of(self.tensors, "unembedding", slice(start, start + ROWS_AT_ONCE))
            np.matmul(hidden, rows.T, out=scores[:, start : start + ROWS_AT_ONCE])
        return scores

    def _known(self, ids: Sequence[int], n_new: int = 0) -> list[int]:
        """The ids as whole numbers, or ValueError if the model cannot read them."""
        ids, most, n_known = whole_numbers("an id", ids), self.settings.longest, self.settings.n_vocabulary
        if not ids:
            raise ValueError("a text must have at least one token, but it is empty")
        for place, i in enumerate(ids):
            if not 0 <= i < n_known:
                raise ValueError(f"an id must be from 0 to {n_known - 1}, but token {place} has {i}")
        if len(ids) + n_new > most:
            new = f" and {n_new} to be written" if n_new else ""
            raise ValueError(f"{self.settings.name} reads at most {most} tokens, but the text has {len(ids)}{new}")
        return ids


@dataclass(frozen=True, eq=False, kw_only=True)
class Step:
    """One written token, and what the model had read when it chose it."""

    id: int
    vectors: Mapping[str, Array]  # of all tokens before this one, by the names of a run
    run_of: Callable[[Mapping[str, Array]], Run]

    @cached_property
    def run(self) -> Run:
        """The run of all tokens before this one; its last row chose it. Its tokens are named when it is asked for."""
        return self.run_of(self.vectors)

    def weights(self) -> Array:
        """At what the last token read looks, in every head: [layer, head, token]."""
        return weights_of_heads(self.vectors["Q"][:, :, -1], self.vectors["K"])
