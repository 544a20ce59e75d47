"""Words that hold in the app alone, where a number opens at a click: a file leaves them out."""

import re

BEGIN, END = '<span data-in-app="">', "</span>"
WORDS = re.compile(f"{BEGIN}[^<]*{END}")


def in_app(words: str) -> str:
    """Words without markup, marked as holding in the app alone.

    >>> in_app("; each bar opens")
    '<span data-in-app="">; each bar opens</span>'
    """
    return f"{BEGIN}{words}{END}"


def for_file(markup: str) -> str:
    """Markup without the words that hold in the app alone.

    >>> for_file(f"64 bars{in_app('; each bar opens')}.")
    '64 bars.'
    """
    return WORDS.sub("", markup)
