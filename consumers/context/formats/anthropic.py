"""Anthropic's messages: system text beside the messages, and user and assistant in turns.

Results of tools are the first blocks of the user message right after the calls; ids are of the API's characters and
unique in the request; `input` is an object; no text is blank; the first message is a user's, and a text that ends the
request as the assistant's has no white space at its end. The API refuses a request where one of these is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumers.context.formats.anthropic_parts import rendered_parts, text_block
from consumers.context.formats.arguments import object_for
from consumers.context.formats.call_ids import NOT_IN_NAMES, CallIds, tool_name
from consumers.context.formats.marks import ASSISTANT_FIRST, EMPTY_MESSAGE, NO_OUTPUT
from streams.bodies import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from consumers.context.formats.message import ContextMessage, Json

LONGEST_ID = 64
"""Where the API is reached by way of a cloud, this is its longest."""

LONGEST_NAME = 128


def render(messages: Sequence[ContextMessage]) -> tuple[tuple[Json, ...] | None, tuple[Json, ...]]:
    """Give the request's `system` (none where there is none) and its `messages`."""
    system = tuple(text_block(str(message.content)) for message in messages if message.role is Role.SYSTEM)
    spoken = _merged(message for message in messages if message.role is not Role.SYSTEM)
    if spoken and spoken[0][0] == "assistant":
        spoken.insert(0, ("user", [text_block(ASSISTANT_FIRST)]))
    if spoken and spoken[-1][0] == "assistant":
        _strip_end(spoken[-1][1])
    return system or None, tuple({"role": role, "content": list(blocks)} for role, blocks in spoken)


def _merged(messages: Iterable[ContextMessage]) -> list[tuple[str, list[Json]]]:
    """Give roles that alternate, each with the blocks of all that it said in a row."""
    ids = CallIds(longest=LONGEST_ID, refused=NOT_IN_NAMES)
    merged: list[tuple[str, list[Json]]] = []
    for message in messages:
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        if not merged or merged[-1][0] != role:
            merged.append((role, []))
        merged[-1][1].extend(_blocks(message, ids))
    return merged


def _blocks(message: ContextMessage, ids: CallIds) -> list[Json]:
    content = _content(message)
    match message.role:
        case Role.TOOL:
            shown = content or [text_block(NO_OUTPUT)]
            return [{"type": "tool_result", "tool_use_id": ids.of_result(message), "content": list(shown)}]
        case Role.ASSISTANT if message.calls:
            return content + _tool_uses(message, ids)
        case _:
            return content or [text_block(EMPTY_MESSAGE)]


def _content(message: ContextMessage) -> list[Json]:
    """Give the content's blocks; none, where nothing in it is more than white space."""
    if not isinstance(message.content, str):
        return rendered_parts(message.content, message.role)
    return [text_block(message.content)] if message.content.strip() else []


def _tool_uses(message: ContextMessage, ids: CallIds) -> list[Json]:
    return [
        {
            "type": "tool_use",
            "id": call_id,
            "name": tool_name(call.name, longest=LONGEST_NAME),
            "input": object_for(call.arguments),
        }
        for call, call_id in zip(message.calls, ids.of_calls(message), strict=True)
    ]


def _strip_end(blocks: list[Json]) -> None:
    text = blocks[-1].get("text")
    if isinstance(text, str):
        blocks[-1] = text_block(text.rstrip())
