"""Numbered migrations, each applied once, in order. Many processes may run this at once: one works, the others wait."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from stores.postgres import unavailable_when_down
from streams.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stores.postgres import Connection, Postgres

LOCK = 0x6D6E656D6F  # any number that nobody else uses


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file."""

    version: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """Tells when a file that was already applied has been changed."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrations() -> tuple[Migration, ...]:
    """All of them, in order."""
    found = [path for path in files("stores").joinpath("migrations").iterdir() if path.name.endswith(".sql")]
    return tuple(
        Migration(int(path.name[:4]), path.name[5:-4], path.read_text())
        for path in sorted(found, key=lambda path: path.name)
    )


async def migrate(postgres: Postgres) -> tuple[Migration, ...]:
    """Bring the database up to date, and return what was applied just now.

    Raises:
        Misconfigured: an applied migration differs from its file, or the database is newer than this program.
        Unavailable: the database cannot be reached.
    """
    async with postgres.connection() as connection:
        await connection.execute("select pg_advisory_lock($1)", LOCK)
        try:
            return await _apply_pending(connection)
        finally:
            with unavailable_when_down():
                await connection.execute("select pg_advisory_unlock($1)", LOCK)


async def pending(postgres: Postgres) -> tuple[Migration, ...]:
    """What `migrate` would apply. Changes nothing."""
    async with postgres.connection() as connection:
        return _pending(await _applied(connection))


async def _apply_pending(connection: Connection) -> tuple[Migration, ...]:
    await connection.execute(
        """
        create table if not exists schema_migrations (
            version    integer primary key,
            name       text not null,
            checksum   text not null,
            applied_at timestamptz not null default now()
        )
        """
    )
    todo = _pending(await _applied(connection))
    for migration in todo:
        async with connection.transaction():
            await connection.execute(migration.text)
            await connection.execute(
                "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)",
                migration.version,
                migration.name,
                migration.checksum,
            )
    return todo


async def _applied(connection: Connection) -> dict[int, str]:
    if await connection.fetchval("select to_regclass('schema_migrations')") is None:
        return {}
    return {row["version"]: row["checksum"] for row in await connection.fetch("select * from schema_migrations")}


def _pending(applied: Mapping[int, str]) -> tuple[Migration, ...]:
    known = {migration.version: migration for migration in migrations()}
    if newer := set(applied) - set(known):
        raise Misconfigured(f"the database has migration {max(newer)}, which this program does not know: update it")
    for version, checksum in applied.items():
        if known[version].checksum != checksum:
            raise Misconfigured(f"migration {version} ({known[version].name}) differs from what was applied")
    return tuple(migration for version, migration in known.items() if version not in applied)
