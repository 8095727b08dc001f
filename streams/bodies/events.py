"""What consumers tell: each event's id is made from what it tells of, so a redelivery tells the same event again."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID  # noqa: TC003 - pydantic reads annotations when it runs

from pydantic import Field

from streams.bodies.fields import Body, Id, Timestamp
from streams.bodies.turns import Role  # noqa: TC001

Seq = Annotated[int, Field(ge=1)]


class Journaled(Body):
    """A message is durable in the journal. It carries no content: who needs that asks the journal."""

    event_id: UUID
    """uuid5 of thread and sequence number."""
    thread_id: Id
    """The thread."""
    agent_id: Id
    """The thread's agent."""
    user_id: Id | None = None
    """The thread's user."""
    message_id: Id
    """The message."""
    seq: Seq
    """Its place in the thread, from 1, without gaps."""
    role: Role
    """Who spoke."""
    tokens: int
    """The producer's token count, or the counter's."""
    topic: str
    """Where the record stood: topic,"""
    partition: int
    """partition"""
    offset: int
    """and offset."""


class CompactionRequested(Body):
    """A thread has reached a threshold: its messages from `from_seq` to `to_seq` are to be folded into the summary."""

    compaction_id: UUID
    """uuid5 of thread and range."""
    thread_id: Id
    """The thread."""
    agent_id: Id
    """The thread's agent."""
    user_id: Id | None = None
    """The thread's user."""
    from_seq: Seq
    """The first message of the range."""
    to_seq: Seq
    """The last message of the range, where a turn ends."""
    messages: int
    """Counted messages in the range (system messages do not count)."""
    tokens: int
    """Counted tokens in the range."""
    reason: Literal["messages", "tokens"]
    """The threshold that was reached."""
    requested_at: Timestamp
    """When it was asked for."""


class CompactionFlushed(CompactionRequested):
    """The facts of the range are kept (or none were to be): the summary may fold it now."""

    flush: Literal["done", "not_bound", "failed"]
    """`done`: facts were extracted; `not_bound`: the agent has no Memory capability; `failed`: a dead letter has it."""
    entries: int = 0
    """How many entries the flush wrote."""


class SummaryUpdated(Body):
    """A thread's newest summary. With its range and version it lets a reader rebuild the chain without a model."""

    event_id: UUID
    """uuid5 of thread and version."""
    thread_id: Id
    """The thread."""
    agent_id: Id
    """The thread's agent."""
    user_id: Id | None = None
    """The thread's user."""
    version: Seq
    """From 1, without gaps."""
    from_seq: Seq
    """The first message that this pass folded."""
    to_seq: Seq
    """The last message that this pass folded."""
    text: str
    """The summary of all that stands up to `to_seq`."""
    tokens: int
    """The text's tokens."""
    model: str
    """Who wrote it; `offline-…` names the built-in extractive summariser."""
    prompt_version: str
    """The version of the prompt, or of the rules, that made it."""
    created_at: Timestamp
    """When it was stored."""
