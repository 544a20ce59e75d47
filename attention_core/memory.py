"""How much memory a KV cache takes, for real models with their published settings."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """What decides the size of a model's KV cache, with where it is published."""

    name: str
    n_layers: int
    n_heads: int
    n_kv_heads: int
    d_head: int
    longest: int  # positions, the longest context the model is made for
    source: str
    source_name: str

    def __post_init__(self) -> None:
        sizes = (self.n_layers, self.n_heads, self.n_kv_heads, self.d_head, self.longest)
        if min(sizes) < 1 or self.n_heads % self.n_kv_heads:
            raise ValueError(f"sizes must be at least 1 and the kv heads must divide the heads, but got {self}")


PRESETS = (
    ModelSettings(
        name="GPT-2 small", n_layers=12, n_heads=12, n_kv_heads=12, d_head=64, longest=1_024,
        source="https://huggingface.co/openai-community/gpt2/blob/main/config.json", source_name="its configuration",
    ),
    ModelSettings(
        name="SmolLM2-135M", n_layers=30, n_heads=9, n_kv_heads=3, d_head=64, longest=8_192,
        source="https://huggingface.co/HuggingFaceTB/SmolLM2-135M/blob/main/config.json",
        source_name="its configuration",
    ),
    ModelSettings(
        name="Llama 3.1 8B", n_layers=32, n_heads=32, n_kv_heads=8, d_head=128, longest=131_072,
        source="https://arxiv.org/abs/2407.21783", source_name="Llama team 2024, table 3",
    ),
    ModelSettings(
        name="Qwen2.5-7B-Instruct-1M", n_layers=28, n_heads=28, n_kv_heads=4, d_head=128, longest=1_010_000,
        source="https://huggingface.co/Qwen/Qwen2.5-7B-Instruct-1M/blob/main/config.json",
        source_name="its configuration",
    ),
)  # fmt: skip
BYTES_A_NUMBER = (1, 2, 4)


def cache_bytes(
    settings: ModelSettings, *, positions: int, requests: int = 1, bytes_a_number: int = 2, shared: bool = True
) -> int:
    """The bytes of the keys and values of all positions.

    2 (keys and values) × layers × KV heads × d_head × bytes × positions × requests

    shared: False counts a key and value head for every query head, as if none were shared.

    Raises ValueError if a number is negative.

    >>> cache_bytes(PRESETS[2], positions=1)  # Llama 3.1 8B, one token
    131072
    """
    given = (positions, requests, bytes_a_number)
    if not all(isinstance(size, int) and size >= 0 for size in given):
        raise ValueError(f"sizes must be whole and not negative, but got {positions=}, {requests=}, {bytes_a_number=}")
    kv_heads = settings.n_kv_heads if shared else settings.n_heads
    return 2 * settings.n_layers * kv_heads * settings.d_head * bytes_a_number * positions * requests
