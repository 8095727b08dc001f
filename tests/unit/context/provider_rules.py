"""What the two providers' APIs demand of a request's messages, as checks that name every breach.

Two kinds: the types of their official SDKs, and the rules of order, pairing and content that their documentation and
their refusals state. Where one API is kinder than the servers and clouds that speak its protocol (ids that come again,
two messages of one side in a row), the stricter rule is checked.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from anthropic.types import MessageParam, TextBlockParam
from openai.types.chat import ChatCompletionMessageParam

from tests.unit.context.sdk_types import type_breaches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from consumers.context.formats.message import Json

TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
LONG_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
ANTHROPIC_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
LONGEST_OPENAI_ID = 40


def openai_breaches(messages: Sequence[Json]) -> list[str]:
    """Give every breach of chat completions' rules, each with the place of its message."""
    return [*type_breaches("messages", ChatCompletionMessageParam, messages)] or [*_openai_rules(_loose(messages))]


def anthropic_breaches(system: Sequence[Json] | None, messages: Sequence[Json]) -> list[str]:
    """Give every breach of the messages API's rules, each with the place of its message."""
    untyped = [
        *type_breaches("system", TextBlockParam, system or ()),
        *type_breaches("messages", MessageParam, messages),
    ]
    blank = [f"system {place}: blank" for place, block in enumerate(system or ()) if not str(block["text"]).strip()]
    return untyped or [*blank, *_anthropic_rules(_loose(messages))]


def unclean_text(value: object) -> bool:
    """Tell whether a NUL or a lone surrogate stands anywhere in a value."""
    if isinstance(value, str):
        return "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return any(unclean_text(key) or unclean_text(item) for key, item in value.items())
    return isinstance(value, list | tuple) and any(unclean_text(item) for item in value)


def _loose(messages: Sequence[Json]) -> list[dict[str, Any]]:
    """Give the messages as a provider gets them: through JSON, and of no type that a checker knows."""
    loose: list[dict[str, Any]] = json.loads(json.dumps(messages))
    return loose


# OpenAI


def _openai_rules(messages: list[dict[str, Any]]) -> Iterator[str]:
    seen: set[str] = set()
    due: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in due:
                yield f"{place}: a result of {message['tool_call_id']!r}, which no call right before it made"
            else:
                due.remove(message["tool_call_id"])
        elif due:
            yield f"{place}: no result yet of {due}"
            due = []
        calls = message.get("tool_calls")
        if calls is not None:
            due = [call["id"] for call in calls]
            yield from (f"{place}: {breach}" for breach in _openai_calls(calls, seen))
        content = message.get("content")
        if not content and not (content is None and calls):
            yield f"{place}: no content"
    if due:
        yield f"end: no result of {due}"
    roles = [message["role"] for message in messages]
    if "system" in roles[roles.count("system") :]:
        yield "a system message stands after the conversation began"


def _openai_calls(calls: list[dict[str, Any]], seen: set[str]) -> Iterator[str]:
    if not calls:
        yield "an empty list of calls"
    for call in calls:
        if call["id"] in seen:
            yield f"the id {call['id']!r} comes again"
        seen.add(call["id"])
        if not 0 < len(call["id"]) <= LONGEST_OPENAI_ID:
            yield f"the id {call['id']!r} is too long, or empty"
        if not TOOL_NAME.fullmatch(call["function"]["name"]):
            yield f"the name {call['function']['name']!r}"
        if not isinstance(_json(call["function"]["arguments"]), dict):
            yield f"arguments that are no object: {call['function']['arguments'][:80]!r}"


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# Anthropic


def _anthropic_rules(messages: list[dict[str, Any]]) -> Iterator[str]:
    seen: set[str] = set()
    due: list[str] = []
    last = ""
    for place, message in enumerate(messages):
        if message["role"] != ("assistant" if last == "user" else "user"):
            yield f"{place}: {message['role']!r} after {last!r}"
        last = message["role"]
        if not message["content"]:
            yield f"{place}: no content"
        yield from (f"{place}: {breach}" for breach in _anthropic_results(message, due))
        due = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
        yield from (f"{place}: {breach}" for breach in _anthropic_blocks(message, seen))
    if due:
        yield f"end: no result of {due}"
    if messages and last == "assistant":
        texts = [block.get("text", "") for block in messages[-1]["content"][-1:]]
        if texts != [text.rstrip() for text in texts]:
            yield "end: white space at the end of the assistant's text"


def _anthropic_results(message: dict[str, Any], due: list[str]) -> Iterator[str]:
    kinds = [block["type"] for block in message["content"]]
    given = [block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"]
    if sorted(given) != sorted(due):
        yield f"results of {given}, called were {due}"
    if "tool_result" in kinds[len(given) :]:
        yield "results are not the first blocks"
    if given and message["role"] != "user":
        yield "results in an assistant message"


def _anthropic_blocks(message: dict[str, Any], seen: set[str]) -> Iterator[str]:
    for block in message["content"]:
        if block["type"] == "text" and not block["text"].strip():
            yield "blank text"
        if block["type"] == "tool_result":
            inner = block["content"]
            texts = [inner] if isinstance(inner, str) else [part["text"] for part in inner if part["type"] == "text"]
            if not inner or not all(text.strip() for text in texts):
                yield "a blank result"
        if block["type"] in ("image", "document", "tool_result") and message["role"] != "user":
            yield f"{block['type']} of the assistant"
        if block["type"] == "tool_use":
            yield from _tool_use(block, message["role"], seen)


def _tool_use(block: dict[str, Any], role: str, seen: set[str]) -> Iterator[str]:
    if role != "assistant":
        yield "a call of the user"
    if block["id"] in seen:
        yield f"the id {block['id']!r} comes again"
    seen.add(block["id"])
    if not ANTHROPIC_ID.fullmatch(block["id"]):
        yield f"the id {block['id']!r}"
    if not LONG_TOOL_NAME.fullmatch(block["name"]):
        yield f"the name {block['name']!r}"
    if not isinstance(block["input"], dict):
        yield "an input that is no object"
