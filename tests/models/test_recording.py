"""The recording says what the model computed, and the sentences about it are true of it."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from attention_core.models.chat import answer_steps, takes_questions
from attention_core.models.fetchable import FETCHABLE
from attention_core.models.pairs import PAIRS, fits_both_times, moves_the_fitting_way, weight_on_nouns
from attention_core.models.record import ENDINGS, SENTENCE, answer_of, main, named, run_of
from attention_core.models.recorded_runs import BITS, arrays, from_planes, to_planes
from attention_core.models.recording import FILE, read_recording, write_recording
from attention_core.models.roles import ROLES, clear_role
from tests.models.present import MINILM, SMOLLM2, needs_minilm, needs_smollm2

CLOSE = 2e-5
WHOLE = read_recording()
CAT, MAT, IT = 1, 5, 7


def test_the_file_is_small_and_says_where_it_comes_from():
    assert FILE.stat().st_size < 1_000_000
    for about, key in ((WHOLE.about, "smollm2"), (WHOLE.about["both_ways"], "minilm")):
        known = FETCHABLE[key]
        assert (about["model"], about["licence"]) == (known.name, known.licence)
        assert about["sha256"] in known.files.values()
        assert date.fromisoformat(about["date"])
        assert "attention_core.models.record" in about["how"]


def test_all_heads_of_both_endings_are_there():
    for ending in ENDINGS:
        run = WHOLE.runs[ending]
        assert " ".join(run.tokens) == f"{SENTENCE} {ending}"
        assert (run.Q.shape, run.K.shape, run.V.shape) == ((30, 9, 10, 64), (30, 3, 10, 64), (30, 3, 10, 64))


def test_the_lessons_head_swings_from_the_cat_to_the_mat():
    rows = {ending: WHOLE.runs[ending].weights(13, 8)[-1] for ending in ENDINGS}
    np.testing.assert_allclose(rows["tired"][[CAT, MAT]], [0.74, 0.08], atol=0.005)
    np.testing.assert_allclose(rows["soft"][[CAT, MAT]], [0.18, 0.75], atol=0.005)


def test_the_other_two_heads_of_the_lesson_have_twins():
    scores = WHOLE.roles
    for layer, head, role in ((16, 0, "previous"), (18, 8, "first"), (18, 6, "induction"), (8, 0, "duplicate")):
        assert clear_role(scores[:, layer, head]) == role
    assert scores[[*ROLES].index("previous"), 16, 0] == pytest.approx(0.73, abs=0.02)  # over several texts
    np.testing.assert_allclose(WHOLE.runs["tired"].weights(18, 8)[:, 0], 1, atol=0.01)
    assert clear_role(scores[:, 13, 8]) is None  # what the lesson's head does is none of these


def test_roles_are_those_of_the_model_over_several_texts():
    assert WHOLE.roles.shape == (len(ROLES), 30, 9)
    assert min(WHOLE.n_texts) >= 4
    assert (WHOLE.roles <= 1 + 1e-6).all()


def test_a_later_word_changes_no_earlier_row_in_a_model_that_looks_back_only():
    tired, soft = (WHOLE.runs[ending] for ending in ENDINGS)
    for layer in range(30):
        for head in range(9):
            assert (tired.weights(layer, head)[:-1] == soft.weights(layer, head)[:-1]).all()


def test_the_row_of_it_changes_in_a_model_that_reads_both_ways():
    for ending, weights in (("tired", [0.49, 0.14]), ("soft", [0.17, 0.20])):
        run = WHOLE.both_ways[ending]
        assert not run.causal
        assert run.origin == (3, 1)
        cat, mat, it = (run.tokens.index(word) for word in ("cat", "mat", "it"))
        np.testing.assert_allclose(run.weights(0, 0)[it, [cat, mat]], weights, atol=0.006)
        assert run.record(0, [0]).head_names == ("layer 3, head 1",)


def test_few_of_the_pairs_fit_both_times_and_most_move_the_fitting_way():
    """Sixteen pairs that were written down before: the head is no reader of meaning."""
    assert tuple(one.pair for one in WHOLE.pairs) == PAIRS
    weights = [[weight_on_nouns(run, one.pair.nouns, 0, 0) for run in one.runs] for one in WHOLE.pairs]
    assert sum(map(fits_both_times, weights)) == 3
    assert sum(map(moves_the_fitting_way, weights)) == 12
    assert {run.origin for one in WHOLE.pairs for run in one.runs} == {(13, 8)}


def test_asked_what_was_soft_the_model_repeats_the_sentence():
    """So that its likeliest word is the start of a repeat, and no answer."""
    assert {ending: WHOLE.answers[ending].repeats for ending in ENDINGS} == {"tired": False, "soft": True}
    assert WHOLE.answers["soft"].answer.startswith(f"{SENTENCE} soft.")
    assert not replace(WHOLE.answers["soft"], answer="The mat was soft.").repeats


def test_the_likeliest_word_after_the_first_is_the_cat_with_both_endings():
    for ending in ENDINGS:
        answer = WHOLE.answers[ending]
        assert answer.question.endswith(f"What was {ending}?")
        assert answer.next_tokens[0][0] == " cat"
        assert answer.answer.startswith(f"{answer.begun} cat")
        probabilities = [probability for _, probability in answer.next_tokens]
        assert probabilities == sorted(probabilities, reverse=True)
    chances = {token.strip(): probability for token, probability in WHOLE.answers["soft"].next_tokens}
    assert chances["cat"] > 10 * chances["mat"]


def test_the_same_recording_gives_the_same_bytes_and_is_read_again(tmp_path):
    for name in ("one.npz", "two.npz"):
        write_recording(tmp_path / name, WHOLE)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    again = read_recording(tmp_path / "one.npz")
    assert (again.about, again.answers, again.n_texts) == (WHOLE.about, WHOLE.answers, WHOLE.n_texts)
    assert (again.roles == WHOLE.roles).all()
    for name, run in WHOLE.runs.items():
        for kind in "QKV":  # no bit is lost
            np.testing.assert_allclose(getattr(again.runs[name], kind), getattr(run, kind), rtol=1e-6, atol=1e-9)
    for one, other in zip(again.pairs, WHOLE.pairs, strict=True):
        assert one.pair == other.pair
        np.testing.assert_allclose(one.runs[1].weights(0, 0), other.runs[1].weights(0, 0), atol=1e-6)


@pytest.mark.parametrize("bits", BITS.values())
def test_numbers_are_kept_to_half_a_step_of_their_head(bits):
    given = np.random.default_rng(3).normal(size=(2, 3, 5, 7)) * np.array([1e-3, 1, 50])[:, None, None]
    planes, step = to_planes(given, bits)
    assert planes.dtype == np.uint8
    assert (np.abs(from_planes(planes, step) - given) <= 0.51 * step + 1e-7 * np.abs(given)).all()
    np.testing.assert_allclose(step[..., 0, 0] * 2**bits, np.abs(given).max(axis=(2, 3)))


def test_a_head_of_nothing_stays_nothing():
    assert not from_planes(*to_planes(np.zeros((1, 1, 2, 3)), 21)).any()


def test_texts_that_begin_alike_must_have_been_computed_alike():
    tired, soft = (WHOLE.runs[ending] for ending in ENDINGS)
    other = replace(soft, Q=soft.Q + 1)
    with pytest.raises(ValueError, match="equal beginnings must have equal vectors, but Q of runs.soft differs"):
        arrays("runs", {"tired": tired, "soft": other})


def test_a_missing_damaged_or_foreign_file_is_refused(tmp_path):
    damaged, foreign = tmp_path / "damaged.npz", tmp_path / "foreign.npz"
    whole = FILE.read_bytes()
    np.savez(foreign, numbers=np.zeros(3))
    with pytest.raises(ValueError, match="nothing.npz must be a recording, but it cannot be read"):
        read_recording(tmp_path / "nothing.npz")
    with pytest.raises(ValueError, match="foreign.npz must be a recording"):
        read_recording(foreign)
    for content in (b"", b"text", whole[: len(whole) // 2], whole[:300_000] + bytes(5_000) + whole[305_000:]):
        damaged.write_bytes(content)
        with pytest.raises(ValueError, match="damaged.npz must be a recording"):
            read_recording(damaged)


@pytest.fixture(scope="module")
def smollm2():
    from attention_core.models.files import load

    return named(load(SMOLLM2), FETCHABLE["smollm2"].name)


@needs_smollm2
def test_a_live_run_gives_the_recorded_weights(smollm2):
    for ending in ENDINGS:
        live, kept = run_of(smollm2, f"{SENTENCE} {ending}"), WHOLE.runs[ending]
        assert live.tokens == kept.tokens
        for layer in range(30):
            for head in range(9):
                assert np.abs(live.weights(layer, head) - kept.weights(layer, head)).max() < CLOSE


@needs_smollm2
def test_a_live_run_gives_the_recorded_pairs_and_answers(smollm2):
    for one in WHOLE.pairs[:4]:
        for ending in (0, 1):
            live = run_of(smollm2, one.pair.text(ending)).weights(13, 8)
            assert np.abs(live - one.runs[ending].weights(0, 0)).max() < CLOSE
    kept = WHOLE.answers["tired"]
    live = answer_of(smollm2, kept.question)
    assert (live.answer, live.ended) == (kept.answer, kept.ended)
    np.testing.assert_allclose([p for _, p in live.next_tokens], [p for _, p in kept.next_tokens], atol=1e-4)


@needs_minilm
def test_a_live_run_gives_the_recorded_row_of_it():
    from attention_core.models.files import load

    model = load(MINILM)
    for ending in ENDINGS:
        live, kept = run_of(model, f"{SENTENCE} {ending}"), WHOLE.both_ways[ending]
        assert live.tokens == kept.tokens
        assert np.abs(live.weights(3, 1) - kept.weights(0, 0)).max() < CLOSE


@needs_smollm2
def test_a_question_that_is_asked_live_gets_the_recorded_answer(smollm2):
    for answer in WHOLE.answers.values():
        ids = [step.id for step in answer_steps(smollm2, answer.question, 40)]
        assert smollm2.tokenizer.decode(ids[:-1] if answer.ended else ids) == answer.answer
        assert (ids[-1] == smollm2.tokenizer.end) == answer.ended
    assert takes_questions(smollm2.tokenizer)


def damaged(path, change):
    """A copy of the recording, with something changed in what is said or in the arrays."""
    with np.load(FILE) as file:
        held = dict(file)
    head = json.loads(str(held.pop("head")))
    change(head, held)
    np.savez(path, head=np.array(json.dumps(head)), **held)
    return path


def put(value, *keys):
    """What puts a value into the head of a recording, or with one key into its arrays, where it is made from them."""

    def change(head, held):
        place = held if len(keys) == 1 and keys[0] not in head else head
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value(place[keys[-1]]) if callable(value) else value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put(None, "pairs", 3, "nouns", 1), "nouns of pair 3 must be 2 texts"),
        (put(["a"], "pairs", 3, "endings"), "endings of pair 3 must be 2 texts"),
        (put({}, "pairs", 0, "before"), "before of pair 0 must be a text"),
        (put(-1, "stated", "pair2", "tokens", "0", 1), "tokens of pair2.0 must be 10 texts"),
        (put({}, "stated", "runs", "pieces", "soft", 0), "pieces of runs.soft must be 10 texts"),
        (put(1, "stated", "both_ways", "causal"), "causal of both_ways must be true or false"),
        (put(None, "stated", "runs", "given"), "given of runs must be a text"),
        (put([-1, 0], "stated", "pair0", "origin"), "origin of pair0 must be two whole numbers from 0"),
        (put({}, "stated", "runs", "tokens"), ""),
        (put([5, None], "n_texts"), "n_texts must be two whole numbers from 0"),
        (put(2, "answers", "soft", "next_tokens", 0, 1), "next_tokens of the answer of soft must be tokens with"),
        (put({}, "answers", "soft", "next_tokens"), "next_tokens of the answer of soft must be tokens with"),
        (put(None, "answers", "tired", "begun"), "begun of the answer of tired must be a text"),
        (put("yes", "answers", "tired", "ended"), "ended of the answer of tired must be true or false"),
        (put(3, "about", "both_ways", "model"), "about.both_ways.model must be a text"),
        (put(lambda roles: roles * np.nan, "roles.npy"), r"roles must be finite numbers .* with NaN or infinity"),
        (put(lambda roles: roles[:, :7], "roles.npy"), r"roles must be finite numbers of the shape \(5, 30, 9\), but"),
        (put(lambda step: step * np.nan, "runs.tired.K.step"), r"runs.tired.K must be finite .* with NaN"),
        (put(lambda planes: planes[..., :5], "pair1.0.V"), r"pair1.0.V must be finite .*\(1, 1, 10, 64\), but .*5, 64"),
        (put(lambda planes: planes[:, :, :, :9], "runs.tired.Q"), r"runs.tired.Q must be finite numbers of the shape"),
    ],
)
def test_a_field_that_is_damaged_is_refused_by_its_name(tmp_path, change, message):
    def change_arrays(head, held):
        held["roles.npy"] = held.pop("roles")
        change(head, held)
        held["roles"] = held.pop("roles.npy")

    with pytest.raises(ValueError, match=f"^odd.npz must be a recording, but it cannot be read.*{message}"):
        read_recording(damaged(tmp_path / "odd.npz", change_arrays))


def test_without_the_models_the_command_says_so_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ATTENTION_MODELS", str(tmp_path))
    assert main(["--to", str(tmp_path / "new.npz")]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert err == (
        f"SmolLM2-135M-Instruct.Q4_1.gguf and all-MiniLM-L6-v2 must be in {tmp_path}: make model model-minilm\n"
    )
    (tmp_path / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"no")
    (tmp_path / "all-MiniLM-L6-v2").mkdir()
    (tmp_path / "all-MiniLM-L6-v2" / "model.safetensors").write_bytes(b"no")
    assert main(["--to", str(tmp_path / "new.npz")]) == 1
    assert capsys.readouterr().err == "SmolLM2-135M-Instruct.Q4_1.gguf: is no GGUF file\n"
