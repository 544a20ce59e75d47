"""Two small random models as Hugging Face writes them: a GPT-2, and a Llama with grouped heads and Llama 3 scaling.

Their numbers are drawn so that a mistake in the forward pass shows: heads look at some tokens far more than at others,
no norm is 1 and no bias 0, and of the four rotations of a Llama head one is kept, one blended and two are stretched.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from tests.models.references.texts import LONG, TEXTS

SEED = 20_240_617
N_VOCABULARY = 280  # 256 bytes, the most frequent pairs of the texts, one special token
END = N_VOCABULARY - 1


def gpt2() -> GPT2LMHeadModel:
    """A GPT-2 of 2 layers with 4 heads of 8 numbers."""
    config = GPT2Config(
        vocab_size=N_VOCABULARY, n_positions=192, n_embd=32, n_layer=2, n_head=4, n_inner=96,
        bos_token_id=END, eos_token_id=END,
    )  # fmt: skip
    return _with_random_numbers(GPT2LMHeadModel(config))


def llama() -> LlamaForCausalLM:
    """A Llama of 3 layers with 4 query heads of 8 numbers, which share 2 kv heads; its vocabulary is not tied."""
    rope = {
        "rope_type": "llama3", "rope_theta": 1000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64,
    }  # fmt: skip
    config = LlamaConfig(
        vocab_size=N_VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=3, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=512, rms_norm_eps=1e-5, rope_parameters=rope,
        tie_word_embeddings=False, bos_token_id=END, eos_token_id=END,
    )  # fmt: skip
    return _with_random_numbers(LlamaForCausalLM(config))


SMALL_MODELS: dict[str, Callable[[], Any]] = {"small_gpt2": gpt2, "small_llama": llama}


@torch.no_grad()
def _with_random_numbers(model: Any) -> Any:
    """The same model, its numbers drawn with a fixed seed."""
    draw = torch.Generator().manual_seed(SEED)
    for name, numbers in model.named_parameters():
        drawn = torch.randn(numbers.shape, generator=draw)
        if numbers.ndim == 2:
            numbers.copy_(drawn * _spread(name, numbers))
        else:
            numbers.copy_((1.0 if name.endswith("weight") else 0.0) + 0.3 * drawn)
    return model.eval()


def _spread(name: str, numbers: torch.Tensor) -> Any:
    """How far the numbers of a matrix lie from 0: so that what it hands on is about as large as what it is given."""
    part = name.split(".")[-2]
    if part in {"wte", "wpe", "embed_tokens"}:
        return 1.0
    n_given = numbers.shape[0] if ".h." in name else numbers.shape[1]  # GPT-2 writes its matrices as [in, out]
    spread = torch.full(numbers.shape, n_given**-0.5)
    if part in {"q_proj", "k_proj"}:
        spread *= 1.5
    elif part == "c_attn":
        spread[:, : 2 * numbers.shape[0]] *= 1.5  # its queries and keys
    elif ".mlp." in name and ".h." in name:
        spread *= 3.0  # else the two ways to write GELU could hardly be told apart
    return spread


def tokenizer() -> Tokenizer:
    """A byte-level tokenizer that knows a few pairs of the texts."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=END, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(_texts(), trainer)
    made.add_special_tokens(["<|endoftext|>"])
    return made


def _texts() -> Iterator[str]:
    yield from TEXTS.values()
    yield LONG


def make(name: str, folder: Path) -> None:
    """Write a small model into a folder: config.json, model.safetensors, tokenizer.json."""
    SMALL_MODELS[name]().save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    (folder / "model.safetensors").chmod(0o644)
    tokenizer().save(str(folder / "tokenizer.json"), pretty=False)
