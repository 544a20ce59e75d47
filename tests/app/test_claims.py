"""What the pages say about the toy is true of the toy's numbers."""

import numpy as np
import pytest

from attention_core import Experiment, attention_record, softmax, toy, trace
from attention_core.earlier_rows import earlier_rows
from attention_core.generation import generation
from attention_core.patterns import mean_of_heads
from attention_core.two_queries import two_queries
from attention_view.layout import LAYOUTS
from tests.app.test_pages import app

THE, CAT, SAT, ON, THE_5, MAT, BECAUSE, IT, WAS, LAST = range(10)
ALIVE, THING, TIRED, SOFT = range(4)
PRONOUN, PREVIOUS, SINK = range(3)


def record(ending="tired", mask="causal", **more):
    return trace(Experiment(ending=ending, mask=mask, **more))


def weights(**settings):
    return record(**settings).weights[PRONOUN]


def only_the_last_row_changes():
    tired, soft = weights(ending="tired"), weights(ending="soft")
    return (tired[:LAST] == soft[:LAST]).all() and (tired[LAST] != soft[LAST]).any()


def one_score_is_not_zero(raw_scores):
    return raw_scores[CAT] == 8 and not np.delete(raw_scores, CAT).any()


def rows_where_the_token_itself_is_strictly_strongest():
    return sum(row.argmax() == i and (row == row[i]).sum() == 1 for i, row in enumerate(weights()))


def steps():
    whole = record()
    return generation(whole.X, whole.W_Q, whole.W_K, whole.W_V)


def growth_of_steps():
    return np.diff([step.multiplications for step in steps()])


ALL_VISIBLE = (True, True, True)


def one_more_key_changes_every_weight():
    return (two_queries(visible=ALL_VISIBLE).weights != two_queries().weights).all()


def read_by(matrix, head):
    """The dimensions of a token vector that a head's matrix reads."""
    return {toy.DIMENSIONS[d] for d in np.flatnonzero(toy.input_matrix(matrix)[head].any(axis=1))}


def both_read(head, *dimensions):
    return read_by("W_Q", head) == read_by("W_K", head) == set(dimensions)


def lost_without_the_pronoun_head():
    return record().output[IT] - record(heads=("previous", "sink")).output[IT]


def two_heads_point_at_two_words(ending):
    weights = record(ending=ending).weights[[PRONOUN, PREVIOUS], LAST]
    mean = mean_of_heads(weights[:, None], [True, True])[0]
    return weights.max() > 0.8 and set(np.argsort(mean)[-2:]) == set(weights.argmax(axis=1)) and mean.max() < 0.5


def turn_of_a_hand(columns):
    """How many words it takes until a hand is back where it was."""
    hands = toy.position_vectors(33)[:, columns]
    return next(n for n in range(1, 33) if np.allclose(hands[n], hands[0]))


def without_places_shuffled_words_take_their_weights_along():
    r = record(mask="none")
    X = r.X.copy()
    X[:, len(toy.WORD_DIMENSIONS) :] = 0
    order = np.random.default_rng(0).permutation(len(X))
    before, after = (attention_record(x, r.W_Q, r.W_K, r.W_V, r.W_O).weights for x in (X, X[order]))
    return np.allclose(after, before[:, order][:, :, order])


def scores_with_one_table_are_the_same_both_ways():
    r = record()
    scores = attention_record(r.X, r.W_Q, r.W_Q, r.W_V, r.W_O).scores
    return np.allclose(scores, scores.swapaxes(-1, -2)) and not np.allclose(r.scores, r.scores.swapaxes(-1, -2))


CLAIMS = [
    ("neighbours", "So the last word looks at *cat*.", lambda: weights()[LAST].argmax() == CAT),
    ("neighbours", "now it looks at\n*mat*", lambda: weights(ending="soft")[LAST].argmax() == MAT),
    ("neighbours", "with the mask on no other line has moved", only_the_last_row_changes),
    (
        "neighbours",
        "look ahead at the last word when that word is *tired*",
        lambda: (
            weights(mask="none")[CAT].argmax() == LAST and weights(mask="none", ending="soft")[CAT].argmax() != LAST
        ),
    ),
    ("queries_and_keys", "*cat* has **alive 1**", lambda: record().X[CAT, toy.DIMENSIONS.index("alive")] == 1),
    ("queries_and_keys", "*Tired* looks for something alive: 4.", lambda: record().Q[PRONOUN, LAST, ALIVE] == 4),
    ("queries_and_keys", "The key of *cat* says alive: 2.", lambda: record().K[PRONOUN, CAT, ALIVE] == 2),
    (
        "queries_and_keys",
        "score is 4 × 2 = 8. No other key says alive, so every other score is 0.",
        lambda: one_score_is_not_zero(record().raw_scores[PRONOUN, LAST]),
    ),
    ("queries_and_keys", "√4 = 2", lambda: record().divisor == 2 and record().Q.shape[-1] == 4),
    ("queries_and_keys", "wants something alive or a thing", lambda: record().Q[PRONOUN, IT].tolist() == [4, 4, 0, 0]),
    ("softmax", "e² ≈ 7.39 times the weight", lambda: round(softmax([5, 3])[0] / softmax([5, 3])[1], 2) == 7.39),
    ("softmax", "a weight of exactly 0", lambda: (weights()[~record().mask] == 0).all()),
    ("values", "**pronoun 1**", lambda: record().X[IT, toy.DIMENSIONS.index("pronoun")] == 1),
    (
        "values",
        "a share of *cat*, **alive 0.47**, and\na share of *mat*, **thing 0.47**",
        lambda: record(heads=("pronoun",)).new_X[IT, [0, 1]].round(2).tolist() == [0.47, 0.47],
    ),
    (
        "values",
        "*Tired* comes out mostly with what the cat handed over, *soft* with what the mat did",
        lambda: (
            record().head_outputs[PRONOUN, LAST].argmax() == ALIVE
            and record("soft").head_outputs[PRONOUN, LAST].argmax() == THING
        ),
    ),
    (
        "every_token",
        "with the mask it finds only *cat*,\nits subject",
        lambda: weights()[SAT, CAT] > 0.9 and weights()[SAT, MAT] == 0,
    ),
    ("every_token", "it also finds *mat*", lambda: weights(mask="none")[SAT, MAT] > 0.4),
    (
        "every_token",
        "With the mask on, only for the first word is it alone the darkest cell.",
        lambda: rows_where_the_token_itself_is_strictly_strongest() == 1,
    ),
    (
        "every_token",
        "*tired*\nlooks at *cat*, but with the mask on *cat* does not look at *tired*",
        lambda: weights()[LAST, CAT] > 0.8 and weights()[CAT, LAST] == 0,
    ),
    (
        "kv_cache",
        "Without the shelf, the last word takes 10 times as many multiplications.",
        lambda: steps()[LAST].times_as_many == 10,
    ),
    (
        "kv_cache",
        "With it, a step grows only by the one key more that it looks at.",
        lambda: len(set(growth_of_steps())) == 1,
    ),
    (
        "kv_cache",
        "With it, a new word changes no earlier result.",
        lambda: not any(earlier_rows(record(), i, causal=True).changed.any() for i in range(10)),
    ),
    (
        "kv_cache",
        "now every earlier word looks at the new one too, and its result changes",
        lambda: all(
            rows.changed.all() and (rows.to_newest > 0).all()
            for rows in (earlier_rows(record(), i, causal=False) for i in range(10))
        ),
    ),
    (
        "two_queries",
        "its score becomes −∞, so its weight is exactly 0",
        lambda: np.isneginf(two_queries().masked_scores[:, 2]).all() and (two_queries().weights[:, 2] == 0).all(),
    ),
    ("two_queries", "**One allowed key changes all the weights**", one_more_key_changes_every_weight),
    (
        "two_queries",
        "they are shares of one sum, and the sum has grown",
        lambda: (two_queries(visible=ALL_VISIBLE).steps.totals > two_queries().steps.totals).all(),
    ),
    (
        "heads",
        "W_Q and W_K read **alive, thing, tired, soft**, and W_Q also **action** and **pronoun**",
        lambda: (
            read_by("W_K", PRONOUN) == {"alive", "thing", "tired", "soft"}
            and read_by("W_Q", PRONOUN) - read_by("W_K", PRONOUN) == {"action", "pronoun"}
            and read_by("W_K", PRONOUN) < read_by("W_Q", PRONOUN)
        ),
    ),
    (
        "heads",
        "W_Q and W_K read only the place, **sin 16, cos 16, sin 4, cos 4**",
        lambda: both_read(PREVIOUS, "sin 16", "cos 16", "sin 4", "cos 4"),
    ),
    (
        "heads",
        "W_Q turns it back by one step",
        lambda: (record(mask="none").weights[PREVIOUS, 1:].argmax(axis=1) == np.arange(LAST)).all(),
    ),
    (
        "heads",
        "W_Q reads only **always 1** and W_K only **first**",
        lambda: read_by("W_Q", SINK) == {"always 1"} and read_by("W_K", SINK) == {"first"},
    ),
    (
        "heads",
        "all words ask alike and one key answers",
        lambda: (
            (record().Q[SINK] == record().Q[SINK, 0]).all()
            and np.flatnonzero(record().K[SINK].any(axis=1)).tolist() == [THE]
        ),
    ),
    (
        "heads",
        "each of the two heads that are left points at one word, and their mean at both",
        lambda: all(two_heads_point_at_two_words(ending) for ending in toy.ENDINGS),
    ),
    (
        "heads",
        "The slow one (**sin 16, cos 16**) turns once in 16 words, the fast one (**sin 4, cos 4**) once in 4",
        lambda: [turn_of_a_hand(columns) for columns in ((1, 2), (3, 4))] == [16, 4],
    ),
    (
        "heads",
        "The previous head turns its own hands back by one step",
        lambda: (record(mask="none").weights[PREVIOUS, 1:].argmax(axis=1) == np.arange(LAST)).all(),
    ),
    (
        "heads",
        "every weight stays the same and moves along with its words",
        without_places_shuffled_words_take_their_weights_along,
    ),
    (
        "queries_and_keys",
        "each score would be the same both ways",
        scores_with_one_table_are_the_same_both_ways,
    ),
    ("softmax", "A score of 0 would not hide it: e⁰ is 1.", lambda: np.exp(0) == 1),
    ("heads", "*The*, whose value is empty", lambda: not record().V[SINK, THE].any()),
    ("heads", "almost nothing is handed over", lambda: np.abs(record().head_outputs[SINK, 1:]).max() < 0.2),
    ("heads", "four numbers for each head", lambda: record().Q.shape[-1] == 4),
    (
        "heads",
        "Which numbers does *it* no longer receive?",
        lambda: np.flatnonzero(lost_without_the_pronoun_head() > 0.4).tolist() == [0, 1],
    ),
]


@pytest.fixture(scope="module")
def texts():
    pages = {page for page, _, _ in CLAIMS}
    return {
        (page, layout): "\n".join(element.value for element in app(page, layout=layout).markdown)
        for page in pages
        for layout in LAYOUTS
    }


@pytest.mark.parametrize(("page", "words", "holds"), CLAIMS, ids=[words for _, words, _ in CLAIMS])
def test_a_claim_stands_on_its_page_and_is_true(texts, page, words, holds):
    for layout in LAYOUTS:
        assert " ".join(words.split()) in " ".join(texts[page, layout].split())
    assert holds()
