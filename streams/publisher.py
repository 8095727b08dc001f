"""Publishing, keyed: many records at once, each to the partition that its key names, and all of them acknowledged.

FastStream's `publish_batch` puts a whole batch into one random partition, which breaks the order of a thread; a `send`
for each record costs more than all the rest of journaling. So batches are built here, one for each partition.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from aiokafka.errors import KafkaError, KafkaTimeoutError, MessageSizeTooLargeError, UnknownTopicOrPartitionError
from aiokafka.partitioner import murmur2

from streams.broker import make_producer, servers
from streams.errors import MnemostreamError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aiokafka import AIOKafkaProducer
    from aiokafka.producer.message_accumulator import BatchBuilder

    from streams.settings import KafkaSettings

FEW = 4
"""Up to this many records, single sends are as cheap as a batch."""


class TooLarge(MnemostreamError):
    """A record is larger than the brokers, or our own limit, allow."""


class NoSuchTarget(MnemostreamError):
    """The topic, or its partition, does not exist."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A record to be published."""

    topic: str
    key: bytes | None
    value: bytes | None
    headers: Sequence[tuple[str, bytes]] = ()
    partition: int | None = None
    """A partition that is asked for; None takes the one that the key names."""


@lru_cache(maxsize=65_536)
def partition_of(key: bytes, partitions: int) -> int:
    """The partition of a key, as Kafka's own clients in any language choose it."""
    return int(murmur2(key) & 0x7FFFFFFF) % partitions


class Publisher:
    """One producer for a process. Use it as an async context manager."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._started: AIOKafkaProducer | None = None

    async def start(self) -> None:
        """Connect.

        Raises:
            Unavailable: no broker answers.
        """
        producer = make_producer(self._settings)
        try:
            await producer.start()
        except (KafkaError, OSError) as error:
            await producer.stop()
            raise Unavailable(f"no Kafka broker answers at {servers(self._settings)}") from error
        self._started = producer

    async def stop(self) -> None:
        """Send what is still in hand, and disconnect."""
        if self._started is not None:
            producer, self._started = self._started, None
            await producer.stop()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def _producer(self) -> AIOKafkaProducer:
        if self._started is None:
            raise Unavailable("the publisher is stopped")
        return self._started

    async def has(self, topic: str, partition: int | None, *, timeout_seconds: float) -> bool:
        """Whether the topic exists, and the partition in it, as far as the brokers tell within the time-out."""
        try:
            async with asyncio.timeout(timeout_seconds):
                partitions = await self.partitions(topic)
        except (NoSuchTarget, Unavailable, TimeoutError):
            return False
        return bool(partitions) and (partition is None or partition in partitions)

    async def partitions(self, topic: str) -> frozenset[int]:
        """The topic's partitions.

        Raises:
            NoSuchTarget: the topic does not exist.
            Unavailable: the brokers do not tell.
        """
        try:
            return frozenset(await self._producer.partitions_for(topic))
        except (UnknownTopicOrPartitionError, KafkaTimeoutError) as error:
            raise NoSuchTarget(f"topic {topic!r} does not exist") from error
        except KafkaError as error:
            raise Unavailable(f"no metadata of {topic!r}: {type(error).__name__}") from error

    async def send(self, record: Outgoing) -> None:
        """Publish one record, and return when all in-sync replicas have it.

        Raises:
            TooLarge: it is over a limit.
            NoSuchTarget: its topic or partition does not exist.
            Unavailable: the brokers did not take it in time.
        """
        await self._settle([await self._enqueue(record)])

    async def send_all(self, records: Sequence[Outgoing]) -> None:
        """Publish records, in order for each partition, and return when all of them are acknowledged.

        Raises:
            TooLarge, NoSuchTarget, Unavailable: as `send`. Some of the records may have been published.
        """
        if len(records) <= FEW:
            await self._settle([await self._enqueue(record) for record in records])
            return
        waits: list[asyncio.Future[object]] = []
        for (topic, partition), group in (await self._by_partition(records)).items():
            waits += [
                await self._producer.send_batch(batch, topic, partition=partition) for batch in self._batches(group)
            ]
        await self._settle(waits)

    async def _enqueue(self, record: Outgoing) -> asyncio.Future[object]:
        try:
            future: asyncio.Future[object] = await self._producer.send(
                record.topic, record.value, record.key, record.partition, headers=list(record.headers)
            )
        except MessageSizeTooLargeError as error:
            raise TooLarge("a record is larger than the producer's limit") from error
        except (AssertionError, UnknownTopicOrPartitionError) as error:
            raise NoSuchTarget(f"topic {record.topic!r} has no partition {record.partition}") from error
        except KafkaError as error:
            raise Unavailable(f"publishing to {record.topic!r} failed: {type(error).__name__}") from error
        return future

    async def _by_partition(self, records: Iterable[Outgoing]) -> dict[tuple[str, int], list[Outgoing]]:
        groups: dict[tuple[str, int], list[Outgoing]] = {}
        counts: dict[str, int] = {}
        for record in records:
            if record.topic not in counts:
                counts[record.topic] = len(await self.partitions(record.topic))
            partition = record.partition
            if partition is None:
                partition = partition_of(record.key or b"", counts[record.topic])
            groups.setdefault((record.topic, partition), []).append(record)
        return groups

    def _batches(self, records: Iterable[Outgoing]) -> Iterable[BatchBuilder]:
        batch = self._producer.create_batch()
        size = 0
        for record in records:
            added = batch.append(timestamp=None, key=record.key, value=record.value, headers=list(record.headers))
            if added is None:
                yield batch
                batch = self._producer.create_batch()
                batch.append(timestamp=None, key=record.key, value=record.value, headers=list(record.headers))
                size = 0
            size += 1
        if size:
            batch.close()
            yield batch

    async def _settle(self, waits: Sequence[asyncio.Future[object]]) -> None:
        try:
            for wait in waits:
                await wait
        except MessageSizeTooLargeError as error:
            raise TooLarge("a record is larger than its topic allows") from error
        except KafkaError as error:
            raise Unavailable(f"publishing failed: {type(error).__name__}") from error
