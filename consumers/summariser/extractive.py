"""The summariser that works with no model: it quotes the sentences that are worth most, and says so by its name.

It makes nothing up, needs no network, and gives the same bytes for the same input. It keeps the language and names the
speaker. The sentences of the previous summary compete with the new ones under the same bound, so that a fact lasts as
long as it outweighs what came since, however many passes that are (S3, S7). Of tools it keeps the names alone: what
they gave back is in the journal, and is nobody's word.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from consumers.projection import project, said
from consumers.summariser.protocol import Draft
from consumers.summariser.salience import salience
from consumers.summariser.selection import Weighed, select
from consumers.summariser.sentences import sentences
from streams.bodies import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from consumers.tokens import TokenCounter
    from stores.rows import JournalRow

MODEL: Final = "offline-extractive-1"
RULES_VERSION: Final = "1"

MESSAGE_CHARACTERS: Final = 16_000
"""How much of one message is read: a pasted log must not hold up the rest."""

_SPEAKERS: Final = {Role.USER: "User", Role.ASSISTANT: "Assistant"}
_NOBODY: Final = ""
_LABELLED: Final = re.compile(r"(User|Assistant): (.+)")
_TOOLS: Final = "Tools used: "
_TOOL_NAME: Final = re.compile(r"[\w.:/-]{1,64}")
_MOST_TOOLS: Final = 12
_NOTHING: Final = "Nothing was said that is worth keeping."

_WEIGHT: Final = {"User": 1.0, "Assistant": 0.5, _NOBODY: 1.0}
"""An assistant says much, and with numbers; what its user said is asked for more often."""
_CONDENSED: Final = 1.0
"""Added to sentences of an earlier summary that name no speaker: a model has chosen them already."""

_NO_PROSE: Final = re.compile(r"```(?s:.*?)(?:```|\Z)|^#{1,6} .*$|^={3,}$", re.MULTILINE)
"""Code blocks and headings."""
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    speaker: str
    text: str

    @property
    def line(self) -> str:
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    @property
    def worth(self) -> float:
        told = salience(self.text, personal=self.speaker != "Assistant")
        return told * _WEIGHT[self.speaker] + (0.0 if self.speaker else _CONDENSED)


class ExtractiveSummariser:
    """Summarises by quoting, one sentence a line, in the order in which they were said."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter

    async def summarise(self, previous: str | None, messages: Sequence[JournalRow], *, max_tokens: int) -> Draft:
        """The summary that follows `previous`, of `max_tokens` at most. It raises nothing of its own."""
        # In a thread: the work takes some ten milliseconds, and contexts are built on the same loop meanwhile.
        return await asyncio.to_thread(self.extract, previous, messages, max_tokens=max_tokens)

    def extract(self, previous: str | None, messages: Sequence[JournalRow], *, max_tokens: int) -> Draft:
        """The same, at once."""
        tools = _tools(previous, messages)
        quoted = self._quote([*_recalled(previous), *_spoken(messages)], max_tokens - self._counter.count(tools))
        text = self._bounded([*quoted, tools] if tools else quoted, max_tokens)
        read = (previous or "", *(project(row.message) for row in messages))
        return Draft(
            text=text,
            model=MODEL,
            prompt_version=RULES_VERSION,
            input_tokens=sum(self._counter.count_many(read)),
            output_tokens=self._counter.count(text),
            quotes=True,
        )

    def _quote(self, found: Sequence[_Sentence], budget: int) -> list[str]:
        """The chosen lines in their order; the worthiest one alone, to be cut, where the budget holds none whole."""
        lines = [sentence.line for sentence in found]
        counts = self._counter.count_many([f"{line}\n" for line in lines])
        weighed = [
            Weighed(text=sentence.text, tokens=tokens, worth=sentence.worth)
            for sentence, tokens in zip(found, counts, strict=True)
        ]
        chosen = select(weighed, budget) or select([replace(one, tokens=0) for one in weighed], budget)[:1]
        return [lines[position] for position in sorted(chosen)]

    def _bounded(self, lines: Sequence[str], max_tokens: int) -> str:
        # Lines put together can have a token more than they had apart, so the bound is kept on the whole.
        return self._counter.truncate("\n".join(lines or [_NOTHING]), max_tokens).rstrip()


def _recalled(previous: str | None) -> Iterator[_Sentence]:
    """The sentences of the summary so far, whoever wrote it."""
    for line in _prose(previous or "").splitlines():
        if line == _NOTHING or line.startswith(_TOOLS):
            continue
        labelled = _LABELLED.fullmatch(line)
        speaker, told = labelled.groups() if labelled else (_NOBODY, line)
        yield from (_Sentence(speaker, sentence) for sentence in sentences(told))


def _spoken(messages: Iterable[JournalRow]) -> Iterator[_Sentence]:
    """What was said since then."""
    for row in messages:
        speaker = _SPEAKERS.get(row.message.role)
        if speaker is not None:
            yield from (_Sentence(speaker, sentence) for sentence in sentences(_prose(said(row.message))))


def _tools(previous: str | None, messages: Iterable[JournalRow]) -> str:
    """A line with the names of the tools that were called, the latest ones if there are many; empty if none was."""
    earlier = (line.removeprefix(_TOOLS) for line in (previous or "").splitlines() if line.startswith(_TOOLS))
    called = (call.name for row in messages for call in row.message.tool_calls or ())
    names = dict.fromkeys(reversed([*(name for line in earlier for name in line.rstrip(".").split(", ")), *called]))
    latest = [name for name in names if _TOOL_NAME.fullmatch(name)][:_MOST_TOOLS]
    return f"{_TOOLS}{', '.join(reversed(latest))}." if latest else ""


def _prose(text: str) -> str:
    """The head and the tail of a text, without code, headings, emphasis, and what no database takes."""
    if len(text) > MESSAGE_CHARACTERS:
        tail = MESSAGE_CHARACTERS // 4
        text = f"{text[: MESSAGE_CHARACTERS - tail]}\n{text[-tail:]}"
    return _UNPRINTABLE.sub("", _NO_PROSE.sub("\n", text).replace("**", ""))
