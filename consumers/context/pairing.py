"""Calls and their results, side by side (W5): what makes a window valid for a model provider.

Ids of calls repeat inside a thread, so a result is never looked up by its id alone: it answers the nearest assistant
message before it that made a call of that id, and only as long as no other message has come between. Calls that were
not answered by then get a marked placeholder; results that come later, come twice, or answer nothing are left out. They
stay in the journal, where the placeholder says how to find them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumers.context.formats.marks import no_result_mark
from consumers.context.formats.message import Answered, Call, ContextMessage, content_of, without_nul
from streams.bodies import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stores.rows import JournalRow


def pair(rows: Sequence[JournalRow]) -> tuple[ContextMessage, ...]:
    """Give the messages of a window's rows, each call followed by exactly one result.

    Journaled results keep the journal's order; placeholders stand after them, in the order of the calls.
    """
    paired: list[ContextMessage] = []
    waiting: list[tuple[Answered, Call]] = []
    for row in rows:
        if row.message.role is Role.TOOL:
            answered = _take(waiting, row.message.tool_call_id)
            if answered is not None:
                paired.append(_result(row, *answered))
            continue
        paired.extend(_no_result(*call) for call in waiting)
        spoken = _spoken(row)
        paired.append(spoken)
        waiting = [(Answered(row.message.message_id, place), call) for place, call in enumerate(spoken.calls)]
    paired.extend(_no_result(*call) for call in waiting)
    return tuple(paired)


def _take(waiting: list[tuple[Answered, Call]], tool_call_id: str | None) -> tuple[Answered, Call] | None:
    """Take the first waiting call of that id: an id that stands twice in one message is answered in order."""
    for place, (_, call) in enumerate(waiting):
        if call.id == tool_call_id:
            return waiting.pop(place)
    return None


def _spoken(row: JournalRow) -> ContextMessage:
    message = row.message
    return ContextMessage(
        kind="message",
        role=message.role,
        content=content_of(message.content),
        calls=tuple(
            Call(call.id, without_nul(call.name), without_nul(call.arguments)) for call in message.tool_calls or ()
        ),
        message_id=message.message_id,
        seq=row.seq,
    )


def _result(row: JournalRow, answers: Answered, call: Call) -> ContextMessage:
    message = row.message
    return ContextMessage(
        kind="message",
        role=Role.TOOL,
        content=content_of(message.content),
        tool_call_id=call.id,
        name=without_nul(message.name) if message.name else call.name,
        message_id=message.message_id,
        seq=row.seq,
        answers=answers,
    )


def _no_result(answers: Answered, call: Call) -> ContextMessage:
    return ContextMessage(
        kind="message",
        role=Role.TOOL,
        content=no_result_mark(tool_call_id=call.id, message_id=answers.message_id),
        tool_call_id=call.id,
        name=call.name,
        answers=answers,
        placeholder=True,
    )
