"""What a context is made of, read in one round trip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stores.compactions import journal_row
from stores.postgres import sql
from stores.rows import JournalRow, SummaryRow

if TYPE_CHECKING:
    from datetime import datetime

    from stores.journal import Owner
    from stores.postgres import Postgres


@dataclass(frozen=True, slots=True)
class ContextRead:
    """A thread's newest messages, where its turns open, and its summary."""

    through_seq: int
    """The newest message that counts here."""
    cap: int
    """The cap on the window that applies to the thread."""
    holds_message: bool
    """Whether the message that was asked for is there (true where none was)."""
    rows: tuple[JournalRow, ...]
    """At most `cap` messages, oldest first, without system messages."""
    openings: tuple[JournalRow, ...]
    """The first shown message of the oldest and of the newest turn of `rows`."""
    summary: SummaryRow | None
    newest_at: datetime | None
    """When the newest of all this was stored."""


class ContextStore:
    """Contexts' ingredients in PostgreSQL."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def read(
        self,
        thread_id: str,
        owner: Owner,
        *,
        cap: int,
        through_seq: int | None = None,
        summary_version: int | None = None,
        message_id: str | None = None,
    ) -> ContextRead | None:
        """Read what a context is made of; None where the owner has no such thread (J9).

        Args:
            thread_id: the thread.
            owner: who asks: only the thread's own agent and user are given anything.
            cap: the platform's cap on windows, in messages. The thread's own may be lower, and then applies, unless
                `through_seq` names a past state: it had this cap.
            through_seq: the newest message to show; None for the newest there is.
            summary_version: the summary to show, 0 for none; None for the newest.
            message_id: a message that the context must hold.

        Raises:
            Unavailable: the database cannot be reached.
        """
        async with self._postgres.connection() as connection:
            row = await connection.fetchrow(
                sql("context"),
                thread_id,
                owner.agent_id,
                owner.user_id,
                cap,
                through_seq,
                summary_version,
                message_id,
            )
        if row is None:
            return None
        through, limit, holds, seqs, turn_seqs, tokens, bodies, newest_at, opening_seqs, tail_seq, *summary = tuple(row)
        shown = tuple(map(journal_row, seqs or (), turn_seqs or (), tokens or (), bodies or ()))
        opens = frozenset(opening_seqs or ())
        found = SummaryRow(*summary) if summary[0] is not None else None
        return ContextRead(
            through_seq=through,
            cap=limit,
            holds_message=holds,
            rows=tuple(row for row in shown if row.seq >= tail_seq),
            openings=tuple(row for row in shown if row.seq in opens),
            summary=found,
            newest_at=max(filter(None, (newest_at, found and found.created_at)), default=None),
        )
