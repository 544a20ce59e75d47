"""A model's file once its head is read and checked: what it is, and where its numbers lie. No number is read yet."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from attention_core.models.refusal import ModelFileError
from attention_core.models.settings import Settings
from attention_core.models.shapes import Shape, shapes
from attention_core.models.stored import Block, Stored


class Opened(NamedTuple):
    """What a model's file holds."""

    path: Path
    settings: Settings
    stored: Mapping[str, Stored]  # by the names of tensors.py
    fields: Mapping[str, Any]  # of a .gguf file: everything that its head states


def settings_of(path: Path, **sizes: Any) -> Settings:
    """The settings, or a refusal where the sizes do not go together."""
    try:
        return Settings(**sizes)
    except ValueError:
        raise ModelFileError(
            path, f"its {sizes['n_kv_heads']} key-and-value heads must divide its {sizes['n_heads']} heads"
        ) from None


def block_of(path: Path, found: Mapping[str, Block], name: str) -> Block:
    """A tensor of the file by its own name."""
    if name not in found:
        raise ModelFileError(path, f"has no tensor {name}")
    return found[name]


def name_in_file(name: str, outer: Mapping[str, str], layers: str, layer: Mapping[str, str]) -> str:
    """The name of a tensor in a file: "3.Q.bias" is "blk.3.attn_q.bias" in a .gguf file.

    outer: the file's names of what stands outside of the layers    layers: what stands before a layer's number
    layer: the file's names within a layer
    """
    bare = name.removesuffix(".bias")
    kind = "bias" if bare != name else "weight"
    if "." not in bare:
        return f"{outer[bare]}.{kind}"
    n, part = bare.split(".")
    return f"{layers}.{n}.{layer[part]}.{kind}"


def require_layers(path: Path, settings: Settings, found: Mapping[str, Block]) -> None:
    """Refuse more layers than the file has tensors, before anything is done for each of them."""
    if settings.n_layers > len(found):
        raise ModelFileError(path, f"states {settings.n_layers} layers, but holds {len(found)} tensors only")


def require_shape(block: Block, shape: Shape) -> None:
    """Refuse a tensor of the file that is to be taken apart or turned, and has another shape."""
    if block.shape != shape:
        raise ModelFileError(block.file.path, f"{block.name} must have the shape {shape}, but has {block.shape}")


def require_fitting(path: Path, settings: Settings, stored: Mapping[str, Stored]) -> None:
    """Refuse tensors without the shapes that the model's sizes ask for. 0 fits any length."""
    for name, shape in shapes(settings).items():
        found = stored[name].shape
        if len(found) != len(shape) or any(asked not in (0, given) for asked, given in zip(shape, found, strict=True)):
            raise ModelFileError(
                path, f"{stored[name].block.name} must give {name} the shape {shape}, but gives it {found}"
            )


def require_all_used(path: Path, found: Iterable[str], used: Iterable[str], family: str) -> None:
    """Refuse tensors that nothing here would use: the model would be another one without them."""
    left = sorted(set(found) - set(used))
    if left:
        raise ModelFileError(path, f"holds {left[0]}, which no {family} model that can be run here has")
