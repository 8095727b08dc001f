"""What a context says in place of what it does not show.

Every such text is fixed by what it stands for and by nothing else: the same state says the same words, however often
and whenever it is asked. Ids in them are quoted as JSON, so that no id can end its own quotation.
"""

from __future__ import annotations

import json
from typing import Literal, TypeAlias

CallPart: TypeAlias = Literal["arguments", "result"]
"""The two sides of a tool call."""

VIEW_TOOL = "journal_tool_call_view"
"""The tool that gives back what a window left out."""

EMPTY_MESSAGE = "(empty message)"
"""For a message without content, where an API refuses it."""

NO_OUTPUT = "(no output)"
"""For an empty tool result, where an API refuses it."""

ASSISTANT_FIRST = "(the messages shown here begin with one of the assistant)"
"""For the user message that an API wants first."""


def cut_mark(part: CallPart, characters: int, *, tool_call_id: str, message_id: str) -> str:
    """Stand between the head and the tail of an argument text or a result of `characters` in all."""
    return (
        f"\n[… cut here: the whole {part} is {characters} characters; {VIEW_TOOL} gives it for "
        f'tool_call_id={_quoted(tool_call_id)} message_id={_quoted(message_id)} part="{part}" …]\n'
    )


def no_result_mark(*, tool_call_id: str, message_id: str) -> str:
    """Stand for a result that was not journaled before the next message, whether it is late, pending or lost."""
    return (
        f"(no result of this tool call was recorded at this point; if it came later, {VIEW_TOOL} gives it for "
        f"tool_call_id={_quoted(tool_call_id)} message_id={_quoted(message_id)})"
    )


def part_mark(part_type: object) -> str:
    """Stand for a part of content that the asked format has no room for."""
    return f"(a part of type {_quoted(str(part_type))} is not shown in this format)"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
