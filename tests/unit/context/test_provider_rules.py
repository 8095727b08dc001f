"""The checks themselves: they accept what the providers accepted, and name what they refuse."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.unit.context.provider_rules import anthropic_breaches, openai_breaches

if TYPE_CHECKING:
    from pathlib import Path

OPENAI: list[dict[str, Any]] = [
    {"role": "system", "content": "known"},
    {"role": "user", "content": [{"type": "text", "text": "look"}]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "look_up", "arguments": "{}"}},
            {"id": "b", "type": "function", "function": {"name": "look_up", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "b", "content": "1"},
    {"role": "tool", "tool_call_id": "a", "content": "2"},
    {"role": "assistant", "content": "seen"},
]

ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "look"}]},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "now"},
            {"type": "tool_use", "id": "a", "name": "look_up", "input": {}},
            {"type": "tool_use", "id": "b", "name": "look_up", "input": {"q": 1}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "1"}]},
            {"type": "tool_result", "tool_use_id": "b", "content": "2"},
            {"type": "text", "text": "and?"},
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "seen"}]},
]


def _changed(messages: list[dict[str, Any]], *path: object, to: object) -> list[dict[str, Any]]:
    """Give a copy with the value at `path` replaced; `...` removes it."""
    changed = copy.deepcopy(messages)
    holder: Any = changed
    for step in path[:-1]:
        holder = holder[step]
    if to is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = to
    return changed


def test_the_checks_accept_what_is_right() -> None:
    assert openai_breaches(OPENAI) == []
    assert anthropic_breaches([{"type": "text", "text": "known"}], ANTHROPIC) == []


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ((1, "content", 0, "text"), ...),
        ((1, "content", 0, "extra"), 1),
        ((1, "content", 0, "type"), "words"),
        ((2, "tool_calls", 0, "function", "arguments"), {}),
        ((2, "tool_calls", 0, "function", "name"), ...),
        ((3, "content"), None),
        ((3, "name"), "look_up"),
        ((5, "content"), [{"type": "image_url", "image_url": {"url": "https://example.org"}}]),
        ((0, "role"), "boss"),
    ],
)
def test_openai_types_are_checked_to_the_bottom(path: tuple[object, ...], to: object) -> None:
    assert "SDK" in " ".join(openai_breaches(_changed(OPENAI, *path, to=to)))


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ((3,), ...),
        ((4, "tool_call_id"), "c"),
        ((4, "tool_call_id"), "b"),
        ((2, "tool_calls", 1, "id"), "a"),
        ((2, "tool_calls", 1, "id"), "c" * 41),
        ((2, "tool_calls", 1, "function", "name"), "a b"),
        ((2, "tool_calls", 1, "function", "arguments"), "[]"),
        ((2, "tool_calls"), []),
        ((5, "content"), None),
        ((5, "role"), "system"),
        ((slice(3, None),), ()),
    ],
)
def test_openai_rules_are_checked(path: tuple[object, ...], to: object) -> None:
    assert openai_breaches(_changed(OPENAI, *path, to=to))


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ((0, "content", 0, "text"), ...),
        ((0, "content", 0, "extra"), 1),
        ((1, "content", 1, "input"), "{}"),
        ((2, "content", 0, "content", 0, "text"), 1),
        ((2, "content", 0, "content", 0, "extra"), 1),
        (
            (2, "content", 0, "content", 0),
            {"type": "image", "source": {"type": "base64", "media_type": "a", "data": "b"}},
        ),
        ((2, "content", 2), {"type": "input_audio"}),
    ],
)
def test_anthropic_types_are_checked_to_the_bottom(path: tuple[object, ...], to: object) -> None:
    assert "SDK" in " ".join(anthropic_breaches(None, _changed(ANTHROPIC, *path, to=to)))


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ((0,), ...),
        ((2,), ...),
        ((2, "content", 0), ...),
        ((2, "content", 0, "tool_use_id"), "b"),
        ((2, "content", 0, "content"), ""),
        ((2, "content", slice(0, 2)), []),
        ((2, "content", 0), {"type": "text", "text": "first"}),
        ((1, "content", 0, "text"), " \n"),
        ((1, "content", 1, "id"), "b"),
        ((1, "content", 1, "id"), "a:1"),
        ((1, "content", 1, "name"), ""),
        ((3, "content"), []),
        ((3, "content", 0, "text"), "seen "),
        ((slice(2, None),), ()),
    ],
)
def test_anthropic_rules_are_checked(path: tuple[object, ...], to: object) -> None:
    assert anthropic_breaches(None, _changed(ANTHROPIC, *path, to=to))


def test_blank_system_text_is_seen() -> None:
    assert anthropic_breaches([{"type": "text", "text": " "}], ANTHROPIC)


@pytest.mark.corpus
def test_the_checks_accept_requests_that_openai_accepted(corpus: Path) -> None:
    requests = _requests(corpus / "format_samples" / "openai_chat")
    assert len(requests) > 5
    for messages in requests:
        assert openai_breaches(messages) == []


@pytest.mark.corpus
def test_the_checks_accept_requests_that_anthropic_accepted(corpus: Path) -> None:
    """It takes an id again in a later message, too; the checks do not, since not every server is so kind."""
    requests = [
        messages for messages in _requests(corpus / "format_samples" / "anthropic_messages") if _plain(messages)
    ]
    assert len(requests) > 5
    for messages in requests:
        breaches = anthropic_breaches(None, messages)
        assert [breach for breach in breaches if not breach.endswith("comes again")] == []


def _requests(folder: Path) -> list[list[dict[str, Any]]]:
    samples = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    requests = [interaction["request"] for sample in samples for interaction in sample["interactions"]]
    return [request["messages"] for request in requests if "messages" in request]


def _plain(messages: list[dict[str, Any]]) -> bool:
    """Tell requests of the kinds of blocks and in the order that a context has; the API allows more of both."""
    roles = [message["role"] for message in messages]
    blocks = [block for message in messages for block in message["content"]]
    kinds = {block["type"] for block in blocks if isinstance(block, dict)}
    alternating = roles == ["user", "assistant"] * (len(roles) // 2) + ["user"] * (len(roles) % 2)
    return alternating and kinds <= {"text", "tool_use", "tool_result"}
