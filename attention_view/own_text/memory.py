"""Memory that is used no more, given back to the computer."""

import ctypes
import gc
from contextlib import suppress


def give_memory_back() -> None:
    """Let go of what nothing holds any more, and return it to the system where the C library can (glibc)."""
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # another C library keeps it for what is needed next
        ctypes.CDLL(None).malloc_trim(0)
