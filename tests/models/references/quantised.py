"""What transformers computes for a small Llama with the numbers that its quantised blocks stand for."""

from datetime import date

import numpy as np
import torch
import transformers
from transformers import LlamaConfig, LlamaForCausalLM

from tests.models.quantised_llama import IDS, SCALES, SETTINGS, dequantised, sha256
from tests.models.references.reference import Reference, TextReference
from tests.models.small_files import folder_tensors

N_COLUMNS = 64


def quantised_reference() -> Reference:
    """The reference numbers, with each quantised type as one text."""
    return Reference(
        about={
            "model": "small random Llama in quantised blocks", "sha256": {kind: sha256(kind) for kind in SCALES},
            "torch": torch.__version__, "date": date.today().isoformat(), "transformers": transformers.__version__,
            "how": "eager attention, float32, output_attentions",
        },
        texts={kind: _of_type(kind) for kind in SCALES},
    )  # fmt: skip


@torch.no_grad()
def _of_type(kind: str) -> TextReference:
    out = _model(kind)(input_ids=torch.tensor([IDS]), output_attentions=True)
    weights, final = torch.cat(out.attentions).numpy(), out.logits[0].numpy()
    pairs = np.stack(np.tril_indices(len(IDS)), axis=1).astype(np.uint16)
    columns = np.arange(0, final.shape[1], final.shape[1] // N_COLUMNS, dtype=np.uint32)
    top = np.argsort(-final[-1], kind="stable")[:10].astype(np.uint32)
    return TextReference(
        text="", ids=np.array(IDS, dtype=np.uint32), pieces=(), pairs=pairs,
        weights=weights[:, :, pairs[:, 0], pairs[:, 1]], columns=columns, final=final[:, columns], top=top,
        top_scores=final[-1, top],
    )  # fmt: skip


def _model(kind: str) -> LlamaForCausalLM:
    config = LlamaConfig(
        vocab_size=SETTINGS.n_vocabulary, hidden_size=SETTINGS.d_model, intermediate_size=SETTINGS.d_hidden,
        num_hidden_layers=SETTINGS.n_layers, num_attention_heads=SETTINGS.n_heads,
        num_key_value_heads=SETTINGS.n_kv_heads, max_position_embeddings=SETTINGS.longest,
        rms_norm_eps=SETTINGS.norm_epsilon, tie_word_embeddings=False, attn_implementation="eager",
        rope_parameters={"rope_type": "default", "rope_theta": SETTINGS.rotary_base},
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    tensors = folder_tensors("llama", dequantised(kind))
    model.load_state_dict({name: torch.from_numpy(array) for name, array in tensors.items()})
    return model.float().eval()
