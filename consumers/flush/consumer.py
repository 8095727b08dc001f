"""The flush's consumer group: `compaction.requested` in, `compaction.flushed` out, whatever becomes of facts (M10)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Literal

import stamina

from streams.bodies import CompactionFlushed, CompactionRequested
from streams.codec import Unreadable, read_record
from streams.dead_letters import DeadLetter
from streams.errors import is_transient
from streams.headers import schema_header
from streams.in_flight import InFlightConsumer
from streams.publisher import Outgoing
from streams.topics import Group, Names, Topic

if TYPE_CHECKING:
    from aiokafka import ConsumerRecord

    from streams.publisher import Publisher
    from streams.settings import KafkaSettings

log = logging.getLogger(__name__)


class Flush:
    """Stands between a compaction's request and its summary."""

    def __init__(self, settings: KafkaSettings, publisher: Publisher) -> None:
        names = Names.of(settings)
        self._settings = settings
        self._publisher = publisher
        self._group = names.group(Group.FLUSH)
        self._flushed = names.topic(Topic.COMPACTION_FLUSHED)
        self._dead_letters = names.topic(Topic.DEAD_LETTERS)
        self.consumer = InFlightConsumer(
            settings, names, Group.FLUSH, (Topic.COMPACTION_REQUESTED,), self.handle, lane=lambda record: record.key
        )

    async def handle(self, record: ConsumerRecord) -> None:
        """Pass a request on, however long the brokers take."""
        async for attempt in stamina.retry_context(on=is_transient, attempts=None, timeout=None):
            with attempt:
                await self._publisher.send(self._next(record))

    def _next(self, record: ConsumerRecord) -> Outgoing:
        outcome = read_record(record, CompactionRequested, max_bytes=self._settings.max_record_bytes)
        if isinstance(outcome, Unreadable):
            log.warning("dead letter", extra={"action": "flush.dead_letter", "reason": str(outcome.reason)})
            return DeadLetter(record, outcome.reason, outcome.error).outgoing(self._dead_letters, self._group)
        return self._passed_on(outcome.body, "not_bound")

    def _passed_on(self, request: CompactionRequested, became: Literal["done", "not_bound", "failed"]) -> Outgoing:
        flushed = CompactionFlushed(**request.model_dump(), flush=became)
        return Outgoing(
            self._flushed,
            request.thread_id.encode(),
            flushed.model_dump_json().encode(),
            (schema_header("CompactionFlushed"),),
        )
