"""A model as transformers runs it: eager attention in float32, with the attention weights handed out."""

from pathlib import Path
from typing import Any

import torch
from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast

from attention_core.checks import Array


class WithTransformers:
    """A model file or folder opened by transformers."""

    def __init__(self, path: Path) -> None:
        folder, file = (path, {}) if path.is_dir() else (path.parent, {"gguf_file": path.name})
        self.writes = bool(file) or AutoConfig.from_pretrained(folder).model_type != "bert"
        kind = AutoModelForCausalLM if self.writes else AutoModel
        self.model = kind.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", **file).eval()
        self.tokenizer = tokenizer_of(folder, **file)

    def ids(self, text: str) -> list[int]:
        """The tokens of a whole text, with the special ones that the model wants."""
        numbers: list[int] = self.tokenizer(text, padding=False, truncation=False).input_ids
        return numbers

    def pieces(self, ids: list[int]) -> tuple[str, ...]:
        """The tokens as the vocabulary writes them."""
        return tuple(self.tokenizer.convert_ids_to_tokens(ids))

    @torch.no_grad()
    def run(self, ids: list[int]) -> tuple[Array, Array]:
        """All weights, [layer, head, query, key], and the final scores, [token, n_vocabulary]; of BERT the last
        hidden state instead, [token, d_model].
        """
        given: dict[str, Any] = {"input_ids": torch.tensor([ids]), "output_attentions": True}
        out = self.model(**given)
        final = out.logits if self.writes else out.last_hidden_state
        return torch.cat(out.attentions).numpy(), final[0].numpy()


def tokenizer_of(folder: Path, **file: str) -> Any:
    """The tokenizer of a model.

    Of a .gguf file transformers 5.24 does not read how a text is cut before the merges: SmolLM's own tokenizer.json
    cuts off each digit first, and so does llama.cpp for the "smollm" that the file names. That is made up for here.
    """
    if not file and not (folder / "tokenizer_config.json").exists():
        return PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    tokenizer = AutoTokenizer.from_pretrained(folder, **file)
    if file:
        digits, bytes_ = Digits(individual_digits=True), ByteLevel(add_prefix_space=False)
        tokenizer.backend_tokenizer.pre_tokenizer = Sequence([digits, bytes_])
    return tokenizer
