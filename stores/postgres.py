"""The pool of connections, and what its errors mean: unreachable now, or wrong for good."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Self

import asyncpg

from streams.errors import Misconfigured, MnemostreamError, Unavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from asyncpg.pool import PoolConnectionProxy

    from stores.settings import PostgresSettings

    Connection = PoolConnectionProxy[asyncpg.Record]
    Pool = asyncpg.Pool[asyncpg.Record]

TRANSIENT = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.QueryCanceledError,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.DiskFullError,
    asyncpg.OutOfMemoryError,
    asyncpg.ReadOnlySQLTransactionError,
    OSError,
    TimeoutError,
)
"""What the same work, done again later, may not meet again. `InterfaceError` is a connection that was lost."""


class StatementFailed(MnemostreamError):
    """PostgreSQL refuses a statement: a fault of ours, or of the data. It tells the kind and the place, no content."""

    def __init__(self, error: asyncpg.PostgresError) -> None:
        place = ", ".join(filter(None, (error.table_name, error.column_name, error.constraint_name)))
        super().__init__(f"{type(error).__name__} ({error.sqlstate}) at {place or 'the statement'}")


@contextmanager
def unavailable_when_down() -> Iterator[None]:
    """Names errors as what they are. No message of PostgreSQL passes: it may quote what stands in a row.

    Raises:
        Unavailable: the server cannot be reached, or cannot do this now.
        StatementFailed: it refuses the statement, and will again.
    """
    try:
        yield
    except TRANSIENT as error:
        raise Unavailable(f"PostgreSQL: {type(error).__name__}") from None
    except asyncpg.PostgresError as error:
        raise StatementFailed(error) from None


class Postgres:
    """A pool, opened and closed by its owner. Use it as an async context manager."""

    def __init__(self, settings: PostgresSettings) -> None:
        self._settings = settings
        self._opened: Pool | None = None

    async def open(self) -> None:
        """Connect.

        Raises:
            Misconfigured: no server is named, or it does not let us in.
            Unavailable: it cannot be reached.
        """
        if self._settings.dsn is None:
            raise Misconfigured("no PostgreSQL is named: set MNEMO_POSTGRES__DSN, or use `up` with the embedded server")
        try:
            with unavailable_when_down():
                self._opened = await asyncpg.create_pool(
                    self._settings.dsn.get_secret_value(),
                    min_size=min(self._settings.pool_min, self._settings.pool_max),
                    max_size=self._settings.pool_max,
                    timeout=self._settings.connect_timeout_seconds,
                    command_timeout=self._settings.statement_timeout_seconds,
                )
        except (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError, ValueError) as error:
            raise Misconfigured(f"PostgreSQL refuses MNEMO_POSTGRES__DSN: {type(error).__name__}") from error

    async def close(self) -> None:
        """Close every connection."""
        if self._opened is not None:
            pool, self._opened = self._opened, None
            await pool.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def pool(self) -> Pool:
        """The pool.

        Raises:
            Unavailable: it is not open.
        """
        if self._opened is None:
            raise Unavailable("PostgreSQL: the pool is closed")
        return self._opened

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """A connection for single statements."""
        with unavailable_when_down():
            async with self.pool.acquire(timeout=self._settings.connect_timeout_seconds) as connection:
                yield connection

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """A connection with a transaction, committed in the end, rolled back on any error."""
        async with self.connection() as connection, connection.transaction():
            yield connection


@cache
def sql(name: str) -> str:
    """The statement in `stores/sql/NAME.sql`."""
    return files("stores").joinpath("sql", f"{name}.sql").read_text()
