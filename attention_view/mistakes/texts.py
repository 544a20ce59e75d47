"""The ten mistakes in words: a short name, and three sentences each. Nothing here but words and what they hold for."""

from typing import NamedTuple

from attention_core import Experiment, toy
from attention_core.masks import MASKS
from attention_view.formula import Part
from attention_view.layout import Layout, words

HEADINGS = ("What is done", "What you see", "Why it matters")
ANYWHERE = "The numbers above say how far it goes here."  # instead of `see` where the toy is no longer as it was
HIDES_NOTHING = "Nothing, for the mask is off and hides nothing: switch it on."


class Mistake(NamedTuple):
    """One mistake. `see` is told of the toy as it is, with one of these heads and masks; the rest holds anywhere.

    In its sentences {line} stands for the row or column of a query in the tables, {across} for that of a key.
    """

    variant: str  # its name in attention_core.variants
    short: str
    wrong: str  # what is done wrong
    see: str  # what it looks like
    matters: str  # why it matters
    part: Part  # of the formula
    parts: tuple[str, ...] = ("lines",)  # of the token view: what tells best
    heads: tuple[str, ...] = ("pronoun",)
    masks: tuple[str, ...] = ("causal",)

    def story(self, experiment: Experiment, *, layout: Layout = "rows") -> str:
        """The three sentences with their headings, in Markdown, for tables that lie so."""
        parts = zip(HEADINGS, self.sentences(experiment, layout=layout), strict=True)
        return "\n\n".join(f"**{heading}.** {sentence}" for heading, sentence in parts)

    def sentences(self, experiment: Experiment, *, layout: Layout = "rows") -> tuple[str, ...]:
        """What is done wrong, what you see, why it matters, in Markdown: each is true of this experiment."""
        named = words(layout)._asdict()
        return tuple(text.format(**named) for text in (self.wrong, self._seen(experiment), self.matters))

    def _seen(self, experiment: Experiment) -> str:
        told = experiment.head in self.heads and experiment.mask in self.masks
        if experiment.edits or experiment.words:
            return ANYWHERE
        if self.part == "mask" and experiment.mask == "none":
            return HIDES_NOTHING
        return self.see if told else ANYWHERE


MISTAKES = (
    Mistake(
        "no_divisor",
        "no √d",
        "The scores go into softmax as they are: nobody divides them by √d_head.",
        "The last word gives one word almost everything: 86 % become more than 99 %.",
        "With longer queries and keys the scores grow, one word takes all, and where softmax is so sure a model can "
        "hardly learn.",
        part="scale",
        masks=MASKS,
    ),
    Mistake(
        "sqrt_d_model",
        "√d_model",
        "The scores are divided by √12, the root of a token vector's length (d_model), instead of √4, the root of a "
        "query's length (d_head).",
        "The last word is less sure than it should be: 86 % on one word become 53 %.",
        "Each score adds up d_head products, so only d_head says how far scores spread; divided by more, all "
        "weights get too even.",
        part="scale",
        masks=MASKS,
    ),
    Mistake(
        "wrong_axis",
        "wrong axis",
        "Softmax shares out each {across}, where it should share out each {line}.",
        "Every {across} adds up to 1, but the {line}s do not: *The* hands out 0.10 in all, the last word about 3, and "
        "with another last word {line}s of earlier words change.",
        "Each weight now depends on the other words that ask, also on later ones, so a mask no longer keeps the "
        "future out.",
        part="softmax",
        parts=("grid",),
    ),
    Mistake(
        "mask_as_zero",
        "mask as score 0",
        "A hidden score is set to 0 instead of −∞.",
        "e⁰ is 1, so hidden words still get weight: *The*, which may see only itself, gives away 90 %.",
        "A model trained like this learns to copy from the future, and while it writes there is none to copy from.",
        part="mask",
        parts=("grid",),
    ),
    Mistake(
        "mask_after",
        "mask after softmax",
        "The weights of hidden words are set to 0 after softmax, when the whole is already shared out.",
        "The {line}s of words from which something is hidden add up to less than 1: *The* keeps only 0.10 of "
        "its whole.",
        "What went to hidden words is lost, so words from which much is hidden receive too little.",
        part="mask",
        parts=("grid",),
    ),
    Mistake(
        "mask_after_renormalised",
        "mask after, renormalised",
        "The hidden weights are set to 0 after softmax, and then each {line} is divided by its sum.",
        "No weight is another one: the largest difference is 0 (to 12 decimals).",
        "So this is no mistake, since −∞ does just that; only where a hidden score is huge −∞ is safer, because else "
        "nothing would be left to divide.",
        part="mask",
        parts=("grid",),
        heads=toy.HEAD_NAMES,
        masks=MASKS,
    ),
    Mistake(
        "one_matrix",
        "W_K = W_Q",
        "Keys are made with W_Q, so one table says both what a word looks for and what it offers.",
        "Mirrored, the scores are the same and the weights are still not, because each {line} has its own sum; and the "
        "last word now looks at words that look for the same.",
        "To look for something and to offer it are two things; with one table, a question finds only questions like "
        "itself.",
        part="scores",
    ),
    Mistake(
        "no_positions",
        "no positions",
        "The place numbers of every vector are 0: no word knows where it stands.",
        "The previous head and the sink head look equally at all that they may see; the pronoun head reads no places, "
        "so its two pictures are alike: switch the head to previous or sink.",
        "Attention has no other sense of order: shuffle the words, and without positions the same numbers just move "
        "along.",
        part="scores",
        heads=toy.HEAD_NAMES,
        masks=MASKS,
    ),
    Mistake(
        "cut_first",
        "cut first",
        "The vector is cut into three pieces of four numbers, and each head gets only one piece.",
        "The pronoun head is left with **alive, thing, action, pronoun** and no longer sees **tired** or **soft**, so "
        "the last word looks equally at all.",
        "Every head must read the whole vector and pick what it needs with its own tables; what is cut is the product.",
        part="heads",
        masks=MASKS,
    ),
    Mistake(
        "mean_of_heads",
        "mean of heads",
        "The weights of all heads are averaged, and every head uses the mean.",
        "Each head gives one word more than 80 % of the last word's weight; the mean gives no word more than 34 %.",
        "Three questions become one blurred answer, which is no head's opinion.",
        part="heads",
        heads=toy.HEAD_NAMES,
        masks=("causal",),
    ),
)
BY_VARIANT = {mistake.variant: mistake for mistake in MISTAKES}

WHY_A_ROOT = """
A score adds up d_head products, so long queries and keys make large scores. Take random ones, whose entries have mean 0
and variance 1: then q·k has the variance d_head, and **spreads** by √d_head. (Vaswani et al. 2017, footnote 4)

Divided by **√d_head**, the spread is about 1 at every size, and the entropy stays between 0.82 and 0.87. With 8 heads,
**√d_model** is √8 times as much: the weights get too even, and their entropy stays above 0.97. Divided by **nothing**,
the largest weight grows from 0.27 at d_head = 1 to 0.96 at d_head = 512: there one word has nearly all.
"""
