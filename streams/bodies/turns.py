"""What platforms send: the messages of a conversation, and the settings of threads and agents."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from streams.bodies.fields import Body, Id, Timestamp

MOST_TOKENS = 2**31 - 1


class Role(StrEnum):
    """Who a message is from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class ToolCall(Body):
    """One call that an assistant message made."""

    id: Id
    """The provider's id of the call. It may come again later in the same thread, for another call."""
    name: str = Field(max_length=1_000)
    """The tool's name."""
    arguments: str = ""
    """JSON text, as the model gave it: not always valid JSON."""


class Part(Body):
    """A piece of a message's content: text, or another type (image, audio, file) that is kept as it came."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(min_length=1, max_length=200)
    """`text`, or a provider's name of another type."""
    text: str | None = None
    """The text of a part of type `text`."""

    @model_validator(mode="after")
    def _text_has_text(self) -> Self:
        if self.type == "text" and self.text is None:
            msg = "a part of type 'text' needs 'text'"
            raise ValueError(msg)
        return self


class TurnMessage(Body):
    """One message of a conversation, on the topic `turns` under its thread's id.

    Sending a message again (same `thread_id` and `message_id`) adds nothing. Sending other content under the same id is
    a conflict: the first stands, the second goes to the dead letters.
    """

    message_id: Id
    """Unique in its thread."""
    thread_id: Id
    """The conversation. It belongs to the agent and the user of its first message."""
    agent_id: Id
    """The agent that the conversation is with."""
    user_id: Id | None = None
    """The person that the agent talks to; null where there is none."""
    turn_id: Id | None = None
    """The producer's name for the turn; where it is null, a user message opens a new turn."""
    role: Role
    """Who speaks: `user`, `assistant`, `tool` (one result of one tool call) or `system`."""
    content: str | tuple[Part, ...] | None = None
    """Text, or a list of parts, or null (an assistant message that only calls tools)."""
    tool_calls: tuple[ToolCall, ...] | None = None
    """The calls of an assistant message."""
    tool_call_id: Id | None = None
    """Of a tool message: the call that it answers."""
    name: str | None = Field(default=None, max_length=1_000)
    """Of a tool message: the tool's name."""
    token_count: Annotated[int, Field(ge=0, le=MOST_TOKENS)] | None = None
    """The producer's own token count; it wins over the configured counter."""
    created_at: Timestamp | None = None
    """The producer's time. Order never depends on it. Null means the record's own timestamp."""
    metadata: dict[str, JsonValue] | None = None
    """Anything else the producer wants kept with the message."""

    @model_validator(mode="after")
    def _fits_its_role(self) -> Self:
        if self.role is Role.TOOL and self.tool_call_id is None:
            msg = "a message of role 'tool' needs 'tool_call_id'"
            raise ValueError(msg)
        if self.tool_calls and self.role is not Role.ASSISTANT:
            msg = f"'tool_calls' belong to role 'assistant', not to '{self.role}'"
            raise ValueError(msg)
        return self


class ThreadCommand(Body):
    """A setting of a thread, or its deletion, on the topic `threads` under the thread's id."""

    type: Literal["configure", "delete"]
    """`configure` sets what is given; `delete` removes the thread's record (its journal stays until it is erased)."""
    thread_id: Id
    """The thread."""
    agent_id: Id
    """The agent that the thread belongs to; another one's command changes nothing."""
    user_id: Id | None = None
    """The user that the thread belongs to. Left out (not null), any user's thread of the agent is meant."""
    window_limit: int | None = None
    """Of `configure`: the thread's own cap on its window, 1 to the platform's cap (20); null takes it away again."""


class AgentConfig(Body):
    """What is bound to an agent, on the compacted topic `agents` under the agent's id. A null value removes it."""

    agent_id: Id
    """The agent."""
    capabilities: tuple[str, ...] = ()
    """`memory` lets entries be written for the agent. Names that are not known are kept and mean nothing."""
    summary_message_threshold: Annotated[int, Field(ge=1)] | None = None
    """Messages since the last summary that ask for a compaction; null means the platform's default (40)."""
    summary_token_threshold: Annotated[int, Field(ge=1)] | None = None
    """Tokens since the last summary that ask for a compaction; null means the platform's default (8,000)."""
