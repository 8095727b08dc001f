"""A small Apache Kafka cluster on this machine: for tests that need the real thing, and for people who try it.

Every node is broker and controller (KRaft). A cluster lives in a folder; started again on it, it has the same ports
and the same records. Single nodes can be stopped, killed and started for tests of faults.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import uuid
from base64 import urlsafe_b64encode
from dataclasses import asdict
from typing import TYPE_CHECKING, Self

from deploy import server_process
from deploy.kafka import jars
from deploy.kafka.properties import Node, log_properties, server_properties
from deploy.loopback import HOST, free_ports, is_free, serving_brokers
from deploy.server_process import ServerFailed, ServerProcess

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_START_SECONDS = 90
"""A start takes three seconds on an idle machine; a loaded one is given thirty times that."""
_FORMAT_SECONDS = 60
_STOP_SECONDS = 10
"""A clean stop takes one second. The last nodes of a cluster, which have lost the majority, would wait for minutes."""
_POLL_SECONDS = 0.05
_JAVA_OPTIONS = ("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC", "-Xshare:auto", "-Djava.awt.headless=true")


class Cluster:
    """A cluster of one or more nodes in a folder, which is created where it lacks.

    Args:
        folder: the data, settings and logs of the nodes.
        nodes: how many nodes; a folder that has a cluster keeps its number.
        first_port: the port of the first node, the others' follow; left out, free ones are taken.
        detached: the nodes live on when this process ends; `stop_detached` ends them.

    Raises:
        ServerFailed: a wanted port is taken.
    """

    def __init__(self, folder: Path, *, nodes: int = 1, first_port: int | None = None, detached: bool = False) -> None:
        self._folder = folder.resolve()
        self._detached = detached
        self._processes: dict[int, ServerProcess] = {}
        self.nodes = read_nodes(folder) or _new_nodes(nodes, first_port)

    @property
    def bootstrap(self) -> str:
        """The addresses of all nodes, as clients want them."""
        return ",".join(f"{HOST}:{node.port}" for node in self.nodes)

    def start(self) -> None:
        """Start all nodes, and wait until every one serves and knows the others.

        Raises:
            KafkaNotInstalled: Java or the jars are missing.
            ServerFailed: a node did not start; the others are stopped.
        """
        try:
            self._write_settings()
            for node in self.nodes:
                self._launch(node)
            for node in self.nodes:
                self._wait_for(node, brokers={other.id for other in self.nodes})
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop all nodes that this object started. Safe to call again."""
        processes, self._processes = self._processes, {}
        for process in processes.values():
            process.ask_to_stop()
        for process in processes.values():
            process.stop(within_seconds=_STOP_SECONDS)

    def start_node(self, node_id: int) -> None:
        """Start a stopped or killed node, and wait until it serves."""
        node = self._node(node_id)
        self._launch(node)
        self._wait_for(node, brokers={node.id})

    def stop_node(self, node_id: int) -> None:
        """Stop a node cleanly: it hands its partitions over."""
        self._processes.pop(node_id).stop()

    def kill_node(self, node_id: int) -> None:
        """End a node as a crash would."""
        self._processes.pop(node_id).kill()

    def serving(self) -> frozenset[int]:
        """The ids of the nodes that answer now."""
        return frozenset(node.id for node in self.nodes if node.id in serving_brokers(node.port))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _node(self, node_id: int) -> Node:
        return next(node for node in self.nodes if node.id == node_id)

    def _folder_of(self, node: Node) -> Path:
        return self._folder / f"node-{node.id}"

    def _write_settings(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        for node in self.nodes:
            folder = self._folder_of(node)
            folder.mkdir(exist_ok=True)
            (folder / "server.properties").write_text(server_properties(node, self.nodes, folder / "data"))
            (folder / "log4j2.properties").write_text(log_properties(folder / server_process.LOG_FILE))
        if read_nodes(self._folder) is None:
            self._format()
            # Written last: a folder without it is one whose formatting did not end.
            _nodes_file(self._folder).write_text(json.dumps([asdict(node) for node in self.nodes], indent=2))

    def _format(self) -> None:
        """Give every node's empty data folder the cluster's id; all at once, since each takes a Java start."""
        cluster_id = urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode("ascii")
        formatting = []
        for node in self.nodes:
            shutil.rmtree(self._folder_of(node) / "data", ignore_errors=True)
            arguments = ("format", "--cluster-id", cluster_id, "--config")
            command = self._java(node, "kafka.tools.StorageTool", *arguments)
            process = subprocess.Popen(  # noqa: S603 - our own command, no shell
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
            formatting.append(process)
        told = [process.communicate(timeout=_FORMAT_SECONDS)[0] for process in formatting]
        failed = [words for process, words in zip(formatting, told, strict=True) if process.returncode != 0]
        if failed:
            raise ServerFailed(f"Kafka's storage could not be formatted:\n{failed[0]}")

    def _launch(self, node: Node) -> None:
        command = self._java(node, "kafka.Kafka")
        self._processes[node.id] = ServerProcess(command, self._folder_of(node), detached=self._detached)

    def _java(self, node: Node, main_class: str, *arguments: str) -> list[str]:
        """A Java command; the node's settings are its last argument."""
        folder = self._folder_of(node)
        log_settings = f"-Dlog4j2.configurationFile={folder / 'log4j2.properties'}"
        class_path = f"{jars.ensure()}/*"
        settings = str(folder / "server.properties")
        return [jars.java(), *_JAVA_OPTIONS, log_settings, "-cp", class_path, main_class, *arguments, settings]

    def _wait_for(self, node: Node, *, brokers: set[int]) -> None:
        self._processes[node.id].wait_until(
            lambda: brokers <= serving_brokers(node.port), within_seconds=_START_SECONDS
        )


def stop_detached(folder: Path) -> None:
    """Stop the nodes of the cluster in the folder, whoever started them."""
    for node in read_nodes(folder) or ():
        server_process.stop_server_in(folder / f"node-{node.id}", within_seconds=_STOP_SECONDS)


def read_nodes(folder: Path) -> tuple[Node, ...] | None:
    """The nodes of the cluster in the folder; None where there is no cluster."""
    file = _nodes_file(folder)
    if not file.is_file():
        return None
    return tuple(Node(**fields) for fields in json.loads(file.read_text()))


def _nodes_file(folder: Path) -> Path:
    return folder / "nodes.json"


def _new_nodes(count: int, first_port: int | None) -> tuple[Node, ...]:
    if first_port is None:
        ports = free_ports(2 * count)
        return tuple(Node(n + 1, ports[n], ports[count + n]) for n in range(count))
    wanted = range(first_port, first_port + count)
    taken = [port for port in wanted if not is_free(port)]
    if taken:
        raise ServerFailed(f"port {taken[0]} of {HOST} is taken")
    return tuple(Node(n + 1, port, controller) for n, (port, controller) in enumerate(_pairs(wanted)))


def _pairs(ports: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(ports, free_ports(len(ports)), strict=True))
