# ruff: noqa: RUF001, RUF002 - the marks of many scripts are the subject
"""Where sentences and words end, in many scripts, with no model and in one pass over the text.

It is good enough to quote from a conversation and to cut a text at a decent place. A full stop ends a sentence where
blank space and no small letter follows, and no abbreviation or ordinal stands before it; the marks of
scripts without spaces (。！？), of Arabic (؟), of Devanagari (।) and others end one alone; so does the end of a line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SENTENCE_CHARACTERS: Final = 320
"""The longest sentence; what is longer is split where a clause or a word ends, or anywhere if it has neither."""

# Vowel signs of Indic and other scripts are no word characters to `re`, and would cut words in pieces.
_LETTER: Final = r"[\w\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e]"
_WORD: Final = re.compile(rf"{_LETTER}++(?:['’]{_LETTER}++)*+")
_CLOSERS: Final = r"""["'”’»)\]」』）】*_]*+"""
_END: Final = re.compile(
    # The run of marks is entered at its first one only, and never given back: ten thousand of them cost one pass.
    rf"(?<![.!?…])(?P<spaced>[.!?…]++){_CLOSERS}(?=\s|$)|[。！？｡؟۔।॥։።။។]++{_CLOSERS}|\n++"
)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\"'])(?:[^\W\d_]|[A-Z]\.[A-Z]|e\.g|i\.e|etc|vs|approx|ca|cf|no|nr|mr|mrs|ms|dr|prof|st|jr|sr|inc"
    r"|ltd|bzw|z\.B|d\.h|usw|т\.е|г|ул|им)$",
    re.IGNORECASE,
)
_LIST_NUMBER: Final = re.compile(r"(?:^|\n)\s*\d{1,2}$")
_DAY: Final = re.compile(r"(?<!\d)\d{1,2}$")
_MONTH: Final = re.compile(r"jan|feb|m[äa]r|apr|ma[ij]|jun|jul|aug|sep|o[kc]t|nov|de[zc]", re.IGNORECASE)
_CONTEXT_CHARACTERS: Final = 8
_CLAUSE_END: Final = re.compile(r"[;:,،؛、，；：—]\s*+|\s++")
_LIST_MARK: Final = re.compile(r"^(?:(?:[-*•·–>#]++|\d{1,2}[.)])(?:\s++|$))++")


def sentence_ends(text: str) -> Iterator[int]:
    """The offsets right after each sentence's last character, in order; blank space may lie between them."""
    for match in _END.finditer(text):
        if match["spaced"] is None or _ends_here(text, match):
            yield match.end()


def words(text: str) -> list[str]:
    """The words of `text` in order; in a script without spaces, what stands between two marks."""
    return _WORD.findall(text)


def sentences(text: str) -> list[str]:
    """The sentences of `text` in order, each on one line, without list marks, none of them blank or over-long."""
    found: list[str] = []
    start = 0
    for end in (*sentence_ends(text), len(text)):
        sentence = _LIST_MARK.sub("", " ".join(text[start:end].split()))
        found.extend(_pieces(sentence))
        start = end
    return found


def _ends_here(text: str, match: re.Match[str]) -> bool:
    """Whether a mark that blank space follows ends a sentence: "at 5 p.m. on", "Dr. No" and "5. Mai" go on."""
    following = text[match.end() : match.end() + _CONTEXT_CHARACTERS].lstrip()
    if following[:1].islower():
        return False
    line = text[max(0, match.start() - _CONTEXT_CHARACTERS) : match.start()]
    if match["spaced"] != ".":
        return True
    return not (
        _ABBREVIATION.search(line) or _LIST_NUMBER.search(line) or (_DAY.search(line) and _MONTH.match(following))
    )


def _pieces(sentence: str) -> Iterator[str]:
    while len(sentence) > SENTENCE_CHARACTERS:
        breaks = _CLAUSE_END.finditer(sentence, SENTENCE_CHARACTERS // 2, SENTENCE_CHARACTERS)
        cut = max((match.end() for match in breaks), default=SENTENCE_CHARACTERS)
        yield sentence[:cut].rstrip()
        sentence = sentence[cut:].lstrip()
    if sentence:
        yield sentence
