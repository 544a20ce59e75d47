"""A long row told by its largest shares: all of it still adds up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core.models.long_rows import long_row


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40),
    st.integers(1, 50),
    st.integers(0, 50),
    st.integers(0, 50) | st.none(),
)
def test_what_is_taken_out_and_what_is_together_add_up_to_what_may_be_seen(keys, n, after, asked):
    weights, seen = [weight for weight, _ in keys], [sees for _, sees in keys]
    found = long_row(weights, weights, mask_row=seen, n=n, after=after, asked=asked)
    total = sum(weight for weight, sees in keys if sees)
    together = found.larger.weight + found.others.weight
    assert sum(weights[place] for place in found.places) + together == pytest.approx(total)
    assert len(found.places) + found.larger.n + found.others.n == sum(seen)
    assert found.places == tuple(sorted(found.places))
    assert asked not in range(len(seen)) or (asked in found.places) >= seen[asked]


def test_the_next_largest_follow_those_before_them():
    row = [0.1, 0.4, 0.2, 0.3]
    first, second = (long_row(row, row, mask_row=[True] * 4, n=2, after=after) for after in (0, 2))
    assert (first.places, second.places) == ((1, 3), (0, 2))
    assert (first.others.n, second.larger.n, second.others.n) == (2, 2, 0)
    assert second.larger.weight == pytest.approx(0.7)


def test_rows_of_different_lengths_and_no_line_are_refused():
    with pytest.raises(ValueError, match="three equally long rows, n must be at least 1"):
        long_row([1.0], [1.0, 2.0], mask_row=[True], n=1)
    with pytest.raises(ValueError, match="n = 0"):
        long_row([1.0], [1.0], mask_row=[True], n=0)
    with pytest.raises(ValueError, match="after = -1"):
        long_row([1.0], [1.0], mask_row=[True], n=1, after=-1)
