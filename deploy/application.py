"""The composition: which consumers run in this process, on what they stand, and in which order all starts and stops."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Protocol, Self

from consumers.agents import Agents
from consumers.context.builder import ContextBuilder
from consumers.context.consumer import ContextServer
from consumers.flush.consumer import Flush
from consumers.journal.consumer import Journal
from consumers.summariser.consumer import SummariserPass
from consumers.summariser.extractive import ExtractiveSummariser
from consumers.threads.consumer import ThreadCommands
from consumers.thresholds.consumer import ThresholdWatch
from consumers.tokens import BpeTokenCounter
from stores.compactions import CompactionStore
from stores.contexts import ContextStore
from stores.journal import JournalStore
from stores.postgres import Postgres
from stores.threads import ThreadStore
from streams.broker import make_broker
from streams.publisher import Publisher
from streams.topics import Group

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from faststream.kafka import KafkaBroker

    from deploy.settings import Settings

log = logging.getLogger(__name__)


class Consumer(Protocol):
    """What a consumer group is to the process that runs it."""

    def register(self, broker: KafkaBroker) -> None: ...  # noqa: D102

    async def start(self) -> None: ...  # noqa: D102

    async def stop(self) -> None: ...  # noqa: D102


class Background(Protocol):
    """Something that runs beside the consumers."""

    async def start(self) -> None: ...  # noqa: D102

    async def stop(self) -> None: ...  # noqa: D102


class Application:
    """Some of the consumers, in this process. Use it as an async context manager: inside, they run."""

    def __init__(self, settings: Settings, groups: Collection[Group]) -> None:
        self._settings = settings
        self._postgres = Postgres(settings.postgres)
        self._publisher = Publisher(settings.kafka)
        self._agents = Agents(settings.kafka, settings.compaction)
        self._counter = BpeTokenCounter(settings.tokens.vocabulary)
        self._background: list[Background] = []
        if Group.THRESHOLDS in groups:
            self._background.append(self._agents)
        makers: dict[Group, Callable[[], Consumer]] = {
            Group.JOURNAL: self._journal,
            Group.THREADS: self._threads,
            Group.THRESHOLDS: self._thresholds,
            Group.FLUSH: self._flush,
            Group.SUMMARISER: self._summariser,
            Group.CONTEXT: self._context,
        }
        self._consumers = [makers[group]() for group in groups]
        self._running = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as starting:
            await starting.enter_async_context(self._postgres)
            await starting.enter_async_context(self._publisher)
            for part in self._background:
                await part.start()
                starting.push_async_callback(part.stop)
            broker = make_broker(self._settings.kafka)
            for consumer in self._consumers:
                consumer.register(broker)
            starting.push_async_callback(broker.stop)
            for consumer in self._consumers:
                await consumer.start()
                starting.push_async_callback(consumer.stop)
            await broker.start()
            self._running = starting.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop in the opposite order: first take nothing more, last let go of what it all stands on."""
        await self._running.aclose()

    def _journal(self) -> Consumer:
        return Journal(self._settings.kafka, JournalStore(self._postgres), self._publisher, self._counter).consumer

    def _threads(self) -> Consumer:
        return ThreadCommands(
            self._settings.kafka,
            ThreadStore(self._postgres),
            self._publisher,
            most_window_messages=self._settings.window.messages,
        ).consumer

    def _thresholds(self) -> Consumer:
        watch = ThresholdWatch(
            self._settings.kafka,
            self._settings.compaction,
            CompactionStore(self._postgres),
            self._publisher,
            self._agents.thresholds,
        )
        self._background.append(watch)
        return watch.consumer

    def _flush(self) -> Consumer:
        return Flush(self._settings.kafka, self._publisher).consumer

    def _summariser(self) -> Consumer:
        return SummariserPass(
            self._settings.kafka,
            self._settings.compaction,
            CompactionStore(self._postgres),
            self._publisher,
            ExtractiveSummariser(self._counter),
            self._counter,
        ).consumer

    def _context(self) -> Consumer:
        builder = ContextBuilder(ContextStore(self._postgres), self._settings.window, self._settings.context)
        return ContextServer(self._settings.kafka, builder, self._publisher).consumer
