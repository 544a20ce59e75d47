"""What a reader takes for one character: a letter with its accents, an emoji with its parts."""

import unicodedata

JOINER = "\u200d"
TIES = {JOINER, "\u200c", *map(chr, range(0xE0020, 0xE0080))}  # joiners and the letters of a flag's name


def as_text(data: bytes) -> str:
    """The text of some bytes; a byte that belongs to no character is written <0xF0>."""
    return "".join(map(written, data.decode("utf-8", "surrogateescape")))


def written(sign: str) -> str:
    """A character, or the stray byte that Python keeps as a surrogate, written <0xF0>."""
    code = ord(sign)
    return f"<0x{code - 0xDC00:02X}>" if 0xDC80 <= code <= 0xDCFF else sign


def characters(text: str) -> list[str]:
    """The text cut into what a reader takes for one character each (the main cases of Unicode's UAX 29).

    >>> [len(one) for one in characters("e\\u0301a\\U0001f44b\\U0001f3fd")]
    [2, 1, 2]
    """
    found: list[str] = []
    for sign in text:
        if found and belongs(found[-1], sign):
            found[-1] += sign
        else:
            found.append(sign)
    return found


def belongs(before: str, sign: str) -> bool:
    """Whether a sign belongs to the character before it."""
    if unicodedata.category(before[-1]) in {"Cc", "Cs", "Zl", "Zp"}:
        return False  # a newline or a stray byte takes no accent
    if sign in TIES or unicodedata.category(sign) in {"Mn", "Me", "Mc"} or "\U0001f3fb" <= sign <= "\U0001f3ff":
        return True
    if before[-1] == JOINER:
        return unicodedata.category(sign) == "So"
    return len(before) == 1 and is_flag_letter(before) and is_flag_letter(sign)


def is_flag_letter(sign: str) -> bool:
    """Whether a sign is one of the letters of which two make a flag."""
    return "\U0001f1e6" <= sign <= "\U0001f1ff"
