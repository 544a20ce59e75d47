"""A long row told by its largest shares: all of it still adds up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core.models.long_rows import long_row


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40), st.integers(1, 50))
def test_the_largest_and_the_others_add_up_to_what_may_be_seen(keys, n):
    weights, seen = [weight for weight, _ in keys], [sees for _, sees in keys]
    found = long_row(weights, weights, mask_row=seen, n=n)
    total = sum(weight for weight, sees in keys if sees)
    assert sum(weights[place] for place in found.places) + found.others_weight == pytest.approx(total)
    assert len(found.places) + found.n_others == sum(seen)
    assert found.places == tuple(sorted(found.places))


def test_rows_of_different_lengths_and_no_line_are_refused():
    with pytest.raises(ValueError, match="three equally long rows and n must be at least 1"):
        long_row([1.0], [1.0, 2.0], mask_row=[True], n=1)
    with pytest.raises(ValueError, match="n = 0"):
        long_row([1.0], [1.0], mask_row=[True], n=0)
