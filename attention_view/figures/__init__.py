"""Plotly figures as pure functions of arrays: the data first, the rest by name; each returns a figure to be shown."""

from attention_view.figures.curves import cost_curve, ratio_curve, softmax_curve
from attention_view.figures.heatmaps import scores_heatmap, weights_heatmap
from attention_view.figures.memory import memory_curve
from attention_view.figures.sheet import PLOTLY_CONFIG, alt_text

__all__ = [
    "PLOTLY_CONFIG",
    "alt_text",
    "cost_curve",
    "memory_curve",
    "ratio_curve",
    "scores_heatmap",
    "softmax_curve",
    "weights_heatmap",
]
