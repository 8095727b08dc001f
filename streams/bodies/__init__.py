"""The bodies of all records: the wire contract as frozen, described models."""

from streams.bodies.events import CompactionFlushed, CompactionRequested, Journaled, SummaryUpdated
from streams.bodies.fields import Body
from streams.bodies.requests import (
    ContextRequest,
    ContextResult,
    ErrorCode,
    Format,
    PinnedEntry,
    Reply,
    ReplyError,
    SummaryRange,
    ToolRequest,
    WindowInfo,
)
from streams.bodies.turns import AgentConfig, Part, Role, ThreadCommand, ToolCall, TurnMessage

__all__ = [
    "AgentConfig",
    "Body",
    "CompactionFlushed",
    "CompactionRequested",
    "ContextRequest",
    "ContextResult",
    "ErrorCode",
    "Format",
    "Journaled",
    "Part",
    "PinnedEntry",
    "Reply",
    "ReplyError",
    "Role",
    "SummaryRange",
    "SummaryUpdated",
    "ThreadCommand",
    "ToolCall",
    "ToolRequest",
    "TurnMessage",
    "WindowInfo",
]
