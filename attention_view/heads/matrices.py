"""The matrices of all heads, and the text twin of the page's pictures, as tables made from the record."""

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_view.heads.wide import wide_matrix
from attention_view.layout import Layout
from attention_view.tables import vectors_table, weights_table
from attention_view.vectors import Kind, matrix_table

WIDE: tuple[tuple[str, Kind], ...] = (("W_Q", "query"), ("W_K", "key"), ("W_V", "value"))


def matrices(record: AttentionRecord, *, layout: Layout = "rows") -> str:
    """W_Q, W_K and W_V of all heads, each as one wide (or tall) matrix with the heads' slices, and W_O."""
    wide = (
        wide_matrix(
            getattr(record, name),
            head_names=record.head_names,
            row_names=record.dimension_names,
            column_names=record.value_dimension_names if name == "W_V" else record.query_dimension_names,
            kind=kind,
            title=f"{name} of all heads",
            layout=layout,
            opens=f"{name}[*]" if getattr(record, name).shape == record.W_Q.shape else "",
        )
        for name, kind in WIDE
    )
    mixing = matrix_table(
        record.W_O,
        row_names=_joined_names(record),
        column_names=record.dimension_names,
        kind="value",
        title="W_O",
        rows_are="joined outputs",
        layout=layout,
        opens="W_O[*]",
    )
    return "".join((*wide, mixing))


def twin(record: AttentionRecord, mean: Array | None, *, layout: Layout = "rows") -> str:
    """The weights of each head and of their mean, and what becomes of every token.

    mean: [query, key], or None if no head is on
    """
    pictures = {
        f"Weights of the {name} head": (record.weights[h], f"weights[{h},*]")
        for h, name in enumerate(record.head_names)
    }
    if mean is not None:
        pictures["Mean of the heads that are on: no head's opinion"] = (mean, "mean[*]")
    weights = (
        weights_table(
            array,
            query_tokens=record.query_tokens,
            key_tokens=record.key_tokens,
            mask=record.mask,
            caption=caption,
            layout=layout,
            opens=opens,
        )
        for caption, (array, opens) in pictures.items()
    )
    vectors = (
        vectors_table(
            values, row_names=record.query_tokens, column_names=names, caption=caption, layout=layout, opens=opens
        )
        for caption, values, names, opens in (
            ("Joined outputs of the heads", record.joined, _joined_names(record), "joined[*]"),
            ("Output after W_O", record.output, record.dimension_names, "output[*]"),
            ("New vectors: each token plus its output", record.new_X, record.dimension_names, "new_X[*]"),
        )
    )
    return "".join((*weights, *vectors))


def _joined_names(record: AttentionRecord) -> list[str]:
    heads = zip(record.head_names, record.value_dimension_names, strict=True)
    return [f"{head}: {dimension}" for head, dimensions in heads for dimension in dimensions]
