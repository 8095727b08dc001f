"""The thresholds' consumer group: `journaled` and `summaries` in, `compaction.requested` out.

A finished summary is looked at too: while it was made, enough may have been journaled for the next one.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from consumers.thresholds.rules import Thresholds, Untold, due
from streams.batches import BatchConsumer
from streams.bodies import CompactionRequested
from streams.dead_letters import DeadLetter, Reason
from streams.errors import is_transient
from streams.headers import schema_header
from streams.publisher import Outgoing
from streams.topics import Group, Names, Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aiokafka import ConsumerRecord

    from consumers.settings import CompactionSettings
    from stores.compactions import CompactionStore, ThreadCounts
    from streams.publisher import Publisher
    from streams.settings import KafkaSettings

log = logging.getLogger(__name__)

RETELL_AT_ONCE = 500


class ThresholdWatch:
    """Watches what is journaled, and asks for compactions.

    Args:
        thresholds_of: an agent's own thresholds, or the platform's.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        compaction: CompactionSettings,
        store: CompactionStore,
        publisher: Publisher,
        thresholds_of: Callable[[str], Thresholds],
    ) -> None:
        names = Names.of(settings)
        self._compaction = compaction
        self._store = store
        self._publisher = publisher
        self._thresholds_of = thresholds_of
        self._requested = names.topic(Topic.COMPACTION_REQUESTED)
        self._dead_letters = names.topic(Topic.DEAD_LETTERS)
        self._group = names.group(Group.THRESHOLDS)
        self._retelling: asyncio.Task[None] | None = None
        self.consumer = BatchConsumer(
            settings, names, Group.THRESHOLDS, (Topic.JOURNALED, Topic.SUMMARIES), self.look, self.quarantine
        )

    async def start(self) -> None:
        """Begin to look for requests that were lost."""
        self._retelling = asyncio.create_task(self._retell_at_intervals(), name="retell compactions")

    async def stop(self) -> None:
        """End that."""
        if self._retelling is not None:
            self._retelling.cancel()
            with suppress(asyncio.CancelledError):
                await self._retelling

    async def look(self, records: Sequence[ConsumerRecord]) -> None:
        """Look at each thread that has news: messages, or a summary. The key is the thread's id."""
        thread_ids = {record.key.decode() for record in records if record.key is not None}
        requests = [
            request for thread in await self._store.counts(sorted(thread_ids)) if (request := await self._ask(thread))
        ]
        await self._tell(requests)

    async def quarantine(self, record: ConsumerRecord, error: Exception) -> None:
        """Keep a record that fails by itself among the dead letters."""
        letter = DeadLetter(record, Reason.HANDLER_FAILED, type(error).__name__)
        await self._publisher.send(letter.outgoing(self._dead_letters, self._group))

    async def _ask(self, thread: ThreadCounts) -> CompactionRequested | None:
        match due(thread, self._thresholds_of(thread.agent_id)):
            case None:
                return None
            case Untold():
                return _open_request(thread)
            case asked:
                return await self._store.ask_once(asked)

    async def _tell(self, requests: Sequence[CompactionRequested]) -> None:
        if not requests:
            return
        await self._publisher.send_all([self._record(request) for request in requests])
        await self._store.mark_told(request.compaction_id for request in requests)
        log.info("compactions asked", extra={"action": "compaction.requested", "count": len(requests)})

    def _record(self, request: CompactionRequested) -> Outgoing:
        return Outgoing(
            self._requested,
            request.thread_id.encode(),
            request.model_dump_json().encode(),
            (schema_header("CompactionRequested"),),
        )

    async def _retell_at_intervals(self) -> None:
        """A request may be lost with a broker's log. It is told again, under the same id, until it is settled."""
        while True:
            try:
                await self._tell(
                    await self._store.untold(older_than_seconds=self._compaction.retell_seconds, limit=RETELL_AT_ONCE)
                )
            except Exception as error:
                if not is_transient(error):
                    raise
                log.warning("retelling failed", extra={"action": "retell.failed", "error": type(error).__name__})
            await asyncio.sleep(self._compaction.retell_seconds / 4)


def _open_request(thread: ThreadCounts) -> CompactionRequested | None:
    last = thread.last
    if last is None:
        return None
    return CompactionRequested(
        compaction_id=last.compaction_id,
        thread_id=thread.thread_id,
        agent_id=thread.agent_id,
        user_id=thread.user_id,
        from_seq=last.from_seq,
        to_seq=last.to_seq,
        messages=last.range_messages,
        tokens=last.range_tokens,
        reason=last.reason,
        requested_at=last.asked_at,
    )
