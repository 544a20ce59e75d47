"""Vocabularies with scores cut a text as the sentencepiece package does (references/sentencepiece_ids.json), in files
of both forms, and are shown as others are.
"""

import math
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attention_core.models.files import load
from attention_core.models.folder_tokenizer import tokenizer_of_folder
from attention_core.models.gguf_sentencepiece import LONGEST, merges_by_score
from attention_core.models.gguf_tokenizer import tokenizer_of_gguf
from tests.models.references.sentencepiece_ids import VOCABULARIES, texts
from tests.models.small_sentencepiece import END, PLAIN, RECORDED, START, fields, write_small_sentencepiece

BARE = tokenizer_of_gguf(fields())
WITH_MARK = tokenizer_of_gguf(fields(add_bos_token=None))  # one is put before each text where the file is silent


def by_hand(text):
    """The pieces of a text by the rule itself: ever again the best pair of neighbours, of equals the leftmost."""
    listed = zip(PLAIN["tokens"], PLAIN["scores"], PLAIN["token_type"], strict=True)
    scores = {token: score for token, score, kind in listed if kind == 1}
    parts = list("▁" + text.replace(" ", "▁")) if text else []
    while pairs := [(-scores[a + b], i) for i, (a, b) in enumerate(pairwise(parts)) if a + b in scores]:
        i = min(pairs)[1]
        parts[i : i + 2] = ["".join(parts[i : i + 2])]
    return [one for part in parts for one in ([part] if part in scores else [f"<0x{b:02X}>" for b in part.encode()])]


def test_the_recorded_ids_are_of_these_texts():
    assert RECORDED["texts"] == texts()
    assert RECORDED["vocabularies"].keys() == VOCABULARIES.keys()


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_text_is_cut_as_the_sentencepiece_package_cuts_it(name):
    vocabulary = RECORDED["vocabularies"][name]
    tokenizer = tokenizer_of_gguf(fields(vocabulary))
    for text, ids in zip(RECORDED["texts"], vocabulary["ids"], strict=True):
        assert tokenizer.encode(text) == ids, text
        assert tokenizer.decode(ids) == text.replace("▁", " ")


@given(
    st.lists(st.sampled_from([*"ab =0\n猫", "==", "  ", "aba", "cat", "the", "▁", "<0x0A>"]), max_size=20).map("".join)
)
@example("a" + " " * 40 + "b" + "=" * 23)
def test_the_best_pair_of_neighbours_is_joined_first(text):
    ids = BARE.encode(text)
    assert list(BARE.pieces(ids)) == by_hand(text)
    assert BARE.decode(ids) == text.replace("▁", " ")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="▁"), max_size=30))
@example("  </s> <s>\n <0x0A> \x00")
def test_the_text_comes_back_and_no_token_is_shown_empty(text):
    for tokenizer, before in ((BARE, ""), (WITH_MARK, "<s>")):
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == before + text
        assert all(tokenizer.shown(ids))


def test_merges_come_in_the_order_of_their_scores():
    assert merges_by_score(["a", "b", "aa", "ab", "aab"], [-9, -9, -2, -1, -3]) == [
        ("a", "b"), ("a", "a"), ("a", "ab"), ("aa", "b"),
    ]  # fmt: skip
    assert merges_by_score(["a", "bc", "abc"], [0, -1, -2]) == [("a", "bc")]


def test_a_blank_is_quiet_before_a_word_and_characters_hold_their_bytes_together():
    for tokenizer, before in ((BARE, ()), (WITH_MARK, ("<s>",))):
        ids = tokenizer.encode("The cat, Ñ\n🙂tired")
        assert tokenizer.pieces(ids) == (
            *before, "▁The", "▁cat", ",", "▁", "<0xC3>", "<0x91>", "<0x0A>",
            "<0xF0>", "<0x9F>", "<0x99>", "<0x82>", "t", "i", "red",
        )  # fmt: skip
        assert tokenizer.shown(ids) == (
            *before, "The", "cat", ",", " ", "Ñ(1/2)", "Ñ(2/2)", "\n",
            "🙂(1/4)", "🙂(2/4)", "🙂(3/4)", "🙂(4/4)", "‿t", "‿i", "‿red",
        )  # fmt: skip
        assert tokenizer.decode(ids) == "".join(before) + "The cat, Ñ\n🙂tired"
        assert tokenizer.shown(tokenizer.encode("  The")) == (*before, "  ", " The")


def test_only_the_very_beginning_of_a_text_gets_a_blank_of_its_own():
    assert BARE.pieces(BARE.encode("a</s>a")) == ("▁a", "</s>", "a")
    assert BARE.pieces(BARE.encode(" a▁")) == ("▁▁", "a", "▁")
    assert WITH_MARK.encode("") == [START]
    assert BARE.encode("") == []
    assert WITH_MARK.decode(WITH_MARK.encode("<s> a")) == "<s><s> a"


def with_more(tokens, kind):
    """The tokenizer with a few more tokens of a kind, whose scores are the best."""
    n = len(tokens)
    more = {"tokens": tokens, "scores": [float(n - i) for i in range(n)], "token_type": [kind] * n}
    return tokenizer_of_gguf(fields(**{name: [*PLAIN[name], *added] for name, added in more.items()}))


def test_marks_are_special_and_found_whole():
    assert BARE.special == {0, START, END}
    assert BARE.end == END
    assert tokenizer_of_gguf(fields(add_eos_token=True)).encode("cat")[-1] == END
    assert BARE.pieces(BARE.encode("a</s>")) == ("▁a", "</s>")
    assert not {START, END} & set(BARE.encode("< s> </ s>"))


def test_a_byte_is_never_joined_from_the_signs_of_its_name():
    joins = with_more(["<0", "<0x", "<0x0", "<0x0A"], kind=1)
    assert joins.pieces(joins.encode("a<0x0A>\n")) == ("▁a", "<0x0A", ">", "<0x0A>")


@pytest.mark.parametrize("mark", ["<a  b>", "<a▁▁b>"])
def test_a_user_s_own_mark_may_hold_blanks(mark):
    named = with_more([mark], kind=4)
    ids = named.encode("a<a  b>")
    assert ids == [*BARE.encode("a"), len(PLAIN["tokens"])]
    assert named.shown(ids) == ("a", "<a  b>")
    assert ids[-1] not in named.special and named.decode(ids) == "a<a  b>"


def changed_at(place, name, to):
    return {name: [*PLAIN[name][:place], to, *PLAIN[name][place + 1 :]]}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": "t5"}, "kind gpt2, bert or llama, but the file says 't5'"),
        ({"scores": None}, "tokenizer.ggml.scores is missing"),
        ({"scores": PLAIN["scores"][:-1]}, "scores must have one number for each of the 520 tokens, but has 519"),
        ({"scores": "none"}, "scores must have one number for each of the 520 tokens, but is no list"),
        (changed_at(300, "scores", math.nan), "scores must be finite numbers, but that of token 300 is nan"),
        (changed_at(300, "scores", math.inf), "scores must be finite numbers, but that of token 300 is inf"),
        (changed_at(300, "scores", "x"), "scores must be finite numbers, but that of token 300 is 'x'"),
        ({"scores": [-1000.0] * 520}, "scores must tell which tokens are joined first, but all are -1000"),
        ({"token_type": None}, "tokenizer.ggml.token_type is missing"),
        ({"token_type": [1] * 521}, "token_type must have one number for each of the 520 tokens, but has 521"),
        (changed_at(40, "tokens", "byte"), "each of the 256 bytes, but <0x25> is missing"),
        (changed_at(400, "tokens", "▁cat"), "no two tokens may be the same, but token 271 and token 400 are"),
        (changed_at(400, "tokens", "x" * (LONGEST + 1)), "a token must have at most 256 characters, but one has 257"),
        ({"bos_token_id": None, "add_bos_token": True}, "tokenizer.ggml.bos_token_id is missing"),
        ({"add_space_prefix": 1}, "add_space_prefix must be true or false, but it is 1"),
        ({"remove_extra_whitespaces": True}, "remove_extra_whitespaces must be false"),
        ({"precompiled_charsmap": [1, 2]}, "precompiled_charsmap must be empty"),
    ],
)
def test_a_vocabulary_that_contradicts_itself_is_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        tokenizer_of_gguf(fields(**changed))


def normal(name):
    """What turns blanks into "▁", in the ways in which tokenizer.json files write it."""
    from tokenizers import normalizers, pre_tokenizers

    if name == "Prepend and Replace":
        return {"normalizer": normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])}
    return {"pre_tokenizer": pre_tokenizers.Metaspace("▁", "first", split=False)}


@pytest.mark.parametrize("name", ["Prepend and Replace", "Metaspace"])
@pytest.mark.parametrize("begun", [WITH_MARK, BARE], ids=["with a mark", "bare"])
def test_a_folder_of_the_same_vocabulary_cuts_and_shows_the_same(name, begun, tmp_path):
    inner = type(begun._inner).from_str(begun._inner.to_str())
    inner.normalizer = inner.pre_tokenizer = None
    for part, made in normal(name).items():
        setattr(inner, part, made)
    inner.save(str(tmp_path / "tokenizer.json"))
    read = tokenizer_of_folder(tmp_path)
    for text in RECORDED["texts"]:
        ids = begun.encode(text)
        if name == "Prepend and Replace" or text[:1] not in (" ", "▁"):  # before which Metaspace puts no other
            assert read.encode(text) == ids, text
        assert read.shown(ids) == begun.shown(ids)
        assert read.decode(ids) == begun.decode(ids)


def test_a_whole_model_with_such_a_vocabulary_reads_and_writes(tmp_path):
    model = load(write_small_sentencepiece(tmp_path / "small.gguf"))
    ids = model.tokenizer.encode("The cat, Ñ")
    run = model.read(ids)
    assert run.tokens == ("<s>", "The", "cat", ",", " ", "Ñ(1/2)", "Ñ(2/2)")
    assert run.pieces == ("<s>", "▁The", "▁cat", ",", "▁", "<0xC3>", "<0x91>")
    assert 0.01 < run.weights(1, 0)[-1].max() < 0.99
    written = [step.id for step in model.write(ids, 5)]
    assert model.tokenizer.decode([*ids, *written]).startswith("<s>The cat, Ñ")
