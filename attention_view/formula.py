"""The formula of attention, coloured by meaning, with the part in question lit."""

from typing import Literal, NamedTuple, get_args

Part = Literal["neighbours", "scores", "scale", "mask", "softmax", "values", "heads"]


class _Piece(NamedTuple):
    """What a part of the formula says, in a few words."""

    name: str
    words: str


PIECES: dict[str, _Piece] = {
    "neighbours": _Piece("All of it", "how much each token looks at the others, times what they hand over"),
    "scores": _Piece("Q·Kᵀ", "every query with every key: the scores"),
    "scale": _Piece("÷ √d<sub>head</sub>", "keeps the scores of a size that softmax can use"),
    "mask": _Piece("mask", "−∞ where a token may not look, 0 where it may"),
    "softmax": _Piece("softmax", "scores to shares of one whole: the weights"),
    "values": _Piece("·V", "weights times values, added up: what each token receives"),
    "heads": _Piece("·W<sub>O</sub>", "mixes the joined outputs of all heads; each head is the formula above"),
}
IN_WORDS = "softmax of Q times K transposed, divided by the square root of d head{mask}, times V"


def formula(part: Part | None = None) -> str:
    """softmax(Q·Kᵀ / √d_head)·V as HTML (Vaswani et al. 2017, equation 1), with one part lit and named.

    The mask, which the equation leaves out, is written where it is the part in question; so is what becomes of several
    heads (section 3.2.2), on a second line.

    Raises ValueError for a part that does not exist.
    """
    if part is not None and part not in get_args(Part):
        raise ValueError(f"part must be one of {', '.join(get_args(Part))}, but it is {part!r}")

    def lit(name: str, markup: str) -> str:
        return f'<span class="av-part">{markup}</span>' if name == part else f"<span>{markup}</span>"

    scores = lit("scores", '<b class="av-query">Q</b>·<b class="av-key">K</b><sup>T</sup>')
    scale = lit("scale", '√<span class="av-root">d<sub>head</sub></span>')
    fraction = f'<span class="av-fraction">{scores}<span class="av-over">{scale}</span></span>'
    mask = f"\u00a0+\u00a0{lit('mask', 'mask')}" if part == "mask" else ""
    softmax = lit("softmax", "softmax")
    whole = f"{softmax}<span class='av-paren'>(</span>{fraction}{mask}<span class='av-paren'>)</span>"
    whole += lit("values", '·<b class="av-value">V</b>')
    name = IN_WORDS.format(mask=", plus the mask" if part == "mask" else "")
    drawn = _line(name, lit("neighbours", whole))
    if part == "heads":
        joined = "[<span>head<sub>1</sub></span>, <span>head<sub>2</sub></span>, …]"
        drawn = _line(f"head equals {name}", f"head\u00a0=\u00a0{whole}")
        drawn += "<br>" + _line("the heads joined end to end, times W O", f"{joined}{lit('heads', '·W<sub>O</sub>')}")
    drawn = f'<p class="av-formula">{drawn}</p>'
    if part is None:
        return drawn
    return f'{drawn}<p class="av-caption"><strong>{PIECES[part].name}</strong> – {PIECES[part].words}.</p>'


def _line(name: str, markup: str) -> str:
    return f'<span role="math" aria-label="{name}">{markup}</span>'
