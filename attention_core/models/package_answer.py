"""What the tokenizers package answers: its faults, even those that panic in its Rust code, become ValueErrors."""

from collections.abc import Callable
from typing import Any

PANIC = "PanicException"  # of pyo3, a BaseException that no module exports


def answer(failing: str, call: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """What a call returns; a ValueError of its own passes through.

    Raises ValueError that begins with `failing`, which says what cannot be done, if the package fails.
    """
    try:
        return call(*given, **options)
    except ValueError:
        raise
    except BaseException as fault:
        if not isinstance(fault, Exception) and type(fault).__name__ != PANIC:
            raise  # such as KeyboardInterrupt
        raise ValueError(f"{failing}: {fault}") from None
