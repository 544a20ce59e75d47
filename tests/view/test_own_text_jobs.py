"""Long work of the page of one's own text: jobs, models in memory, fetches; all without Streamlit."""

import gc
import threading
import weakref

import pytest

from attention_core.models.progress import Stopped
from attention_view.own_text import told
from attention_view.own_text.fetches import Fetches
from attention_view.own_text.job import Job, refusal_of
from attention_view.own_text.sizes import megabytes
from attention_view.own_text.store import Store, turn

LONG = 20  # seconds; far more than any of these waits


class Gate:
    """Work that waits until it is let on, step by step, and tells how far it is."""

    def __init__(self, result="done"):
        self.on, self.told, self.result = threading.Event(), threading.Event(), result

    def work(self, tell):
        tell(0.5)
        self.told.set()
        assert self.on.wait(LONG)
        tell(1.0)
        return self.result


def test_a_job_tells_how_far_it_is_and_what_came_of_it():
    gate = Gate()
    job = Job(gate.work)
    assert gate.told.wait(LONG)
    assert (job.running, job.fraction, job.result) == (True, 0.5, None)
    gate.on.set()
    assert job.wait(LONG)
    assert (job.running, job.fraction, job.result, job.refusal) == (False, 1.0, "done", "")


def test_a_stopped_job_ends_at_its_next_step_without_a_result_or_a_refusal():
    gate = Gate()
    job = Job(gate.work)
    assert gate.told.wait(LONG)
    job.stop()
    assert job.stopped and job.running
    gate.on.set()
    assert job.wait(LONG)
    assert (job.result, job.refusal, job.stopped) == (None, "", True)


def test_a_job_that_nobody_waits_for_any_more_ends():
    gate, there = Gate(), [True]
    job = Job(gate.work, wanted=lambda: there[0])
    assert gate.told.wait(LONG)
    there[0] = False
    gate.on.set()
    assert job.wait(LONG)
    assert job.result is None and job.stopped


def raises(error):
    def work(tell):
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("the file must be whole,\n but ends at 5"), "the file must be whole, but ends at 5"),
        (OSError(28, "No space left on device", "models/x"), "No space left on device: models/x"),
        (OSError("no network"), "no network"),
        (MemoryError(), "This computer has too little free memory for that."),
        (KeyError("0.Q"), "Something unexpected went wrong (KeyError: '0.Q')."),
        (ValueError("x" * 5000), "x" * 299 + "…"),
    ],
)
def test_whatever_goes_wrong_becomes_one_line(error, line):
    job = Job(raises(error))
    assert job.wait(LONG)
    assert job.refusal.startswith(line) and "\n" not in job.refusal and len(job.refusal) <= 300
    assert job.result is None and not job.stopped
    assert refusal_of(error) == job.refusal


class PanicException(BaseException):
    """What a library written in Rust raises where it breaks: no Exception, and no exit either."""


@pytest.mark.parametrize("error", [PanicException("index out of range"), SystemExit(3), KeyboardInterrupt()])
def test_whatever_ends_a_job_that_nobody_stopped_is_refused_in_a_line(error):
    job = Job(raises(error))
    assert job.wait(LONG)
    assert type(error).__name__ in job.refusal and not job.stopped


def test_what_breaks_while_the_page_is_drawn_is_a_line_too_but_what_steers_it_passes(monkeypatch):
    drawn = []
    monkeypatch.setattr(told.st, "html", drawn.append)
    with told.in_one_line():
        raise PanicException("index out of <range>")
    assert "PanicException: index out of &lt;range&gt;" in drawn[0]
    with pytest.raises(KeyboardInterrupt), told.in_one_line():
        raise KeyboardInterrupt


def test_a_name_that_is_no_text_is_said_with_its_bytes():
    said = refusal_of(ValueError("bad\udcff.gguf: is not there any more"))
    assert said == r"bad\xff.gguf: is not there any more" and said.encode()


def test_a_share_beyond_the_whole_is_the_whole():
    job = Job(lambda tell: tell(7.0))
    assert job.wait(LONG) and job.fraction == 1.0


def store(alive=lambda visit: True, most=2):
    return Store(alive, most)


def test_two_visits_share_a_model_and_load_it_once():
    shelf, loads = store(), []

    def load(tell):
        loads.append("a")
        return "model a"

    first, second = shelf.wish("a", "one", load), shelf.wish("a", "two", load)
    assert first is second and first.job.wait(LONG)
    assert (first.job.result, loads) == ("model a", ["a"])


def test_the_model_that_was_asked_for_longest_ago_makes_room():
    shelf = store(most=2)
    for key in ("a", "b", "a", "c"):
        assert shelf.wish(key, "one", lambda tell: "model").job.wait(LONG)
    assert sorted(shelf.names()) == ["a", "c"]


def test_loading_ends_when_the_last_visit_that_waits_withdraws():
    shelf, gate = store(), Gate()
    held = shelf.wish("a", "one", gate.work)
    shelf.wish("a", "two", gate.work)
    assert gate.told.wait(LONG)
    shelf.withdraw("a", "one")
    assert not held.job.stopped and shelf.found("a") is held
    shelf.withdraw("a", "two")
    assert held.job.stopped and shelf.found("a") is None
    gate.on.set()


def test_loading_ends_when_all_visits_that_wait_have_left():
    gone, gate = set(), Gate()
    held = store(alive=lambda visit: visit not in gone).wish("a", "one", gate.work)
    assert gate.told.wait(LONG)
    gone.add("one")
    gate.on.set()
    assert held.job.wait(LONG) and held.job.stopped and held.job.result is None


def test_a_loaded_model_stays_when_a_visit_withdraws_and_goes_when_it_is_unloaded():
    shelf = store()
    held = shelf.wish("a", "one", lambda tell: "model")
    assert held.job.wait(LONG)
    shelf.withdraw("a", "one")
    assert shelf.found("a") is held
    shelf.unload("a")
    assert shelf.found("a") is None


class Big:
    """A model that tells whether it is still in memory."""


def test_a_job_lets_its_work_go_when_it_has_ended():
    big = Big()
    gone = weakref.ref(big)
    job = Job(lambda tell, big=big: None)
    assert job.wait(LONG)
    del big
    gc.collect()
    assert gone() is None and not job.running


def loaded(shelf, key, alive):
    def load(tell):
        big = Big()
        alive.append(weakref.ref(big))
        return big

    held = shelf.wish(key, "one", load)
    assert held.job.wait(LONG)
    return held


def test_whoever_holds_the_place_of_an_unloaded_model_does_not_hold_the_model():
    shelf, alive = store(), []
    held = loaded(shelf, "a", alive)
    assert held.model() is alive[0]()
    shelf.unload("a")
    assert alive[0]() is None
    with pytest.raises(ValueError, match="not in memory any more"):
        held.model()


def test_no_more_models_are_alive_than_the_limit_even_if_their_places_are_held():
    shelf, alive = store(most=2), []
    places = [loaded(shelf, key, alive) for key in "abcd"]
    assert [model() is not None for model in alive] == [False, False, True, True]
    assert len(places) == 4


def test_a_model_that_comes_after_it_was_unloaded_is_not_kept():
    shelf, gate = store(), Gate(Big())
    gate.work, work = None, gate.work
    held = shelf.wish("a", "one", lambda tell: work(lambda share: tell(share) if share < 1 else None))
    assert gate.told.wait(LONG)
    shelf.unload("a")
    gate.on.set()
    assert held.job.wait(LONG) and held.job.result is None and held.job.stopped


def test_a_model_is_read_with_by_one_visit_at_a_time_and_the_other_is_told_and_can_stop():
    held = store().wish("a", "one", lambda tell: "model")
    waiting, reads = threading.Event(), []

    def stopped(fraction):
        raise Stopped

    def read(tell):
        with turn(held, "two", tell, lambda waits: waiting.set() if waits else None):
            reads.append("second")

    with turn(held, "one", lambda fraction: None, lambda waits: None):
        assert held.user == "one"
        with pytest.raises(Stopped), turn(held, "two", stopped, lambda waits: None):
            reads.append("never")
        job = Job(read)
        assert waiting.wait(LONG) and job.running and reads == []
    assert job.wait(LONG) and reads == ["second"] and held.user == ""


def test_a_fetch_runs_once_for_all_can_be_stopped_and_begun_again():
    gates, fetched = [Gate(), Gate("path")], []

    def fetch(name, tell):
        fetched.append(name)
        return gates[len(fetched) - 1].work(tell)

    fetches = Fetches(fetch)
    assert fetches.of("a") is None and not fetches.running()
    fetches.start("a")
    assert gates[0].told.wait(LONG)
    fetches.start("a")
    first = fetches.of("a")
    assert fetched == ["a"] and fetches.running() and first.fraction == 0.5
    fetches.stop("a")
    gates[0].on.set()
    assert first.wait(LONG) and first.stopped and not fetches.running()
    fetches.stop("b")
    fetches.start("a")
    gates[1].on.set()
    assert fetches.of("a").wait(LONG) and fetches.of("a").result == "path"


def test_sizes_are_said_in_a_readers_units():
    sizes = (98_000_000, 1_250_000, 2_100_000_000, 0)
    assert [megabytes(size) for size in sizes] == ["98 MB", "1.2 MB", "2.1 GB", "under 0.1 MB"]
