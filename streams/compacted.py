"""A compacted topic as a table in memory: read to its end before it serves, then kept up to date.

Every process reads the whole topic by itself, without a group, so that a question costs no round trip. For small tables
that everybody needs, such as what is bound to each agent.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from aiokafka import AIOKafkaConsumer
from aiokafka.errors import KafkaError

from streams.bodies import Body
from streams.broker import connection_options, servers
from streams.codec import Unreadable, read_record
from streams.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from aiokafka import ConsumerRecord

    from streams.settings import KafkaSettings

log = logging.getLogger(__name__)

Value = TypeVar("Value", bound=Body)

RETRY_SECONDS = 1.0
END_SECONDS = 60.0
"""How long reading to the end may take at the start before the process gives up."""


class CompactedTable(Generic[Value]):
    """The newest value of each key. A null value removes its key; an unreadable one changes nothing.

    Args:
        topic: the topic's full name.
        model: what its values are.
    """

    def __init__(self, settings: KafkaSettings, topic: str, model: type[Value]) -> None:
        self._settings = settings
        self._topic = topic
        self._model: type[Value] = model
        self._values: dict[str, Value] = {}
        self._consumer: AIOKafkaConsumer | None = None
        self._following: asyncio.Task[None] | None = None

    def get(self, key: str) -> Value | None:
        """The key's newest value, as far as it has come."""
        return self._values.get(key)

    def __len__(self) -> int:
        return len(self._values)

    async def start(self) -> None:
        """Read the topic to its end, then go on in the background.

        Raises:
            Unavailable: no broker answers, the topic does not exist, or its end was not reached in time.
        """
        consumer = AIOKafkaConsumer(
            self._topic,
            **connection_options(self._settings),
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=self._settings.fetch_wait_ms,
        )
        try:
            await consumer.start()
            async with asyncio.timeout(END_SECONDS):
                await self._read_to_end(consumer)
        except (KafkaError, OSError, TimeoutError) as error:
            await consumer.stop()
            raise Unavailable(f"{self._topic!r} can't be read at {servers(self._settings)}") from error
        except Unavailable:
            await consumer.stop()
            raise
        self._consumer = consumer
        self._following = asyncio.create_task(self._follow(consumer), name=f"follow {self._topic}")

    async def stop(self) -> None:
        """Stop following."""
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        if self._consumer is not None:
            await self._consumer.stop()

    async def _read_to_end(self, consumer: AIOKafkaConsumer) -> None:
        partitions = list(consumer.assignment())
        if not partitions:
            raise Unavailable(f"topic {self._topic!r} does not exist: run `mnemostream topics apply`")
        ends = await consumer.end_offsets(partitions)
        behind = {partition for partition, end in ends.items() if await consumer.position(partition) < end}
        while behind:
            for records in (await consumer.getmany(timeout_ms=200)).values():
                self._take(records)
            behind = {partition for partition in behind if await consumer.position(partition) < ends[partition]}

    async def _follow(self, consumer: AIOKafkaConsumer) -> None:
        while True:
            try:
                self._take([await consumer.getone()])
            except KafkaError as error:
                log.warning("following failed", extra={"action": "table.failed", "error": type(error).__name__})
                await asyncio.sleep(RETRY_SECONDS)

    def _take(self, records: Iterable[ConsumerRecord]) -> None:
        for record in records:
            if record.key is None:
                continue
            key = record.key.decode(errors="replace")
            if record.value is None:
                self._values.pop(key, None)
                continue
            outcome = read_record(record, self._model, max_bytes=self._settings.max_record_bytes)
            if isinstance(outcome, Unreadable):
                log.warning(
                    "value passed over",
                    extra={"action": "table.unreadable", "topic": record.topic, "reason": str(outcome.reason)},
                )
            else:
                self._values[key] = outcome.body
