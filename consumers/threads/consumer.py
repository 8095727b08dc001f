"""The threads' consumer group: `threads` in, settings out. What can't be applied is a dead letter that says why."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from streams.batches import BatchConsumer
from streams.bodies import ThreadCommand
from streams.codec import Unreadable, read_record
from streams.dead_letters import DeadLetter, Reason
from streams.topics import Group, Names, Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiokafka import ConsumerRecord

    from stores.threads import ThreadStore
    from streams.publisher import Publisher
    from streams.settings import KafkaSettings

log = logging.getLogger(__name__)


class ThreadCommands:
    """Applies commands in their order. Each is idempotent: applying it again changes nothing."""

    def __init__(
        self, settings: KafkaSettings, store: ThreadStore, publisher: Publisher, *, most_window_messages: int
    ) -> None:
        names = Names.of(settings)
        self._settings = settings
        self._store = store
        self._publisher = publisher
        self._most_window_messages = most_window_messages
        self._group = names.group(Group.THREADS)
        self._dead_letters = names.topic(Topic.DEAD_LETTERS)
        self.consumer = BatchConsumer(settings, names, Group.THREADS, (Topic.THREADS,), self.apply, self.quarantine)

    async def apply(self, records: Sequence[ConsumerRecord]) -> None:
        """Apply each command by itself.

        Raises:
            Unavailable: the database or the brokers cannot be reached.
        """
        letters = [letter for record in records if (letter := await self._apply(record)) is not None]
        for letter in letters:
            log.warning("dead letter", extra={"action": "threads.dead_letter", "reason": str(letter.reason)})
        await self._publisher.send_all([letter.outgoing(self._dead_letters, self._group) for letter in letters])

    async def quarantine(self, record: ConsumerRecord, error: Exception) -> None:
        """Keep a record that fails by itself among the dead letters."""
        letter = DeadLetter(record, Reason.HANDLER_FAILED, type(error).__name__)
        await self._publisher.send(letter.outgoing(self._dead_letters, self._group))

    async def _apply(self, record: ConsumerRecord) -> DeadLetter | None:
        outcome = read_record(record, ThreadCommand, max_bytes=self._settings.max_record_bytes)
        if isinstance(outcome, Unreadable):
            return DeadLetter(record, outcome.reason, outcome.error)
        command = outcome.body
        if command.type == "configure" and (error := self._refuses(command)) is not None:
            return DeadLetter(record, Reason.INVALID_SETTING, error)
        if not await self._change(command):
            return DeadLetter(record, Reason.THREAD_NOT_FOUND, "the agent and user have no such thread")
        return None

    def _refuses(self, command: ThreadCommand) -> str | None:
        limit = command.window_limit
        if limit is not None and not 1 <= limit <= self._most_window_messages:
            return f"window_limit must be 1 to {self._most_window_messages} (the platform's cap), or null"
        return None

    async def _change(self, command: ThreadCommand) -> bool:
        whose = (command.thread_id, command.agent_id, command.user_id)
        any_user = "user_id" not in command.model_fields_set
        if command.type == "delete":
            return await self._store.delete(*whose, any_user=any_user)
        return await self._store.set_window_limit(*whose, any_user=any_user, limit=command.window_limit)
