"""Threads' own settings, and their deletion. A deleted thread's journal stays; its next message begins it anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stores.postgres import sql

if TYPE_CHECKING:
    from stores.postgres import Postgres


class ThreadStore:
    """Threads in PostgreSQL."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres

    async def set_window_limit(
        self, thread_id: str, agent_id: str, user_id: str | None, *, any_user: bool, limit: int | None
    ) -> bool:
        """Set, or with None take away, the thread's own cap. False where it is nobody's, or another's."""
        return await self._on_own_thread("set_window_limit", thread_id, agent_id, user_id, any_user, limit)

    async def delete(self, thread_id: str, agent_id: str, user_id: str | None, *, any_user: bool) -> bool:
        """Delete the thread's record (D1). False where it is nobody's, or another's, or deleted already."""
        return await self._on_own_thread("delete_thread", thread_id, agent_id, user_id, any_user)

    async def _on_own_thread(self, statement: str, *arguments: object) -> bool:
        async with self._postgres.connection() as connection:
            return await connection.fetchval(sql(statement), *arguments) is not None
