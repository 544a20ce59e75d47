"""Texts become the tokens that the model was trained on, and nothing is lost on the way."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from attention_core.models.chat import takes_questions
from attention_core.models.folder_tokenizer import tokenizer_of_folder
from attention_core.models.gguf_tokenizer import tokenizer_of_gguf
from attention_core.models.package_answer import answer
from attention_core.models.shown_tokens import TIED, after_blanks
from attention_core.models.tokenizer import BYTES, piece_bytes
from tests.models.small_vocabulary import END, MERGES, START, TOKENS, fields

SMALL = tokenizer_of_gguf(fields())
whole_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
ODD = "caf\u0301 \U0001f469\u200d\U0001f467 \U0001f44b\U0001f3fd\n\n\t  cat<|end|>ש猫"


def shown(text, tokenizer=SMALL):
    return tokenizer.shown(tokenizer.encode(text))


def test_every_byte_has_a_sign_of_its_own():
    assert sorted(BYTES.values()) == list(range(256))
    assert (BYTES["Ġ"], BYTES["Ċ"], BYTES["a"]) == (0x20, 0x0A, 0x61)


def test_merges_are_made_in_their_order():
    assert SMALL.pieces(SMALL.encode("cat cat it")) == ("cat", "Ġcat", "Ġ", "it")


def test_blanks_that_names_leave_away_are_known():
    for text in ("cat cat it", "cat, it", "catcat cat", "cat\ncat it", "cat  it"):
        names = shown(text)
        gaps = after_blanks(names)
        words = (name.removeprefix(TIED) for name in names)
        assert "".join(" " * (place in gaps) + word for place, word in enumerate(words)) == text


def test_marks_are_found_whole_in_a_text():
    ids = SMALL.encode("a<|end|>b<think>c")
    assert SMALL.pieces(ids) == ("a", "<|end|>", "b", "<think>", "c")
    assert SMALL.special == {START, END}
    assert SMALL.end == END


def test_each_pre_tokenizer_cuts_where_its_model_was_trained_to():
    merges = [*MERGES, "1 2", "12 3", "123 4", "' L"]
    tokens = [*TOKENS[:256], *("".join(merge.split()) for merge in merges)]
    text = "1234  1'L"
    pieces = {
        pre: tokenizer_of_gguf(fields(pre=pre, tokens=tokens, merges=merges, token_type=[])).encode(text)
        for pre in ("gpt-2", "llama-bpe", "smollm")
    }
    named = {pre: " ".join(tokens[i] for i in ids if i < len(tokens)) for pre, ids in pieces.items()}
    assert named["gpt-2"] == "1234 Ġ Ġ 1 ' L"  # a whole number; the last blank goes with what follows
    assert named["smollm"] == "1 2 3 4 ĠĠ 1 ' L"  # digits stand alone, so the blanks stay together
    assert named["llama-bpe"] == "123 4 Ġ Ġ 1 'L"  # three digits at most; a mark goes with the letters after it


def test_a_text_begins_and_ends_as_the_file_says():
    assert tokenizer_of_gguf(fields(add_bos_token=True)).encode("a") == [START, 97]
    assert tokenizer_of_gguf(fields(add_eos_token=True)).encode("a") == [97, END]
    assert tokenizer_of_gguf(fields(pre="llama-bpe", add_bos_token=None)).encode("a") == [START, 97]
    assert tokenizer_of_gguf(fields(add_bos_token=None)).encode("a") == [97]


@given(whole_text)
@example("")
@example(ODD)
def test_the_text_comes_back(text):
    assert SMALL.decode(SMALL.encode(text)) == text


@given(whole_text)
@example(ODD)
def test_a_shown_token_is_never_empty_and_never_a_bare_replacement_sign(text):
    tokens = shown(text)
    assert all(tokens)
    assert "\ufffd" in text or not any("\ufffd" in token for token in tokens)


@given(st.lists(st.integers(0, len(TOKENS) - 1), max_size=12))
def test_any_tokens_at_all_can_be_shown(ids):
    assert len(SMALL.shown(ids)) == len(ids)
    assert all(SMALL.shown(ids))
    assert "\ufffd" not in "".join(SMALL.shown(ids)) + SMALL.decode(ids)


@given(whole_text, st.integers(0, 255), st.integers(0, 255))
def test_two_tokens_in_one_place_never_look_alike(text, one, other):
    before = SMALL.encode(text)
    alike = SMALL.shown([*before, one])[-1] == SMALL.shown([*before, other])[-1]
    assert alike == (one == other)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("cat cat", ("cat", "cat")),  # the blank before a word is the usual case
        (" cat", (" cat",)),  # where a text begins it is not
        ("\n cat", ("\n", " cat")),
        ("itcat", ("it", "‿cat")),  # no blank before a word
        ("it(cat", ("it", "(", "‿cat")),
        ("<|end|>cat", ("<|end|>", "cat")),  # a mark is no word
        ("it  .", ("it", " ", " ", ".")),
        ("é", ("é(1/2)", "é(2/2)")),
        ("it é", ("it", " ", "é(1/2)", "é(2/2)")),
        ("a\U0001f642", ("a", "🙂(1/3)", "🙂(2/3)", "🙂(3/3)")),
        ("e\u0301", ("e\u0301(1/3)", "e\u0301(2/3)", "e\u0301(3/3)")),  # two code points, one letter
        ("", ()),
    ],
)
def test_the_usual_blank_is_quiet_and_cut_characters_are_counted(text, tokens):
    assert shown(text) == tokens


def test_a_family_is_one_character_and_two_flags_are_two():
    family, flags = "\U0001f469\u200d\U0001f467", "\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1ea"
    assert {token.split("(")[0] for token in shown(family)} == {family}
    assert {token.split("(")[0] for token in shown(flags)} == {flags[:2], flags[2:]}


def test_a_byte_of_no_character_is_written_by_its_value():
    assert SMALL.shown([0xF0, 0x61]) == ("<0xF0>", "‿a")
    assert SMALL.decode([0xF0, 0x61]) == "<0xF0>a"


def test_pieces_of_other_vocabularies_are_read_by_bytes_too():
    assert piece_bytes("▁cat", "▁") == b" cat"
    assert piece_bytes("<0x0A>", "▁") == b"\n"
    assert piece_bytes("<0x0A>", "") == b"<0x0A>"


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(ValueError, match=r"whole characters, but character 1 is the lone U\+D83D"):
        SMALL.encode("a\ud83d")


@pytest.mark.parametrize("foreign", [-1, 10**6, 2**32])
def test_an_id_that_is_not_in_the_vocabulary_is_refused(foreign):
    with pytest.raises(ValueError, match=f"an id must be from 0 to {len(TOKENS) - 1}, but there is {foreign}"):
        SMALL.shown([97, foreign])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"model": "rwkv"}, "kind gpt2, bert or llama, but the file says 'rwkv'"),
        ({"model": ["llama"]}, "kind gpt2, bert or llama, but the file says"),
        ({"model": None}, "tokenizer.ggml.model is missing"),
        ({"tokens": [1, 2]}, "tokenizer.ggml.tokens must be a list of texts"),
        ({"merges": None}, "tokenizer.ggml.merges is missing"),
        ({"pre": "deepseek-llm"}, "one of gpt-2, llama-bpe, smollm, but the file says 'deepseek-llm'"),
        ({"pre": None}, r"one of gpt-2, llama-bpe, smollm, but the file says '\(none\)'"),
        ({"merges": ["x nothing"]}, "the vocabulary and its merges do not fit together"),
        ({"merges": ["xx"]}, "the vocabulary and its merges do not fit together"),
        ({"add_bos_token": "yes"}, "add_bos_token must be true or false, but it is 'yes'"),
        ({"add_bos_token": True, "bos_token_id": None}, "tokenizer.ggml.bos_token_id is missing"),
        ({"add_bos_token": True, "bos_token_id": 10**6}, "bos_token_id must be an id from 0"),
        ({"eos_token_id": "two"}, "eos_token_id must be an id from 0 to 265, but it is 'two'"),
        ({"model": "bert", "tokens": ["[UNK]", "[CLS]", "[SEP]", "▁Cat"]}, "must be in lower case"),
        ({"model": "bert", "tokens": ["▁cat"]}, r"must hold \[UNK\], \[CLS\] and \[SEP\]"),
    ],
)
def test_a_vocabulary_that_is_not_known_or_broken_is_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        tokenizer_of_gguf(fields(**changed))


def test_word_pieces_of_a_gguf_file_begin_words_bare():
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁cat", "s", "▁the"]
    tokenizer = tokenizer_of_gguf(fields(model="bert", tokens=tokens, eos_token_id=3))
    ids = tokenizer.encode("The Cats dog")
    assert ids == [2, 6, 4, 5, 1, 3]
    assert tokenizer.pieces(ids) == ("[CLS]", "the", "cat", "##s", "[UNK]", "[SEP]")
    assert tokenizer.shown(ids) == ("[CLS]", "the", "cat", "‿s", "[UNK]", "[SEP]")
    assert tokenizer.decode(ids) == "[CLS] the cats [UNK] [SEP]"


def folder_with(tmp_path, tokenizer, **settings):
    tokenizer._inner.enable_padding(length=20)
    tokenizer._inner.enable_truncation(max_length=2)
    tokenizer._inner.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def test_a_folder_is_read_without_its_padding_and_its_cut(tmp_path):
    written = tokenizer_of_gguf(fields(add_bos_token=True))
    (tmp_path / "tokenizer_config.json").write_text('{"eos_token": {"content": "<|end|>"}}')
    read = tokenizer_of_folder(folder_with(tmp_path, written))
    assert read.encode("cat cat cat")[1:] == SMALL.encode("cat cat cat")
    assert read.shown(read.encode("é")) == ("<|start|>", "é(1/2)", "é(2/2)")
    assert read.end == END


@pytest.mark.parametrize("settings", [None, "no json", "[]", '{"eos_token": 3}'])
def test_a_folder_needs_no_word_on_how_answers_end(tmp_path, settings):
    if settings:
        (tmp_path / "tokenizer_config.json").write_text(settings)
    assert tokenizer_of_folder(folder_with(tmp_path, tokenizer_of_gguf(fields()))).end is None


def test_a_folder_without_a_readable_tokenizer_is_refused(tmp_path):
    with pytest.raises(ValueError, match="must hold tokenizer.json"):
        tokenizer_of_folder(tmp_path)
    for content in (b"{", b"\xff\xfe", b"[]"):
        (tmp_path / "tokenizer.json").write_bytes(content)
        with pytest.raises(ValueError, match="tokenizer.json cannot be read"):
            tokenizer_of_folder(tmp_path)


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json"])
def test_a_file_of_a_folder_that_is_too_large_is_refused(tmp_path, name):
    with (folder_of(tmp_path) / name).open("a") as file:
        file.truncate(50_000_001)  # a hole: it takes no room
    with pytest.raises(ValueError, match=f"{name}: has 50,000,001 bytes; 50,000,000 are the most that are read"):
        tokenizer_of_folder(tmp_path)


def test_a_sentencepiece_folder_shows_its_blanks_and_bytes(tmp_path):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    words = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "c", "a", "▁c", "▁ca"]
    inner = Tokenizer(models.BPE({w: i for i, w in enumerate(words)}, [("▁", "c"), ("▁c", "a")], byte_fallback=True))
    inner.pre_tokenizer = pre_tokenizers.Metaspace()
    inner.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    inner.save(str(tmp_path / "tokenizer.json"))
    read = tokenizer_of_folder(tmp_path)
    ids = read.encode("ca ca\né")
    assert read.pieces(ids) == ("▁ca", "▁ca", "<0x0A>", "<0xC3>", "<0xA9>")
    assert read.shown(ids) == ("ca", "ca", "\n", "é(1/2)", "é(2/2)")
    assert read.decode(ids) == "ca ca\né"


def folder_of(tmp_path, **parts):
    """A folder whose tokenizer.json has these parts."""
    words = {"type": "WordLevel", "vocab": {"cat": 0, "[UNK]": 1}, "unk_token": "[UNK]"}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": words} | parts))
    return tmp_path


TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
    "special_tokens": {},
}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"post_processor": TEMPLATE}, "it cannot cut a text: no entry found for key"),
        (
            {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}},
            "tokenizer.json cannot be read: .*Cannot parse precompiled_charsmap",
        ),
    ],
)
def test_what_panics_in_the_package_is_a_refusal(tmp_path, parts, message):
    with pytest.raises(ValueError, match=message):
        tokenizer_of_folder(folder_of(tmp_path, **parts))


@pytest.mark.parametrize(
    "model",
    [
        {"type": "WordLevel", "vocab": {"cat": 0}, "unk_token": "[UNK]"},
        {
            "type": "WordPiece", "vocab": {"cat": 0}, "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
        },
        {"type": "Unigram", "vocab": [["cat", 0.0]], "unk_id": None},
    ],
)  # fmt: skip
def test_a_text_that_the_vocabulary_has_nothing_for_is_refused(tmp_path, model):
    tokenizer = tokenizer_of_folder(folder_of(tmp_path, model=model))
    if model["type"] != "Unigram":  # which cannot do without in any text
        assert tokenizer.encode("cat") == [0]
    with pytest.raises(ValueError, match="the vocabulary cannot cut this text into tokens: .*nknown|Missing"):
        tokenizer.encode("dog")


def test_a_stop_by_hand_passes_through_the_package():
    def stopped():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer("it fails", stopped)


@pytest.mark.parametrize("odd", [1.7, "3", float("inf"), True, None])
def test_an_id_that_is_no_whole_number_is_refused(odd):
    for ask in (SMALL.pieces, SMALL.shown, SMALL.decode):
        with pytest.raises(ValueError, match="an id must be a whole number, but it is"):
            ask([97, odd])


def test_a_word_on_how_answers_end_that_is_nested_too_deep_is_not_needed(tmp_path):
    (tmp_path / "tokenizer_config.json").write_text("[" * 100_000 + "]" * 100_000)
    assert tokenizer_of_folder(folder_of(tmp_path)).end is None


def test_a_vocabulary_that_cannot_cut_the_marks_of_a_question_takes_none(tmp_path):
    words = {"type": "WordLevel", "vocab": {"cat": 0}, "unk_token": "[UNK]"}
    assert not takes_questions(tokenizer_of_folder(folder_of(tmp_path, model=words)))
