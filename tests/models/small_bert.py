"""A small random BERT, written as Hugging Face writes one: 2 layers with 3 heads of 4 numbers, and a few words."""

import json

import numpy as np

WORDS = ["the", "cat", "sat", "on", "mat", "because", "it", "was", "tired", "soft", "river", "deep", "##s"]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
CONFIG = {
    "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": 12,
    "intermediate_size": 20, "layer_norm_eps": 1e-12, "max_position_embeddings": 24, "num_attention_heads": 3,
    "num_hidden_layers": 2, "position_embedding_type": "absolute", "type_vocab_size": 2,
    "vocab_size": len(VOCABULARY),
}  # fmt: skip
SIZES = {  # [out, in] of the matrices of a layer
    "attention.self.query": (12, 12), "attention.self.key": (12, 12), "attention.self.value": (12, 12),
    "attention.output.dense": (12, 12), "intermediate.dense": (20, 12), "output.dense": (12, 20),
}  # fmt: skip


def write_small_bert(folder):
    """Write the model into a new folder."""
    from safetensors.numpy import save_file

    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (folder / "tokenizer.json").write_text(_tokenizer().to_str(), encoding="utf-8")
    save_file(_tensors(), folder / "model.safetensors")


def _tensors():
    draw = np.random.default_rng(7)

    def drawn(*shape, around=0.0):
        return (around + draw.normal(size=shape)).astype(np.float32)

    found = {
        f"embeddings.{name}_embeddings.weight": drawn(n, 12)
        for name, n in (("word", len(VOCABULARY)), ("position", 24), ("token_type", 2))
    }
    norms = ["embeddings.LayerNorm"]
    for layer in ("encoder.layer.0", "encoder.layer.1"):
        for name, (n_out, n_in) in SIZES.items():
            found |= {f"{layer}.{name}.weight": drawn(n_out, n_in), f"{layer}.{name}.bias": drawn(n_out)}
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
    for norm in norms:
        found |= {f"{norm}.weight": drawn(12, around=1.0), f"{norm}.bias": drawn(12)}
    return found


def _tokenizer():
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    ids = {word: place for place, word in enumerate(VOCABULARY)}
    inner = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    inner.normalizer = normalizers.BertNormalizer(lowercase=True)
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.decoder = decoders.WordPiece(prefix="##")
    ends = [(name, ids[name]) for name in ("[CLS]", "[SEP]")]
    inner.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    inner.add_special_tokens([name for name, _ in ends])
    return inner
