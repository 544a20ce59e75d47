"""What the heads of a model look at, over several texts: which role each head plays, if it plays one clearly.

One sentence tells little: a head that waits for a repeat rests on the first token until there is one.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from attention_core.checks import Array, quoted
from attention_core.models.progress import Progress
from attention_core.models.run import Run
from attention_core.patterns import CLEAR, pattern_score


def _previous(equal: Array) -> Array:
    return np.eye(len(equal), k=-1, dtype=bool)


def _first(equal: Array) -> Array:
    first = np.zeros_like(equal)
    first[2:, :1] = True  # before the third token, the first is also the previous one or the token itself
    return first


def _self(equal: Array) -> Array:
    return np.eye(len(equal), dtype=bool)


def _duplicate(equal: Array) -> Array:
    earlier: Array = np.tril(equal, k=-1)
    return earlier


def _induction(equal: Array) -> Array:
    after = np.zeros_like(equal)
    after[:, 1:] = equal[:, :-1]  # [query, key]: the token before the key equals the query
    earlier: Array = np.tril(after, k=-1)
    return earlier


# What each role looks at, by which tokens are equal: [query, key] boolean → [query, key] boolean.
ROLES: Mapping[str, Callable[[Array], Array]] = {
    "previous": _previous,  # the token just before
    "first": _first,  # the first token: a place to rest, called a sink
    "self": _self,  # the token itself
    "duplicate": _duplicate,  # an earlier token that is equal
    "induction": _induction,  # the token that followed an earlier equal one
}
ENOUGH = 5  # tokens of one text that can follow something, before anything is said of heads that do
PLAIN, NEED_REPEATS = ("previous", "first", "self"), ("duplicate", "induction")


def targets(role: str, pieces: Sequence[str]) -> Array:
    """Which keys the queries of a text would look at in a role: [query, key] boolean.

    Raises ValueError if it is none of ROLES.
    """
    if role not in ROLES:
        raise ValueError(f"a role must be one of {', '.join(ROLES)}, but it is {quoted(role)}")
    names = np.array(pieces, dtype=object)
    return ROLES[role](names[:, None] == names[None, :])


def role_scores(runs: Sequence[Run], *, with_repeats: Sequence[Run]) -> Array:
    """How clearly each head plays each role: 1 = all its weight does, 0 = no more than an even row's would.

    Each score is that of attention_core.patterns, against even causal weights, and the mean over the texts. The roles
    that need something to repeat are measured on `with_repeats` alone, the others on `runs` alone.

    returns: [role, layer, head]; 0 where no text has anything to choose

    Raises ValueError if a kind of text is missing or the runs are not of one model.
    """
    if not runs or not with_repeats:
        raise ValueError(f"roles need texts of both kinds, but there are {len(runs)} and {len(with_repeats)} runs")
    shapes = {run.Q.shape[:2] for run in (*runs, *with_repeats)}
    if len(shapes) > 1:
        raise ValueError(f"all runs must be of one model, but layers and heads are {sorted(shapes)}")
    plain = np.mean([scores_of_run(run, PLAIN) for run in runs], axis=0)
    repeated = np.mean([scores_of_run(run, NEED_REPEATS) for run in with_repeats], axis=0)
    found: Array = np.concatenate([plain, repeated])
    return found


def scores_of_run(run: Run, roles: Sequence[str], *, progress: Progress | None = None) -> Array:
    """How clearly each head plays some roles in one text: [role, layer, head]. What `progress` raises goes through.

    Raises ValueError if one is none of ROLES.
    """
    mask = run.mask()
    wanted = [targets(role, run.pieces) for role in roles]
    scores = np.zeros((len(roles), *run.Q.shape[:2]))
    n_heads = run.Q.shape[0] * run.Q.shape[1]
    for place, (layer, head) in enumerate(np.ndindex(run.Q.shape[:2])):
        if progress:
            progress(place / n_heads)
        weights = run.weights(layer, head)
        scores[:, layer, head] = [pattern_score(weights, mask, keys) or 0.0 for keys in wanted]
    return scores


def n_queries(role: str, run: Run) -> int:
    """How many tokens of a text have a key that the role looks at, and another one to choose from."""
    has_choice = run.mask().sum(axis=1) > 1
    return int((targets(role, run.pieces).any(axis=1) & has_choice).sum())


def scores_of_one_text(run: Run, *, progress: Progress | None = None) -> Array:
    """What the heads follow in one text: [role, layer, head]. One text tells no role.

    0 for what fewer than ENOUGH tokens of it could follow. What `progress` raises goes through.
    """
    enough = [role for role in ROLES if n_queries(role, run) >= ENOUGH]
    scores = np.zeros((len(ROLES), *run.Q.shape[:2]))
    scores[[role in enough for role in ROLES]] = scores_of_run(run, enough, progress=progress)
    return scores


def clear_role(scores: Array) -> str | None:
    """The role that a head plays clearly, by its scores in the order of ROLES: the highest that reaches CLEAR.

    "first" only when no other is clear: a head rests on the first token while it has nothing to look for.
    """
    by_role = dict(zip(ROLES, scores, strict=True))
    rests = by_role.pop("first")
    best = max(by_role, key=lambda role: by_role[role])
    if by_role[best] >= CLEAR:
        return best
    return "first" if rests >= CLEAR else None
