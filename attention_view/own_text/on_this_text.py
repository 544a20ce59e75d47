"""What the heads of a model follow on one text, where no roles have been measured: one text is no role."""

from collections.abc import Mapping

from attention_core.checks import Array
from attention_core.models.roles import ENOUGH
from attention_view.head_gallery import Group
from attention_view.real_model.role_groups import Role, role_groups

IN_WORDS: Mapping[str | None, Role] = {
    "previous": Role("The token before, on this text", "look here at the token just before"),
    "induction": Role(
        "What came next, on this text", "look here at the token that came after the same token, earlier on"
    ),
    "duplicate": Role("The same token, on this text", "look here at an earlier token that is the same"),
    "self": Role("Itself, on this text", "look here at the token itself"),
    "first": Role("The first token, on this text", "rest here on the first token; on another text they may not"),
    None: Role("Nothing clear on this text", "follow none of these here, or several a little"),
}
ON_THIS_TEXT = f"""
The heads stand in groups by what they do **on this text**. **One text is no role**: on another one a head may do
something else. A group is made only of what at least {ENOUGH} tokens of the text can do, so that heads that wait for a
repeat are not named by one or two.
"""


def groups_on_this_text(scores: Array) -> list[Group]:
    """All heads in groups, by what they follow on one text. scores: [role, layer, head]"""
    return role_groups(scores, IN_WORDS)
