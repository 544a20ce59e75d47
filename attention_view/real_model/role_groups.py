"""All heads of the model by the role that they play clearly, over several texts and never by one sentence."""

from collections.abc import Mapping
from typing import NamedTuple

from attention_core.checks import Array
from attention_core.models.roles import ROLES, clear_role
from attention_core.patterns import CLEAR
from attention_view.head_gallery.groups import Group
from attention_view.numbers import number
from attention_view.table_parts import caption_text, class_of, heading_row, row, table


class Role(NamedTuple):
    """What a role is called, and what its heads do."""

    name: str
    does: str


IN_WORDS: Mapping[str | None, Role] = {
    "previous": Role("The token before", "look at the token just before"),
    "induction": Role("What came next", "look at the token that came after the same token, earlier in the text"),
    "duplicate": Role("The same token", "look at an earlier token that is the same"),
    "self": Role("Itself", "look at the token itself"),
    "first": Role("The first token", "rest on the first token, whatever the text: sinks"),
    None: Role("No clear role", "follow none of these, or several a little"),
}


def role_groups(scores: Array, words: Mapping[str | None, Role] = IN_WORDS) -> list[Group]:
    """All heads in groups; in a group the clearest first, those without a role by layer.

    scores: [role, layer, head]    words: how each group is called
    """
    _, n_layers, n_heads = scores.shape
    found: dict[str | None, list[tuple[int, int]]] = {role: [] for role in IN_WORDS}
    for layer in range(n_layers):
        for head in range(n_heads):
            found[clear_role(scores[:, layer, head])].append((layer, head))
    return [
        Group(words[role].name, words[role].does, _clearest_first(heads, scores, role), folds=role == "first")
        for role, heads in found.items()
        if heads
    ]


def role_table(scores: Array, layer: int, head: int, *, n_texts: tuple[int, int]) -> str:
    """How clearly one head plays each role. scores: [role, layer, head]

    n_texts: over how many texts they are the mean: plain ones, and ones that repeat themselves
    """
    places = [[*ROLES].index(role) for role in IN_WORDS if role is not None]
    values = [float(scores[place, layer, head]) for place in places]
    cells = (
        f'<td{class_of("av-clear" if value >= CLEAR else "")} style="--w:{max(value, 0):.2f}">{number(value)}</td>'
        for value in values
    )
    note = (
        f"Over {n_texts[0]} other texts, and {n_texts[1]} that repeat themselves for what needs a repeat. "
        f"1: all of the head's weight goes where the role says. 0: no more than if it were spread evenly. "
        f"From {number(CLEAR, 1)} on it is called clear. "
        "A head plays its clearest role; the first token counts only if no other is clear."
    )
    return table(
        [row(f"layer {layer}, head {head}", cells)],
        caption=caption_text("Which role does this head play?", note),
        head=heading_row(["head", *(IN_WORDS[role].name.lower() for role in IN_WORDS if role is not None)]),
        style="av-patterns",
    )


def _clearest_first(heads: list[tuple[int, int]], scores: Array, role: str | None) -> list[tuple[int, int]]:
    if role is None:
        return heads
    of_role = scores[[*ROLES].index(role)]
    return sorted(heads, key=lambda place: -float(of_role[place]))
