"""One message of a context before it takes a provider's shape.

Pairing makes these from journal rows, cutting shortens them, and each format renders from them alone. Whatever text
enters one is free of NUL, which neither PostgreSQL nor a provider takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pydantic import JsonValue

if TYPE_CHECKING:
    from streams.bodies import Part, Role

Json: TypeAlias = dict[str, JsonValue]
"""A JSON object."""

Content: TypeAlias = str | tuple[Json, ...]
"""Text, or parts as they came."""


class Call(NamedTuple):
    """One tool call of an assistant message, as the model made it."""

    id: str
    name: str
    arguments: str


class Answered(NamedTuple):
    """The call that a tool message answers: the ids of calls repeat, so a place names it."""

    message_id: str
    """The assistant message that made the call; it is the nearest one before the result."""
    place: int
    """The call's place among that message's calls, from 0."""


class ContextMessage(NamedTuple):
    """A message of a context, in no provider's shape."""

    kind: Literal["pinned", "summary", "message"]
    role: Role
    content: Content
    calls: tuple[Call, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    message_id: str | None = None
    """The journal's message; none where the context itself speaks."""
    seq: int | None = None
    """That message's place in its thread."""
    answers: Answered | None = None
    """Of a tool message: its call."""
    placeholder: bool = False
    """It stands for a result that was not journaled."""


def without_nul(text: str) -> str:
    """Give `text` with U+FFFD for each NUL."""
    return text.replace("\x00", "\ufffd") if "\x00" in text else text


def writable(value: JsonValue) -> JsonValue:
    """Give `value` as every JSON writer takes it: no NUL in strings and keys, integers beyond 64 bits as their text."""
    if isinstance(value, str):
        return without_nul(value)
    if isinstance(value, dict):
        return writable_object(value)
    if isinstance(value, list):
        return [writable(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return str(value)
    return value


def writable_object(value: Json) -> Json:
    """Give an object as every JSON writer takes it."""
    return {without_nul(key): writable(item) for key, item in value.items()}


def content_of(content: str | tuple[Part, ...] | None) -> Content:
    """Give a journaled message's content; none at all is empty text."""
    if content is None:
        return ""
    if isinstance(content, str):
        return without_nul(content)
    return tuple(writable_object(part.model_dump(exclude_unset=True)) for part in content)
