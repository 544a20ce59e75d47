"""What each head does on one text, by the measures of the roles. One text is no role: see roles.py."""

import numpy as np

from attention_core.checks import Array
from attention_core.models.progress import Progress
from attention_core.models.roles import ROLES, targets
from attention_core.models.run import Run
from attention_core.patterns import pattern_score


def roles_of_text(run: Run, *, progress: Progress | None = None) -> Array:
    """How clearly each head does on this text what each role asks for: [role, layer, head].

    Each head's map is made once and measured by all roles; 0 where the text has nothing to choose.

    What `progress` raises stops the work.
    """
    (n_layers, n_heads), mask = run.Q.shape[:2], run.mask()
    wanted = [targets(role, run.pieces) for role in ROLES]
    scores = np.zeros((len(ROLES), n_layers, n_heads))
    for layer in range(n_layers):
        for head in range(n_heads):
            weights = run.weights(layer, head)
            scores[:, layer, head] = [pattern_score(weights, mask, keys) or 0.0 for keys in wanted]
            if progress:
                progress((layer * n_heads + head + 1) / (n_layers * n_heads))
    return scores
