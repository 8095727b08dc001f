"""Requests and replies: what an agent's runtime asks, and what it is told."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue

from streams.bodies.fields import Body, Id, Timestamp


class ErrorCode(StrEnum):
    """Why a request has no result."""

    INVALID_REQUEST = "invalid_request"
    NOT_FOUND = "not_found"
    THREAD_NOT_FOUND = "thread_not_found"
    CAPABILITY_REQUIRED = "capability_required"
    NOT_AVAILABLE_ON_SURFACE = "not_available_on_surface"
    SCREENED = "screened"
    READ_ONLY = "read_only"
    CONFLICT = "conflict"
    TIMEOUT = "timeout"
    UNAVAILABLE = "unavailable"
    INTERNAL = "internal"


class Format(StrEnum):
    """The shape in which a context's messages are wanted."""

    NEUTRAL = "neutral"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"


class ContextRequest(Body):
    """An agent starts a run and asks for its context."""

    thread_id: Id
    """The thread."""
    agent_id: Id
    """The thread's agent; anybody else is told `thread_not_found`."""
    user_id: Id | None = None
    """The thread's user; anybody else is told `thread_not_found`."""
    after_message_id: Id | None = None
    """The newest message that the context must hold: the build waits for it, for a bounded time."""
    snapshot_id: str | None = Field(default=None, max_length=2_000)
    """An earlier context's id: give that one again, byte for byte."""
    as_of: Id | None = None
    """A message: the context as it would have been built right after it."""
    format: Format = Format.NEUTRAL
    """The shape of the messages."""
    deadline: Timestamp | None = None
    """When the asker stops waiting; after it, nothing is worked on."""


class PinnedEntry(Body):
    """A pinned entry that stands in a context."""

    id: str
    """The entry's id."""
    key: str
    """Its key."""
    version: int
    """The version that stands there."""


class SummaryRange(Body):
    """The summary that stands in a context."""

    version: int
    """Its version."""
    from_seq: int
    """The first message that its newest pass folded."""
    to_seq: int
    """The last message that it covers."""


class WindowInfo(Body):
    """What the window holds."""

    count: int
    """Journal messages in it."""
    first_seq: int | None
    """The oldest one's sequence number."""
    last_seq: int | None
    """The newest one's sequence number."""
    limit: int
    """The cap that applied."""
    partial_turn: bool
    """The newest turn alone is longer than the cap, and its middle was left out."""


class ContextResult(Body):
    """A context, ready for a model."""

    snapshot_id: str
    """Names exactly this context: the same state gives the same id, and the id gives the same bytes."""
    thread_id: Id
    """The thread."""
    built_at: Timestamp
    """When the newest thing in it was stored: the instant from which this context stands."""
    stale: bool
    """`after_message_id` did not come within the wait."""
    degraded: tuple[str, ...] = ()
    """Parts that could not be read and are missing."""
    system: tuple[dict[str, JsonValue], ...] | None = None
    """Only in the format `anthropic`, whose API takes system text beside the messages: its blocks, in P1's order."""
    messages: tuple[dict[str, JsonValue], ...]
    """In the asked format: pinned entries, summary, window."""
    pinned: tuple[PinnedEntry, ...] = ()
    """The pinned entries."""
    summary: SummaryRange | None = None
    """The summary."""
    window: WindowInfo
    """The window."""


class ToolRequest(Body):
    """A tool call of an agent, or of an operator. The topic that it comes in on decides its surface."""

    tool: str = Field(max_length=200)
    """The tool's name."""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    """The tool's arguments."""
    agent_id: Id
    """The agent."""
    user_id: Id | None = None
    """The user, where there is one."""
    thread_id: Id | None = None
    """The thread that the call is made in."""
    deadline: Timestamp | None = None
    """When the asker stops waiting: reads are not worked on after it; writes still are."""


class ReplyError(Body):
    """Why there is no result."""

    code: ErrorCode
    """For programs."""
    message: str
    """For people. It never holds content."""
    retryable: bool
    """The same request may go through later."""


class Reply(Body):
    """The answer to a request: `ok` with a result, or not `ok` with an error."""

    ok: bool
    """Whether there is a result."""
    result: JsonValue = None
    """The result, of the shape that the request's kind names."""
    error: ReplyError | None = None
    """The error."""
    billable: Literal[False] = False
    """Memory is never billed."""
