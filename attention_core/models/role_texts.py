"""The texts on which the roles of a model's heads are measured."""

PLAIN = (
    "The cat sat on the mat because it was tired.",
    "A man walked along the river at night and looked for the small boat that he had left there in spring.",
    "Water boils at a lower temperature in the mountains, so an egg needs more time up there.",
    "My sister plays chess with her neighbour every Sunday, but she has never won a single game.",
    "When the train finally arrived, most people had already gone home by bus or on foot.",
    "def area(width, height):\n    return width * height\n\nprint(area(3, 4))\n",
)  # what each holds twice is left to chance

WITH_REPEATS = (
    "A grey horse stood near an old stone wall. A grey horse stood near an old stone wall.",
    "river glass seven lamp cloud yellow bread north window river glass seven lamp cloud yellow bread north window",
    "Send the blue parcel to Anna Keller before noon. I said: Send the blue parcel to Anna Keller before noon.",
    "x1 = open(path)\ny2 = read(x1)\nclose(x1)\nx1 = open(path)\ny2 = read(x1)\nclose(x1)\n",
)  # the second half says again what the first half said
