"""Where a text may be divided without dividing what a reader sees as one character.

It knows the cases that occur (accents and other marks, joined emoji and flags, Hangul, Indic conjuncts, line ends), not
the whole of Unicode's rules; a run without an end is divided all the same.
"""

from __future__ import annotations

import unicodedata

MOST_STEPS = 32
"""How far a place is moved at most: farther, the text is no writing."""

ZERO_WIDTH_JOINER = "\u200d"
FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
"""A flag is two of them."""

VIRAMA = 9
"""Unicode's combining class of the signs that bind two Indic consonants."""


def place_before(text: str, place: int) -> int:
    """Give the last place up to `place` where `text` may be divided."""
    for nearer in range(place, max(place - MOST_STEPS, -1), -1):
        if not _divides_character(text, nearer):
            return nearer
    return place


def place_after(text: str, place: int) -> int:
    """Give the first place from `place` on where `text` may be divided."""
    for farther in range(place, min(place + MOST_STEPS, len(text) + 1)):
        if not _divides_character(text, farther):
            return farther
    return place


def _divides_character(text: str, place: int) -> bool:
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if after.isascii():
        return before == ZERO_WIDTH_JOINER or before + after == "\r\n"
    if after in FLAG_LETTERS and before in FLAG_LETTERS:
        flags = text[:place]
        return (len(flags) - len(flags.rstrip(FLAG_LETTERS))) % 2 == 1
    return (
        before == ZERO_WIDTH_JOINER
        or _extends(after)
        or (unicodedata.combining(before) == VIRAMA and after.isalpha())
        or (_is_hangul(before) and "\u1160" <= after <= "\u11ff")
    )


def _extends(character: str) -> bool:
    """Tell marks, joiners, the skin tones of emoji and the letters of tag sequences."""
    return (
        unicodedata.category(character) in ("Mn", "Mc", "Me")
        or character in "\u200c\u200d"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )


def _is_hangul(character: str) -> bool:
    return "\u1100" <= character <= "\u11ff" or "\uac00" <= character <= "\ud7a3"
