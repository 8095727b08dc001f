"""What every level of test can ask for: a broker, PostgreSQL, the shared conversations, names of one's own."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deploy.embedded.postgres import EmbeddedPostgres
from deploy.kafka import jars
from tests.servers import BROKER_VARIABLE, BrokerKind, Databases, Kafka, choose_broker, in_ci, running_kafka

if TYPE_CHECKING:
    from collections.abc import Iterator

REPO = Path(__file__).parent.parent
DATA_VARIABLE = "MNEMO_SHARED_DATA"


BROKER = pytest.StashKey[BrokerKind]()


def pytest_configure(config: pytest.Config) -> None:
    try:
        config.stash[BROKER] = choose_broker()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_report_header(config: pytest.Config) -> str:
    if config.stash[BROKER] == "apache":
        return f"broker: Apache Kafka {jars.version()}"
    return "broker: the embedded one, not Apache Kafka"


@pytest.fixture(scope="session")
def kafka(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kafka]:
    """The broker of this run, shared by all tests: use `unique` for topics and groups."""
    try:
        with running_kafka(pytestconfig.stash[BROKER], tmp_path_factory.mktemp("kafka")) as running:
            yield running
    except jars.KafkaNotInstalled as error:
        pytest.fail(f"{error} ({BROKER_VARIABLE}=embedded takes the embedded broker)", pytrace=False)


@pytest.fixture(scope="session")
def _postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(tmp_path_factory.mktemp("postgres"), fast=True) as server:
        yield server


@pytest.fixture(scope="session")
def _databases(_postgres: EmbeddedPostgres) -> Iterator[Databases]:
    with Databases(_postgres) as databases:
        yield databases


@pytest.fixture(scope="session")
def postgres_dsn(_postgres: EmbeddedPostgres) -> str:
    """The server of this run, by its maintenance database: for tests that need the server itself."""
    return _postgres.dsn()


@pytest.fixture
def database(_databases: Databases) -> Iterator[str]:
    """The DSN of an empty database of the test's own."""
    name = f"test_{secrets.token_hex(6)}"
    yield _databases.create(name)
    _databases.drop(name)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the shared conversations. Tests that ask for it are marked `corpus`."""
    folder = Path(os.environ.get(DATA_VARIABLE) or REPO.parent / "shared" / "data")
    if not folder.is_dir():
        missing = f"the shared conversations are not at {folder}; {DATA_VARIABLE} can name another folder"
        if in_ci():
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    return folder


@pytest.fixture
def unique() -> str:
    """A short name that no other test has: the prefix of its topics and groups."""
    return f"t{secrets.token_hex(4)}"
