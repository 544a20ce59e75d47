"""Texts to begin with, and pairs of texts that differ in the last word."""

from attention_core.models.pairs import PAIRS as WRITTEN_DOWN
from attention_core.models.pairs import Pair

LESSON = "The cat sat on the mat because it was tired"
TEXTS = {
    "The lesson's sentence": LESSON,
    "Something repeats": "Anna sold the red kite to Ben. Ben flew it. Then Anna sold the red kite to Ben",
    "Code": "def area(width, height):\n    return width * height",
    "Another script": "猫はマットの上に座った。",
    "A longer text": (
        "The baker opened her shop before the sun was up. She lit the oven, weighed the flour and listened to the "
        "rain. At seven the first guest came in, shook his umbrella and asked for the bread with the dark crust. She "
        "wrapped it in paper while it was still warm. He paid, thanked her, and left the umbrella by the door. At noon "
        "the rain had stopped, and the umbrella still stood there. The baker hung it up by the oven. When the guest "
        "came back the next morning, it was dry."
    ),
}


# Not all of them go the fitting way: they were written down before any was measured.
PAIRS = (Pair("The cat sat on the mat because it was", ("cat", "mat"), ("tired", "soft")), *WRITTEN_DOWN[:9])
QUESTION = "The cat sat on the mat because it was soft. What was soft?"
