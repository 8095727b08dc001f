"""Batches: many records, one transaction, one commit. For what must keep the log's order.

While a store is down, a batch is retried with back-off, and then goes back to the log to be fetched again. An error
that trying again cannot mend is narrowed down to its record, which is quarantined; its neighbours are handled. When
record after record fails that way, the fault is not theirs: the consumer stops taking any.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Protocol

import stamina
from aiokafka import ConsumerRebalanceListener
from faststream import AckPolicy
from faststream.kafka import KafkaMessage  # noqa: TC002 - FastStream reads the handler's annotations

from streams.broker import subscription_options
from streams.errors import is_transient
from streams.in_flight import place
from streams.receiving import keep_raw, plain_body, resolve_topics

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from aiokafka import ConsumerRecord, TopicPartition
    from faststream.kafka import KafkaBroker

    from streams.settings import KafkaSettings
    from streams.topics import Group, Names, Topic

log = logging.getLogger(__name__)

MOST_FAILURES_IN_A_ROW = 50
PAUSE_SECONDS = 5.0
"""The wait before a batch that could not be handled is fetched again, so that the loop is not hot."""


class HandleBatch(Protocol):
    """Handles records in their order, all or nothing: when it raises, none of them is done."""

    async def __call__(self, records: Sequence[ConsumerRecord]) -> None: ...  # noqa: D102


class Quarantine(Protocol):
    """Puts one record that can't be handled where it is kept, and counts it."""

    async def __call__(self, record: ConsumerRecord, error: Exception) -> None: ...  # noqa: D102


class BatchConsumer(ConsumerRebalanceListener):  # type: ignore[misc] # aiokafka is untyped
    """A consumer group that handles batches, one at a time."""

    def __init__(
        self,
        settings: KafkaSettings,
        names: Names,
        group: Group,
        topics: Collection[Topic],
        handle: HandleBatch,
        quarantine: Quarantine,
    ) -> None:
        self._settings = settings
        self._group = names.group(group)
        self._topics = resolve_topics(names, topics)
        self._handle = handle
        self._quarantine = quarantine
        self._busy = asyncio.Lock()
        self._failures_in_a_row = 0

    def register(self, broker: KafkaBroker) -> None:
        """Subscribe. To be called before the broker starts."""
        broker.subscriber(
            *self._topics,
            group_id=self._group,
            batch=True,
            max_records=self._settings.batch_records,
            batch_timeout_ms=self._settings.batch_poll_ms,
            ack_policy=AckPolicy.NACK_ON_ERROR,
            listener=self,
            parser=keep_raw,
            decoder=plain_body,
            include_in_schema=False,
            **subscription_options(self._settings),
        )(self._consume)

    async def start(self) -> None:
        """Nothing to begin: the broker's start begins to consume."""

    async def stop(self) -> None:
        """Nothing to wait for: the broker's stop waits for the batch in hand."""

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Let the batch in hand finish before another consumer begins with it."""
        if not revoked:
            return
        try:
            async with asyncio.timeout(self._settings.drain_seconds), self._busy:
                pass
        except TimeoutError:
            log.warning("batch outlasts the rebalance", extra={"action": "batch.drain_timeout", "group": self._group})

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Nothing to do."""

    async def _consume(self, message: KafkaMessage) -> None:
        records: tuple[ConsumerRecord, ...] = message.raw_message
        async with self._busy:
            try:
                await self._handle_or_narrow(records)
            except Exception as error:
                log.exception(
                    "batch goes back to the log",
                    extra={"action": "batch.returned", "records": len(records), "error": type(error).__name__}
                    | place(records[0]),
                )
                await asyncio.sleep(PAUSE_SECONDS)
                raise

    async def _handle_or_narrow(self, records: Sequence[ConsumerRecord]) -> None:
        try:
            await self._handle_with_retries(records)
        except Exception as error:
            if is_transient(error) or self._failures_in_a_row >= MOST_FAILURES_IN_A_ROW:
                raise
            if len(records) == 1:
                self._failures_in_a_row += 1
                log.exception("record quarantined", extra={"action": "record.quarantined", **place(records[0])})
                await self._quarantine(records[0], error)
                return
            for record in records:
                await self._handle_or_narrow([record])
        else:
            self._failures_in_a_row = 0

    async def _handle_with_retries(self, records: Sequence[ConsumerRecord]) -> None:
        async for attempt in stamina.retry_context(
            on=is_transient, attempts=None, timeout=self._settings.retry_seconds, wait_initial=0.05, wait_max=5.0
        ):
            with attempt:
                await self._handle(records)
