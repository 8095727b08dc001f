from __future__ import annotations

from pathlib import Path

import pytest

from deploy.kafka.properties import MAX_RECORD_BYTES, Node, server_properties


def properties(nodes: int) -> dict[str, str]:
    cluster = [Node(n, 20_000 + n, 21_000 + n) for n in range(1, nodes + 1)]
    text = server_properties(cluster[0], cluster, Path("/data"))
    return dict(line.split("=", 1) for line in text.splitlines())


@pytest.mark.parametrize(("nodes", "replicas", "in_sync"), [(1, "1", "1"), (3, "3", "2")])
def test_a_cluster_keeps_as_many_copies_as_it_has_nodes_and_goes_on_without_one(
    nodes: int, replicas: str, in_sync: str
) -> None:
    told = properties(nodes)

    assert {told[f"{topic}.replication.factor"] for topic in ("default", "offsets.topic")} == {replicas}
    assert told["min.insync.replicas"] == in_sync


def test_every_listener_is_on_the_loopback_address_alone() -> None:
    told = properties(3)

    assert told["listeners"] == "PLAINTEXT://127.0.0.1:20001,CONTROLLER://127.0.0.1:21001"
    assert told["controller.quorum.voters"] == "1@127.0.0.1:21001,2@127.0.0.1:21002,3@127.0.0.1:21003"


def test_no_topic_appears_undeclared_and_records_of_sixteen_mebibytes_fit() -> None:
    told = properties(1)

    assert told["auto.create.topics.enable"] == "false"
    assert int(told["message.max.bytes"]) == MAX_RECORD_BYTES > 16 * 1024 * 1024
