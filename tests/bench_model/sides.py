"""The two sides: the same file, the same tokens, the same acts, by the core and by transformers.

What a side needs is imported when it is chosen, so that neither weighs on the other's memory.
"""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol


class Side(Protocol):
    """What both sides can do."""

    def __init__(self, path: Path, n_threads: int) -> None: ...

    def load(self) -> dict[str, float]:
        """Load numbers and tokenizer; returns the seconds of its parts, if it has some."""
        ...

    def read(self, ids: list[int], *, every: bool) -> int:
        """Read a text and make the final scores, of the last token or of every one; the best token after it."""
        ...

    def written(self, ids: list[int], n: int) -> Iterator[int]:
        """Write n tokens after a text, the best each time, with a KV cache."""
        ...


class Ours:
    """The core. It keeps queries and keys of every head, from which any map follows."""

    def __init__(self, path: Path, n_threads: int) -> None:
        from attention_core.models import files

        self.files, self.path = files, path
        self.model: Any = None

    def load(self, *, lazily: bool = False) -> dict[str, float]:
        self.model = self.files.load(self.path, lazily=lazily)
        return {}

    def read(self, ids: list[int], *, every: bool) -> int:
        run = self.model.read(ids)
        scores = self.model.final_scores(run, slice(None) if every else slice(-1, None))
        return int(scores[-1].argmax())

    def written(self, ids: list[int], n: int) -> Iterator[int]:
        for step in self.model.write(ids, n):
            step.weights()  # as transformers hands them out
            yield step.id

    def pictured(self, ids: list[int], layer: int, head: int) -> None:
        """What the first picture needs: the text read, and one head's record."""
        self.model.read(ids).record(layer, [head])

    def mapped(self, ids: list[int], layer: int, head: int) -> dict[str, float]:
        """Seconds for one head's whole map, and for the last token's row in every head."""
        run = self.model.read(ids)
        start = perf_counter()
        run.weights(layer, head)
        between = perf_counter()
        run.weights_of(len(ids) - 1)
        return {"map": between - start, "row": perf_counter() - between}


class Transformers:
    """transformers, eager, in float32. It keeps the weights of every head."""

    def __init__(self, path: Path, n_threads: int) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        torch.set_num_threads(n_threads)
        torch.set_grad_enabled(False)
        self.torch, self.path = torch, path
        self.model_class, self.tokenizer_class = AutoModelForCausalLM, AutoTokenizer
        self.model: Any = None

    def load(self) -> dict[str, float]:
        start = perf_counter()
        self.tokenizer = self.tokenizer_class.from_pretrained(self.path.parent, gguf_file=self.path.name)
        between = perf_counter()
        self.model = self.model_class.from_pretrained(
            self.path.parent, gguf_file=self.path.name, dtype=self.torch.float32, attn_implementation="eager"
        ).eval()
        return {"tokenizer": between - start, "numbers": perf_counter() - between}

    def read(self, ids: list[int], *, every: bool) -> int:
        out = self._out(ids, logits_to_keep=0 if every else 1)
        return int(out.logits[0, -1].argmax())

    def written(self, ids: list[int], n: int) -> Iterator[int]:
        new, cache = ids, None
        for _ in range(n):
            out = self._out(new, logits_to_keep=1, past_key_values=cache, use_cache=True)
            new, cache = [int(out.logits[0, -1].argmax())], out.past_key_values
            yield new[0]

    def _out(self, ids: list[int], **how: Any) -> Any:
        return self.model(input_ids=self.torch.tensor([ids]), output_attentions=True, **how)


SIDES = {"ours": Ours, "transformers": Transformers}
