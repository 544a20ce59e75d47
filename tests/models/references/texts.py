"""The texts that every model is compared on."""

TEXTS = {
    "english": "The cat sat on the mat because it was tired",
    "code": "def f(x):\n    return x[0] ** 2",
    "accents": "Où est l'été, señor Ñandú?",
    "cjk": "猫は疲れた。机上有猫",
    "emoji": "I ♥ 🐈 and 👩🏽‍🚀!",
    "blanks and digits": "  a\t12345\n\n 6.78 it's",
}
LONG = (
    "The cat sat on the mat because it was tired. The mat was soft, and the cat knew that no other place in the "
    "house was so quiet at noon. In 1987 a man from Żywiec wrote: «A cat is a clock that nobody winds». He kept "
    "nine of them, fed each at a time of its own, and noted in a long list what it ate, where it slept and whom it "
    "let come near.\n\n"
    "def naps(cat, hours=14):\n    return [cat.sleep(hour) for hour in range(hours)]\n\n"
    "The list was lost. The cat sat on the mat because it was tired, and the man sat beside it because he was too."
)
FOR_SMALL = LONG[:250]  # the small models know few pieces, so that a text has many tokens
