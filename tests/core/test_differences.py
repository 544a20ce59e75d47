"""What changed between two records: everything that depends on an edit, and nothing else."""

import numpy as np
import pytest

from attention_core import Edit, Experiment, trace
from attention_core.differences import STAGES, changed_entries, changed_stages
from attention_core.variants import VARIANTS

TOY = Experiment()
PRONOUN, LAST, CAT = 0, 9, 1


def changes(*edits, **more):
    return changed_stages(trace(TOY), trace(Experiment(edits=edits, **more)))


def test_the_same_experiment_has_no_changes():
    assert changes() == {}


def test_a_changed_query_matrix_changes_queries_scores_weights_and_outputs_and_no_key_or_value():
    found = changes(Edit("W_Q", (PRONOUN, 4, 0), 0.0))
    assert list(found) == [
        "W_Q", "Q", "raw_scores", "scores", "masked_scores", "exponentials", "weights", "weighted_values",
        "head_outputs", "joined", "output", "new_X",
    ]  # fmt: skip
    assert (found["W_Q"], found["Q"], found["weights"]) == (1, 1, 10)


def test_a_held_score_leaves_what_lies_upstream_as_it_was():
    found = changes(Edit("scores", (PRONOUN, LAST, CAT), 0.0))
    assert "raw_scores" not in found
    assert (found["scores"], found["weights"]) == (1, 10)


def test_a_hidden_key_changes_its_own_row_alone():
    before, after = trace(TOY), trace(Experiment(edits=(Edit("mask", (LAST, CAT), 0.0),)))
    rows = changed_entries(before, after, "weights").any(axis=-1)
    assert rows[PRONOUN].tolist() == [False] * 9 + [True]
    assert not changed_entries(before, after, "scores").any()
    assert changed_entries(before, after, "masked_scores")[PRONOUN, LAST, CAT]


def test_a_head_that_is_off_changes_what_is_handed_on_and_not_its_own_output():
    assert set(changes(heads=("previous", "sink"))) == {"joined", "output", "new_X"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_mistake_can_be_compared_with_the_right_layer(variant):
    assert ("weights" in changes(variant=variant)) == (variant not in ("right", "mask_after_renormalised"))


def test_minus_infinity_is_no_change():
    assert not changed_entries(trace(TOY), trace(TOY), "masked_scores").any()


def test_all_stages_are_arrays_of_the_record():
    assert all(np.asarray(getattr(trace(TOY), array)).dtype.kind in "fb" for array in STAGES)


def test_records_of_other_sizes_cannot_be_compared():
    with pytest.raises(ValueError, match=r"X must have one shape in both records, but has \(10, 12\) and \(2, 12\)"):
        changed_stages(trace(TOY), trace(Experiment(words=("cat", "sat"))))
