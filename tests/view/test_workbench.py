"""The tables of the workbench: what they hold, what their edits mean, and what follows a change."""

import numpy as np
import pytest

from attention_core import Edit, Experiment, toy, trace
from attention_core.changes import as_the_lesson_has_it, edited
from attention_core.edits import EDITABLE
from attention_view.number_table import NumberEdit
from attention_view.number_table.table import table_message
from attention_view.workbench.following import STAGES, changed_in_words, changed_table, stage_counts
from attention_view.workbench.tables import EDITABLES, given, numbered_names, table_of
from attention_view.workbench.words import MISTAKES, before_note, changes_note, edit_labels
from tests.view.read_html import read

TOY = Experiment()
LAYOUTS = ("rows", "columns")


def test_every_array_that_can_be_edited_has_its_table():
    assert set(EDITABLES) == set(EDITABLE)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("head", toy.HEAD_NAMES)
@pytest.mark.parametrize("array", EDITABLES)
def test_each_cell_of_a_table_sets_and_shows_its_own_number_of_the_record(array, head, layout):
    for experiment in (Experiment(head=head), Experiment(head=head, words=("cat", "it", "was"))):
        before = table_of(array, experiment, layout=layout)
        rows, columns = np.shape(before.values)
        for row, column in ((0, 0), (rows - 1, columns - 1), (rows - 1, 0)):
            value = 0.0 if array == "mask" and np.asarray(before.values)[row, column] else 1.0
            value = 5.25 if array != "mask" else value
            edit = NumberEdit(before.name, row, column, value)
            changed = edited(experiment, given([edit], experiment.head_index))
            after = table_of(array, changed, layout=layout)
            different = np.asarray(after.values) != np.asarray(before.values)
            assert np.argwhere(different).tolist() == [[row, column]]
            np.testing.assert_array_equal(after.defaults, before.values)
            back = given([edit._replace(value=None)], experiment.head_index)
            assert edited(changed, back) == experiment


@pytest.mark.parametrize("array", EDITABLES)
def test_with_queries_in_columns_a_table_is_turned(array):
    rows, columns = (table_of(array, TOY, layout=layout) for layout in LAYOUTS)
    np.testing.assert_array_equal(np.asarray(columns.values).T, rows.values)
    assert (columns.row_names, columns.column_names) == (rows.column_names, rows.row_names)
    table_message(columns)


def test_what_opens_a_cell_is_its_place_in_the_record():
    patterns = {array: table_of(array, Experiment(head="sink")).opens for array in EDITABLES}
    assert patterns["scores"] == "scores[2,{row},{column}]"
    assert patterns["X"] == "X[{row},{column}]"
    assert patterns["divisor"] == "divisor[]"
    assert table_of("scores", TOY, layout="columns").opens == "scores[0,{column},{row}]"


def test_only_a_number_that_is_computed_is_shown_as_held():
    experiment = Experiment(edits=(Edit("scores", (0, 9, 1), 4.0), Edit("X", (1, 0), 2.0), Edit("V", (1, 0, 0), 2.0)))
    held = table_of("scores", experiment).overridden
    assert np.argwhere(held).tolist() == [[9, 1]]
    assert table_of("X", experiment).overridden is None
    assert not np.any(table_of("V", experiment).overridden)  # that one is in another head


def test_equal_words_are_called_apart():
    assert numbered_names(("The", "cat", "the")) == ["The₁", "cat", "the₃"]
    assert len(set(numbered_names(("the",) * 32))) == 32


def test_every_mistake_has_a_name():
    from attention_core.variants import VARIANTS

    assert set(MISTAKES) == set(VARIANTS)


def test_the_numbers_that_were_set_are_named_with_the_old_and_the_new():
    experiment = edited(
        TOY, [("scores", (0, 9, 1), 2.5), ("mask", (9, 1), 0.0), ("divisor", (), 4.0), ("W_O", (4, 0), 2.0)]
    )
    assert list(edit_labels(experiment, 12)) == [
        "scores tired, cat: 2 → 2.5 (pronoun)",  # with the new divisor it would be 2
        "mask tired, cat: seen → hidden",
        "divisor: 2 → 4",
        "W_O previous alive, alive: 1 → 2",
    ]
    assert list(edit_labels(experiment, 1)) == ["W_O previous alive, alive: 1 → 2"]


# What follows


def test_below_the_picture_stands_what_the_lesson_has():
    before, after = records(**CHANGED)
    assert "The lesson has the same weights here." in before_note(before, after, head=0, query=3)
    text = read(before_note(before, after, head=0, query=9)).text
    assert text == "In the lesson: tired looks mostly at cat, 86 percent; the most another gets is 2 percent."


def records(**changes):
    experiment = Experiment(**changes)
    return trace(as_the_lesson_has_it(experiment)), trace(experiment)


CHANGED = {"edits": (Edit("scores", (0, 9, 1), 1.5),)}


def test_without_a_change_nothing_is_marked():
    before, after = records()
    assert changed_in_words(before, after) == "Every number is as in the lesson."
    assert not any(stage_counts(before, after, 0).values())
    assert all("av-was-now" not in changed_table(stage, before, after, 0) for stage in STAGES)


def test_old_and_new_numbers_stand_side_by_side_and_rows_without_a_change_are_left_out():
    before, after = records(**CHANGED)
    counts = stage_counts(before, after, 0)
    assert {name: n for name, n in counts.items() if n} == {
        "scores": 1, "masked scores": 1, "weights": 10, "head output": 3, "new vectors": 3,
    }  # fmt: skip
    assert not any(stage_counts(before, after, 1)[name] for name in ("scores", "weights", "head output"))
    weights = next(stage for stage in STAGES if stage.name == "weights")
    page = read(changed_table(weights, before, after, 0))
    assert len(page.all("tr")) == 2
    cells = [cell.text for cell in page.all("td")]
    assert cells[1] == "was 0.858, now 0.332"
    assert "9 rows without a change are left out." in page.text


def test_with_queries_in_columns_the_changed_table_is_turned():
    before, after = records(**CHANGED)
    weights = next(stage for stage in STAGES if stage.name == "weights")
    across, down = (read(changed_table(weights, before, after, 0, layout=layout)) for layout in LAYOUTS)
    assert [cell.text for cell in down.all("td")] == [cell.text for cell in across.all("td")]
    assert len(down.all("tr")) == 11
    assert "9 columns without a change are left out." in down.text


def test_a_change_in_late_digits_is_shown_with_enough_of_them():
    before, after = records(edits=(Edit("scores", (0, 9, 1), 4.000001),))
    weights = next(stage for stage in STAGES if stage.name == "weights")
    assert "was 0.01572373, now 0.01572371" in read(changed_table(weights, before, after, 0)).text


def test_a_masked_score_that_was_seen_is_shown_as_minus_infinity():
    before, after = records(edits=(Edit("mask", (9, 1), 0.0),))
    masked = next(stage for stage in STAGES if stage.name == "masked scores")
    assert "was 4, now −∞" in read(changed_table(masked, before, after, 0)).text


def test_no_word_becomes_markup():
    words = ("<b>x</b>", "cat")
    before, after = records(
        words=words, meanings=(("<b>x</b>", ()),), edits=(Edit("X", (0, 0), 3.0), Edit("scores", (0, 1, 0), 1.0))
    )
    for stage in STAGES:
        assert "<b>x" not in changed_table(stage, before, after, 0)


def test_the_changes_of_an_experiment_are_listed_whole():
    edits = [("X", (i, d), 0.5) for i in range(4) for d in range(4)]
    note = changes_note(edited(Experiment(variant="wrong_axis"), edits))
    assert note.count("<li>") == 17 and "mistake: softmax over the wrong axis" in note
    assert changes_note(Experiment()) == ""
