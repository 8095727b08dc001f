"""The one table of topics and consumer groups. No topic is named as a string anywhere else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from streams import bodies

if TYPE_CHECKING:
    from streams.settings import KafkaSettings


class Topic(StrEnum):
    """Every topic, by its name without the prefix."""

    TURNS = "turns"
    THREADS = "threads"
    AGENTS = "agents"
    CONTEXT_REQUESTS = "context.requests"
    TOOLS_REQUESTS = "tools.requests"
    MCP_REQUESTS = "mcp.requests"
    ADMIN_REQUESTS = "admin.requests"
    REPLIES = "replies"
    JOURNALED = "journaled"
    COMPACTION_REQUESTED = "compaction.requested"
    COMPACTION_FLUSHED = "compaction.flushed"
    SUMMARIES = "summaries"
    MEMORIES = "memories"
    DEAD_LETTERS = "dead-letters"


class Group(StrEnum):
    """Every consumer group, by its name without the prefix. One group is one consumer module is one deployment."""

    JOURNAL = "journal"
    THREADS = "threads"
    THRESHOLDS = "thresholds"
    FLUSH = "flush"
    SUMMARISER = "summariser"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """What a topic is: who writes what under which key, and how long it is kept."""

    topic: Topic
    key: str
    written_by: str
    body: type[bodies.Body] | None
    retention: timedelta | None = None
    """How long records are kept; None where compaction keeps the newest of each key."""
    holds_dead_letters: bool = False
    """A dead letter is an original record and its reasons: it may be larger than any other record."""

    @property
    def compacted(self) -> bool:
        """Whether the newest record of each key is kept for good."""
        return self.retention is None


HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WEEK = timedelta(days=7)

TOPICS: tuple[TopicSpec, ...] = (
    TopicSpec(Topic.TURNS, "thread_id", "platform", bodies.TurnMessage, WEEK),
    TopicSpec(Topic.THREADS, "thread_id", "platform", bodies.ThreadCommand, WEEK),
    TopicSpec(Topic.AGENTS, "agent_id", "platform", bodies.AgentConfig),
    TopicSpec(Topic.CONTEXT_REQUESTS, "thread_id", "agent runtime", bodies.ContextRequest, HOUR),
    TopicSpec(Topic.TOOLS_REQUESTS, "agent_id", "agent runtime", bodies.ToolRequest, HOUR),
    TopicSpec(Topic.MCP_REQUESTS, "agent_id", "MCP gateways", bodies.ToolRequest, HOUR),
    TopicSpec(Topic.ADMIN_REQUESTS, "agent_id", "platform operators", bodies.ToolRequest, DAY),
    TopicSpec(Topic.REPLIES, "correlation_id", "whoever serves requests", bodies.Reply, HOUR),
    TopicSpec(Topic.JOURNALED, "thread_id", "journal", bodies.Journaled, WEEK),
    TopicSpec(Topic.COMPACTION_REQUESTED, "thread_id", "thresholds", bodies.CompactionRequested, WEEK),
    TopicSpec(Topic.COMPACTION_FLUSHED, "thread_id", "flush", bodies.CompactionFlushed, WEEK),
    TopicSpec(Topic.SUMMARIES, "thread_id", "summariser", bodies.SummaryUpdated),
    TopicSpec(Topic.MEMORIES, "entry id", "memory tools, flush", None),
    TopicSpec(Topic.DEAD_LETTERS, "the original record's", "all", None, 2 * WEEK, holds_dead_letters=True),
)

DEAD_LETTER_ROOM = 4
"""A dead letter may be this many times a record's limit: what came compressed may have to be stored less so."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of topics and groups as the brokers know them."""

    topic_prefix: str
    group_prefix: str

    @classmethod
    def of(cls, settings: KafkaSettings) -> Names:
        """The names that the settings' prefixes make."""
        return cls(settings.topic_prefix, settings.group_prefix)

    def topic(self, topic: Topic) -> str:
        """The topic's full name."""
        return f"{self.topic_prefix}{topic}"

    def group(self, group: Group) -> str:
        """The group's full name."""
        return f"{self.group_prefix}{group}"


def wanted_config(spec: TopicSpec, settings: KafkaSettings) -> dict[str, str]:
    """The topic's configuration as Kafka spells it."""
    largest = settings.max_record_bytes * (DEAD_LETTER_ROOM if spec.holds_dead_letters else 1)
    config = {
        "cleanup.policy": "compact" if spec.compacted else "delete",
        "max.message.bytes": str(largest),
    }
    if spec.retention is not None:
        config["retention.ms"] = str(int(spec.retention.total_seconds() * 1000))
    return config
