"""What a Kafka node of a development or test cluster is set to. Pure: values in, the text of a file out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from deploy.loopback import HOST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MAX_RECORD_BYTES = 32 * 1024 * 1024
"""The brokers' bound on a record. Topics set their own, which is smaller; a dead letter needs room above its topic."""


@dataclass(frozen=True, slots=True)
class Node:
    """One broker that is a controller too, with its two ports on the loopback address."""

    id: int
    port: int
    controller_port: int


def server_properties(node: Node, nodes: Sequence[Node], data: Path) -> str:
    """The server.properties of one node of a cluster."""
    replicas = min(len(nodes), 3)
    listeners = f"PLAINTEXT://{HOST}:{node.port},CONTROLLER://{HOST}:{node.controller_port}"
    return _lines(
        {
            "process.roles": "broker,controller",
            "node.id": node.id,
            "controller.quorum.voters": ",".join(f"{n.id}@{HOST}:{n.controller_port}" for n in nodes),
            "controller.listener.names": "CONTROLLER",
            "listeners": listeners,
            "advertised.listeners": f"PLAINTEXT://{HOST}:{node.port}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": data,
            # A topic that nobody declared is a mistake to be seen.
            "auto.create.topics.enable": "false",
            "default.replication.factor": replicas,
            "min.insync.replicas": max(1, replicas - 1),
            "offsets.topic.replication.factor": replicas,
            "transaction.state.log.replication.factor": replicas,
            "transaction.state.log.min.isr": max(1, replicas - 1),
            "share.coordinator.state.topic.replication.factor": replicas,
            "share.coordinator.state.topic.min.isr": max(1, replicas - 1),
            # Few partitions of the internal topics: the first group does not wait for fifty of them.
            "offsets.topic.num.partitions": 4,
            "transaction.state.log.num.partitions": 4,
            # The first consumer of a group is served at once, without waiting for others.
            "group.initial.rebalance.delay.ms": 0,
            # A test of a crashed consumer may set a session shorter than a person would.
            "group.min.session.timeout.ms": 1_000,
            "message.max.bytes": MAX_RECORD_BYTES,
            "replica.fetch.max.bytes": MAX_RECORD_BYTES,
            # A killed node is noticed in seconds, and a loaded machine is not taken for a dead one.
            "broker.heartbeat.interval.ms": 500,
            "broker.session.timeout.ms": 6_000,
            # Many small topics: an index file is mapped into memory at its full size.
            "log.index.size.max.bytes": 1024 * 1024,
            "log.cleaner.dedupe.buffer.size": 32 * 1024 * 1024,
            "num.network.threads": 2,
            "num.io.threads": 4,
        }
    )


def log_properties(log: Path) -> str:
    """A log4j2 configuration: warnings, and the few lines that say that the server started and stopped, to a file."""
    return _lines(
        {
            "status": "error",
            "appender.file.type": "File",
            "appender.file.name": "file",
            "appender.file.fileName": log,
            "appender.file.layout.type": "PatternLayout",
            "appender.file.layout.pattern": "%d{ISO8601} %p %c{1}: %m%n",
            "rootLogger.level": "WARN",
            "rootLogger.appenderRef.file.ref": "file",
            "logger.start.name": "kafka.server.KafkaRaftServer",
            "logger.start.level": "INFO",
        }
    )


def _lines(properties: Mapping[str, object]) -> str:
    return "".join(f"{key}={value}\n" for key, value in properties.items())
