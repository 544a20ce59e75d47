"""Attention weights from elsewhere: any array that a model hands out, read down to one table [query, key]."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from attention_core.checks import Array, quoted

AXES_OF = {2: "query key", 3: "head query key", 4: "batch head query key"}  # of one layer, by its number of axes
CHOSEN = ("layer", "batch", "head")
ALMOST = 1e-6  # a weight may be so much more than 1: single precision leaves about 1e-7
FOUR = 'say which they are: axes="batch head query key" or axes="layer head query key"'


def one_table(
    weights: Any,
    *,
    layer: int | None = None,
    head: int | None = None,
    batch: int | None = None,
    axes: str | None = None,
) -> Array:
    """The weights of one head of one layer: [query, key].

    weights: [query, key], or [head, query, key], or any order of axes that `axes` names, as in
    "batch head query key"; or a list or tuple of layers, each [batch, head, query, key], as transformers gives them.
    Tensors of PyTorch and TensorFlow are read by their array protocol.
    layer, head, batch: which one, from 0. An axis of length 1 needs no choice; an axis that is not there has one place.

    Raises ValueError if the axes do not fit or are ambiguous, naming those found; if there are several layers, heads
    or batch entries and none is chosen; if a weight is no number or does not lie from 0 to 1, with its place.

    >>> one_table([[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0]]], head=1).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    wanted = {"layer": layer, "batch": batch, "head": head}
    for name, place in wanted.items():
        if place is not None:
            require_whole(name, place)
    if axes is not None and not isinstance(axes, str):
        raise ValueError(f'axes must be a text such as "head query key", but it is {quoted(axes)}')
    chosen: dict[str, int] = {}
    if are_layers(weights):
        weights, place = _one_layer(weights, layer)
        wanted["layer"] = None
        chosen["layer"] = place
        if axes is not None and "layer" in axes.split():
            raise ValueError(
                f"axes must name the axes of one layer, for weights is a list of layers, but it is {axes!r}"
            )
        array = _numbers(weights, f"layer {place}")
        names = _axes(array, axes, AXES_OF)
    else:
        array = _numbers(weights, "weights")
        names = _axes(array, axes, {2: AXES_OF[2], 3: AXES_OF[3]})
    for name in CHOSEN:
        n = array.shape[names.index(name)] if name in names else 1
        place = _place(name, wanted[name], n)
        if name in names:
            array = array.take(place, axis=names.index(name))
            names.remove(name)
            if n > 1:
                chosen[name] = place
    for name, n in zip(names, array.shape, strict=True):
        if n == 0:
            raise ValueError(f"weights must have at least one {name}, but it has none")
    table = array if names == ["query", "key"] else array.T
    _require_weights(table, {name: chosen[name] for name in CHOSEN if name in chosen})
    return table


def are_layers(weights: Any) -> bool:
    """Whether a list or tuple holds arrays of a layer each, and not numbers or rows of numbers."""
    return isinstance(weights, list | tuple) and any(
        entry is None or isinstance(entry, tuple) or _axes_of(entry) > 1 for entry in weights
    )


def require_whole(name: str, given: object) -> None:
    """Refuse what is no whole number; True, "0" and 1.0 are none."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise ValueError(f"{name} must be a whole number, but it is {quoted(given)}")


def _axes_of(entry: Any) -> int:
    """How many axes an array or tensor has; 0 for a number or a list of them."""
    if hasattr(entry, "shape"):
        return len(entry.shape)
    return _array(entry, "weights").ndim if hasattr(entry, "__array__") else 0


def _one_layer(layers: Sequence[Any], layer: int | None) -> tuple[Any, int]:
    place = _place("layer", layer, len(layers))
    if isinstance(layers[place], list | tuple):
        raise ValueError(
            "weights must be one list of layers, but its entries are lists themselves (a model that writes gives one "
            "list of layers for each word): hand in one of them, weights[0]"
        )
    if layers[place] is None:
        given = [i for i, entry in enumerate(layers) if entry is not None]
        raise ValueError(
            f"layer {place} has no weights (None); "
            + (f"layers with weights are {', '.join(map(str, given))}" if given else "no layer has any: ask the model ")
            + ("" if given else 'for them, in transformers with attn_implementation="eager" and output_attentions=True')
        )
    return layers[place], place


def _numbers(given: Any, name: str) -> Array:
    """The numbers of an array or a tensor, without its package."""
    for leave in ("detach", "cpu"):  # a tensor of PyTorch that learns, or lies on another device, gives no array
        given = getattr(given, leave)() if hasattr(given, leave) else given
    array = _array(given, name)
    if array.size == 0 and array.ndim < 2:
        raise ValueError(f"{name} must hold at least one query and one key, but its shape is {array.shape}")
    if array.dtype.kind not in "fiub":
        if "float" not in array.dtype.name:
            raise ValueError(f"{name} must hold numbers, but its entries are of the type {array.dtype}")
        array = array.astype(np.float32)  # bfloat16, as TensorFlow and JAX give it
    return array if array.dtype.kind == "f" and array.dtype.itemsize >= 4 else array.astype(float)


def _array(given: Any, name: str) -> Array:
    """What NumPy makes of it."""
    try:
        return np.asarray(given)
    except TypeError:  # a type that NumPy does not know, such as bfloat16
        if not hasattr(given, "float"):
            raise ValueError(f"{name} must hold numbers that NumPy knows, but {_type(given)} gives no array") from None
        return np.asarray(given.float())
    except ValueError as ragged:
        raise ValueError(f"{name} must be one array: {ragged}") from None
    except Exception as fault:  # the array protocol runs code of another package
        raise ValueError(f"{name} must give its numbers as an array, but {_type(given)} fails: {fault}") from fault


def _type(given: Any) -> str:
    return f"{type(given).__name__} of {given.dtype}" if hasattr(given, "dtype") else type(given).__name__


def _axes(array: Array, axes: str | None, usual: dict[int, str]) -> list[str]:
    """The name of each axis; refused if they do not fit or cannot be known."""
    shape = tuple(array.shape)
    if axes is None:
        if array.ndim not in usual:
            what = FOUR if array.ndim == 4 else 'name them, as in axes="layer batch head query key"'
            raise ValueError(
                f"weights must have 2 axes [query, key] or 3 axes [head, query, key], but its shape is {shape}"
                + (f", which has {array.ndim}: {what}" if array.ndim > 3 else "")
            )
        return usual[array.ndim].split()
    names = axes.replace(",", " ").split()
    if not {"query", "key"} <= set(names) <= {*CHOSEN, "query", "key"} or len(set(names)) < len(names):
        raise ValueError(f"axes must name query and key, and any of {', '.join(CHOSEN)}, each once, but it is {axes!r}")
    if len(names) != array.ndim:
        raise ValueError(f"axes names {len(names)} axes [{', '.join(names)}], but the shape of weights is {shape}")
    return names


def _place(name: str, wanted: int | None, n: int) -> int:
    if n == 0:
        raise ValueError(f"weights must have at least one {name}, but it has none")
    places = f"{name}=0" if n == 1 else f"{name}=0 to {name}={n - 1}"
    if wanted is None and n > 1:
        raise ValueError(f"weights has {n} places on the axis {name}: choose one, {places}")
    if wanted is not None and not 0 <= wanted < n:
        raise ValueError(f"{name} must be a place that weights has, {places}, but it is {wanted}")
    return wanted or 0


def _require_weights(table: Array, chosen: dict[str, int]) -> None:
    """Refuse what is no weight, with its place: "layer 2, head 5, query 7, key 3"."""
    for wrong, rule in (
        (~np.isfinite(table), "weights must be finite"),
        ((table < 0) | (table > 1 + ALMOST), "weights must lie from 0 to 1 (scores before softmax are no weights)"),
    ):
        for i, j in np.argwhere(wrong):
            place = [f"{name} {n}" for name, n in {**chosen, "query": i, "key": j}.items()]
            raise ValueError(f"{rule}, but at {', '.join(place)} it is {table[i, j]}")
