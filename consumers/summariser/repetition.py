"""Telling a text that goes round in circles from one that says something, in any script."""

from __future__ import annotations

from collections import Counter
from typing import Final

from consumers.summariser.sentences import sentences, words

_LOOKED_AT: Final = 20_000
_STRETCH: Final = 12
_SHORTEST: Final = 2 * _STRETCH
_FRESH: Final = 0.35
"""The share of stretches that must be new; prose has more than 0.8, a loop hardly any."""
_FEW: Final = 5
_ONE_WORD: Final = 0.6
_ONE_SENTENCE: Final = 0.5
_LETTERS: Final = 2


def is_repetitive(text: str) -> bool:
    """Whether a text, or its second half, is mostly the same sign, word, sentence or passage over and over.

    A text without a letter or a digit is repetitive too: it has nothing to say. The head of a long text is judged.
    """
    head = text[:_LOOKED_AT].casefold()
    text = " ".join(head.split())
    return (
        _few_letters(text)
        or _dominated(words(text), _ONE_WORD)
        or _dominated(sentences(head), _ONE_SENTENCE)
        or _circles(text)
        or _circles(text[len(text) // 2 :])
    )


def _few_letters(text: str) -> bool:
    letters = [sign for sign in text if sign.isalnum()]
    return not letters or (len(letters) > _FEW and len(set(letters)) <= _LETTERS)


def _dominated(units: list[str], share: float) -> bool:
    """Whether one unit makes up more than its share of many."""
    return len(units) > _FEW and Counter(units).most_common(1)[0][1] > share * len(units)


def _circles(text: str) -> bool:
    """Whether few of all stretches of the text are new."""
    stretches = len(text) - _STRETCH + 1
    if len(text) < _SHORTEST:
        return False
    return len({text[start : start + _STRETCH] for start in range(stretches)}) < _FRESH * stretches
