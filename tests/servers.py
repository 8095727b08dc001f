"""Which servers the tests run on, and how they are started once for a whole run."""

from __future__ import annotations

import asyncio
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

import asyncpg

from deploy.embedded.broker import EmbeddedBroker
from deploy.kafka import jars
from deploy.kafka.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from deploy.embedded.postgres import EmbeddedPostgres

BROKER_VARIABLE = "MNEMO_TEST_BROKER"
BrokerKind = Literal["apache", "embedded"]


@dataclass(frozen=True, slots=True)
class Kafka:
    """The broker under the tests."""

    bootstrap: str
    """`host:port`."""
    is_apache: bool
    """Apache Kafka; else the embedded broker, which has no idempotent producer and no transactions."""


def in_ci() -> bool:
    """Whether what is missing here is a failure rather than a reason to skip."""
    return bool(os.environ.get("CI"))


def choose_broker() -> BrokerKind:
    """The broker that this run uses: the one that is asked for, Apache Kafka in CI and wherever it can run."""
    match os.environ.get(BROKER_VARIABLE):
        case "apache":
            return "apache"
        case "embedded":
            return "embedded"
        case None | "":
            return "apache" if in_ci() or jars.can_run() else "embedded"
        case other:
            raise ValueError(f"{BROKER_VARIABLE} is {other!r}: it can be `apache` or `embedded`")


@contextmanager
def running_kafka(kind: BrokerKind, folder: Path) -> Iterator[Kafka]:
    """A broker of the kind, stopped in the end.

    Raises:
        KafkaNotInstalled: Apache Kafka is wanted and cannot run here.
    """
    if kind == "apache":
        with Cluster(folder) as cluster:
            yield Kafka(cluster.bootstrap, is_apache=True)
    else:
        with EmbeddedBroker(folder) as broker:
            yield Kafka(broker.bootstrap, is_apache=False)


class Databases:
    """Fresh databases on one PostgreSQL server, made by one connection that stays open.

    Works from fixtures that are no coroutines, so that tests of either kind can ask for a database.
    """

    def __init__(self, server: EmbeddedPostgres) -> None:
        self._server = server
        # A loop factory keeps the runner from becoming the thread's current event loop, which is the tests' own.
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None

    def create(self, name: str) -> str:
        """Make an empty database, and return its DSN. The name is an SQL identifier as it is."""
        # Copied as files: the other strategy writes each page to the server's log as well.
        self._execute(f"CREATE DATABASE {name} STRATEGY FILE_COPY")
        return self._server.dsn(name)

    def drop(self, name: str) -> None:
        """Remove a database, with the connections that a test has left."""
        self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _execute(self, statement: str) -> None:
        self._runner.run(self._execute_now(statement))

    async def _execute_now(self, statement: str) -> None:
        if self._connection is None:
            self._connection = await asyncpg.connect(self._server.dsn())
        await self._connection.execute(statement)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._runner.run(self._connection.close())
        self._runner.close()
