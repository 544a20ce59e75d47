"""How long work tells how far it is, and how it is stopped."""

from collections.abc import Callable

Progress = Callable[[float], None]
"""Takes the fraction done, from 0 to 1. It may raise, most fittingly `Stopped`, to stop the work."""


class Stopped(Exception):
    """The work was stopped before it was done, because somebody asked for it."""
