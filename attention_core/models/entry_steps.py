"""The steps from a token's vector to an entry of its query, key or value: norm, matrix, rotation."""

from collections.abc import Callable, Sequence

from attention_core.addresses import Address
from attention_core.models.entry_words import END, TRAINED, EntryWords
from attention_core.step import Kind, Part, Step, Term, terms


def entry(w: EntryWords, letter: str, _: int, t: int, e: int) -> Step:
    """An entry as attention uses it: turned by its place, or made at once by the matrix."""
    if not w.numbers.rotary or letter == "V":
        return _projected(w, letter, w.numbers.value(Address(letter, (0, t, e))), t, e)
    half = w.numbers.settings.d_head // 2
    own, other = (_part(w, f"{letter}_unturned", t, n) for n in (e, (e + half) % (2 * half)))
    cosine, sine = (_part(w, name, t, e % half) for name in ("cosine", "sine"))
    turned = Term((own, cosine)), Term((other, sine), minus=e < half)
    return Step("sum", w.numbers.value(Address(letter, (0, t, e))), turned, why=w.turned(t, e))


def unturned(w: EntryWords, array: str, t: int, e: int) -> Step:
    """An entry before the rotation: made by the matrix."""
    return _projected(w, array[0], w.numbers.value(Address(array, (t, e))), t, e)


def normed(w: EntryWords, array: str, t: int, d: int) -> Step:
    """What goes into the matrices: brought to size 1, times a gain, plus a bias where the family has one."""
    products = [Term((_part(w, "standard", t, d), _part(w, "gain", d)))]
    if "norm_bias" in w.numbers.of_head:
        products.append(Term((_part(w, "norm_bias", d),)))
    return _sum(w, array, t, d, of=products, why=w.norm())


def standard(w: EntryWords, array: str, t: int, d: int) -> Step:
    """Divided by the root mean square."""
    above, below = _part(w, _moved(w), t, d), _part(w, "root", t)
    return Step("quotient", w.numbers.value(Address(array, (t, d))), terms([above]), terms([below]))


def root(w: EntryWords, array: str, t: int) -> Step:
    """The square root of the mean of squares, and of a tiny number besides."""
    epsilon = Part("epsilon, so that it is never 0", w.numbers.settings.norm_epsilon)
    return Step("root", w.numbers.value(Address(array, (t,))), terms([_part(w, "mean_square", t), epsilon]))


def mean_square(w: EntryWords, array: str, t: int) -> Step:
    return _mean(w, array, "squares", t)


def squares(w: EntryWords, array: str, t: int) -> Step:
    """Each entry times itself, added up."""
    entries = (_part(w, _moved(w), t, d) for d in range(w.numbers.settings.d_model))
    return _sum(w, array, t, of=[Term((one, one), _dimension(d)) for d, one in enumerate(entries)])


def centred(w: EntryWords, array: str, t: int, d: int) -> Step:
    """The entry less the mean of all."""
    return _sum(w, array, t, d, of=[Term((_part(w, "X", t, d),)), Term((_part(w, "mean_entry", t),), minus=True)])


def mean_entry(w: EntryWords, array: str, t: int) -> Step:
    return _mean(w, array, "total", t)


def total(w: EntryWords, array: str, t: int) -> Step:
    """All entries of the token's vector, added up."""
    entries = range(w.numbers.settings.d_model)
    return _sum(w, array, t, of=[Term((_part(w, "X", t, d),), _dimension(d)) for d in entries])


def vector(w: EntryWords, array: str, t: int, d: int) -> Step:
    """What the token began as, and what each layer before this one added; of a normed sum the end of the way."""
    if not w.numbers.residual:
        return Step("given", w.numbers.value(Address(array, (t, d))), why=w.vector())
    added = [Term((_part(w, "added", t, n, d),), f"layer {n}") for n in range(w.numbers.layer)]
    return _sum(w, array, t, d, of=[Term((_part(w, "start", t, d),), "at the start"), *added], why=w.vector())


def start(w: EntryWords, array: str, t: int, d: int) -> Step:
    """What the token began as: its embedding, and in GPT-2 its place's vector."""
    if w.numbers.rotary:
        return Step("given", w.numbers.value(Address(array, (t, d))), why=w.start())
    return _sum(w, array, t, d, of=terms(_part(w, name, t, d) for name in ("embedding", "position")))


def added(w: EntryWords, array: str, t: int, n: int, d: int) -> Step:
    return Step("given", w.numbers.value(Address(array, (t, n, d))), why=w.added(n))


def embedding(w: EntryWords, array: str, t: int, d: int) -> Step:
    return Step("given", w.numbers.value(Address(array, (t, d))), why=w.start())


def trained(w: EntryWords, array: str, *place: int) -> Step:
    """A number of the model itself."""
    return Step("given", w.numbers.value(Address(array, place)), why=f"{TRAINED} {END}")


def turn(w: EntryWords, array: str, t: int, p: int) -> Step:
    """The cosine or sine of the angle."""
    kind: Kind = "cosine" if array == "cosine" else "sine"
    return Step(kind, w.numbers.value(Address(array, (t, p))), terms([_part(w, "angle", t, p)]))


def angle(w: EntryWords, array: str, t: int, p: int) -> Step:
    """The token's place times the turn from one place to the next."""
    return _sum(w, array, t, p, of=[Term((Part(f"place of {w.token(t)}, from 0", float(t)), _part(w, "frequency", p)))])


def frequency(w: EntryWords, array: str, p: int) -> Step:
    return Step("given", w.numbers.value(Address(array, (p,))), why=w.frequency(p))


STEPS: dict[str, Callable[..., Step]] = {
    **dict.fromkeys(("Q", "K", "V"), entry),
    **dict.fromkeys(("Q_unturned", "K_unturned"), unturned),
    **dict.fromkeys(("W_Q", "W_K", "W_V", "bias_Q", "bias_K", "bias_V", "gain", "norm_bias", "position"), trained),
    **dict.fromkeys(("cosine", "sine"), turn),
    "X": vector, "start": start, "embedding": embedding, "added": added, "total": total, "mean_entry": mean_entry,
    "centred": centred, "squares": squares, "mean_square": mean_square, "root": root, "standard": standard,
    "normed": normed, "angle": angle, "frequency": frequency,
}  # fmt: skip


def _projected(w: EntryWords, letter: str, value: float, t: int, e: int) -> Step:
    """The vector that goes into the matrix, times the column of the entry, plus a bias where the family has one."""
    into = "normed" if w.numbers.residual else "X"
    products = [
        Term((_part(w, into, t, d), _part(w, f"W_{letter}", d, e)), _dimension(d))
        for d in range(w.numbers.settings.d_model)
    ]
    if f"bias_{letter}" in w.numbers.of_head:
        products.append(Term((_part(w, f"bias_{letter}", e),), "bias"))
    return Step("sum", value, tuple(products), why=w.shared(letter))


def _mean(w: EntryWords, array: str, of: str, t: int) -> Step:
    n = Part("how many dimensions there are", float(w.numbers.settings.d_model))
    return Step("quotient", w.numbers.value(Address(array, (t,))), terms([_part(w, of, t)]), terms([n]))


def _sum(w: EntryWords, array: str, *place: int, of: Sequence[Term], why: str = "") -> Step:
    return Step("sum", w.numbers.value(Address(array, place)), tuple(of), why=why)


def _moved(w: EntryWords) -> str:
    """The vector whose size the norm takes."""
    return "X" if w.numbers.rotary else "centred"


def _dimension(d: int) -> str:
    return f"dimension {d + 1}"


def _part(w: EntryWords, array: str, *place: int) -> Part:
    """The number at a place, as a part."""
    address = Address(array, place)
    return Part(w.name(address), w.numbers.value(address), address)
