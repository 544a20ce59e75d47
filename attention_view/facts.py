"""The facts card: what attention is in four lines, each with its source."""

from typing import NamedTuple

from attention_view.layout import Layout, is_turned


class Fact(NamedTuple):
    """One line of the card."""

    name: str
    text: str
    source: str
    address: str


FORMULA = Fact(
    "Formula",
    "softmax(Q·Kᵀ / √d_head)·V",
    "Vaswani et al. 2017, equation 1",
    "https://arxiv.org/abs/1706.03762",
)
TURNED_FORMULA = FORMULA._replace(
    text="V·softmax(Kᵀ·Q / √d_head), with vectors as columns; in the paper vectors are rows: softmax(Q·Kᵀ / √d_head)·V"
)
FACTS = (
    FORMULA,
    Fact(
        "Introduced",
        "2017, in <cite>Attention Is All You Need</cite>",
        "Vaswani et al. 2017",
        "https://arxiv.org/abs/1706.03762",
    ),
    Fact(
        "GPT-2 small",
        "12 layers with 12 heads each",
        "its configuration",
        "https://huggingface.co/openai-community/gpt2/blob/main/config.json",
    ),
    Fact(
        "Llama 3.1 8B",
        "32 layers with 32 query heads each; every 4 of them share one key and value head, 8 in all",
        "Llama team 2024, table 3",
        "https://arxiv.org/abs/2407.21783",
    ),
    Fact(
        "Cost",
        "grows with the square of the length: twice the tokens, four times the scores",
        "Vaswani et al. 2017, table 1",
        "https://arxiv.org/abs/1706.03762",
    ),
)


def facts_card(*, layout: Layout = "rows") -> str:
    """The card as HTML: names, facts, and each source as a link.

    Raises ValueError for a layout that does not exist.
    """
    facts = (TURNED_FORMULA, *FACTS[1:]) if is_turned(layout) else FACTS
    lines = (
        f'<dt>{fact.name}</dt><dd>{fact.text} <a href="{fact.address}" target="_blank">{fact.source}</a></dd>'
        for fact in facts
    )
    return f'<section class="av-facts" aria-label="Facts"><dl>{"".join(lines)}</dl></section>'
