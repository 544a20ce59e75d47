"""Tokens made showable: no blank goes unseen, and no token is read as markup, a date or a number."""

import html
import unicodedata
from collections import Counter
from collections.abc import Sequence

EMPTY = "[empty]"
SIGNS = {" ": "␣", "\n": "↵", "\r": "␍", "\t": "⇥", "\x7f": "␡", "\u00a0": "⍽"}
SIGNS |= {chr(code): chr(0x2400 + code) for code in range(32) if chr(code) not in SIGNS}  # Unicode's control pictures
INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}  # categories without a shape of their own
JOINERS = {"\u200c", "\u200d"}  # they shape the letters and emoji on both sides of them
ISOLATE, END_ISOLATE = "\u2068", "\u2069"
WORD_JOINER = "\u2060"
MARKDOWN = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def showable(token: str) -> str:
    """Return the token as plain text in which every character can be seen.

    Blanks, newlines, tabs and control characters become signs, other unseen characters their code point, raw bytes
    (as Python's surrogateescape keeps them) their value: " cat" → "␣cat", "a\\u202eb" → "a[U+202E]b".
    Long tokens stay long. Showing twice changes nothing.
    """
    if not token:
        return EMPTY
    shown = "".join(_visible(token, place) for place in range(len(token)))
    return f"◌{shown}" if unicodedata.combining(shown[0]) else shown


def shortened(token: str, limit: int) -> str:
    """Return the showable token in at most `limit` characters, its end replaced by "…" where it was cut.

    Raises ValueError if there is no room for one character.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1 character, got {limit}")
    shown = showable(token)
    if len(shown) <= limit:
        return shown
    end = limit - 1
    while end and (unicodedata.combining(shown[end]) or shown[end] in JOINERS or shown[end - 1] in JOINERS):
        end -= 1  # a letter keeps its accents, an emoji its parts
    return shown[:end] + "…"


def html_text(token: str) -> str:
    """Return the token for HTML: escaped, and apart from the writing direction around it."""
    return f"<bdi>{html.escape(showable(token))}</bdi>"


def plotly_text(token: str) -> str:
    """Return the token for Plotly's ticks, hover and titles, which read tags, entities, $maths$ and %{templates}.

    Every mark that Plotly could read is written as an entity; so is every digit, because Plotly takes an axis of
    "2024-01-01" or "12" for dates or numbers.
    """
    shown = isolated(showable(token))
    return "".join(f"&#{ord(sign)};" if sign in MARKDOWN or sign.isdigit() else sign for sign in shown)


def markdown_text(token: str) -> str:
    """Return the token for Streamlit's Markdown, which also reads $maths$, :emoji:, :red[colour], addresses and "->".

    Escapes alone are not enough: emoji, arrows and addresses are found after they are taken away, so an unseen joiner
    follows each mark.
    """
    shown = isolated(showable(token))
    return "".join(f"\\{sign}{WORD_JOINER}" if sign in MARKDOWN else sign for sign in shown)


def distinct_names(tokens: Sequence[str]) -> list[str]:
    """Return one name a token, no two alike, for those who hear the names: equal tokens are told apart by position.

    Upper and lower case sound alike: ["The", "cat", "the"] → ["The, token 1", "cat", "the, token 3"].
    """
    shown = [showable(token) for token in tokens]
    sounds = [unicodedata.normalize("NFKC", name).casefold() for name in shown]
    times = Counter(sounds)
    return [
        f"{name}, token {place}" if times[sound] > 1 else name
        for place, (name, sound) in enumerate(zip(shown, sounds, strict=True), start=1)
    ]


def isolated(shown: str) -> str:
    """Return the text between isolating marks if it holds right-to-left letters, else as it is."""
    right_to_left = any(unicodedata.bidirectional(sign) in {"R", "AL"} for sign in shown)
    return f"{ISOLATE}{shown}{END_ISOLATE}" if right_to_left else shown


def _visible(token: str, place: int) -> str:
    """The character at `place` of the token, or a sign for it."""
    sign = token[place]
    if sign in SIGNS:
        return SIGNS[sign]
    if unicodedata.category(sign) not in INVISIBLE or (sign in JOINERS and _joins(token, place)):
        return sign
    code = ord(sign)
    return f"<0x{code - 0xDC00:02X}>" if 0xDC80 <= code <= 0xDCFF else f"[U+{code:04X}]"


def _joins(token: str, place: int) -> bool:
    """Whether the joiner at `place` stands between two characters of a joining script or two emoji."""
    before, after = token[:place].rstrip("\ufe0f")[-1:], token[place + 1 : place + 2]
    return all(sign and unicodedata.category(sign) in {"Lo", "Mn", "Mc", "So", "Sk"} for sign in (before, after))
