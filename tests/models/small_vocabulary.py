"""A vocabulary of bytes and a few words, small enough to know by heart, as the metadata of a .gguf file."""

from attention_core.models.tokenizer import BYTES

SIGNS = sorted(BYTES, key=BYTES.__getitem__)  # the id of a byte is its value
MERGES = ["c a", "ca t", "Ġ cat", "i t", "Ġ Ġ", "Ċ Ċ", "ð Ł"]
MARKS = ["<|start|>", "<|end|>", "<think>"]
TOKENS = [*SIGNS, *("".join(merge.split()) for merge in MERGES), *MARKS]
START, END = TOKENS.index("<|start|>"), TOKENS.index("<|end|>")


def fields(**changed):
    """The metadata; given names (without "tokenizer.ggml.") replace what stands there, None takes it away."""
    kinds = [3 if token in MARKS[:2] else 4 if token in MARKS else 1 for token in TOKENS]
    stated = {
        "model": "gpt2", "pre": "gpt-2", "tokens": TOKENS, "merges": MERGES, "token_type": kinds,
        "bos_token_id": START, "eos_token_id": END, "add_bos_token": False,
    } | changed  # fmt: skip
    return {f"tokenizer.ggml.{name}": value for name, value in stated.items() if value is not None}
