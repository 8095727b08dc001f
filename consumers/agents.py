"""What is bound to each agent, as the compacted topic `agents` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumers.thresholds.rules import Thresholds
from streams.bodies import AgentConfig
from streams.compacted import CompactedTable
from streams.topics import Names, Topic

if TYPE_CHECKING:
    from consumers.settings import CompactionSettings
    from streams.settings import KafkaSettings

MEMORY = "memory"
"""The capability that lets entries be written for an agent (M8)."""


class Agents:
    """The agents' table. An agent that was never announced has nothing bound to it."""

    def __init__(self, settings: KafkaSettings, compaction: CompactionSettings) -> None:
        self._table = CompactedTable(settings, Names.of(settings).topic(Topic.AGENTS), AgentConfig)
        self._compaction = compaction

    async def start(self) -> None:
        """Read the topic to its end: nobody guesses before that.

        Raises:
            Unavailable: it can't be read.
        """
        await self._table.start()

    async def stop(self) -> None:
        """Stop following the topic."""
        await self._table.stop()

    def has_memory(self, agent_id: str) -> bool:
        """Whether the Memory capability is bound to the agent now."""
        config = self._table.get(agent_id)
        return config is not None and MEMORY in config.capabilities

    def thresholds(self, agent_id: str) -> Thresholds:
        """The agent's own thresholds, or the platform's where it sets none."""
        config = self._table.get(agent_id)
        messages = config and config.summary_message_threshold
        tokens = config and config.summary_token_threshold
        return Thresholds(messages or self._compaction.message_threshold, tokens or self._compaction.token_threshold)
