"""The one text of a message, for all that counts it and all that summarises it (S10).

Were there two, a thread could be due for a summary by tokens that its summariser never reads. The projection holds what
was said, which tools were called and what they gave back. What was said is whole; what stands in a tool's arguments and
results is bounded, so that one file listing does not outweigh a conversation. System messages project to nothing (J8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from streams.bodies import Role

if TYPE_CHECKING:
    from streams.bodies import Part, TurnMessage

TOOL_CHARACTERS: Final = 4_000
"""The default bound on each tool call's arguments, and on each result, in characters."""

_GAP: Final = "\n[…]\n"


def counted(message: TurnMessage) -> bool:
    """Whether a message counts towards windows and thresholds: every one does but a system message (J8)."""
    return message.role is not Role.SYSTEM


def said(message: TurnMessage) -> str:
    """What a user or an assistant said, whole: text parts a line each, other parts as a mark such as `[image]`.

    Empty for tool results and system messages: nobody of the conversation said them.
    """
    return _content(message) if message.role in (Role.USER, Role.ASSISTANT) else ""


def project(message: TurnMessage, *, tool_characters: int = TOOL_CHARACTERS) -> str:
    """The text of a message that thresholds count and a summariser reads.

    Args:
        message: any message.
        tool_characters: the most characters of each tool call's arguments, and of each tool result.
    """
    match message.role:
        case Role.SYSTEM:
            return ""
        case Role.TOOL:
            return _shorten(_content(message), tool_characters)
        case Role.USER | Role.ASSISTANT:
            calls = (f"{call.name}({_shorten(call.arguments, tool_characters)})" for call in message.tool_calls or ())
            return "\n".join(filter(None, (said(message), *calls)))


def _content(message: TurnMessage) -> str:
    if message.content is None or isinstance(message.content, str):
        return message.content or ""
    return "\n".join(map(_part, message.content))


def _part(part: Part) -> str:
    return part.text or "" if part.type == "text" else f"[{part.type}]"


def _shorten(text: str, most: int) -> str:
    """At most `most` characters: the head and the tail, because errors stand at the end."""
    if len(text) <= most:
        return text
    kept = most - len(_GAP)
    if kept <= 0:
        return text[: max(most, 0)]
    tail = kept // 2
    return text[: kept - tail] + _GAP + text[len(text) - tail :]
