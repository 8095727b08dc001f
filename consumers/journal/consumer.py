"""The journal's consumer group: `turns` in, durable rows and `journaled` events out.

A batch is read, decided on and written in one transaction; then its events and dead letters are published; then its
offsets are committed. After a crash the same batch comes again, changes nothing, and tells the same events.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import orjson

from consumers.journal.rules import (
    Appended,
    Arrival,
    Outcome,
    Plan,
    begins_anew,
    digest_of,
    plan_append,
    settle,
)
from consumers.projection import project
from streams.batches import BatchConsumer
from streams.bodies import Role, TurnMessage
from streams.codec import Unreadable, read_record
from streams.dead_letters import DeadLetter, Reason
from streams.headers import schema_header
from streams.ids import derived_id
from streams.publisher import Outgoing
from streams.topics import Group, Names, Topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from aiokafka import ConsumerRecord

    from consumers.tokens import TokenCounter
    from stores.journal import Appending, JournalStore, Owner
    from streams.publisher import Publisher
    from streams.settings import KafkaSettings

log = logging.getLogger(__name__)

EVENT_HEADERS = (schema_header("Journaled"),)


class Journal:
    """Appends what arrives on `turns`."""

    def __init__(
        self, settings: KafkaSettings, store: JournalStore, publisher: Publisher, counter: TokenCounter
    ) -> None:
        names = Names.of(settings)
        self._settings = settings
        self._store = store
        self._publisher = publisher
        self._counter = counter
        self._group = names.group(Group.JOURNAL)
        self._journaled = names.topic(Topic.JOURNALED)
        self._dead_letters = names.topic(Topic.DEAD_LETTERS)
        self.consumer = BatchConsumer(settings, names, Group.JOURNAL, (Topic.TURNS,), self.append, self.quarantine)

    async def append(self, records: Sequence[ConsumerRecord]) -> None:
        """Append a batch, then tell of it.

        Raises:
            Unavailable: the database or the brokers cannot be reached; nothing is lost, the same batch may come again.
        """
        arrivals, letters = self._read(records)
        outcomes = await self._write(records, arrivals, letters)
        await self._tell(outcomes)

    async def quarantine(self, record: ConsumerRecord, error: Exception) -> None:
        """Keep a record that fails by itself, for whatever reason, among the dead letters, and count it."""
        letter = DeadLetter(record, Reason.HANDLER_FAILED, type(error).__name__)
        await self._tell(await self._write([record], [], [letter]))

    def _read(self, records: Iterable[ConsumerRecord]) -> tuple[list[Arrival], list[DeadLetter]]:
        """Read each record by itself, and count the tokens of all that bring no count of their own, in one go."""
        bodies: list[tuple[ConsumerRecord, TurnMessage]] = []
        letters: list[DeadLetter] = []
        for record in records:
            outcome = read_record(record, TurnMessage, max_bytes=self._settings.max_record_bytes)
            if isinstance(outcome, Unreadable):
                letters.append(DeadLetter(record, outcome.reason, outcome.error))
            else:
                bodies.append((record, outcome.body))
        uncounted = [message for _, message in bodies if message.token_count is None]
        counts = iter(self._counter.count_many([project(message) for message in uncounted]))
        arrivals = [
            Arrival(record, message, _tokens(message, counts), digest_of(message)) for record, message in bodies
        ]
        return arrivals, letters

    async def _write(
        self, records: Sequence[ConsumerRecord], arrivals: Sequence[Arrival], letters: Sequence[DeadLetter]
    ) -> list[Outcome]:
        owners = await self._store.owner_keys({arrival.owner for arrival in arrivals})
        firsts: dict[tuple[str, int], int] = {}
        for record in records:
            firsts.setdefault((record.topic, record.partition), record.offset)
        first_owners: dict[str, int] = {}
        for arrival in arrivals:
            first_owners.setdefault(arrival.message.thread_id, owners[arrival.owner])

        async with self._store.appending() as appending:
            await appending.lock_sources(firsts)
            await appending.lock_threads(first_owners)
            plan = await self._plan(appending, arrivals, owners)
            outcomes: list[Outcome] = [*letters, *plan.outcomes]
            settled = settle(records, outcomes, appending.sources)
            await appending.write(plan.messages, plan.threads, settled)
        return outcomes

    async def _plan(self, appending: Appending, arrivals: Sequence[Arrival], owners: Mapping[Owner, int]) -> Plan:
        stored = await appending.find(
            [
                (thread.thread_key, arrival.message.message_id)
                for arrival in arrivals
                if (thread := appending.threads[arrival.message.thread_id]).last_seq
            ]
        )
        plan = plan_append(arrivals, appending.threads, stored, appending.sources, owners)
        anew = begins_anew(plan.outcomes, appending.sources)
        if not anew:
            return plan
        for partition, offset in anew.items():
            log.warning(
                "the log began anew",
                extra={"action": "journal.epoch", "topic": partition[0], "partition": partition[1], "offset": offset},
            )
            await appending.open_epoch(partition, offset)
        return plan_append(arrivals, appending.threads, stored, appending.sources, owners)

    async def _tell(self, outcomes: Iterable[Outcome]) -> None:
        told: list[Outgoing] = []
        for outcome in outcomes:
            match outcome:
                case Appended():
                    told.append(self._event(outcome))
                case DeadLetter():
                    log.warning("dead letter", extra={"action": "journal.dead_letter", "reason": str(outcome.reason)})
                    told.append(outcome.outgoing(self._dead_letters, self._group))
        await self._publisher.send_all(told)

    def _event(self, appended: Appended) -> Outgoing:
        """`Journaled`, written by hand: it is made for every message, and a model costs five times as much."""
        message, record = appended.arrival.message, appended.arrival.record
        body = orjson.dumps(
            {
                "event_id": derived_id("journaled", message.thread_id, appended.seq),
                "thread_id": message.thread_id,
                "agent_id": message.agent_id,
                "user_id": message.user_id,
                "message_id": message.message_id,
                "seq": appended.seq,
                "role": message.role,
                "tokens": appended.tokens,
                "topic": record.topic,
                "partition": record.partition,
                "offset": record.offset,
            }
        )
        return Outgoing(self._journaled, message.thread_id.encode(), body, EVENT_HEADERS)


def _tokens(message: TurnMessage, counts: Iterator[int]) -> int:
    """The producer's own count wins; system messages count nothing (J8)."""
    own = message.token_count
    tokens = own if own is not None else next(counts)
    return 0 if message.role is Role.SYSTEM else tokens
