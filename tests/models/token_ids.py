"""`python -m tests.models.token_ids SMOLLM2_FILE MINILM_FOLDER` writes token_ids.json beside this file.

It asks transformers (requirements-bench.txt has it) for the tokens of each text below. Transformers leaves out a
step of SmolLM2's tokenizer when it reads a .gguf file: digits one by one, before all else, as the model's
tokenizer.json and llama.cpp have it. So that step is put back.
"""

import json
import sys
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")
TEXTS = [
    "",
    " ",
    "   ",
    "\t",
    "\n\n",
    " \n ",
    "\r\n",
    "The cat sat on the mat because it was soft",
    "it's I'll DON'T O'Neil's",
    "def f(x):\n    return x ** 2  # square\n",
    "\tfor (int i = 0; i < 10; ++i) { s += a[i]; }",
    "snake_case camelCase ALL",
    "naïve café Ångström Übergröße",
    "cafe\u0301 e\u0301\u0323",
    "日本語の猫は疲れた。",
    "中文字符，标点。",
    "한국어",
    "Россия",
    "ไทย",
    "שלום עולם",
    "שָׁלוֹם",
    "مرحبا بالعالم",
    "हिन्दी",
    "🙂🙂",
    "👩‍👩‍👧‍👦 family",
    "👋🏽 hi 👍🏿",
    "🇺🇸🇩🇪",
    "❤️ 1️⃣",
    "12345 3.14 1,000",
    "a  1",
    "a\n 1",
    "a\n\n1",
    "½ ²³ Ⅷ ٣",
    "2024-01-01",
    "a   b    c",
    "x   ",
    "\u00a0nbsp\u2003em\u3000wide",
    "zero\u200bwidth \ufeffbom",
    "\x00\x1f",
    "\ufffd",
    "“quoted”—dash…",
    "http://example.org/a?b=c&d=e#f",
    "<|im_start|>user\nHi<|im_end|>",
    "a<|endoftext|>b",
    "[CLS] hi [MASK]",
    "##ing Ġ ▁ <0x0A>",
    "ﬁ Ｆｕｌｌ 𝔘𝔫𝔦",
    "İstanbul ẞß",
    "a" * 40,
]


def main() -> None:
    """Write the ids of all texts by both models."""
    from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence
    from transformers import AutoTokenizer

    file, folder = map(Path, sys.argv[1:])
    smollm2 = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    digits = Digits(individual_digits=True)
    smollm2.backend_tokenizer.pre_tokenizer = Sequence([digits, ByteLevel(add_prefix_space=False)])
    models = {"smollm2": smollm2, "minilm": AutoTokenizer.from_pretrained(folder)}
    rows = [
        json.dumps([text, *(model(text, padding=False, truncation=False).input_ids for model in models.values())])
        for text in TEXTS
    ]
    FILE.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
