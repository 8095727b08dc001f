"""The neutral format: all that a context knows of each message, in no provider's shape, without empty keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from consumers.context.formats.message import ContextMessage, Json


def render(messages: Sequence[ContextMessage]) -> tuple[Json, ...]:
    """Give each message as an object.

    Always there: `kind` ("pinned", "summary" or "message"), `role` and `content` (text, or a list of parts as they
    came). Where they say something: `tool_calls` (`id`, `name`, `arguments` as text), `tool_call_id`, `name`,
    `message_id`, `seq`, `placeholder` (true: no journaled message, but a word about a missing one).
    """
    return tuple(_neutral(message) for message in messages)


def _neutral(message: ContextMessage) -> Json:
    content = message.content
    neutral: Json = {
        "kind": message.kind,
        "role": message.role.value,
        "content": content if isinstance(content, str) else list(content),
    }
    if message.calls:
        neutral["tool_calls"] = [
            {"id": call.id, "name": call.name, "arguments": call.arguments} for call in message.calls
        ]
    if message.tool_call_id is not None:
        neutral["tool_call_id"] = message.tool_call_id
    if message.name:
        neutral["name"] = message.name
    if message.message_id is not None:
        neutral["message_id"] = message.message_id
        neutral["seq"] = message.seq
    if message.placeholder:
        neutral["placeholder"] = True
    return neutral
