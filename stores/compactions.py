"""Compactions: what was asked for, what became of it, and the chain of summaries that results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from stores.postgres import sql
from stores.rows import JournalRow, SummaryRow
from streams.bodies import CompactionRequested, TurnMessage
from streams.codec import read_body
from streams.errors import MnemostreamError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from uuid import UUID

    from stores.postgres import Postgres

Reached = Literal["messages", "tokens"]


@dataclass(frozen=True, slots=True)
class LastCompaction:
    """A thread's newest compaction."""

    compaction_id: UUID
    from_seq: int
    to_seq: int
    messages: int
    """The thread's counted total at `to_seq`."""
    tokens: int
    """The same, in tokens."""
    range_messages: int
    range_tokens: int
    reason: Reached
    state: Literal["asked", "done", "failed"]
    asked_at: datetime
    told: bool
    """Whether its request was published."""


@dataclass(frozen=True, slots=True)
class ThreadCounts:
    """What a threshold is held against. All counts are totals from the thread's beginning."""

    thread_key: int
    thread_id: str
    agent_id: str
    user_id: str | None
    first_seq: int
    turn_seq: int
    """Where the newest turn opens: what is before it is whole turns."""
    messages: int
    tokens: int
    turn_messages: int
    """Counted before `turn_seq`."""
    turn_tokens: int
    folded_seq: int
    """Where the newest summary ends."""
    folded_messages: int
    folded_tokens: int
    last: LastCompaction | None


@dataclass(frozen=True, slots=True)
class NewCompaction:
    """A compaction to be asked for."""

    compaction_id: UUID
    thread: ThreadCounts
    from_seq: int
    to_seq: int
    range_messages: int
    range_tokens: int
    reason: Reached


@dataclass(frozen=True, slots=True)
class FoldState:
    """Where a thread's chain of summaries stands."""

    folded_seq: int
    gone: bool
    """The thread was deleted since, or begins anew after the range."""
    newest: SummaryRow | None


class BrokenRow(MnemostreamError):
    """A journaled body can't be read any more: it was written by a program that accepted what this one does not."""


class CompactionStore:
    """Compactions and summaries in PostgreSQL."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def counts(self, thread_ids: Sequence[str]) -> list[ThreadCounts]:
        """What thresholds are held against, of those of the threads that live."""
        async with self._postgres.connection() as connection:
            rows = await connection.fetch(sql("threads_due"), thread_ids)
        return [_thread_counts(tuple(row)) for row in rows]

    async def ask_once(self, asked: NewCompaction) -> CompactionRequested | None:
        """Note that a compaction is asked for. None where one of the thread is open, or its range is folded already."""
        thread = asked.thread
        async with self._postgres.connection() as connection:
            asked_at = await connection.fetchval(
                sql("ask_compaction"),
                asked.compaction_id,
                thread.thread_key,
                asked.from_seq,
                asked.to_seq,
                thread.turn_messages,
                thread.turn_tokens,
                asked.range_messages,
                asked.range_tokens,
                asked.reason,
            )
        if asked_at is None:
            return None
        return CompactionRequested(
            compaction_id=asked.compaction_id,
            thread_id=thread.thread_id,
            agent_id=thread.agent_id,
            user_id=thread.user_id,
            from_seq=asked.from_seq,
            to_seq=asked.to_seq,
            messages=asked.range_messages,
            tokens=asked.range_tokens,
            reason=asked.reason,
            requested_at=asked_at,
        )

    async def mark_told(self, compaction_ids: Iterable[UUID]) -> None:
        """Their requests are published."""
        async with self._postgres.connection() as connection:
            await connection.execute(
                "update compactions set told_at = now() where compaction_id = any ($1::uuid[])", list(compaction_ids)
            )

    async def untold(self, *, older_than_seconds: float, limit: int) -> list[CompactionRequested]:
        """Open compactions whose request was never published, or so long ago that it may be lost."""
        async with self._postgres.connection() as connection:
            rows = await connection.fetch(sql("untold_compactions"), timedelta(seconds=older_than_seconds), limit)
        return [CompactionRequested(**dict(row)) for row in rows]

    async def fold_state(self, thread_id: str, from_seq: int) -> FoldState | None:
        """Where the chain stands, for a range that begins at `from_seq`; None where there is no such thread."""
        async with self._postgres.connection() as connection:
            row = await connection.fetchrow(sql("compaction_state"), thread_id, from_seq)
        if row is None:
            return None
        _, folded_seq, gone, *summary = tuple(row)
        return FoldState(folded_seq, gone, SummaryRow(*summary) if summary[0] is not None else None)

    async def range(self, thread_id: str, from_seq: int, to_seq: int) -> list[JournalRow]:
        """The messages of a range, in order, without system messages.

        Raises:
            BrokenRow: one of them can't be read.
        """
        async with self._postgres.connection() as connection:
            rows = await connection.fetch(sql("fold_range"), thread_id, from_seq, to_seq)
        return [journal_row(*row) for row in map(tuple, rows)]

    async def store_summary(
        self, request: CompactionRequested, *, text: str, tokens: int, model: str, prompt_version: str
    ) -> SummaryRow | None:
        """Store the next version. None where the range does not continue the newest one: somebody else was faster."""
        async with self._postgres.transaction() as connection:
            row = await connection.fetchrow(
                sql("store_summary"),
                request.thread_id,
                request.compaction_id,
                request.from_seq,
                request.to_seq,
                tokens,
                text,
                model,
                prompt_version,
            )
        return None if row is None else SummaryRow(**dict(row))

    async def mark_failed(self, compaction_id: UUID) -> None:
        """A compaction has failed for good: the former summary stands, and a later one will cover its range."""
        async with self._postgres.connection() as connection:
            await connection.execute(
                "update compactions set state = 'failed', settled_at = now() "
                "where compaction_id = $1 and state = 'asked'",
                compaction_id,
            )


_THREAD_COLUMNS = len(fields(ThreadCounts)) - 1


def _thread_counts(columns: tuple[Any, ...]) -> ThreadCounts:
    thread, last = columns[:_THREAD_COLUMNS], columns[_THREAD_COLUMNS:]
    values = (*thread, None if last[0] is None else LastCompaction(*last))
    return ThreadCounts(*values)


def journal_row(seq: int, turn_seq: int, tokens: int, body: bytes) -> JournalRow:
    """A row of the journal, read back.

    Raises:
        BrokenRow: its body can't be read.
    """
    message = read_body(body, TurnMessage)
    if isinstance(message, TurnMessage):
        return JournalRow(seq, turn_seq, tokens, message)
    _, error = message
    raise BrokenRow(f"message {seq} of a thread: {error}")
