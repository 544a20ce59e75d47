"""Attention once more, in plain loops over Python numbers: slow, obvious, and independent of the core."""

import math


def loop_attention(Q, K, V, mask):
    """Weights [query][key] and outputs [query][d_value] of one head; a query that may see nothing gets zeros."""
    all_weights, outputs = [], []
    for i, query in enumerate(Q):
        exponentials = []
        for j, key in enumerate(K):
            score = sum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(len(query))
            exponentials.append(math.exp(score) if mask[i][j] else 0.0)
        total = sum(exponentials)
        weights = [e / total if total else 0.0 for e in exponentials]
        all_weights.append(weights)
        outputs.append([sum(w * value[c] for w, value in zip(weights, V, strict=True)) for c in range(len(V[0]))])
    return all_weights, outputs
