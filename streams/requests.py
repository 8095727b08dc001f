"""Asking over Kafka: many requests in flight, each with its own time-out, replies on one partition of one topic.

The client reads a single partition of the reply topic and names it in each request, so an instance does not read what
others are told. It serves only once its consumer stands at the partition's end: no reply can come before it listens.
"""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError
from pydantic import ValidationError

from streams.bodies import ErrorCode, Reply, ReplyError
from streams.broker import connection_options, servers
from streams.errors import Unavailable
from streams.headers import Header, schema_header
from streams.publisher import Outgoing, Publisher
from streams.topics import Names, Topic

if TYPE_CHECKING:
    from aiokafka import ConsumerRecord

    from streams.bodies import ContextRequest, ToolRequest
    from streams.settings import KafkaSettings

log = logging.getLogger(__name__)


class RequestClient:
    """Sends requests and waits for their replies. Use it as an async context manager."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._names = Names.of(settings)
        self._publisher = Publisher(settings)
        self._consumer: AIOKafkaConsumer | None = None
        self._partition = 0
        self._waiting: dict[str, asyncio.Future[Reply]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect, and stand at the end of a partition of the reply topic.

        Raises:
            Unavailable: no broker answers, or the reply topic does not exist.
        """
        consumer = AIOKafkaConsumer(
            **connection_options(self._settings),
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="latest",
            fetch_max_wait_ms=self._settings.fetch_wait_ms,
            max_partition_fetch_bytes=self._settings.max_record_bytes,
        )
        topic = self._names.topic(Topic.REPLIES)
        try:
            await self._publisher.start()
            await consumer.start()
            if not await self._publisher.has(topic, None, timeout_seconds=self._settings.request_timeout_seconds):
                raise Unavailable(f"topic {topic!r} does not exist: run `mnemostream topics apply`")
            partitions = sorted(await self._publisher.partitions(topic))
            self._partition = random.choice(partitions)  # noqa: S311 - spreads instances, guards nothing
            target = TopicPartition(topic, self._partition)
            consumer.assign([target])
            await consumer.seek_to_end(target)
            await consumer.position(target)
        except (KafkaError, OSError) as error:
            await consumer.stop()
            await self._publisher.stop()
            raise Unavailable(f"no Kafka broker answers at {servers(self._settings)}") from error
        except Unavailable:
            await consumer.stop()
            await self._publisher.stop()
            raise
        self._consumer = consumer
        self._reading = asyncio.create_task(self._read(consumer), name="replies")

    async def stop(self) -> None:
        """Disconnect. Requests that still wait are told that they will not be answered."""
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
            self._reading = None
        for future in self._waiting.values():
            if not future.done():
                future.set_result(_failed(ErrorCode.UNAVAILABLE, "the client was closed before the reply came"))
        if self._consumer is not None:
            await self._consumer.stop()
            self._consumer = None
        await self._publisher.stop()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def ask(
        self, topic: Topic, key: str, body: ContextRequest | ToolRequest, *, timeout_seconds: float | None = None
    ) -> Reply:
        """Send a request and wait for its reply. One that does not come in time is a `timeout` error, no exception.

        A body without a deadline gets the one that the time-out makes, so that nobody works for a requester who left.
        """
        wait = timeout_seconds if timeout_seconds is not None else self._settings.request_timeout_seconds
        if body.deadline is None:
            body = body.model_copy(update={"deadline": datetime.now(UTC) + timedelta(seconds=wait)})
        correlation_id = uuid4().hex
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[correlation_id] = future
        try:
            async with asyncio.timeout(wait):
                await self._publisher.send(
                    Outgoing(
                        self._names.topic(topic),
                        key.encode(),
                        body.model_dump_json(exclude_none=True).encode(),
                        (
                            (Header.CORRELATION_ID, correlation_id.encode()),
                            (Header.REPLY_TO, self._names.topic(Topic.REPLIES).encode()),
                            (Header.REPLY_PARTITION, str(self._partition).encode()),
                            schema_header(type(body).__name__),
                        ),
                    )
                )
                return await future
        except TimeoutError:
            return _failed(ErrorCode.TIMEOUT, f"no reply within {wait:g} seconds")
        finally:
            del self._waiting[correlation_id]

    async def _read(self, consumer: AIOKafkaConsumer) -> None:
        while True:
            try:
                self._settle(await consumer.getone())
            except KafkaError as error:
                log.warning("reading replies failed", extra={"action": "replies.failed", "error": type(error).__name__})
                await asyncio.sleep(0.5)

    def _settle(self, record: ConsumerRecord) -> None:
        correlation_id = dict(record.headers).get(Header.CORRELATION_ID, b"").decode(errors="replace")
        future = self._waiting.get(correlation_id)
        if future is None or future.done():
            return  # another instance's on the same partition, or one that came too late
        try:
            reply = Reply.model_validate_json(record.value or b"")
        except ValidationError:
            reply = _failed(ErrorCode.INTERNAL, "the reply could not be read")
        future.set_result(reply)


def _failed(code: ErrorCode, message: str) -> Reply:
    return Reply(ok=False, error=ReplyError(code=code, message=message, retryable=True))
