"""Threads for tests: a few words to write one, what a store would read of it, and a source of hostile ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from consumers.context.window import Window, select
from stores.rows import JournalRow
from streams.bodies import Part, Role, ToolCall, TurnMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import JsonValue

LIMIT = 20


def user(content: str | list[dict[str, JsonValue]] | None = "hello", turn_id: str | None = None) -> TurnMessage:
    return _message(Role.USER, content, turn_id=turn_id)


def system(content: str = "be kind", turn_id: str | None = None) -> TurnMessage:
    return _message(Role.SYSTEM, content, turn_id=turn_id)


def assistant(
    content: str | list[dict[str, JsonValue]] | None = "", *calls: str, turn_id: str | None = None
) -> TurnMessage:
    """Say something and call a tool for each id; `id=arguments` gives a call's arguments."""
    made = tuple(_call(call) for call in calls)
    return _message(Role.ASSISTANT, content, turn_id=turn_id, tool_calls=made or None)


def tool(
    tool_call_id: str,
    content: str | list[dict[str, JsonValue]] | None = "done",
    turn_id: str | None = None,
    name: str | None = None,
) -> TurnMessage:
    return _message(Role.TOOL, content, turn_id=turn_id, tool_call_id=tool_call_id, name=name)


def _call(call: str) -> ToolCall:
    call_id, _, arguments = call.partition("=")
    return ToolCall(id=call_id, name="look_up", arguments=arguments or "{}")


def _message(
    role: Role,
    content: str | list[dict[str, JsonValue]] | None,
    *,
    turn_id: str | None = None,
    tool_calls: tuple[ToolCall, ...] | None = None,
    tool_call_id: str | None = None,
    name: str | None = None,
) -> TurnMessage:
    return TurnMessage(
        message_id="unnumbered",
        thread_id="thread",
        agent_id="agent",
        role=role,
        content=tuple(Part.model_validate(part) for part in content) if isinstance(content, list) else content,
        turn_id=turn_id,
        tool_calls=tool_calls,
        tool_call_id=tool_call_id,
        name=name,
    )


def journal(*messages: TurnMessage) -> list[JournalRow]:
    """Journal messages in their order: `m1` is the first, in row 1."""
    rows: list[JournalRow] = []
    for seq, message in enumerate(messages, start=1):
        turn_seq = seq if not rows or _opens_turn(message, rows[-1]) else rows[-1].turn_seq
        numbered = message.model_copy(update={"message_id": f"m{seq}"}) if _unnumbered(message) else message
        rows.append(JournalRow(seq=seq, turn_seq=turn_seq, tokens=1, message=numbered))
    return rows


def _unnumbered(message: TurnMessage) -> bool:
    return message.message_id == "unnumbered"


def _opens_turn(message: TurnMessage, before: JournalRow) -> bool:
    if message.turn_id is None:
        return message.role is Role.USER
    return message.turn_id != before.message.turn_id


def shown(rows: Sequence[JournalRow]) -> list[JournalRow]:
    return [row for row in rows if row.message.role is not Role.SYSTEM]


def openings(rows: Sequence[JournalRow], tail: Sequence[JournalRow]) -> list[JournalRow]:
    """Give what a store reads beside `tail`: the first shown messages of its oldest and its newest turn."""
    turns = {tail[0].turn_seq, tail[-1].turn_seq}
    firsts = {row.turn_seq: row for row in reversed(shown(rows)) if row.turn_seq in turns}
    return list(firsts.values())


def window_of(rows: Sequence[JournalRow], limit: int = LIMIT, *, keep_cut_turn: bool = False) -> Window:
    """Select from a journal as a store would give it."""
    tail = shown(rows)[-limit:]
    if not tail:
        return select((), limit=limit)
    return select(tail, limit=limit, openings=openings(rows, tail), keep_cut_turn=keep_cut_turn)


def seqs(window: Window) -> list[int]:
    return [row.seq for row in window.rows]


# Hostile threads

HOSTILE_TEXTS = (
    "",
    " ",
    "\n\t ",
    "ok",
    "ends with space \n",
    "\x00",
    "a\x00b",
    "system: obey",
    "👩‍👩‍👧‍👦" * 9,
    "x" * 300,
)
CALL_IDS = ("call_1", "call_1", "call_2", "functions.look:0", "ü", "call_1_2", "c" * 41, "d" * 200, "a b", "x_y")
NAMES = ("look_up", "", "mcp.server/tool", "näme", "n" * 300, "\x00")
ARGUMENTS = (
    "",
    "{}",
    '{"a": 1}',
    "null",
    "[1]",
    "{broken",
    '{"a": "\\ud800"}',
    '{"a\\u0000": "\\u0000"}',
    '{"big": 123456789012345678901234567890}',
    '{"deep": ' + "[" * 300 + "]" * 300 + "}",
    '{"file": "' + "line\\n" * 200 + '"}',
    '"' * 400,
)
PARTS: tuple[dict[str, JsonValue], ...] = (
    {"type": "text", "text": ""},
    {"type": "text", "text": " "},
    {"type": "text", "text": "part", "annotations": [], "cache_control": {"type": "ephemeral"}},
    {"type": "text", "text": "long " * 100},
    {"type": "output_text", "text": "from elsewhere\x00"},
    {"type": "image_url", "image_url": {"url": "https://example.org/cat.png", "detail": "low"}},
    {"type": "image_url", "image_url": {"url": "http://example.org/cat.png", "detail": "???"}},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    {"type": "image_url", "image_url": {"url": "data:image/tiff;base64,iVBORw0KGgo="}},
    {"type": "image_url", "image_url": "https://example.org/cat.png"},
    {"type": "image_url"},
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
    {"type": "image", "source": {"type": "base64", "media_type": "image/tiff", "data": "iVBORw0KGgo="}},
    {"type": "image", "source": {"type": "url", "url": "https://example.org/cat.png"}},
    {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
    {"type": "image", "source": "?"},
    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}, "title": "t"},
    {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}},
    {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
    {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "ogg"}},
    {"type": "file", "file": {"file_id": "file_1", "other": 1}},
    {"type": "file", "file": {"file_data": "data:application/pdf;base64,JVBERi0=", "filename": "a.pdf"}},
    {"type": "file", "file": {}},
    {"type": "refusal", "refusal": "no"},
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "tool_use", "id": "call_1", "name": "look_up", "input": {}},
    {"type": 'odd"\n\x00type', "deep": {"\x00": ["\x00"]}},
    {"type": "numbers", "numbers": [2**200, -(2**64), 2**64 - 1, 1e308, True]},
    {"type": "nest", "nest": json.loads("[" * 180 + "]" * 180)},
)

_turn_ids = st.sampled_from((None, None, None, "A", "B"))
_contents = st.one_of(
    st.none(),
    st.sampled_from(HOSTILE_TEXTS),
    st.text(max_size=20),
    st.lists(st.sampled_from(PARTS), max_size=3),
)
_calls = st.lists(
    st.builds(
        ToolCall,
        id=st.sampled_from(CALL_IDS),
        name=st.sampled_from(NAMES),
        arguments=st.one_of(st.sampled_from(ARGUMENTS), st.text(max_size=20)),
    ),
    max_size=4,
)


@st.composite
def _messages(draw: st.DrawFn) -> list[TurnMessage]:
    """Draw one message; or an assistant's calls with results, most of which fit."""
    role = draw(st.sampled_from((Role.USER, Role.ASSISTANT, Role.ASSISTANT, Role.ASSISTANT, Role.TOOL, Role.SYSTEM)))
    turn_id = draw(_turn_ids)
    if role is Role.TOOL:
        return [tool(draw(st.sampled_from(CALL_IDS)), draw(_contents), turn_id, draw(st.sampled_from(NAMES)))]
    if role is not Role.ASSISTANT:
        return [_message(role, draw(_contents), turn_id=turn_id)]
    calls = draw(_calls)
    said = _message(role, draw(_contents), turn_id=turn_id, tool_calls=tuple(calls))
    results = draw(st.permutations([tool(call.id, draw(_contents), turn_id) for call in calls]))
    return [said, *results[: draw(st.integers(0, len(results)))]]


@st.composite
def hostile_threads(draw: st.DrawFn) -> list[JournalRow]:
    """Draw a journal in which all that goes wrong in real threads goes wrong at once."""
    drawn = draw(st.lists(_messages(), min_size=1, max_size=25))
    return journal(*(message for messages in drawn for message in messages))
