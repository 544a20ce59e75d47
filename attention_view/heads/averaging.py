"""The mean of the heads, for the token that asks, as bars beside what is to be said of it."""

from attention_core import AttentionRecord
from attention_core.checks import Array
from attention_view.arithmetic import row_bars


def averaging(record: AttentionRecord, mean: Array | None, query: int, *, words: str) -> str:
    """How much the mean of the heads that are on looks at each token, and `words` on it, as HTML.

    mean: [query, key], or None if no head is on
    """
    if mean is None:
        row = "<p>No head is on, so there is nothing to average.</p>"
    else:
        row = row_bars(
            mean[query],
            key_tokens=record.key_tokens,
            mask_row=record.mask[query],
            kind="weight",
            title=f"mean of the heads that are on ({record.heads_on.sum()})",
            opens=f"mean[{query},*]",
        )
    return f'<div class="av-averaging">{row}<div>{words}</div></div>'
