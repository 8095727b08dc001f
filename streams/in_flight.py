"""Many records in work at the same time, and offsets committed only up to the first that is not finished.

For requests and background passes: a slow one holds up no other, a crash loses none. A record that was finished but not
yet committed is handled again, so handling must be idempotent.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from aiokafka import ConsumerRebalanceListener, TopicPartition
from aiokafka.errors import KafkaError
from faststream import AckPolicy
from faststream.kafka import KafkaMessage  # noqa: TC002 - FastStream reads the handler's annotations

from streams.broker import subscription_options
from streams.receiving import keep_raw, plain_body, resolve_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable

    from aiokafka import ConsumerRecord
    from faststream.kafka import KafkaBroker

    from streams.settings import KafkaSettings
    from streams.topics import Group, Names, Topic

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ticket:
    """A record in work: where it stood, and under which ownership of its partition it was begun."""

    partition: TopicPartition
    offset: int
    ownership: int


@dataclass(slots=True)
class _Partition:
    position: int
    ownership: int
    unfinished: dict[int, None] = field(default_factory=dict)
    committed: int = -1


class OffsetTracker:
    """Knows, for each partition, up to where everything is finished. Pure: it talks to nobody."""

    def __init__(self) -> None:
        self._partitions: dict[TopicPartition, _Partition] = {}
        self._ownerships = 0

    def begin(self, partition: TopicPartition, offset: int) -> Ticket:
        """A record is taken up. Offsets of a partition come in their order."""
        state = self._partitions.get(partition)
        if state is None:
            self._ownerships += 1
            state = self._partitions[partition] = _Partition(offset, self._ownerships)
        state.unfinished[offset] = None
        state.position = max(state.position, offset + 1)
        return Ticket(partition, offset, state.ownership)

    def finish(self, ticket: Ticket) -> None:
        """A record is done. One that was begun before its partition was lost changes nothing."""
        state = self._partitions.get(ticket.partition)
        if state is not None and state.ownership == ticket.ownership:
            state.unfinished.pop(ticket.offset, None)

    def forget(self, partitions: Iterable[TopicPartition]) -> None:
        """Partitions now belong to another consumer."""
        for partition in partitions:
            self._partitions.pop(partition, None)

    def to_commit(self) -> dict[TopicPartition, int]:
        """The next offset to read of each partition that has moved: nothing before it is unfinished."""
        moved: dict[TopicPartition, int] = {}
        for partition, state in self._partitions.items():
            through = next(iter(state.unfinished), state.position)
            if through > state.committed:
                moved[partition] = through
        return moved

    def committed(self, offsets: dict[TopicPartition, int]) -> None:
        """These are committed now."""
        for partition, offset in offsets.items():
            state = self._partitions.get(partition)
            if state is not None:
                state.committed = max(state.committed, offset)


class HandleOne(Protocol):
    """Handles one record. It never raises: what can't be handled, it answers or dead-letters."""

    async def __call__(self, record: ConsumerRecord) -> None: ...  # noqa: D102


class InFlightConsumer(ConsumerRebalanceListener):  # type: ignore[misc] # aiokafka is untyped
    """A consumer group that works on many records at a time.

    Args:
        lane: names what must stay in order: records of one lane are handled one after the other. None orders nothing.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        names: Names,
        group: Group,
        topics: Collection[Topic],
        handle: HandleOne,
        lane: Callable[[ConsumerRecord], Hashable | None] = lambda _: None,
    ) -> None:
        self._settings = settings
        self._group = names.group(group)
        self._topics = resolve_topics(names, topics)
        self._handle = handle
        self._lane = lane
        self._tracker = OffsetTracker()
        self._slots = asyncio.Semaphore(settings.in_flight)
        self._tasks: set[asyncio.Task[None]] = set()
        self._lanes: dict[Hashable, asyncio.Task[None]] = {}
        self._committing: asyncio.Task[None] | None = None
        self._consumer: object | None = None
        self._stopping = False

    def register(self, broker: KafkaBroker) -> None:
        """Subscribe. To be called before the broker starts."""
        broker.subscriber(
            *self._topics,
            group_id=self._group,
            ack_policy=AckPolicy.MANUAL,
            listener=self,
            parser=keep_raw,
            decoder=plain_body,
            include_in_schema=False,
            **subscription_options(self._settings),
        )(self._accept)

    async def start(self) -> None:
        """Begin to commit what is finished, at intervals."""
        self._committing = asyncio.create_task(self._commit_at_intervals(), name=f"commit {self._group}")

    async def stop(self) -> None:
        """Take up nothing more, wait for what is in work (bounded), commit what is finished.

        What is not finished by then is interrupted. It is no failed attempt: its next owner begins it again.
        """
        self._stopping = True
        await self._drain()
        for task in self._tasks:
            task.cancel()
        if self._committing is not None:
            self._committing.cancel()
            with suppress(asyncio.CancelledError):
                await self._committing
        await self._commit()

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Finish what is in work before another consumer begins with it."""
        if revoked:
            await self._drain()
            await self._commit()
            self._tracker.forget(revoked)

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Nothing to do: tracking begins with the first record."""

    async def _accept(self, message: KafkaMessage) -> None:
        await self._slots.acquire()
        if self._stopping:
            self._slots.release()
            return
        record: ConsumerRecord = message.raw_message
        self._consumer = message.consumer
        ticket = self._tracker.begin(TopicPartition(record.topic, record.partition), record.offset)
        lane = self._lane(record)
        before = self._lanes.get(lane) if lane is not None else None
        task = asyncio.create_task(self._work(record, ticket, before))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if lane is not None:
            self._lanes[lane] = task
            task.add_done_callback(lambda done: self._lanes.pop(lane) if self._lanes.get(lane) is done else None)

    async def _work(self, record: ConsumerRecord, ticket: Ticket, before: asyncio.Task[None] | None) -> None:
        try:
            if before is not None:
                await asyncio.wait([before])
            await self._handle(record)
            self._tracker.finish(ticket)
        except Exception:
            # Left unfinished on purpose: its offset is not committed, and the next owner handles it again.
            log.exception("handler failed", extra={"action": "in_flight.failed", **place(record)})
        finally:
            self._slots.release()

    async def _drain(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._settings.drain_seconds)

    async def _commit_at_intervals(self) -> None:
        while True:
            await asyncio.sleep(self._settings.commit_interval_seconds)
            await self._commit()

    async def _commit(self) -> None:
        offsets = self._tracker.to_commit()
        if not offsets or self._consumer is None:
            return
        try:
            await self._consumer.commit(offsets)  # type: ignore[attr-defined] # FastStream hides aiokafka's consumer
        except KafkaError as error:
            # The partitions may have moved: their next owner handles again what was finished here.
            log.warning("commit failed", extra={"action": "commit.failed", "error": type(error).__name__})
        else:
            self._tracker.committed(offsets)


def place(record: ConsumerRecord) -> dict[str, object]:
    """Where a record stands, as fields of a log line."""
    return {"topic": record.topic, "partition": record.partition, "offset": record.offset}
