"""What becomes of several heads: their patterns, how they are split and joined, and how real models share them."""

from attention_view.heads.averaging import averaging
from attention_view.heads.joining import joining
from attention_view.heads.matrices import matrices, twin
from attention_view.heads.patterns import baseline_sentence, patterns_table
from attention_view.heads.sharing import sharing
from attention_view.heads.splitting import splitting
from attention_view.heads.wide import wide_matrix

__all__ = [
    "averaging",
    "baseline_sentence",
    "joining",
    "matrices",
    "patterns_table",
    "sharing",
    "splitting",
    "twin",
    "wide_matrix",
]
