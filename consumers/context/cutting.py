"""Long arguments and results, cut to a size (W6).

The head and the tail stay, since errors stand at the end, and a mark between them names the call and the whole's size,
so that the agent can ask for the rest. What users and assistants said is never cut.

A limit counts characters. The mark stands within it where it leaves room for at least as much text; else a cut text is
longer than its limit by no more than the mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from consumers.context.formats.arguments import exact_object, written
from consumers.context.formats.marks import CallPart, cut_mark
from consumers.context.formats.parts import text_of
from consumers.context.graphemes import place_after, place_before

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import JsonValue

    from consumers.context.formats.message import Call, ContextMessage, Json

LEAST_SHARE = 8
"""An argument is cut in its place if it still gets this part of the limit; else the object is cut as one text."""


class _Gap(NamedTuple):
    """What is left out of a text: from `start` to `end`, with `mark` in its place."""

    start: int
    end: int
    mark: str

    def within(self, text: str) -> str:
        return text[: self.start] + self.mark + text[self.end :]


def shorten(message: ContextMessage, limit: int) -> ContextMessage:
    """Give `message` with its calls' arguments, or its result, at most `limit` characters long."""
    if message.calls:
        return _with_short_arguments(message, limit)
    if message.answers is None or message.placeholder:
        return message
    ids = {"tool_call_id": message.tool_call_id or "", "message_id": message.answers.message_id}
    if isinstance(message.content, str):
        return message._replace(content=cut(message.content, limit, part="result", **ids))
    return message._replace(content=cut_parts(message.content, limit, **ids))


def cut(text: str, limit: int, *, tool_call_id: str, message_id: str, part: CallPart) -> str:
    """Give `text`, or its head and tail where it is longer than `limit`.

    `message_id` is the assistant message that made the call.
    """
    if len(text) <= limit:
        return text
    mark = cut_mark(part, len(text), tool_call_id=tool_call_id, message_id=message_id)
    return _gap(text, limit, mark).within(text)


def cut_parts(parts: tuple[Json, ...], limit: int, *, tool_call_id: str, message_id: str) -> tuple[Json, ...]:
    """Give a result's parts, their texts cut as if they were one; parts that are no text stay."""
    whole = "".join(text_of(part) or "" for part in parts)
    if len(whole) <= limit:
        return parts
    gap = _gap(whole, limit, cut_mark("result", len(whole), tool_call_id=tool_call_id, message_id=message_id))
    kept: list[Json] = []
    start = 0
    for part in parts:
        text = text_of(part)
        if text is None:
            kept.append(part)
            continue
        shown = _outside(gap, text, start)
        if shown or not text:
            kept.append({**part, "text": shown})
        start += len(text)
    return tuple(kept)


def cut_arguments(arguments: str, limit: int, *, tool_call_id: str, message_id: str) -> str:
    """Give `arguments`, or the text of a JSON object that shows their head and tail.

    Where one long text fills them (a file's content, a patch), that text is cut in its place, and the object keeps
    its shape. Else the object is `{"cut": …}`, with the arguments' own text.
    """
    if len(arguments) <= limit:
        return arguments
    mark = cut_mark("arguments", len(arguments), tool_call_id=tool_call_id, message_id=message_id)
    given = exact_object(arguments) or {}
    texts = {key: value for key, value in given.items() if isinstance(value, str)}
    longest = max(texts, key=lambda key: len(texts[key]), default="")
    room = limit - len(written({**given, longest: ""}))
    if longest in texts and limit // LEAST_SHARE <= room < len(texts[longest]):
        return _cut_inside(lambda text: {**given, longest: text}, texts[longest], room, mark)
    return _cut_inside(lambda text: {"cut": text}, arguments, limit - len(written({"cut": ""})), mark)


def _with_short_arguments(message: ContextMessage, limit: int) -> ContextMessage:
    if all(len(call.arguments) <= limit for call in message.calls):
        return message
    return message._replace(calls=tuple(_short(call, limit, message.message_id or "") for call in message.calls))


def _short(call: Call, limit: int, message_id: str) -> Call:
    return call._replace(arguments=cut_arguments(call.arguments, limit, tool_call_id=call.id, message_id=message_id))


def _cut_inside(wrap: Callable[[str], Mapping[str, JsonValue]], text: str, room: int, mark: str) -> str:
    """Cut `text` so that it takes no more than `room` as JSON, where quotes and line ends take two characters."""
    shown = _gap(text, room, mark).within(text)
    escapes = len(written({"": shown})) - len(written({"": ""})) - len(shown)
    return written(wrap(_gap(text, room - escapes, mark).within(text)))


def _gap(text: str, limit: int, mark: str) -> _Gap:
    """Choose what to leave out, so that head and tail are equal and no visible character is divided."""
    kept = max(limit - len(mark), limit // 2, 0)
    tail = kept // 2
    return _Gap(place_before(text, kept - tail), place_after(text, len(text) - tail), mark)


def _outside(gap: _Gap, text: str, start: int) -> str:
    """Give what of `text`, which starts at `start` of the whole, stays; the mark stands where the gap starts."""
    head = text[: max(gap.start - start, 0)]
    tail = text[max(gap.end - start, 0) :]
    mark = gap.mark if start <= gap.start < start + len(text) else ""
    return head + mark + tail
