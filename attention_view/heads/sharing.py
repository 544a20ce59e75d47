"""How many heads real models have in a layer, and how many of them share one key and value head."""

import html
from collections.abc import Iterable

from attention_core.memory import ModelSettings


def sharing(models: Iterable[ModelSettings]) -> str:
    """For each model a row of query heads, each group above the one key and value head that it uses."""
    return f'<div class="av-sharing">{"".join(map(_model, models))}</div>'


def _model(model: ModelSettings) -> str:
    share = model.n_heads // model.n_kv_heads
    queries = '<i class="av-query-head"></i>' * share
    group = f'<span>{queries}<b class="av-kv-head"></b></span>'
    heads = f"{model.n_heads} query heads"
    words = (
        f"{heads} a layer, each with a key and value head of its own"
        if share == 1
        else f"{heads} a layer, every {share} of them share one key and value head: {model.n_kv_heads} in all"
    )
    name = html.escape(model.name)
    return (
        f'<figure><div role="img" aria-label="{name}: {words}" style="--share:{share}">{group * model.n_kv_heads}</div>'
        f'<figcaption class="av-caption"><strong>{name}</strong>: {words}; d_head {model.d_head}, {model.n_layers} '
        f'layers. <a href="{html.escape(model.source)}" target="_blank">source<span class="av-visually-hidden"> for '
        f"{name}</span></a></figcaption></figure>"
    )
