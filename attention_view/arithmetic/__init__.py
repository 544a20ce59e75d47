"""The arithmetic of one token that asks, term by term, as tables: every number is read from the record."""

from attention_view.arithmetic.bars import row_bars
from attention_view.arithmetic.products import dot_products, projection_steps
from attention_view.arithmetic.shares import softmax_steps, weighted_sum

__all__ = ["dot_products", "projection_steps", "row_bars", "softmax_steps", "weighted_sum"]
