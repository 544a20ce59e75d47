"""What a model is made of: the sizes and choices that its file states."""

from dataclasses import dataclass
from typing import Literal

Family = Literal["llama", "gpt2", "bert"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The sizes and choices of a model, as its file states them."""

    name: str
    family: Family
    n_layers: int
    n_heads: int
    n_kv_heads: int  # as many as n_heads, unless query heads share them
    d_model: int
    d_head: int
    d_hidden: int  # of the feed-forward layer
    n_vocabulary: int
    longest: int  # tokens that the model was made for
    norm_epsilon: float
    rotary_base: float = 10_000.0  # Llama family only
    rotary_scaling: tuple[float, ...] | None = None  # by what each pair's rotation is slowed down, as in Llama 3

    def __post_init__(self) -> None:
        sizes = (self.n_layers, self.n_heads, self.n_kv_heads, self.d_model, self.d_head, self.d_hidden)
        if min(*sizes, self.n_vocabulary, self.longest) < 1 or self.n_heads % self.n_kv_heads:
            raise ValueError(f"sizes must be at least 1 and the kv heads must divide the heads, but got {self}")

    @property
    def causal(self) -> bool:
        """Whether a token looks back only: so in models that write; BERT reads both ways."""
        return self.family != "bert"
