"""Small maps of all heads: true cells or the largest of a block, and what each head looks at most."""

import numpy as np
import pytest

from attention_core.attention import causal_mask
from attention_core.models import Run, Settings
from attention_core.models.small_maps import MOST, small_maps, small_maps_of_run

HEADS = np.array([
    [[[1, 0, 0], [0.9, 0.1, 0], [0.5, 0.2, 0.3]], [[1, 0, 0], [0.4, 0.6, 0], [0, 1, 0]]],
])  # fmt: skip


def random_maps(n, n_layers=2, n_heads=3):
    scores = np.exp(np.random.default_rng(n).normal(size=(n_layers, n_heads, n, n))) * np.tri(n)
    return scores / scores.sum(axis=-1, keepdims=True)


def a_run(n):
    rng = np.random.default_rng(5)
    settings = Settings(
        name="random", family="llama", n_layers=2, n_heads=6, n_kv_heads=3, d_model=30, d_head=5, d_hidden=7,
        n_vocabulary=11, longest=64, norm_epsilon=1e-5,
    )  # fmt: skip
    Q, K, V = (rng.normal(size=(2, heads, n, 5)).astype(np.float32) for heads in (6, 3, 3))
    names = tuple(f"t{i}" for i in range(n))
    return Run(settings=settings, tokens=names, pieces=names, Q=Q, K=K, V=V, causal=True, given="random")


def test_few_tokens_keep_their_weights_and_masked_cells_are_not_seen():
    maps = small_maps(HEADS, causal=True)
    assert np.array_equal(maps.cells, HEADS)
    assert np.array_equal(maps.seen, causal_mask(3))
    assert maps.block == 1


def test_the_largest_weight_is_that_of_a_query_with_a_choice():
    maps = small_maps(HEADS, causal=True)
    assert maps.strongest.tolist() == [[[1, 0], [2, 1]]]  # not the 1.0 of the first token, which has only itself
    assert maps.largest.tolist() == [[0.9, 1.0]]


def test_one_query_alone_is_searched_when_it_is_asked_for():
    maps = small_maps(HEADS, causal=True, ask=1)
    assert maps.strongest.tolist() == [[[1, 0], [1, 1]]]
    first = small_maps(HEADS, causal=True, ask=0)
    assert first.strongest.tolist() == [[[-1, -1], [-1, -1]]]
    assert np.isnan(first.largest).all()


def test_without_the_first_key_its_column_is_gone_and_it_is_never_the_largest():
    maps = small_maps(HEADS, causal=True, hide_first=True)
    assert np.array_equal(maps.cells, HEADS[..., 1:])
    assert maps.seen.tolist() == [[False, False], [True, False], [True, True]]
    assert maps.strongest.tolist() == [[[2, 2], [2, 1]]]
    assert maps.largest[0, 0] == 0.3


def test_many_tokens_are_shown_by_blocks_of_their_largest_weight_and_the_largest_is_exact():
    weights = random_maps(50)
    maps = small_maps(weights, causal=True, hide_first=True)
    assert maps.block == 3
    assert maps.cells.shape == (2, 3, 17, 17)
    assert max(maps.cells.shape[-2:]) <= MOST
    assert maps.cells[1, 2, 10, 4] == weights[1, 2, 30:33, 13:16].max()
    assert not maps.seen[4, 5]
    query, key = maps.strongest[1, 2]
    assert key > 0
    assert maps.largest[1, 2] == weights[1, 2, query, key] == weights[1, 2, 1:, 1:].max()


@pytest.mark.parametrize("options", [{}, {"hide_first": True}, {"ask": 28}])
def test_a_run_a_layer_at_a_time_gives_the_same_and_tells_how_far_it_is(options):
    run, told = a_run(29), []
    whole = small_maps(np.stack([[run.weights(n, h) for h in range(6)] for n in range(2)]), causal=True, **options)
    maps = small_maps_of_run(run, progress=told.append, **options)
    for name in ("cells", "seen", "strongest", "largest"):
        assert np.array_equal(getattr(maps, name), getattr(whole, name))
    assert told == [0.5, 1.0]


def test_both_ways_every_cell_is_seen():
    assert small_maps(np.full((1, 1, 4, 4), 0.25), causal=False).seen.all()


@pytest.mark.parametrize(
    ("maps", "options", "message"),
    [
        (np.ones((3, 3)), {}, r"\[layer, head, query, key\] of one text, but their shape is \(3, 3\)"),
        (np.ones((1, 1, 3, 2)), {}, r"but their shape is \(1, 1, 3, 2\)"),
        (np.ones((0, 1, 3, 3)), {}, "but their shape is"),
        (np.eye(3, dtype=int)[None, None], {}, "numbers from 0 to 1, but their entries are int64"),
        (HEADS * 1.5, {}, "from 0 to 1, but layer 0, head 0, query 0, key 0 has 1.5"),
        (np.where(HEADS == 0.6, np.nan, HEADS), {}, "but layer 0, head 1, query 1, key 1 has nan"),
        (np.full((1, 1, 2, 2), 0.5), {}, "0 where the causal mask hides the key, but layer 0, head 0, query 0, key 1"),
        (np.ones((1, 1, 1, 1)), {"hide_first": True}, "hide_first needs a text of two tokens"),
        (HEADS, {"ask": 3}, "ask must be the place of a token, 0 to 2, but it is 3"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(maps, options, message):
    with pytest.raises(ValueError, match=message):
        small_maps(maps, causal=True, **options)
