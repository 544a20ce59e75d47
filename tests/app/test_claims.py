"""What the pages say about the toy is true of the toy's numbers."""

from itertools import product
from urllib.parse import parse_qsl

import numpy as np
import pytest

from attention_core import Edit, Experiment, attention_record, softmax, toy, trace
from attention_core.earlier_rows import earlier_rows
from attention_core.generation import generation
from attention_core.models.pairs import PAIRS
from attention_core.models.role_texts import PLAIN, WITH_REPEATS
from attention_core.models.roles import clear_role
from attention_core.patterns import mean_of_heads
from attention_core.scaling import N_HEADS, scaled
from attention_core.telltales import ROUNDING, asymmetry, followed_the_last_word, leaks, moved_weights, slice_names
from attention_core.two_queries import two_queries
from attention_view.layout import LAYOUTS
from attention_view.layout import words as words_of
from attention_view.mistakes import MISTAKES
from attention_view.real_model import TWINS, maps_of, record_of, recording
from attention_view.real_model.recorded import rows_of_it
from tests.app.test_pages import app, html_of

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


MASKS = ("causal", "none")


def wrong(variant, ending, mask="causal", head=PRONOUN):
    return record(ending=ending, mask=mask, variant=variant).weights[head]


def for_both_endings(holds, masks=("causal",)):
    """A claim that its page makes whatever the last word is, and with these masks."""
    return lambda: all(holds(ending, mask) for ending in toy.ENDINGS for mask in masks)


def from_86_percent_to(variant, low, high):
    return for_both_endings(
        lambda ending, mask: (
            round(weights(ending=ending, mask=mask)[LAST].max(), 2) == 0.86
            and low < wrong(variant, ending, mask)[LAST].max() < high
        ),
        MASKS,
    )


def columns_are_shared_out(ending, mask):
    shares = wrong("wrong_axis", ending, mask)
    sums = shares.sum(axis=1)
    apart = (np.abs(sums - 1) > 0.005).all()
    return apart and np.allclose(shares.sum(axis=0), 1) and round(sums[THE], 2) == 0.10 and round(sums[LAST]) == 3


def earlier_rows_change(ending, mask):
    changes = followed_the_last_word(Experiment(ending=ending, mask=mask, variant="wrong_axis"))
    return (changes[PRONOUN, :LAST] > 0.005).sum() >= 2


def a_later_word_that_asks_changes_an_earlier_weight(ending, mask):
    def changed(variant, head):
        edits = (Edit("scores", (head, LAST, THE), 1.5),)
        before, after = (record(ending=ending, mask=mask, variant=variant, edits=e).weights for e in ((), edits))
        return np.abs(before[head, :LAST] - after[head, :LAST]).max() > ROUNDING

    return all(changed("wrong_axis", h) and not changed("right", h) for h in range(len(toy.HEAD_NAMES)))


def rows_keep_less(ending, mask):
    some_hidden = ~record(ending=ending, mask=mask).mask.all(axis=1)
    sums = wrong("mask_after", ending, mask).sum(axis=1)
    return (sums[some_hidden] < 0.995).all() and np.allclose(sums[~some_hidden], 1) and round(sums[THE], 2) == 0.10


def hidden_words_take_their_share(ending, mask):
    """In every head a row loses just what it gave to words that are hidden."""
    plain = record(ending=ending, mask="none").weights
    r = record(ending=ending, mask=mask, variant="mask_after")
    return np.allclose(1 - r.weights.sum(axis=-1), np.where(r.mask, 0, plain).sum(axis=-1))


def the_first_word_gives_away_90_percent(ending, mask):
    r = record(ending=ending, mask=mask, variant="mask_as_zero")
    return abs(leaks(r)[PRONOUN, THE] - 0.9) < 1e-9 and r.mask[THE].sum() == 1


def renormalised_is_minus_infinity(ending, mask):
    one, other = (record(ending=ending, mask=mask, variant=v) for v in ("right", "mask_after_renormalised"))
    return np.abs(one.weights - other.weights).max() <= ROUNDING


def questions_find_questions_like_themselves(ending, mask):
    one = record(ending=ending, mask=mask, variant="one_matrix")
    row, Q = one.weights[PRONOUN, LAST], one.Q[PRONOUN]
    same = set(np.flatnonzero(row >= row.max() - ROUNDING))
    asks_for_it = set(np.flatnonzero(Q @ Q[LAST]))
    return asymmetry(one.scores[PRONOUN]) <= ROUNDING < asymmetry(one.weights[PRONOUN]) and same == asks_for_it


def only_the_pronoun_head_does_not_notice(ending, mask):
    right, without = (record(ending=ending, mask=mask, variant=v) for v in ("right", "no_positions"))
    even = without.mask / without.mask.sum(axis=1, keepdims=True)
    differs = all(np.abs(right.weights[h] - without.weights[h]).max() > 0.1 for h in (PREVIOUS, SINK))
    same = np.allclose(right.weights[PRONOUN], without.weights[PRONOUN])
    return differs and same and np.allclose(without.weights[[PREVIOUS, SINK]], even)


def cut_the_pronoun_head_is_left_with_four(ending, mask):
    cut = record(ending=ending, mask=mask, variant="cut_first")
    row = cut.weights[PRONOUN, LAST]
    return slice_names(cut, PRONOUN) == ("alive", "thing", "action", "pronoun") and np.allclose(row, 0.1)


def heads_are_sure_and_their_mean_is_not(ending, mask):
    one, mean = (record(ending=ending, mask=mask, variant=v).weights[:, LAST] for v in ("right", "mean_of_heads"))
    return (one.max(axis=1) > 0.8).all() and (mean.max(axis=1) <= 0.34).all()


def a_huge_hidden_score_leaves_nothing():
    huge = (Edit("scores", (PRONOUN, THE, LAST), 1000.0),)
    return weights(edits=huge)[THE, THE] == 1 and weights(edits=huge, variant="mask_after_renormalised")[THE, THE] == 0


def real_record(ending):
    return record_of(ending, *TWINS["pronoun"])


SIZES = (1, *range(2, 512, 15), 512)  # places of the slider


def scaled_by(name):
    return [next(one for one in scaled(d_head) if one.by == name) for d_head in SIZES]


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
    ("mistakes", "86 % become more than 99 %", from_86_percent_to("no_divisor", 0.99, 1)),
    ("mistakes?mistake=sqrt_d_model", "86 % on one word become 53 %", from_86_percent_to("sqrt_d_model", 0.525, 0.535)),
    (
        "mistakes?mistake=sqrt_d_model",
        "divided by √12, the root of a token vector's length (d_model), instead of √4",
        lambda: record().X.shape[-1] == 12 and record(variant="sqrt_d_model").divisor == 12**0.5,
    ),
    (
        "mistakes?mistake=wrong_axis",
        "Every {across} adds up to 1, but the {line}s do not: *The* hands out 0.10 in all, the last word about 3",
        for_both_endings(columns_are_shared_out),
    ),
    (
        "mistakes?mistake=wrong_axis",
        "and with another last word {line}s of earlier words change.",
        for_both_endings(earlier_rows_change),
    ),
    (
        "mistakes?mistake=wrong_axis",
        "Each weight now depends on the other words that ask, also on later ones",
        for_both_endings(a_later_word_that_asks_changes_an_earlier_weight, MASKS),
    ),
    (
        "mistakes?mistake=mask_as_zero",
        "*The*, which may see only itself, gives away 90 %",
        for_both_endings(the_first_word_gives_away_90_percent),
    ),
    (
        "mistakes?mistake=mask_after",
        "The {line}s of words from which something is hidden add up to less than 1: *The* keeps only 0.10 of its "
        "whole.",
        for_both_endings(rows_keep_less),
    ),
    (
        "mistakes?mistake=mask_after",
        "What went to hidden words is lost, so words from which much is hidden receive too little.",
        for_both_endings(hidden_words_take_their_share, MASKS),
    ),
    (
        "mistakes?mistake=mask_after_renormalised",
        "the largest difference is 0 (to 12 decimals)",
        for_both_endings(renormalised_is_minus_infinity, MASKS),
    ),
    (
        "mistakes?mistake=mask_after_renormalised",
        "only where a hidden score is huge −∞ is safer, because else nothing would be left to divide",
        a_huge_hidden_score_leaves_nothing,
    ),
    (
        "mistakes?mistake=one_matrix",
        "the last word now looks at words that look for the same",
        for_both_endings(questions_find_questions_like_themselves),
    ),
    (
        "mistakes?mistake=no_positions",
        "The previous head and the sink head look equally at all that they may see; the pronoun head reads no places, "
        "so its two pictures are alike: switch the head to previous or sink.",
        for_both_endings(only_the_pronoun_head_does_not_notice, MASKS),
    ),
    (
        "mistakes?mistake=no_positions",
        "without positions the same numbers just move along",
        lambda: (
            np.abs(moved_weights(Experiment(mask="none", variant="no_positions"), [*range(9, -1, -1)])).max()
            <= ROUNDING
        ),
    ),
    (
        "mistakes?mistake=cut_first",
        "no longer sees **tired** or **soft**, so the last word looks equally at all",
        for_both_endings(cut_the_pronoun_head_is_left_with_four, MASKS),
    ),
    (
        "mistakes?mistake=mean_of_heads",
        "Each head gives one word more than 80 % of the last word's weight; the mean gives no word more than 34 %.",
        for_both_endings(heads_are_sure_and_their_mean_is_not),
    ),
    (
        "mistakes",
        "Divided by **√d_head**, the spread is about 1 at every size, and the entropy stays between 0.82 and 0.87.",
        lambda: all(
            round(one.spread, 1) in (1.0, 1.1) and 0.82 < one.entropy_share < 0.87 for one in scaled_by("√d_head")
        ),
    ),
    (
        "mistakes",
        "With 8 heads, **√d_model** is √8 times as much: the weights get too even, and their entropy stays above 0.97.",
        lambda: N_HEADS == 8 and all(one.entropy_share > 0.97 for one in scaled_by("√d_model")),
    ),
    (
        "mistakes",
        "the largest weight grows from 0.27 at d_head = 1 to 0.96 at d_head = 512",
        lambda: [f"{scaled_by('nothing')[end].largest:.2f}" for end in (0, -1)] == ["0.27", "0.96"],
    ),
]

CLAIMS += [
    (
        "real_model",
        "a few of SmolLM2's **30 layers of 9 heads** do much what the toy's three do",
        lambda: recording().roles.shape == (5, 30, 9) and 30 * 9 == 270,
    ),
    (
        "real_model",
        "A query and a key have **64 numbers** here instead of 4",
        lambda: (
            real_record("tired").Q.shape[-1] == real_record("tired").K.shape[-1] == 64 and record().Q.shape[-1] == 4
        ),
    ),
    (
        "real_model",
        "In this sentence **61 %** of all the weight of later words rests on the first word.",
        lambda: round(float(maps_of("tired")[:, :, 1:, 0].mean()), 2) == 0.61,
    ),
    (
        "real_model",
        "by what they do over **10 other texts**",
        lambda: sum(recording().n_texts) == len(PLAIN) + len(WITH_REPEATS) == 10,
    ),
    ("real_model", "Here are 16 other sentences", lambda: len(recording().pairs) == len(PAIRS) == 16),
    (
        "real_model",
        "So the weights of *it* cannot depend on what comes.",
        lambda: not real_record("tired").mask[IT, IT + 1 :].any() and rows_of_it()[0].apart() == 0,
    ),
    (
        "real_model",
        "what comes to layer 13 is more than the word itself: the layers 0 to 12 have mixed other words into it.",
        lambda: TWINS["pronoun"][0] == 13 == 12 + 1,
    ),
    (
        "real_model",
        "Layer 13, head 8 stands under *No clear role*",
        lambda: TWINS["pronoun"] == (13, 8) and clear_role(recording().roles[:, 13, 8]) is None,
    ),
    (
        "real_model",
        "MiniLM reads both ways, and there the last word changes them.",
        lambda: rows_of_it()[1].apart() > 0.1 and next(iter(rows_of_it()[1].records.values())).mask.all(),
    ),
    (
        "real_model",
        "Switch the last word and watch both thick lines swing.",
        lambda: all(
            real_record(ending).weights[0, LAST].argmax() == weights(ending=ending)[LAST].argmax() == noun
            for ending, noun in (("tired", CAT), ("soft", MAT))
        ),
    ),
]


SEEN = {  # what `see` of each mistake says, of an ending and a mask; those told for several heads hold for all at once
    "no_divisor": lambda ending, mask: 0.99 < wrong("no_divisor", ending, mask)[LAST].max() < 1,
    "sqrt_d_model": lambda ending, mask: 0.525 < wrong("sqrt_d_model", ending, mask)[LAST].max() < 0.535,
    "wrong_axis": lambda ending, mask: columns_are_shared_out(ending, mask) and earlier_rows_change(ending, mask),
    "mask_as_zero": the_first_word_gives_away_90_percent,
    "mask_after": rows_keep_less,
    "mask_after_renormalised": renormalised_is_minus_infinity,
    "one_matrix": questions_find_questions_like_themselves,
    "no_positions": only_the_pronoun_head_does_not_notice,
    "cut_first": cut_the_pronoun_head_is_left_with_four,
    "mean_of_heads": heads_are_sure_and_their_mean_is_not,
}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.variant)
def test_what_you_see_is_told_only_where_it_is_true(mistake):
    told = 0
    for ending, mask, head in product(toy.ENDINGS, MASKS, toy.HEAD_NAMES):
        experiment = Experiment(ending=ending, mask=mask, head=head, variant=mistake.variant)
        if mistake.sentences(experiment)[1] != mistake.see.format(**words_of("rows")._asdict()):
            continue
        told += 1
        assert head == "pronoun" or mistake.heads == toy.HEAD_NAMES
        assert SEEN[mistake.variant](ending, mask), (ending, mask, head)
    assert told


@pytest.fixture(scope="module")
def texts():
    """The words of each page; after a "?" stands what is chosen there."""
    pages = {page for page, _, _ in CLAIMS}
    opened = {
        (page, layout): app(page.partition("?")[0], layout=layout, **dict(parse_qsl(page.partition("?")[2])))
        for page in pages
        for layout in LAYOUTS
    }
    return {key: "\n".join([*(element.value for element in at.markdown), html_of(at)]) for key, at in opened.items()}


@pytest.mark.parametrize(("page", "words", "holds"), CLAIMS, ids=[words for _, words, _ in CLAIMS])
def test_a_claim_stands_on_its_page_and_is_true(texts, page, words, holds):
    for layout in LAYOUTS:
        named = words_of(layout)
        expected = words.replace("{line}", named.line).replace("{across}", named.across)
        assert " ".join(expected.split()) in " ".join(texts[page, layout].split())
    assert holds()
