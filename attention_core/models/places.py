"""Which layer, head or token is asked for: a whole number that is there, or a refusal that says what is."""

from collections.abc import Iterable

from attention_core.given_weights import require_whole


def require_place(name: str, given: int, n: int) -> None:
    """Refuse what is none of n places, counted from 0. Raises ValueError."""
    require_whole(name, given)
    if not 0 <= given < n:
        raise ValueError(f"{name} must be from 0 to {n - 1}, but it is {given}")


def require_at_least(name: str, given: int, least: int) -> None:
    """Refuse what is no whole number from `least` on. Raises ValueError."""
    require_whole(name, given)
    if given < least:
        raise ValueError(f"{name} must be at least {least}, but it is {given}")


def whole_numbers(name: str, given: Iterable[int]) -> list[int]:
    """Some whole numbers as a list. Raises ValueError if one is none."""
    if not isinstance(given, Iterable):
        raise ValueError(f"there must be a list in which {name} is a whole number, but it is {given!r}")
    listed = list(given)
    for one in listed:
        require_whole(name, one)
    return [int(one) for one in listed]
