"""The formula of attention, coloured by meaning, with the part in question lit."""

from typing import Literal, NamedTuple, get_args

from attention_view.layout import Layout, is_turned, words

Part = Literal["neighbours", "scores", "scale", "mask", "softmax", "values", "heads"]


class _Piece(NamedTuple):
    """What a part of the formula says, in a few words."""

    name: str
    words: str


PIECES: dict[str, _Piece] = {
    "neighbours": _Piece("All of it", "how much each token looks at the others, times what they hand over"),
    "scores": _Piece("{product}", "every query with every key: the scores"),
    "scale": _Piece("÷ √d<sub>head</sub>", "keeps the scores of a size that softmax can use"),
    "mask": _Piece("mask", "−∞ where a token may not look, 0 where it may"),
    "softmax": _Piece(
        "softmax", "along each {line}, which belongs to one query: scores to shares of one whole, the weights"
    ),
    "values": _Piece("{values}", "weights times values, added up: what each token receives"),
    "heads": _Piece("{mixing}", "mixes the joined outputs of all heads; each head is the formula above"),
}
IN_WORDS: dict[Layout, str] = {
    "rows": "softmax of Q times K transposed, divided by the square root of d head{mask}, times V",
    "columns": "V times softmax of K transposed times Q, divided by the square root of d head{mask}",
}
JOINED_IN_WORDS: dict[Layout, str] = {
    "rows": "the heads joined end to end, times W O",
    "columns": "W O times the heads joined end to end",
}


def formula(part: Part | None = None, *, layout: Layout = "rows") -> str:
    """softmax(Q·Kᵀ / √d_head)·V as HTML (Vaswani et al. 2017, equation 1), with one part lit and named.

    Where queries stand in columns it is V·softmax(Kᵀ·Q / √d_head): the same products, transposed.
    The mask, which the equation leaves out, is written where it is the part in question; so is what becomes of several
    heads (section 3.2.2), on a second line.

    Raises ValueError for a part or a layout that does not exist.
    """
    if part is not None and part not in get_args(Part):
        raise ValueError(f"part must be one of {', '.join(get_args(Part))}, but it is {part!r}")
    turned = is_turned(layout)

    def lit(name: str, markup: str) -> str:
        return f'<span class="av-part">{markup}</span>' if name == part else f"<span>{markup}</span>"

    query, key = '<b class="av-query">Q</b>', '<b class="av-key">K</b><sup>T</sup>'
    scores = lit("scores", f"{key}·{query}" if turned else f"{query}·{key}")
    scale = lit("scale", '√<span class="av-root">d<sub>head</sub></span>')
    fraction = f'<span class="av-fraction">{scores}<span class="av-over">{scale}</span></span>'
    mask = f"\u00a0+\u00a0{lit('mask', 'mask')}" if part == "mask" else ""
    shares = (
        f"{lit('softmax', 'softmax')}<span class='av-paren'>(</span>{fraction}{mask}<span class='av-paren'>)</span>"
    )
    whole = _in_order(shares, lit("values", _factor('<b class="av-value">V</b>', turned=turned)), turned=turned)
    name = IN_WORDS[layout].format(mask=", plus the mask" if part == "mask" else "")
    drawn = _line(name, lit("neighbours", whole))
    if part == "heads":
        drawn = _line(f"head equals {name}", f"head\u00a0=\u00a0{whole}")
        mixing = lit("heads", _factor("W<sub>O</sub>", turned=turned))
        drawn += "<br>" + _line(JOINED_IN_WORDS[layout], _in_order(_joined(turned), mixing, turned=turned))
    drawn = f'<p class="av-formula">{drawn}</p>'
    return drawn if part is None else drawn + _explained(part, layout)


def _factor(markup: str, *, turned: bool) -> str:
    """A factor that stands last, or first if turned, with its sign of multiplication."""
    return f"{markup}·" if turned else f"·{markup}"


def _in_order(first: str, last: str, *, turned: bool) -> str:
    return f"{last}{first}" if turned else f"{first}{last}"


def _joined(turned: bool) -> str:
    """The outputs of the heads, end to end: side by side, or one above the other."""
    outputs = [f"<span>head<sub>{n}</sub></span>" for n in (1, 2)]
    if turned:
        return f'<span class="av-stack">{"".join(outputs)}<span>⋮</span></span>'
    return f"[{', '.join(outputs)}, …]"


def _explained(part: Part, layout: Layout) -> str:
    """What the lit part is called and does, and how a vector lies in this layout."""
    how = words(layout)
    signs = {
        "line": how.line,
        "product": how.product,
        "values": _factor("V", turned=is_turned(layout)),
        "mixing": _factor("W<sub>O</sub>", turned=is_turned(layout)),
    }
    name, meaning = (text.format(**signs) for text in PIECES[part])
    return f'<p class="av-caption"><strong>{name}</strong> – {meaning}. {how.vectors}</p>'


def _line(name: str, markup: str) -> str:
    return f'<span role="math" aria-label="{name}">{markup}</span>'
