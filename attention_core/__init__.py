"""Attention in NumPy, small enough to read: the functions, the record of a forward pass, and the lesson's toy."""

from attention_core.attention import (
    SoftmaxSteps,
    attend,
    attention_scores,
    attention_weights,
    causal_mask,
    masked_scores,
    softmax,
    softmax_steps,
)
from attention_core.edits import Edit
from attention_core.experiment import Experiment, trace
from attention_core.layer import attention_record, multi_head_attention
from attention_core.record import AttentionRecord, Names

__all__ = [
    "AttentionRecord",
    "Edit",
    "Experiment",
    "Names",
    "SoftmaxSteps",
    "attend",
    "attention_record",
    "attention_scores",
    "attention_weights",
    "causal_mask",
    "masked_scores",
    "multi_head_attention",
    "softmax",
    "softmax_steps",
    "trace",
]
