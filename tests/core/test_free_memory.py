"""How much memory is free, where the computer tells."""

from attention_core.models.free_memory import free_memory


def test_it_is_read_in_bytes(tmp_path):
    file = tmp_path / "meminfo"
    file.write_text("MemTotal:  9 kB\nMemAvailable:     2048 kB\n")
    assert free_memory(file) == 2048 * 1024


def test_a_computer_that_does_not_tell_is_asked_in_vain(tmp_path):
    assert free_memory(tmp_path / "none") is None
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB")
    assert free_memory(tmp_path / "meminfo") is None
