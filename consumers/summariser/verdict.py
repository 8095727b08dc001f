"""What may stand as a summary (S9): the last gate between what a model gave back and what replaces a history.

A call that failed inside some client library can come back as text: an error body, a refusal, the input again, one line
for ever. Stored as a summary, it would take the place of everything that was said. So such a text is refused, and the
pass counts as failed. A summary that tells of an error is none of these: the marks are looked for where a text that is
nothing but an error has them, at its beginning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from consumers.summariser.error_texts import is_error_text, is_refusal
from consumers.summariser.repetition import is_repetitive
from consumers.summariser.sentences import sentence_ends

if TYPE_CHECKING:
    from consumers.tokens import TokenCounter


class Flaw(StrEnum):
    """Why a text is no summary."""

    EMPTY = "empty"
    """There is nothing, or a placeholder for it."""
    DEGENERATE = "degenerate"
    """It goes round in circles, or has no words."""
    ECHO = "echo"
    """It is a copy of what was to be summarised, or of the order to do so."""
    ERROR_TEXT = "error_text"
    """It is the text of an error: of a provider, a program, a proxy."""
    REFUSAL = "refusal"
    """The model says that it will not, or that it has got nothing to do."""
    TOO_LONG = "too_long"
    """It has more than twice the tokens that it may have."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A summary, ready to be stored: no blank space around it, nothing in it that a database refuses."""

    text: str
    tokens: int
    """At most as many as allowed."""
    shortened: bool
    """It was somewhat too long, and ends at an earlier sentence now."""


@dataclass(frozen=True, slots=True)
class Refused:
    """No summary."""

    reason: Flaw


Verdict = Accepted | Refused

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_MOST_OVER: Final = 2
_PREAMBLE: Final = re.compile(
    r"\W*+(?:(?:here(?:'s| is)|below is)\b[^:\n]{0,60}|(?:updated |new )?summary)[\s*_#]*+:[\s*_#]*+",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"\W*+(?:none|null|nil|n/?a|nan|undefined|empty|no (?:summary|content|text|output)(?: (?:available|provided))?"
    r"|nothing to summari[sz]e|summary|todo|tbd)?\W*+",
    re.IGNORECASE,
)
_PROMPT: Final = re.compile(
    r"[^\w<]*+(?:you are (?:a|an|the)\b[^.\n]{0,60}summar"
    r"|(?:please )?summari[sz]e the (?:following|conversation|messages|above)"
    r"|<(?:conversation|transcript|messages|previous_summary|instructions)\b)",
    re.IGNORECASE,
)
_SPEAKER: Final = re.compile(
    r"^[^\w\n]*+(?:user|assistant|human|ai|tool|system)[^\w\n:]*+:", re.IGNORECASE | re.MULTILINE
)
_NO_LETTER: Final = re.compile(r"[\W_]+")
_COPIED_LETTERS: Final = 120
"""So many letters in a row from the input, and nothing else, are a copy."""


def judge(text: str, *, max_tokens: int, counter: TokenCounter, source: str | None) -> Verdict:
    """Whether a text may stand as a summary, and in which form. It holds for any text, and raises nothing.

    Args:
        text: what the summariser gave back.
        max_tokens: the most tokens of a summary (S7). A text of up to twice as many is shortened to whole sentences.
        counter: counts the tokens.
        source: what was to be summarised, without the previous summary, which a pass that finds nothing new may keep;
            None where a copy is no fault, because the summariser quotes.
    """
    text = _UNSTORABLE.sub("", text).strip()
    flaw = _flaw(text, source)
    if flaw is not None:
        return Refused(flaw)
    tokens = counter.count(text)
    if tokens <= max_tokens:
        return Accepted(text, tokens, shortened=False)
    if tokens > _MOST_OVER * max_tokens:
        return Refused(Flaw.TOO_LONG)
    shorter = _shorten(text, max_tokens, counter)
    return Accepted(shorter, counter.count(shorter), shortened=True) if shorter else Refused(Flaw.TOO_LONG)


def _flaw(text: str, source: str | None) -> Flaw | None:
    body = text[preamble.end() :] if (preamble := _PREAMBLE.match(text)) else text
    # People's keyboards and models differ in the apostrophe that they use.
    body = body.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    if _PLACEHOLDER.fullmatch(body):
        return Flaw.EMPTY
    if is_error_text(body):
        return Flaw.ERROR_TEXT
    if is_refusal(body):
        return Flaw.REFUSAL
    if _PROMPT.match(body) or (source is not None and _is_copy(body, source)):
        return Flaw.ECHO
    return Flaw.DEGENERATE if is_repetitive(body) else None


def _is_copy(text: str, source: str) -> bool:
    """Whether all of a text stands in the source in one piece, letter for letter, whatever the labels of speakers."""
    letters = _letters(text)
    return len(letters) >= _COPIED_LETTERS and letters in _letters(source)


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", _SPEAKER.sub("", text).casefold())


def _shorten(text: str, max_tokens: int, counter: TokenCounter) -> str:
    """The head of a text within the bound, up to its last whole sentence, else its last whole word."""
    head = counter.truncate(text, max_tokens)
    end = max((end for end in sentence_ends(text) if end <= len(head)), default=0)
    if end < len(head) // 2:
        end = max(head.rfind(" "), head.rfind("\n"), 0) or len(head)
    # A shorter head can, rarely, be split into more tokens.
    return counter.truncate(head[:end].rstrip(), max_tokens)
