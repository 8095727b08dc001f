"""Names of tool calls that an API takes: unique in a request, of its characters, within its length.

Ids repeat inside real threads, and each provider gives and takes ids of another kind. An id that can't stand is
renamed after its message's place in the thread, which no later message changes: a context that grows keeps the bytes
of its beginning, and a provider's prompt cache holds.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from consumers.context.formats.message import ContextMessage

NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
"""What neither API takes in a tool's name, nor Anthropic's in a call's id."""


class CallIds:
    """Gives each call of a request its id; the messages must come in their order, paired."""

    def __init__(self, *, longest: int, refused: re.Pattern[str] | None = None) -> None:
        self._longest = longest
        self._refused = refused
        self._taken: set[str] = set()
        self._newest: tuple[str, ...] = ()

    def of_calls(self, message: ContextMessage) -> tuple[str, ...]:
        """Give the ids of an assistant message's calls."""
        self._newest = tuple(self._free(call.id, message.seq or 0) for call in message.calls)
        return self._newest

    def of_result(self, message: ContextMessage) -> str:
        """Give the id of the call that a tool message answers: one of the assistant message before it."""
        if message.answers is None:
            raise ValueError("a result without its call: pair the messages first")
        return self._newest[message.answers.place]

    def _free(self, asked: str, seq: int) -> str:
        chosen = next(name for name in self._candidates(asked, seq) if name not in self._taken)
        self._taken.add(chosen)
        return chosen

    def _candidates(self, asked: str, seq: int) -> Iterator[str]:
        allowed = self._refused.sub("_", asked) if self._refused else asked
        if allowed == asked and len(asked) <= self._longest:
            yield asked
        for again in count(1):
            ending = f"_{seq}" if again == 1 else f"_{seq}_{again}"
            yield allowed[: self._longest - len(ending)] + ending


def tool_name(name: str | None, *, longest: int) -> str:
    """Give a tool's name of characters and a length that an API takes."""
    return NOT_IN_NAMES.sub("_", name or "")[:longest] or "unnamed"
