"""The journal: every accepted message once, in its thread's order, with where it came from.

An append is one transaction that locks the partitions and the threads it touches, so that a consumer that has lost its
partition (a rebalance, a long pause) can neither double a message nor reorder a thread.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

from stores.postgres import sql

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
    from datetime import datetime

    from stores.postgres import Connection, Postgres

KNOWN_OWNERS = 50_000
"""How many owners' keys a process remembers: about 10 MB."""


class Owner(NamedTuple):
    """Whom a thread belongs to."""

    agent_id: str
    user_id: str | None


@dataclass(frozen=True, slots=True)
class Source:
    """A partition of the log, and up to where it is settled."""

    source_key: int
    topic: str
    partition: int
    epoch: int
    first_offset: int
    next_offset: int


@dataclass(frozen=True, slots=True)
class ThreadState:
    """A thread's place: what the next message of it continues. `messages` and `tokens` are counted totals."""

    thread_key: int
    thread_id: str
    owner_key: int
    owner: Owner
    first_seq: int
    last_seq: int
    turn_seq: int
    turn_id: str | None
    messages: int
    tokens: int
    turn_messages: int
    turn_tokens: int
    deleted: bool


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """What a message that comes again is compared with."""

    seq: int
    digest: bytes
    source_key: int
    source_offset: int
    tokens: int


class NewMessage(NamedTuple):
    """A row to be appended, in the order of the table's columns."""

    thread_key: int
    seq: int
    turn_seq: int
    owner_key: int
    source_offset: int
    source_key: int
    tokens: int
    created_at: datetime
    role: str
    message_id: str
    digest: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Settled:
    """How far a partition is settled by a batch, and as what its records ended: each is counted once, for good."""

    source_key: int
    next_offset: int
    appended: int = 0
    duplicate: int = 0
    conflict: int = 0
    rejected: int = 0
    dead_letter: int = 0
    skipped: int = 0


class Appending:
    """An append in progress: partitions and threads are locked until it ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.sources: dict[tuple[str, int], Source] = {}
        self.threads: dict[str, ThreadState] = {}

    async def lock_sources(self, firsts: Mapping[tuple[str, int], int]) -> None:
        """Lock partitions, each given with the offset that its first epoch begins at where it was never read."""
        rows = await self._connection.fetch(
            sql("lock_sources"), [topic for topic, _ in firsts], [partition for _, partition in firsts]
        )
        for row in rows:
            self._know(Source(**dict(row)))
        for partition, offset in firsts.items():
            if partition not in self.sources:
                await self.open_epoch(partition, offset)

    async def open_epoch(self, partition: tuple[str, int], offset: int) -> None:
        """Begin a new count for a partition whose log began anew at `offset`."""
        row = await self._connection.fetchrow(sql("open_source"), *partition, offset)
        if row is None:  # another consumer was faster: take its turn after it
            await self.lock_sources({partition: offset})
        else:
            self._know(Source(**dict(row)))

    async def lock_threads(self, owners: Mapping[str, int]) -> None:
        """Lock threads, each given with the owner's key of its first message, and begin those that are not there."""
        await self._lock_known(owners)
        new = [thread_id for thread_id in owners if thread_id not in self.threads]
        if new:
            new.sort()
            await self._connection.execute(sql("open_threads"), new, [owners[thread_id] for thread_id in new])
            await self._lock_known(new)

    async def find(self, wanted: Sequence[tuple[int, str]]) -> dict[tuple[int, str], StoredMessage]:
        """Those of the (thread key, message id) pairs that are journaled already."""
        if not wanted:
            return {}
        rows = await self._connection.fetch(
            sql("find_messages"), [thread_key for thread_key, _ in wanted], [message_id for _, message_id in wanted]
        )
        return {(thread_key, message_id): StoredMessage(*rest) for thread_key, message_id, *rest in map(tuple, rows)}

    async def write(
        self, messages: Sequence[NewMessage], threads: Iterable[ThreadState], settled: Iterable[Settled]
    ) -> None:
        """Append rows, move their threads forward, and settle the partitions."""
        if messages:
            await self._connection.copy_records_to_table("messages", records=messages, columns=NewMessage._fields)
            await self._connection.execute(sql("advance_threads"), *_advance_columns(threads))
        await self._connection.execute(sql("settle_sources"), *_columns(Settled, settled))

    def _know(self, source: Source) -> None:
        self.sources[source.topic, source.partition] = source

    async def _lock_known(self, thread_ids: Iterable[str]) -> None:
        for row in await self._connection.fetch(sql("lock_threads"), list(thread_ids)):
            thread_key, thread_id, owner_key, agent_id, user_id, *rest = tuple(row)
            self.threads[thread_id] = ThreadState(thread_key, thread_id, owner_key, Owner(agent_id, user_id), *rest)


class JournalStore:
    """The journal in PostgreSQL."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._owner_keys: dict[Owner, int] = {}

    @asynccontextmanager
    async def appending(self) -> AsyncIterator[Appending]:
        """An append: all of it becomes durable at the end, or none.

        Raises:
            Unavailable: the database cannot be reached.
        """
        async with self._postgres.transaction() as connection:
            yield Appending(connection)

    async def owner_keys(self, owners: Iterable[Owner]) -> Mapping[Owner, int]:
        """The owners' keys. New owners are written at once, outside any append: they are no news to anybody."""
        unknown = {owner for owner in owners if owner not in self._owner_keys}
        if unknown:
            await self._learn(unknown)
        return self._owner_keys

    async def _learn(self, owners: set[Owner]) -> None:
        if len(self._owner_keys) + len(owners) > KNOWN_OWNERS:
            self._owner_keys.clear()
        ordered = sorted(owners, key=lambda owner: (owner.agent_id, owner.user_id or ""))
        async with self._postgres.connection() as connection:
            rows = await connection.fetch(
                sql("learn_owners"), [owner.agent_id for owner in ordered], [owner.user_id for owner in ordered]
            )
        self._owner_keys.update({Owner(row["agent_id"], row["user_id"]): row["owner_key"] for row in rows})


_ADVANCED = (
    "thread_key", "owner_key", "first_seq", "last_seq", "turn_seq", "turn_id", "messages", "tokens", "turn_messages",
    "turn_tokens",
)  # fmt: skip


def _advance_columns(threads: Iterable[ThreadState]) -> list[list[object]]:
    rows = list(threads)
    return [[getattr(row, name) for row in rows] for name in _ADVANCED]


def _columns(kind: type[Settled], rows: Iterable[Settled]) -> list[list[object]]:
    listed = list(rows)
    return [[getattr(row, field.name) for row in listed] for field in fields(kind)]
