"""The Kafka that the other tests stand on: one node, and three of which one fails."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from deploy import server_process
from deploy.kafka import jars
from deploy.kafka.cluster import Cluster
from deploy.loopback import free_ports
from deploy.server_process import ServerFailed
from tests.servers import in_ci

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers import Kafka

pytestmark = pytest.mark.kafka

needs_apache = pytest.mark.skipif(
    not jars.can_run() and not in_ci(), reason="Apache Kafka needs Java 17 and Maven, or its jars in place"
)
SIXTEEN_MEBIBYTES = 16 * 1024 * 1024


async def create_topic(bootstrap: str, name: str, *, replicas: int = 1, config: dict[str, str] | None = None) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(name, 1, replicas, topic_configs=config or {})])
    finally:
        await admin.close()


async def send(bootstrap: str, topic: str, *values: bytes) -> None:
    limit = SIXTEEN_MEBIBYTES + 1024
    async with AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all", max_request_size=limit) as producer:
        for value in values:
            await producer.send_and_wait(topic, value)


async def receive(bootstrap: str, topic: str, count: int) -> list[bytes | None]:
    consumer = AIOKafkaConsumer(
        topic, bootstrap_servers=bootstrap, group_id=f"{topic}.readers", auto_offset_reset="earliest"
    )
    async with consumer:
        return [(await consumer.getone()).value for _ in range(count)]


async def test_a_record_goes_in_and_comes_out(kafka: Kafka, unique: str) -> None:
    await create_topic(kafka.bootstrap, unique)

    await send(kafka.bootstrap, unique, b"first", b"second")

    assert await receive(kafka.bootstrap, unique, 2) == [b"first", b"second"]


async def test_a_topic_may_allow_records_of_sixteen_mebibytes(kafka: Kafka, unique: str) -> None:
    large = bytes(SIXTEEN_MEBIBYTES)
    await create_topic(kafka.bootstrap, unique, config={"max.message.bytes": str(2 * SIXTEEN_MEBIBYTES)})

    await send(kafka.bootstrap, unique, large)

    assert await receive(kafka.bootstrap, unique, 1) == [large]


@needs_apache
async def test_records_are_there_after_a_restart_in_the_same_folder_at_the_same_address(tmp_path: Path) -> None:
    with Cluster(tmp_path) as cluster:
        await create_topic(cluster.bootstrap, "kept")
        await send(cluster.bootstrap, "kept", b"before")
    assert not cluster.serving()

    with Cluster(tmp_path) as again:
        assert again.bootstrap == cluster.bootstrap
        assert await receive(again.bootstrap, "kept", 1) == [b"before"]


@needs_apache
def test_a_folder_has_one_cluster_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_process, "HANDOVER_SECONDS", 0.1)
    with Cluster(tmp_path) as cluster:
        with pytest.raises(ServerFailed, match="is running in"):
            Cluster(tmp_path).start()

        assert cluster.serving() == {1}


def kafka_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "deploy.kafka", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own program


@needs_apache
def test_the_command_starts_a_broker_that_outlives_it_and_stops_it(tmp_path: Path) -> None:
    folder = ("--folder", str(tmp_path / "cluster"))
    (port,) = free_ports(1)
    try:
        started = kafka_command("start", *folder, "--port", str(port))
        assert f"serves at 127.0.0.1:{port}" in started.stdout, started.stderr
        assert kafka_command("status", *folder).stdout == f"node 1 at port {port}: serves\n"
        assert kafka_command("start", *folder).returncode == 0, "to start what runs is no mistake"
    finally:
        assert kafka_command("stop", *folder).stdout == "stopped\n"

    assert kafka_command("status", *folder).returncode == 3


@needs_apache
def test_a_taken_port_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        refused = kafka_command("start", "--folder", str(tmp_path), "--port", str(port))

    assert (refused.returncode, refused.stderr) == (1, f"port {port} of 127.0.0.1 is taken\n")


@needs_apache
@pytest.mark.slow
async def test_three_nodes_go_on_when_one_is_killed_and_take_it_back(tmp_path: Path) -> None:
    with Cluster(tmp_path, nodes=3) as cluster:
        await create_topic(cluster.bootstrap, "replicated", replicas=3)
        await send(cluster.bootstrap, "replicated", b"with three")

        cluster.kill_node(2)
        await send(cluster.bootstrap, "replicated", b"with two")
        assert cluster.serving() == {1, 3}

        cluster.start_node(2)
        assert await receive(cluster.bootstrap, "replicated", 2) == [b"with three", b"with two"]
        assert cluster.serving() == {1, 2, 3}
