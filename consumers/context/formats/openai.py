"""OpenAI's chat completions: what that API and those built after it accept.

Each tool message stands right after the assistant message whose call it answers; ids are unique in the request and at
most 40 characters (longer ones are refused); arguments are the text of a JSON object, as templates of open models need
it; only a message with calls has no content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumers.context.formats.arguments import object_text_for
from consumers.context.formats.call_ids import CallIds, tool_name
from consumers.context.formats.marks import EMPTY_MESSAGE, NO_OUTPUT
from consumers.context.formats.openai_parts import rendered_parts
from streams.bodies import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

    from consumers.context.formats.message import ContextMessage, Json

LONGEST_ID = 40
LONGEST_NAME = 64


def render(messages: Sequence[ContextMessage]) -> tuple[Json, ...]:
    """Give paired messages as the request's `messages`."""
    ids = CallIds(longest=LONGEST_ID)
    return tuple(_rendered(message, ids) for message in messages)


def _rendered(message: ContextMessage, ids: CallIds) -> Json:
    match message.role:
        case Role.ASSISTANT:
            return _assistant(message, ids)
        case Role.TOOL:
            return {"role": "tool", "tool_call_id": ids.of_result(message), "content": _content(message) or NO_OUTPUT}
        case _:
            return {"role": message.role.value, "content": _content(message) or EMPTY_MESSAGE}


def _assistant(message: ContextMessage, ids: CallIds) -> Json:
    content = _content(message)
    if not message.calls:
        return {"role": "assistant", "content": content or EMPTY_MESSAGE}
    calls: list[JsonValue] = [
        {
            "id": call_id,
            "type": "function",
            "function": {
                "name": tool_name(call.name, longest=LONGEST_NAME),
                "arguments": object_text_for(call.arguments),
            },
        }
        for call, call_id in zip(message.calls, ids.of_calls(message), strict=True)
    ]
    return {"role": "assistant", "content": content or None, "tool_calls": calls}


def _content(message: ContextMessage) -> JsonValue:
    if isinstance(message.content, str):
        return message.content
    return rendered_parts(message.content, message.role)
