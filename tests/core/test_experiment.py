"""Experiments: frozen, traced by one pure function, written into a link and read back."""

from dataclasses import FrozenInstanceError, fields
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_core import Edit, Experiment, toy, trace
from attention_core.experiment import CUT, SEAL, shuffled
from attention_core.variants import VARIANTS

edits = st.builds(
    Edit,
    st.just("scores"),
    st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)),
    st.floats(-1e6, 1e6, allow_nan=False),
)
experiments = st.builds(
    Experiment,
    ending=st.sampled_from(toy.ENDINGS),
    mask=st.sampled_from(["causal", "none", "window 3"]),
    head=st.sampled_from(toy.HEAD_NAMES),
    ask=st.integers(0, 9),
    variant=st.sampled_from(list(VARIANTS)),
    heads=st.lists(st.sampled_from(toy.HEAD_NAMES), unique=True).map(tuple),
    edits=st.lists(edits, max_size=3, unique_by=lambda edit: edit.place).map(tuple),
)


@given(experiments)
def test_a_link_restores_the_experiment(experiment):
    assert Experiment.from_link(experiment.link()) == experiment


def test_the_default_experiment_needs_no_link():
    assert Experiment().link() == {}


@given(experiments)
def test_the_same_experiment_always_gives_the_same_numbers(experiment):
    once, again = trace(experiment), trace(experiment)
    for name, value in vars(once).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, getattr(again, name))
        else:
            assert value == getattr(again, name)


@given(st.dictionaries(st.sampled_from([f.name for f in fields(Experiment)]), st.text(max_size=20)))
def test_a_link_of_nonsense_never_fails(link):
    trace(Experiment.from_link(link))


@pytest.mark.parametrize(
    "link",
    [
        {"ending": ""},
        {"ending": "dog"},
        {"ask": "0"},
        {"ask": "11"},
        {"ask": "1e1"},
        {"ask": "9" * 5000},
        {"mask": "true"},
        {"heads": "pronoun,nose"},
        {"edits": "scores[0,9,1]"},
        {"edits": "scores[0,9,99]=1"},
        {"edits": "scores[0,9,1]=nan"},
        {"edits": "weights[0,9,1]=1"},
        {"variant": "wrong"},
        {"ending": ["soft"]},
        {"unknown": "x"},
    ],
)
def test_a_bad_part_of_a_link_falls_back_to_its_default_and_the_rest_is_kept(link):
    assert Experiment.from_link(link) == Experiment()
    if "mask" not in link:
        assert Experiment.from_link({**link, "mask": "none"}) == Experiment(mask="none")


def test_heads_are_kept_in_the_order_of_the_record():
    assert Experiment(heads=("sink", "pronoun")).heads == ("pronoun", "sink")
    assert trace(Experiment(heads=("sink", "pronoun"))).heads_on.tolist() == [True, False, True]


def test_an_edit_reaches_the_numbers():
    r = trace(Experiment(edits=(Edit("scores", (0, 9, 5), 4.0),)))
    assert r.weights[0, 9, 5] == r.weights[0, 9, 1]


def test_an_experiment_is_frozen():
    with pytest.raises(FrozenInstanceError):
        Experiment().ending = "soft"


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("ending", "dog", "ending must be one of tired, soft, but it is 'dog'"),
        ("mask", "half", "mask must be causal, none, or a window such as window 3, but it is 'half'"),
        ("head", "nose", "head must be one of pronoun, previous, sink, but it is 'nose'"),
        ("heads", ("nose",), "heads must be one of pronoun, previous, sink, but it is 'nose'"),
        ("variant", "odd", "variant must be one of right, no_divisor, .*, but it is 'odd'"),
        ("ask", 10, "ask must be a place from 0 to 9, but it is 10"),
        ("ask", 1.5, "ask must be a place from 0 to 9, but it is 1.5"),
        ("edits", (Edit("Q", (0, 0, 0), 1.0),), "the array of an edit must be one of X, W_Q"),
    ],
)
def test_a_field_that_holds_something_unknown_is_refused(field, value, message):
    with pytest.raises(ValueError, match=message):
        Experiment(**{field: value})


def test_edits_are_kept_as_a_tuple_so_that_the_value_stays_frozen():
    edit = Edit("scores", (0, 9, 5), 4.0)
    assert Experiment(edits=[edit]) == Experiment(edits=(edit,))
    assert hash(Experiment(edits=[edit])) == hash(Experiment(edits=(edit,)))


# A sentence of one's own

some_word = st.text(min_size=1, max_size=40).filter(lambda word: word.split() == [word] and word.isprintable())


@st.composite
def own_sentences(draw):
    """An experiment on 1 to 32 words, known and new."""
    words = draw(st.lists(st.one_of(st.sampled_from(list(toy.VOCABULARY)), some_word), min_size=1, max_size=32))
    new = sorted({word for word in words if word not in toy.VOCABULARY})
    ticks = st.lists(st.sampled_from(toy.WORD_DIMENSIONS), unique=True).map(tuple)
    meanings = tuple((word, draw(ticks)) for word in new)
    return Experiment(words=tuple(words), meanings=meanings, ask=draw(st.integers(0, len(words) - 1)))


@given(own_sentences())
def test_a_link_restores_a_sentence_of_ones_own(experiment):
    assert Experiment.from_link_with_refusals(experiment.link()) == (experiment, [])
    assert trace(experiment).query_tokens == experiment.words


def test_known_words_keep_their_vectors_and_a_new_word_gets_what_is_ticked():
    own = Experiment(words=("The", "dog", "was", "tired"), meanings=(("dog", ("alive",)), ("tired", ("thing",))))
    X = trace(own).X
    assert X[1, :7].tolist() == [1, 0, 0, 0, 0, 0, 1]
    assert X[3, :7].tolist() == [0, 0, 0, 0, 1, 0, 1]
    assert trace(own).weights[0, 3].argmax() == 1


def test_the_last_token_of_ones_own_sentence_asks_unless_told():
    assert Experiment(words=("cat", "sat")).ask == 1
    assert "ask" not in Experiment(words=("cat", "sat")).link()
    assert Experiment(words=("cat", "sat"), ask=0).link()["ask"] == "1"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"words": ("cat",) * 33}, "a sentence must have 1 to 32 words, but it has 33"),
        ({"words": ("cat", "")}, "a word must have 1 to 40 characters and no blank in it, but it is ''"),
        ({"words": ("a b",)}, "no blank in it, but it is 'a b'"),
        ({"words": ("x" * 41,)}, "a word must have 1 to 40 characters"),
        ({"words": ("dog",)}, "the toy knows the words The, .*, but was given 'dog' without a meaning"),
        ({"words": ("dog",), "meanings": (("dog", ("fast",)),)}, "dimensions of 'dog' must be among alive, .* 'fast'"),
    ],
)
def test_what_is_no_sentence_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        Experiment(**given)


def test_a_broken_sentence_in_a_link_is_named_and_the_rest_is_kept():
    experiment, refusals = Experiment.from_link_with_refusals({"words": "cat dog", "mask": "none", "ask": "99"})
    assert experiment == Experiment(mask="none")
    assert refusals == [
        "words: the toy knows the words The, cat, sat, on, the, mat, because, it, was, tired, soft, "
        "but was given 'dog' without a meaning",
        "ask must be a whole number from 1 to 10, but it is '99'",
    ]


@given(st.permutations(range(10)))
def test_without_positions_shuffled_words_keep_their_weights_and_with_positions_they_do_not(order):
    for variant in ("no_positions", "right"):
        before = Experiment(variant=variant, mask="none", head="previous")
        after = shuffled(before, order)
        assert after.tokens[after.ask] == "tired"
        same = np.allclose(trace(after).weights, trace(before).weights[:, order][:, :, order], atol=1e-9)
        assert same or variant == "right"
        assert not same or variant == "no_positions" or order == sorted(order)


def test_an_order_that_forgets_a_place_is_refused():
    with pytest.raises(ValueError, match="an order must name each of 10 places once"):
        shuffled(Experiment(), [0] * 10)


def test_a_window_of_one_token_sees_itself_alone():
    assert (trace(Experiment(mask="window 1")).weights == np.eye(10)).all()
    assert trace(Experiment(mask="window 3")).mask.sum(axis=1).tolist() == [1, 2, 3, 3, 3, 3, 3, 3, 3, 3]
    with pytest.raises(ValueError, match="a window must be at least 1 token wide, but it is 0"):
        Experiment(mask="window 0")


# Links that were changed or cut short


def sealed_link():
    edits = (Edit("scores", (0, 9, 1), 2.5), Edit("V", (0, 1, 0), -12.25))
    own = Experiment(words=("The", "dog", "was", "tired"), meanings=(("dog", ("alive",)),), ask=1)
    return [Experiment(edits=edits, mask="none", ending="soft").link(), own.link()]


@pytest.mark.parametrize("link", sealed_link())
def test_a_link_that_is_cut_short_anywhere_is_noticed_and_never_read_as_another_experiment(link):
    whole = Experiment.from_link(link)
    text = urlencode(link)
    for end in range(len("_seal=12345678&") + 1, len(text)):
        read, refusals = Experiment.from_link_with_refusals(dict(parse_qsl(text[:end])))
        assert CUT in refusals
        assert read == Experiment() != whole


def test_a_link_written_by_hand_needs_no_seal():
    link = {"edits": "scores[0,9,1]=2.5", "variant": "no_divisor"}
    assert Experiment.from_link_with_refusals(link) == (
        Experiment(edits=(Edit("scores", (0, 9, 1), 2.5),), variant="no_divisor"),
        [],
    )


def test_a_sealed_link_whose_parts_are_changed_by_hand_is_left_out():
    link = Experiment(edits=(Edit("divisor", (), 4.0),), mask="window 12").link()
    for changed in ({"mask": "window 1"}, {"edits": "divisor[]=5.0"}, {"ask": "3"}):
        assert Experiment.from_link_with_refusals({**link, **changed}) == (Experiment(), [CUT])


def test_the_seal_comes_first_also_where_names_are_sorted():
    link = Experiment(ending="soft", mask="none", ask=3, variant="no_divisor", heads=("sink",)).link()
    assert next(iter(link)) == sorted(link)[0] == SEAL


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"ask": "0"}, "ask must be a whole number from 1 to 10, but it is '0'"),
        ({"ask": "1_0"}, "ask must be a whole number from 1 to 10, but it is '1_0'"),
        ({"edits": "X[0,0]=1_0"}, "edits: an edit must read like scores[0,9,1]=2.5, but it reads 'X[0,0]=1_0'"),
        ({"edits": "X[0,0]=nan"}, "edits: an edit must read like scores[0,9,1]=2.5, but it reads 'X[0,0]=nan'"),
        ({"words": "%ff"}, "words must be written in UTF-8, as %C3%A9 for é, but a word reads '%ff'"),
        (
            {"words": "dog", "meanings": "dog=alive;dog=thing"},
            "words and meanings: a word must have one meaning, but 'dog' has 2",
        ),
    ],
)
def test_what_a_link_says_oddly_is_refused_in_plain_words(link, words):
    experiment, refusals = Experiment.from_link_with_refusals(link)
    assert (experiment, refusals) == (Experiment(), [words])


def test_of_two_edits_of_one_place_in_a_link_the_last_one_counts():
    experiment = Experiment.from_link({"edits": "X[0,0]=1;X[0,1]=2;X[0,0]=3"})
    assert experiment.edits == (Edit("X", (0, 0), 3.0), Edit("X", (0, 1), 2.0))


@pytest.mark.parametrize(
    "link",
    [
        *({name: "q" * 3000} for name in ("ending", "mask", "head", "ask", "heads", "edits", "variant", "words")),
        {"edits": f"X[{','.join('7' * 1000)}]=1"},
        {"edits": f"{'q' * 3000}[0]=1"},
        {"words": "%ff" * 1000},
        {"words": "dog", "meanings": "dog=" + "q" * 3000},
        {"words": "dog", "meanings": f"{'q' * 3000}=alive;{'q' * 3000}=alive"},
    ],
)
def test_no_refusal_repeats_more_than_60_characters_of_a_link(link):
    (refusal,) = Experiment.from_link_with_refusals(link)[1]
    assert len(refusal) < 300
    assert "q" * 60 not in refusal
