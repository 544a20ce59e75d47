"""How vectors come about: tokens and matrices are given, and all others are sums of products of them."""

import numpy as np

from attention_core import toy
from attention_core.addresses import Address, value_at
from attention_core.in_words import Words
from attention_core.record import AttentionRecord
from attention_core.step import Step, Term, part, terms

Record = AttentionRecord


def token_entry(record: Record, array: str, i: int, d: int) -> Step:
    """An entry of a token vector is given: by the word or by its place."""
    return Step("given", _value(record, array, i, d), why=_where_from(record, i, d))


def matrix_entry(record: Record, array: str, *place: int) -> Step:
    """An entry of a matrix is given, unless the variant changes it."""
    value = _value(record, array, *place)
    if array == "W_K" and record.variant.keys_by == "W_Q":
        why = "This variant makes the keys with W_Q, so W_K is a copy of it."
        return Step("sum", value, terms([part(record, "W_Q", *place)]), why=why)
    if array != "W_O" and not in_own_slice(record, array, place):
        return Step("given", value, why="0: this variant lets each head see only its own slice of the vector.")
    by_hand = "Written down by hand: this is the toy. In a real model training finds such numbers."
    return Step("given", value, why=by_hand if is_toy(record) else "It came with the layer: nothing here computes it.")


def in_own_slice(record: Record, array: str, place: tuple[int, ...]) -> bool:
    """Whether a row of a head's matrix belongs to what the head may see."""
    if record.variant.heads_see == "all of the vector":
        return True
    n_heads, d_model, _ = getattr(record, array).shape
    return bool(place[1] // (d_model // n_heads) == place[0])


def projected(record: Record, array: str, head: int, i: int, e: int) -> Step:
    """An entry of a query, key or value: the token's vector times a column of the matrix."""
    if not record.X.shape[-1]:
        return Step("given", _value(record, array, head, i, e), why=record.given)
    words = Words(record)
    tokens = "X" if array == "Q" or np.array_equal(record.X, record.X_key) else "X_key"
    products = (
        Term((part(record, tokens, i, d), part(record, f"W_{array}", head, d, e)), words.dimension(d))
        for d in range(record.X.shape[-1])
    )
    return Step("sum", _value(record, array, head, i, e), tuple(products))


def weighted_value(record: Record, h: int, i: int, j: int, e: int) -> Step:
    """What one token hands over: its weight times its value."""
    product = Term((part(record, "weights", h, i, j), part(record, "V", record.kv_head(h), j, e)))
    return Step("sum", _value(record, "weighted_values", h, i, j, e), (product,))


def head_output(record: Record, h: int, i: int, e: int) -> Step:
    """What all tokens hand over, added up."""
    words = Words(record)
    addends = (
        Term((part(record, "weighted_values", h, i, j, e),), words.key(j)) for j in range(record.weights.shape[-1])
    )
    return Step("sum", _value(record, "head_outputs", h, i, e), tuple(addends))


def head_switch(record: Record, h: int) -> Step:
    """Given: 1 = on, 0 = off."""
    value = _value(record, "heads_on", h)
    return Step("given", value, why=f"The head is {'on' if value else 'off: what it found is not handed on'}.")


def joined_entry(record: Record, i: int, m: int) -> Step:
    """The head's output, copied to its slice; 0 if the head is off."""
    h, e = divmod(m, record.head_outputs.shape[-1])
    found, switch = part(record, "head_outputs", h, i, e), part(record, "heads_on", h)
    if switch.value:
        why = f"The {Words(record).head(h)} is on, so its output is copied: 1 = on."
        return Step("sum", _value(record, "joined", i, m), terms([found]), why=why, decided_by=(switch,))
    why = f"The {Words(record).head(h)} is off, so its slice is 0."
    return Step("sum", _value(record, "joined", i, m), (Term((found, switch)),), why=why)


def output_entry(record: Record, i: int, d: int) -> Step:
    """The joined outputs times a column of W_O."""
    words = Words(record)
    products = (
        Term((part(record, "joined", i, m), part(record, "W_O", m, d)), words.joined(m)) for m in range(len(record.W_O))
    )
    return Step("sum", _value(record, "output", i, d), tuple(products))


def new_entry(record: Record, i: int, d: int) -> Step:
    """The token's own number and what attention adds to it."""
    return Step("sum", _value(record, "new_X", i, d), terms([part(record, "X", i, d), part(record, "output", i, d)]))


def is_toy(record: Record) -> bool:
    """Whether the names of a record are those of the toy."""
    return record.dimension_names == toy.DIMENSIONS and record.head_names == toy.HEAD_NAMES


def _where_from(record: Record, i: int, d: int) -> str:
    name = record.dimension_names[d]
    if not is_toy(record):
        return "It goes in with the token: nothing here computes it."
    if name in toy.WORD_DIMENSIONS:
        return f"It comes with the word: {record.query_tokens[i]} has it at every place."
    if not record.variant.positions:
        return "0: this variant leaves out the numbers of the place."
    if name == "first":
        return "It comes from the place: 1 for the first token, 0 for all others."
    wave, period = name.split()
    return f"It comes from the place: {wave} of {i} ÷ {period} of a full turn (places count from 0), to 12 decimals."


def _value(record: Record, array: str, *place: int) -> float:
    return value_at(record, Address(array, place))
